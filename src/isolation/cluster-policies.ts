import { IsolationPeer, IsolationPort, PeerChoice } from './isolation-peer';
import { NetworkIsolation, NetworkIsolationOptions } from './network-isolation';
import { EVERYTHING, Policy, PodLabels, TrafficRule } from './policy';
import { ClusterContext } from '../cluster-context';
import { TENANT_CONTROLLER_COMPONENT } from '../controllers/controller-names';
import { rangesOf } from '../management/capabilities/infra-cluster-capabilities';
import { Cidr } from '../network/cidr';
import { ADDRESS_BITS, IpFamily, parseIp } from '../network/ip-address';

const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';

// kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go (AppLabel)
const MACHINE_LABELS: PodLabels = { 'kubevirt.io': 'virt-launcher' };

// kubernetes-sigs/cluster-api-provider-kubevirt pkg/kubevirt/machine.go
const CONTROL_PLANE_MACHINE_LABELS: PodLabels = { 'cluster.x-k8s.io/role': 'control-plane' };

// clastix/kamaji internal/builders/controlplane/deployment.go
const KAMAJI_LABEL = 'kamaji.clastix.io/name';

// kubevirt/containerized-data-importer pkg/common/common.go (CDILabelKey, CDILabelValue)
const IMPORTER_LABELS: PodLabels = { app: 'containerized-data-importer' };

const CONTROLLER_LABELS: PodLabels = { 'app.kubernetes.io/component': TENANT_CONTROLLER_COMPONENT };

const DNS = [IsolationPeer.pods({
  namespace: 'kube-system', podLabels: { 'k8s-app': 'kube-dns' }, ports: [IsolationPort.udp(53), IsolationPort.tcp(53)],
})];
const API_SERVER_PORTS = [IsolationPort.tcp(443), IsolationPort.tcp(6443)];

/** The address at which clouds hand out credentials of the node to whoever runs on it. */
const METADATA_SERVICE = '169.254.169.254/32';

const WORLD = { IPv4: '0.0.0.0/0', IPv6: '::/0' };

/** TCP ports of the control plane's pods that are let through. */
export function controlPlanePorts(options: NetworkIsolationOptions, context: ClusterContext): number[] {
  const { apiServerPort, tunnelPort } = context.controlPlane;
  return [...new Set([apiServerPort, ...(options.controlPlanePorts ?? (tunnelPort === undefined ? [] : [tunnelPort]))])];
}

/** Labels of the hosted control plane's pods; undefined where there are none. */
export function controlPlanePods(options: NetworkIsolationOptions, context: ClusterContext): PodLabels | undefined {
  return options.controlPlanePodLabels ?? (context.controlPlane.endpointManager === 'kamaji' ? { [KAMAJI_LABEL]: context.name } : undefined);
}

/** Ranges of the management cluster: those that the user gave, those that the infrastructure names, and those that are stated, each once. */
export function managementRanges(options: NetworkIsolationOptions, context: ClusterContext): Cidr[] {
  const texts = [...(options.managementCidrs ?? []), ...(context.infrastructure.reservedCidrs ?? []), ...rangesOf(context.management ?? {})];
  return parsed(texts);
}

/** Writes down who may talk to whom, for one cluster. */
export class ClusterPolicies {
  private readonly options: NetworkIsolationOptions;
  private readonly ranges: Cidr[];
  private readonly controlPlane?: PodLabels;
  private readonly machines?: PodLabels;
  private readonly controlPlanePorts: IsolationPort[];

  /**
   * @param isolation what is let through
   * @param context the cluster
   */
  public constructor(private readonly isolation: NetworkIsolation, private readonly context: ClusterContext) {
    this.options = isolation._options;
    this.ranges = managementRanges(this.options, context);
    this.controlPlane = controlPlanePods(this.options, context);
    this.machines = context.infrastructure.inManagementCluster ? { [CLUSTER_LABEL]: context.name, ...MACHINE_LABELS } : undefined;
    this.controlPlanePorts = controlPlanePorts(this.options, context).map((port) => IsolationPort.tcp(port));
  }

