import { NetworkIsolationOptions, PolicyEngine } from './network-isolation';
import { EVERYTHING, Policy, PodLabels, TrafficRule } from './policy';
import { CLUSTER_NAME_LABEL } from '../../../manifests/rules/cluster-api/cluster-api-kinds';
import { Cidr } from '../../../manifests/values/cidr';
import { ADDRESS_BITS, IpFamily, parseIp } from '../../../manifests/values/ip-address';
import { TENANT_CONTROLLER_COMPONENT } from '../../addons/controllers/controller-names';
import { rangesOf } from '../../contracts/capabilities/infra-cluster-capabilities';
import { IsolationPeer, IsolationPort, PeerChoice } from '../../contracts/capabilities/isolation-peer';
import { ClusterContext } from '../../contracts/cluster-context';

const CONTROLLER_LABELS: PodLabels = { 'app.kubernetes.io/component': TENANT_CONTROLLER_COMPONENT };

const DNS_PORTS = [IsolationPort.udp(53), IsolationPort.tcp(53)];
const DNS_PODS = systemPods({ 'k8s-app': 'kube-dns' });

/** Index of the DNS Service's address in the Service range (kubernetes/kubernetes cmd/kubeadm/app/constants/constants.go, GetDNSIP). */
const DNS_SERVICE_INDEX = 10;

/**
 * Addresses of a DNS cache on the node, which is no pod to a policy since it runs in the node's network
 * (kubernetes.io/docs/tasks/administer-cluster/nodelocaldns; kubernetes-sigs/kubespray docs/advanced/dns-stack.md).
 */
const DNS_CACHES = ['169.254.20.10', '169.254.25.10'];

/**
 * Identity of a DNS cache on the node to Cilium: its pod behind a CiliumLocalRedirectPolicy, or else the host, as which Cilium identifies
 * addresses of the node's interfaces since 1.17. Earlier agents may take them for addresses of the world after a restart: see DNS_CACHES
 * (cilium/cilium Documentation/network/kubernetes/local-redirect-policy.rst, examples/kubernetes-local-redirect/node-local-dns.yaml,
 * Documentation/security/policy/layer3.rst, issues 33144 and 42528).
 */
const CILIUM_DNS: readonly PeerChoice[] = [systemPods({ 'k8s-app': 'node-local-dns' }), { entity: 'host' }];
const API_SERVER_PORTS = [IsolationPort.tcp(443), IsolationPort.tcp(6443)];

/**
 * Addresses at which clouds hand out credentials of the node, and link-local addresses as a whole: AWS, Google Cloud, OpenStack and others use
 * 169.254.169.254 or another address of that range, Azure 168.63.129.16, Alibaba 100.100.100.200, Oracle 192.0.0.192, AWS fd00:ec2::254.
 */
const METADATA_ADDRESSES: { readonly [family in IpFamily]: readonly string[] } = {
  IPv4: ['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'],
  IPv6: ['fe80::/10', 'fd00:ec2::254/128'],
};

const WORLD = { IPv4: '0.0.0.0/0', IPv6: '::/0' };

/** TCP ports of the control plane's pods that are let through. */
export function controlPlanePorts(options: NetworkIsolationOptions, context: ClusterContext): number[] {
  const { apiServerPort, tunnelPort } = context.controlPlane;
  return [...new Set([apiServerPort, ...(options.controlPlanePorts ?? (tunnelPort === undefined ? [] : [tunnelPort]))])];
}

/** Labels of the hosted control plane's pods; undefined where there are none. */
export function controlPlanePods(options: NetworkIsolationOptions, context: ClusterContext): PodLabels | undefined {
  const { podLabel } = context.controlPlane;
  return options.controlPlanePodLabels ?? (podLabel === undefined ? undefined : { [podLabel]: context.name });
}

/** Ranges of the management cluster: those that the user gave, those that the infrastructure names, and those that are stated, each once. */
export function managementRanges(options: NetworkIsolationOptions, context: ClusterContext): Cidr[] {
  const apiServers = (options.managementApiServers ?? []).flatMap(({ _choice }) => _choice?.cidr?.cidr ?? []);
  const texts = [...(options.managementCidrs ?? []), ...(context.infrastructure.reservedCidrs ?? []), ...rangesOf(context.management ?? {})];
  return parsed([...texts, ...apiServers]);
}

/** Names of the data stores that the control plane may connect to. */
export function dataStoresOf({ controlPlane, management }: ClusterContext): string[] {
  return controlPlane.dataStores ?? Object.keys(management?.dataStorePeers ?? {});
}

/** True if policies tell the management cluster from the world by ranges alone. */
export function rangesMatchNodes(engine: PolicyEngine, { management }: ClusterContext): boolean {
  return engine !== 'cilium.io' || (management?.networkPlugin?._enforcement?.rangesMatchNodes ?? false);
}