  /** All policies. */
  public all(): Policy[] {
    const { controlPlane, machines } = this;
    const closed = this.options.machineSources !== undefined && this.context.controlPlane.machineCount !== undefined;
    const defaultDeny = this.options.defaultDeny ?? false;
    return [
      ...(machines ? [this.ofMachines(machines)] : []),
      ...(machines && closed ? [this.ofControlPlaneMachines(machines)] : []),
      ...(controlPlane ? [this.ofControlPlane(controlPlane)] : []),
      this.ofControllers(),
      ...(defaultDeny && machines ? [this.ofImporters()] : []),
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

  /** What reaches an API server that runs on machines, beside what machines let through anyway: everybody, as with one in pods. */
  private ofControlPlaneMachines(machines: PodLabels): Policy {
    return {
      purpose: 'control-plane-machines',
      pods: { ...machines, ...CONTROL_PLANE_MACHINE_LABELS },
      ingress: [{ ports: this.controlPlanePorts }],
      egress: [],
    };
  }

  private ofControlPlane(pods: PodLabels): Policy {
    const { controlPlaneDestinations } = this.options;
    return {
      purpose: 'control-plane',
      pods,
      ingress: [{ ports: this.controlPlanePorts }],
      egress: controlPlaneDestinations ? [
        this.world(), { peers: [...this.ownMachines(), ...this.ownControlPlane()] }, ...this.dns(), ...rulesOf(controlPlaneDestinations),
      ] : EVERYTHING,
    };
  }

  private ofControllers(): Policy {
    const apiServer = [IsolationPort.tcp(this.context.controlPlane.apiServerPort)];
    const published = this.context.apiServer.published;
    return {
      purpose: 'controllers',
      pods: { [CLUSTER_LABEL]: this.context.name, ...CONTROLLER_LABELS },
      ingress: [],
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

  private ofImporters(): Policy {
    const importers: TrafficRule = { peers: [{ pods: { namespaceLabels: {}, podLabels: IMPORTER_LABELS } }] };
    return {
      purpose: 'image-importers',
      pods: IMPORTER_LABELS,
      // Clones travel from importer to importer, from namespace to namespace.
      ingress: [importers],
      egress: [this.world(), importers, ...this.dns(), ...rulesOf(this.options.machineDestinations ?? [])],
    };
  }

  /**
   * Everything outside the management cluster, in the address families that are known: in another one nobody told what to keep out of,
   * and a block without exceptions would open all of the management cluster.
   */
  private world(): TrafficRule {
    const { podCidrs, serviceCidrs } = this.context.network;
    const families = new Set([...this.ranges, ...parsed([...podCidrs, ...serviceCidrs])].map(({ family }) => family));
    return { peers: [...families].sort().map((family) => ({ cidr: { cidr: WORLD[family], except: this.exceptions(family) } })) };
  }

  private exceptions(family: IpFamily): string[] {
    const ranges = this.ranges.filter((cidr) => cidr.family === family).map((cidr) => `${cidr}`);
    return family === 'IPv4' ? [...ranges, METADATA_SERVICE] : ranges;
  }

  private dns(): TrafficRule[] {
    return rulesOf(this.options.dns ?? DNS);
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
    const address = published && parseIp(published.host);
    if (!published || !address) return [];
    const ports = [published.port, ...further.map(({ port }) => port)];
    return [{
      peers: [{ cidr: { cidr: `${published.host}/${ADDRESS_BITS[address.family]}`, except: [] } }],
      ports: [...new Set(ports)].map((port) => IsolationPort.tcp(port)),
    }];
  }

  private toManagementApiServer(): TrafficRule[] {
    const { managementApiServers } = this.options;
    if (managementApiServers) return rulesOf(managementApiServers);
    if (this.isolation._engine === 'cilium.io') return [{ peers: [{ entity: 'kube-apiserver' }] }];
    const ranges = this.apiServerRanges().map((cidr): PeerChoice => ({ cidr: { cidr: `${cidr}`, except: [] } }));
    return [{ peers: ranges.length > 0 ? ranges : undefined, ports: API_SERVER_PORTS }];
  }

  /**
   * Where the management cluster's API servers may be: on its nodes, and at the address of the Service that leads there, for plug-ins that
   * look at the destination before it is translated. Of ranges that nobody told apart, any may be the nodes'.
   */
  private apiServerRanges(): Cidr[] {
    const { nodeCidrs = [], serviceCidrs = [] } = this.context.management ?? {};
    return nodeCidrs.length > 0 ? parsed([...serviceCidrs, ...nodeCidrs]) : this.ranges;
  }
}

/** The blocks among the texts, each once. */
function parsed(texts: readonly string[]): Cidr[] {
  const blocks = texts.map((text) => Cidr.parse(text)).filter((cidr) => cidr !== undefined);
  return [...new Map(blocks.map((cidr) => [`${cidr}`, cidr])).values()];
}

function rulesOf(peers: readonly IsolationPeer[]): TrafficRule[] {
  return peers.map(({ _choice, ports }) => ({ peers: [_choice], ports: ports.length > 0 ? ports : undefined }));
}