/** True if the user lets the control plane through to everything. */
export function isUnlimited({ controlPlaneDestinations = [] }: NetworkIsolationOptions): boolean {
  return controlPlaneDestinations.some(({ _choice, ports }) => _choice?.anything && ports.length === 0);
}

/** Writes down who may talk to whom, for one cluster. */
export class ClusterPolicies {
  private readonly ranges: Cidr[];
  private readonly controlPlane?: PodLabels;
  private readonly machines?: PodLabels;
  private readonly controlPlanePorts: IsolationPort[];

  /**
   * @param engine the kind of policies
   * @param options the traffic that is allowed
   * @param context the cluster
   */
  public constructor(
    private readonly engine: PolicyEngine, private readonly options: NetworkIsolationOptions, private readonly context: ClusterContext,
  ) {
    this.ranges = managementRanges(this.options, context);
    this.controlPlane = controlPlanePods(this.options, context);
    const { machinePods } = context.infrastructure;
    this.machines = machinePods && { [CLUSTER_NAME_LABEL]: context.name, ...machinePods.machines };
    this.controlPlanePorts = controlPlanePorts(this.options, context).map((port) => IsolationPort.tcp(port));
  }

  /** All policies. */
  public all(): Policy[] {
    const { controlPlane, machines } = this;
    const { controlPlane: controlPlaneMachines, importers } = this.context.infrastructure.machinePods ?? {};
    const closed = this.options.machineSources !== undefined && this.context.controlPlane.machineCount !== undefined;
    const defaultDeny = this.options.defaultDeny ?? false;
    return [
      ...(machines ? [this.ofMachines(machines)] : []),
      ...(machines && controlPlaneMachines && closed ? [this.ofControlPlaneMachines({ ...machines, ...controlPlaneMachines })] : []),
      ...(controlPlane ? [this.ofControlPlane(controlPlane)] : []),
      this.ofControllers(),
      ...(defaultDeny && importers ? [this.ofImporters(importers)] : []),
      ...(defaultDeny ? [{ purpose: 'default-deny', pods: {}, ingress: [], egress: [] }] : []),
    ];
  }

  private ofMachines(pods: PodLabels): Policy {
    const { machineSources, machineDestinations = [] } = this.options;
    return {
      purpose: 'machines',
      pods,
      ingress: machineSources ? [...rulesOf(machineSources), { peers: [...this.ownMachines(), ...this.ownControlPlane()] }] : EVERYTHING,
      egress: [
        this.world(),
        { peers: this.ownMachines() },
        ...this.toControlPlane(this.controlPlanePorts),
        ...this.toPublishedApiServer(this.controlPlanePorts),
        ...this.dns(),
        ...rulesOf(machineDestinations),
      ],
    };
  }

  /** Incoming traffic of an API server that runs on machines, beside that of machines: from everywhere, as with one in pods. */
  private ofControlPlaneMachines(pods: PodLabels): Policy {
    return {
      purpose: 'control-plane-machines',
      pods,
      ingress: [{ ports: this.controlPlanePorts }],
      egress: [],
    };
  }

  private ofControlPlane(pods: PodLabels): Policy {
    const { controlPlaneDestinations = [] } = this.options;
    return {
      purpose: 'control-plane',
      pods,
      ingress: [{ ports: this.controlPlanePorts }, ...rulesOf(this.options.metricsSources ?? [])],
      egress: isUnlimited(this.options) ? EVERYTHING : [
        this.world(),
        { peers: [...this.ownMachines(), ...this.ownControlPlane()] },
        ...this.dns(),
        ...rulesOf(this.dataStores()),
        ...rulesOf(this.webhooks()),
        ...rulesOf(controlPlaneDestinations),
      ],
    };
  }

  private ofControllers(): Policy {
    const apiServer = [IsolationPort.tcp(this.context.controlPlane.apiServerPort)];
    const published = this.context.apiServer.published;
    return {
      purpose: 'controllers',
      pods: { [CLUSTER_NAME_LABEL]: this.context.name, ...CONTROLLER_LABELS },
      ingress: rulesOf(this.options.metricsSources ?? []),
      egress: [
        // An API server that does not run in pods may be anywhere.
        ...(this.controlPlane ? this.toControlPlane(apiServer) : [{ ports: published ? [IsolationPort.tcp(published.port)] : apiServer }]),
        ...this.toPublishedApiServer([]),
        ...this.toManagementApiServer(),
        ...this.dns(),
        // The controllers of a cloud talk to that cloud.
        ...(this.machines ? [] : [this.world()]),
        ...rulesOf(this.options.controllerDestinations ?? []),
      ],
    };
  }

  private ofImporters(pods: PodLabels): Policy {
    const importers: TrafficRule = { peers: [{ pods: { namespaceLabels: {}, podLabels: pods } }] };
    return {
      purpose: 'image-importers',
      pods,
      // Clones travel from importer to importer, from namespace to namespace.
      ingress: [importers],
      egress: [this.world(), importers, ...this.dns(), ...rulesOf(this.options.machineDestinations ?? [])],
    };
  }

  /**
   * Everything outside the management cluster, in the address families of its ranges: in another one there is nothing to except, and a block
   * without exceptions would open all of the management cluster. If no ranges are needed, the families of the tenant count: Cilium knows the
   * pods and nodes of its cluster without ranges.
   */
  private world(): TrafficRule {
    const { podCidrs, serviceCidrs } = this.context.network;
    const needed = rangesMatchNodes(this.engine, this.context) && this.ranges.length > 0;
    const ranges = needed ? this.ranges : [...this.ranges, ...parsed([...podCidrs, ...serviceCidrs])];
    const families = [...new Set(ranges.map(({ family }) => family))].sort();
    return { peers: families.map((family) => ({ cidr: { cidr: WORLD[family], except: this.exceptions(family) } })) };
  }

  private exceptions(family: IpFamily): string[] {
    const ranges = this.ranges.filter((cidr) => cidr.family === family);
    // An exception within another one says nothing more.
    const metadata = METADATA_ADDRESSES[family].filter((text) => !ranges.some((range) => range.covers(Cidr.parse(text)!)));
    return [...ranges.map((cidr) => `${cidr}`), ...metadata];
  }

  private dns(): TrafficRule[] {
    if (this.options.dns) return rulesOf(this.options.dns);
    const services = parsed(this.context.management?.serviceCidrs ?? []).flatMap((range) => range.nth(DNS_SERVICE_INDEX) ?? []);
    const cilium = this.engine === 'cilium.io' ? CILIUM_DNS : [];
    return [{ peers: [DNS_PODS, ...cilium, ...[...DNS_CACHES, ...services].map(addressPeer)], ports: DNS_PORTS }];
  }

  private dataStores(): IsolationPeer[] {
    const peers = this.context.management?.dataStorePeers ?? {};
    return dataStoresOf(this.context).flatMap((name) => peers[name] ?? []);
  }

  private webhooks(): IsolationPeer[] {
    const { controlPlane: { webhookPeers }, management } = this.context;
    return webhookPeers ? management?.controlPlaneWebhookPeers ?? webhookPeers : [];
  }

  private ownMachines(): PeerChoice[] {
    return this.machines ? [{ pods: { podLabels: this.machines } }] : [];
  }

  private ownControlPlane(): PeerChoice[] {
    return this.controlPlane ? [{ pods: { podLabels: this.controlPlane } }] : [];
  }

  private toControlPlane(ports: IsolationPort[]): TrafficRule[] {
    return this.controlPlane ? [{ peers: this.ownControlPlane(), ports }] : [];
  }

  /** A fixed address, such as a node's, may lie in a range of the management cluster. */
  private toPublishedApiServer(further: IsolationPort[]): TrafficRule[] {
    const { published } = this.context.apiServer;
    if (!published || !parseIp(published.host)) return [];
    const ports = [published.port, ...further.map(({ port }) => port)];
    return [{
      peers: [addressPeer(published.host)],
      ports: [...new Set(ports)].map((port) => IsolationPort.tcp(port)),
    }];
  }

  private toManagementApiServer(): TrafficRule[] {
    const { managementApiServers } = this.options;
    if (managementApiServers) return rulesOf(managementApiServers);
    if (this.engine === 'cilium.io') return [{ peers: [{ entity: 'kube-apiserver' }] }];
    const ranges = this.apiServerRanges().map((cidr): PeerChoice => ({ cidr: { cidr: `${cidr}`, except: [] } }));
    return [{ peers: ranges.length > 0 ? ranges : undefined, ports: API_SERVER_PORTS }];
  }

  /**
   * Addresses of the management cluster's API servers: its nodes, and the address of the Service that leads there, for plug-ins that
   * look at the destination before it is translated.
   */
  private apiServerRanges(): Cidr[] {
    const { nodeCidrs = [], serviceCidrs = [] } = this.context.management ?? {};
    return parsed([...serviceCidrs, ...nodeCidrs]);
  }
}

function systemPods(podLabels: PodLabels): PeerChoice {
  return { pods: { namespaceLabels: { 'kubernetes.io/metadata.name': 'kube-system' }, podLabels } };
}

function addressPeer(address: string): PeerChoice {
  return { cidr: { cidr: `${address}/${ADDRESS_BITS[parseIp(address)!.family]}`, except: [] } };
}

/** The blocks among the texts, each once. */
function parsed(texts: readonly string[]): Cidr[] {
  const blocks = texts.map((text) => Cidr.parse(text)).filter((cidr) => cidr !== undefined);
  return [...new Map(blocks.map((cidr) => [`${cidr}`, cidr])).values()];
}

function rulesOf(peers: readonly IsolationPeer[]): TrafficRule[] {
  return peers.map(({ _choice, ports }) => ({ peers: _choice.anything ? undefined : [_choice], ports: ports.length > 0 ? ports : undefined }));
}
