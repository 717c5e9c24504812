import { CILIUM_MANAGEMENT, kubevirtContext, MANAGEMENT, objectsOf, RANGES } from './bound';
import { Connection, Endpoint, lets } from './traffic';
import { controllerLabels } from '../../../../src/constructs/addons/controllers/controller-names';
import { IsolationPeer, IsolationPort } from '../../../../src/constructs/contracts/capabilities/isolation-peer';
import { ManagementNetworkPlugin } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import { KamajiControlPlane } from '../../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { NetworkIsolation, NetworkIsolationOptions } from '../../../../src/constructs/tenant/isolation/network-isolation';
import { clusterContext } from '../../../support/contexts';

const VPC: Partial<ClusterContext> = { infrastructure: { clusterKind: 'VultrCluster' } };
const OWN = 'tenant-acme';

function pod(ip: string, namespace: string, labels: { [key: string]: string }): Endpoint {
  return { ip, namespace, labels };
}

const machine = pod('10.42.1.1', OWN, { 'cluster.x-k8s.io/cluster-name': 'acme', 'kubevirt.io': 'virt-launcher', 'cluster.x-k8s.io/role': 'worker' });
const sibling = { ...machine, ip: '10.42.2.1' };
const apiServer = pod('10.42.1.2', OWN, { 'kamaji.clastix.io/name': 'acme' });
const controller = pod('10.42.1.3', OWN, { 'cluster.x-k8s.io/cluster-name': 'acme', 'app.kubernetes.io/component': 'tenant-controller' });
const importer = pod('10.42.1.4', OWN, { 'app': 'containerized-data-importer', 'cdi.kubevirt.io': 'importer' });
const stranger = pod('10.42.1.5', OWN, { app: 'something' });
const otherMachine = pod('10.42.3.1', 'tenant-blue', { 'cluster.x-k8s.io/cluster-name': 'blue', 'kubevirt.io': 'virt-launcher' });
const otherApiServer = pod('10.42.3.2', 'tenant-blue', { 'kamaji.clastix.io/name': 'blue' });
const dns = pod('10.42.9.1', 'kube-system', { 'k8s-app': 'kube-dns' });
const ingressController = pod('10.42.9.2', 'ingress-nginx', { app: 'ingress-nginx' });
const etcd = pod('10.42.9.3', 'kamaji-system', { app: 'etcd' });
const bankEtcd = pod('10.42.9.4', 'bank', { app: 'etcd' });
const dnsCaches: Endpoint[] = [{ ip: '169.254.20.10' }, { ip: '169.254.25.10' }];
const dnsService: Endpoint = { ip: '10.43.0.10' };
const managementApi: Endpoint = { ip: '192.168.7.10' };
const metadataService: Endpoint = { ip: '169.254.169.254' };
const METADATA = ['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32'];
const METADATA6 = ['fe80::/10', 'fd00:ec2::254/128'];
const internet: Endpoint = { ip: '203.0.113.5' };
const internet6: Endpoint = { ip: '2001:db8::5' };

function policies(options: NetworkIsolationOptions = {}, context = kubevirtContext()): any[] {
  return Object.values(objectsOf({ network: NetworkIsolation.networkPolicies(options) }, context));
}

function allowed(connections: readonly (readonly [from: Endpoint, to: Endpoint, port: number, protocol?: string])[], all: readonly any[]): boolean[] {
  return connections.map(([from, to, port, protocol]) => lets(all, { from, to, port, protocol } satisfies Connection));
}

describe('NetworkPolicies', () => {
  test('are made by default, three for a cluster on KubeVirt with a hosted control plane', () => {
    expect(Object.keys(objectsOf({}))).toEqual(['NetworkPolicy acme-machines', 'NetworkPolicy acme-control-plane', 'NetworkPolicy acme-controllers']);
  });

  test('for machines', () => {
    expect(objectsOf({})['NetworkPolicy acme-machines'].spec).toEqual({
      podSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'kubevirt.io': 'virt-launcher' } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{}],
      egress: [
        { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: [...RANGES, ...METADATA] } }] },
        { to: [{ podSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'kubevirt.io': 'virt-launcher' } } }] },
        { to: [{ podSelector: { matchLabels: { 'kamaji.clastix.io/name': 'acme' } } }], ports: [{ protocol: 'TCP', port: 6443 }, { protocol: 'TCP', port: 8132 }] },
        {
          to: [
            { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } }, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
            { ipBlock: { cidr: '169.254.20.10/32' } }, { ipBlock: { cidr: '169.254.25.10/32' } }, { ipBlock: { cidr: '10.43.0.10/32' } },
          ],
          ports: [{ protocol: 'UDP', port: 53 }, { protocol: 'TCP', port: 53 }],
        },
      ],
    });
  });

  test('keep machines to the world, their own kind, their control plane and DNS', () => {
    const all = policies();
    expect(allowed([
      [machine, internet, 443], [machine, sibling, 10250], [machine, apiServer, 6443], [machine, apiServer, 8132],
      [machine, dns, 53, 'UDP'], [machine, dns, 53],
    ], all)).not.toContain(false);
    expect(allowed([
      [machine, otherMachine, 22], [machine, otherApiServer, 6443], [machine, managementApi, 6443], [machine, apiServer, 10257], [machine, dns, 9153],
      [machine, metadataService, 80], [machine, internet6, 443], [machine, etcd, 2379], [machine, ingressController, 443],
      [machine, controller, 8080], [machine, stranger, 80],
    ], all)).not.toContain(true);
  });

  test('let the control plane be reached on its ports only', () => {
    const all = policies();
    expect(allowed([
      [internet, apiServer, 6443], [stranger, apiServer, 6443], [controller, apiServer, 6443],
    ], all)).not.toContain(false);
    expect(allowed([[internet, apiServer, 10257], [stranger, apiServer, 8134]], all)).not.toContain(true);
  });

  test('keep the control plane to the world, its machines, DNS and its data store', () => {
    const all = policies();
    expect(allowed([
      [apiServer, etcd, 2379], [apiServer, internet, 443], [apiServer, machine, 10250], [apiServer, { ...apiServer, ip: '10.42.1.9' }, 6443],
      [apiServer, dns, 53, 'UDP'],
    ], all)).not.toContain(false);
    expect(allowed([
      [apiServer, managementApi, 6443], [apiServer, managementApi, 10250], [apiServer, otherMachine, 443], [apiServer, otherApiServer, 6443],
      [apiServer, etcd, 2381], [apiServer, metadataService, 443], [apiServer, controller, 443], [apiServer, internet6, 443],
    ], all)).not.toContain(true);
  });

  test('let the control plane through to the data stores that it names, and to no other', () => {
    const management = { ...MANAGEMENT, dataStorePeers: { ...MANAGEMENT.dataStorePeers, bank: [IsolationPeer.pods({ namespace: 'bank' })], cloud: [] } };
    const reached = (dataStores?: string[]) => {
      const all = policies({}, kubevirtContext({ management, controlPlane: { ...kubevirtContext().controlPlane, dataStores } }));
      return allowed([[apiServer, etcd, 2379], [apiServer, bankEtcd, 2379]], all);
    };
    expect([reached(['bank']), reached(['default']), reached(['default', 'bank']), reached(['cloud']), reached()]).toEqual([
      [false, true], [true, false], [true, true], [false, false], [true, true],
    ]);
  });

  test('let the control plane through to the webhook of Kamaji, in the namespace that is stated, and a control plane without one to none', () => {
    const webhook = (namespace: string) => pod('10.42.9.5', namespace, { 'app.kubernetes.io/component': 'controller-manager', 'app.kubernetes.io/name': 'kamaji' });
    const reached = (context?: ClusterContext) => (
      allowed([[apiServer, webhook('kamaji-system'), 9443], [apiServer, webhook('kamaji-system'), 8080], [apiServer, webhook('hosting'), 9443]], policies({}, context)));
    const controlPlane = new KamajiControlPlane().capabilities;
    const management = { ...MANAGEMENT, controlPlaneWebhookPeers: [IsolationPeer.pods({ namespace: 'hosting', ports: [IsolationPort.tcp(9443)] })] };
    expect(reached(kubevirtContext({ controlPlane }))).toEqual([true, false, false]);
    expect(reached(kubevirtContext({ controlPlane, management }))).toEqual([false, false, true]);
    expect(reached(kubevirtContext({ controlPlane: { ...controlPlane, webhookPeers: undefined }, management }))).toEqual([false, false, false]);
  });

  test('limit nothing of the control plane on request', () => {
    const [, { spec }] = policies({ controlPlaneDestinations: [IsolationPeer.anything()] });
    expect(spec.egress).toEqual([{}]);
    const [, limited] = policies({ controlPlaneDestinations: [IsolationPeer.anything(IsolationPort.tcp(443))] });
    expect(allowed([[apiServer, managementApi, 443], [apiServer, managementApi, 6443]], [limited])).toEqual([true, false]);
  });

  test('let DNS through to caches on the nodes and to the DNS Service', () => {
    const all = policies({ defaultDeny: true });
    for (const server of [...dnsCaches, dnsService]) {
      for (const client of [machine, apiServer, controller, importer]) {
        expect(allowed([[client, server, 53, 'UDP'], [client, server, 53]], all)).not.toContain(false);
      }
      expect(lets(all, { from: controller, to: server, port: 80 })).toBe(false);
    }
    const own = policies({ dns: [IsolationPeer.cidr('192.0.2.53/32', { ports: [IsolationPort.udp(53)] })] });
    expect(allowed([[controller, dnsCaches[0], 53, 'UDP'], [controller, dns, 53, 'UDP'], [machine, dnsService, 53, 'UDP']], own)).not.toContain(true);
  });

  test('keep controllers to both API servers and DNS', () => {
    const all = policies();
    expect(allowed([[controller, apiServer, 6443], [controller, managementApi, 6443], [controller, dns, 53, 'UDP']], all)).not.toContain(false);
    expect(allowed([
      [controller, internet, 443], [controller, machine, 22], [controller, apiServer, 8132], [controller, managementApi, 22],
      [controller, metadataService, 80], [stranger, controller, 8085],
    ], all)).not.toContain(true);
  });

  test('select the pods that the library\'s own controllers have', () => {
    const { podSelector } = objectsOf({})['NetworkPolicy acme-controllers'].spec;
    expect(controllerLabels(kubevirtContext(), 'any')).toMatchObject(podSelector.matchLabels);
    expect(Object.keys(podSelector.matchLabels)).toHaveLength(2);
  });

  test('cut everything else off on request, and let disk images in', () => {
    const all = policies({ defaultDeny: true });
    expect(all.map(({ metadata }) => metadata.name)).toEqual(['acme-machines', 'acme-control-plane', 'acme-controllers', 'acme-image-importers', 'acme-default-deny']);
    expect(all[4].spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const source = { ...importer, namespace: 'golden-images', ip: '10.42.8.1' };
    expect(allowed([
      [importer, internet, 443], [importer, dns, 53, 'UDP'], [source, importer, 8443], [machine, internet, 80],
    ], all)).not.toContain(false);
    expect(allowed([
      [stranger, internet, 443], [internet, stranger, 80], [importer, managementApi, 6443], [stranger, importer, 8443],
    ], all)).not.toContain(true);
    expect(lets(policies(), { from: stranger, to: internet, port: 443 })).toBe(true);
  });

  test('limit who reaches machines on request, their own control plane and kind aside', () => {
    const all = policies({ machineSources: [IsolationPeer.cidr('192.168.7.0/24'), IsolationPeer.cidr('203.0.113.0/24', { ports: [IsolationPort.tcp(443)] })] });
    expect(allowed([
      [managementApi, machine, 30080], [internet, machine, 443], [sibling, machine, 4240], [apiServer, machine, 10250],
    ], all)).not.toContain(false);
    expect(allowed([[internet, machine, 22], [otherMachine, machine, 22], [stranger, machine, 22]], all)).not.toContain(true);
    expect(lets(policies(), { from: internet, to: machine, port: 22 })).toBe(true);
  });

  test('let the control plane reach further peers on request', () => {
    const management = { ...MANAGEMENT, dataStorePeers: undefined };
    const all = policies({ controlPlaneDestinations: [IsolationPeer.pods({ namespace: 'bank', ports: [IsolationPort.tcp(2379)] })] }, kubevirtContext({ management }));
    expect(allowed([[apiServer, bankEtcd, 2379], [apiServer, internet, 443]], all)).not.toContain(false);
    expect(allowed([[apiServer, etcd, 2379], [apiServer, bankEtcd, 2381]], all)).not.toContain(true);
  });

  test('let metrics be read where it is asked for', () => {
    const prometheus = pod('10.42.9.7', 'monitoring', { app: 'prometheus' });
    const peer = IsolationPeer.pods({ namespace: 'monitoring', podLabels: { app: 'prometheus' }, ports: [IsolationPort.tcp(8085), IsolationPort.tcp(10257)] });
    const asked: Parameters<typeof allowed>[0] = [[prometheus, controller, 8085], [prometheus, apiServer, 10257]];

    expect(allowed(asked, policies())).not.toContain(true);
    expect(allowed(asked, policies({ metricsSources: [peer] }))).not.toContain(false);
    expect(allowed([
      [prometheus, controller, 8080], [machine, controller, 8085], [machine, apiServer, 10257],
    ], policies({ metricsSources: [peer] }))).not.toContain(true);
  });

  test('let further peers through where they are named', () => {
    const all = policies({
      machineDestinations: [IsolationPeer.pods({ namespace: 'ingress-nginx', podLabels: { app: 'ingress-nginx' }, ports: [IsolationPort.tcp(443)] })],
      controllerDestinations: [IsolationPeer.cidr('203.0.113.5/32')],
      managementApiServers: [IsolationPeer.cidr('192.168.7.10/32', { ports: [IsolationPort.tcp(6443)] })],
      dns: [IsolationPeer.pods({ namespaceLabels: {}, podLabels: { app: 'dns' }, ports: [IsolationPort.udp(5353)] })],
      controlPlanePorts: [8132, 50001],
    });
    expect(allowed([
      [machine, ingressController, 443], [controller, internet, 443], [controller, managementApi, 6443], [machine, { ...dns, labels: { app: 'dns' } }, 5353, 'UDP'],
      [internet, apiServer, 50001], [machine, apiServer, 50001],
    ], all)).not.toContain(false);
    expect(allowed([
      [machine, ingressController, 80], [controller, { ip: '192.168.7.11' }, 6443], [machine, dns, 53, 'UDP'],
    ], all)).not.toContain(true);
  });

  test('take ranges from the user and the infrastructure, each once, by address family', () => {
    const { spec } = objectsOf({ network: NetworkIsolation.networkPolicies({ managementCidrs: ['10.42.0.0/16', 'fd00:42::/48'] }) })['NetworkPolicy acme-machines'];
    expect(spec.egress[0].to).toEqual([
      { ipBlock: { cidr: '0.0.0.0/0', except: [...RANGES, ...METADATA] } },
      { ipBlock: { cidr: '::/0', except: ['fd00:42::/48', ...METADATA6] } },
    ]);
  });

  test('let the world through in the address families of the management cluster only', () => {
    const { network } = kubevirtContext();
    const worldOf = (podCidrs: string[], serviceCidrs: string[], managementCidrs?: string[], infrastructure = kubevirtContext().infrastructure) => (
      policies({ managementCidrs }, kubevirtContext({ network: { ...network, podCidrs, serviceCidrs }, infrastructure }))
    )[0].spec.egress[0].to.map(({ ipBlock }: any) => [ipBlock.cidr, ...ipBlock.except ?? []]);
    const ipv4 = ['0.0.0.0/0', ...RANGES, ...METADATA];

    expect(worldOf(['10.1.0.0/16', 'fd00:1::/56'], ['10.2.0.0/16', 'fd00:2::/112'], ['fd00:42::/48'])).toEqual([ipv4, ['::/0', 'fd00:42::/48', ...METADATA6]]);
    expect(worldOf(['10.1.0.0/16'], ['10.2.0.0/16'])).toEqual([ipv4]);
    expect(worldOf(['10.1.0.0/16', 'fd00:1::/56'], ['10.2.0.0/16', 'fd00:2::/112'], undefined, VPC.infrastructure)).toEqual([ipv4]);
  });

  test('take the management API servers for nodes', () => {
    const all = policies();
    const service: Endpoint = { ip: '10.43.0.1' };

    expect(allowed([[controller, managementApi, 6443], [controller, service, 443], [controller, apiServer, 6443]], all)).not.toContain(false);
    expect(allowed([[controller, otherApiServer, 6443], [controller, otherMachine, 443], [controller, managementApi, 22]], all)).not.toContain(true);
    const managementApiServers = [IsolationPeer.cidr('192.168.7.10/32', { ports: [IsolationPort.tcp(6443)] })];
    expect(lets(policies({ managementApiServers }), { from: controller, to: { ip: '192.168.7.11' }, port: 6443 })).toBe(false);
    // Also where the range of the nodes is not known.
    const named = policies({ managementApiServers }, kubevirtContext({ management: { ...MANAGEMENT, nodeCidrs: undefined } }));
    expect(allowed([[machine, managementApi, 22], [apiServer, managementApi, 6443]], named)).not.toContain(true);
    expect(lets(named, { from: controller, to: managementApi, port: 6443 })).toBe(true);
  });

  test('let machines reach a fixed address of the API server inside the ranges', () => {
    const context = kubevirtContext({ apiServer: { published: { host: '192.168.7.20', port: 30443 } } });
    const all = policies({ controlPlanePorts: [30132] }, context);
    const published = { ip: '192.168.7.20' };
    expect(allowed([[machine, published, 30443], [machine, published, 30132], [controller, published, 30443]], all)).not.toContain(false);
    expect(allowed([[machine, published, 22], [machine, { ip: '192.168.7.21' }, 30443], [controller, published, 30132]], all)).not.toContain(true);
  });

  test('without machines in the management cluster there are none for machines, and controllers reach their cloud', () => {
    const all = policies({ defaultDeny: true }, clusterContext({ ...VPC, management: MANAGEMENT }));
    expect(all.map(({ metadata }) => metadata.name)).toEqual(['acme-control-plane', 'acme-controllers', 'acme-default-deny']);
    expect(allowed([[controller, internet, 443], [controller, apiServer, 6443]], all)).not.toContain(false);
    expect(allowed([[controller, { ip: '10.42.3.1' }, 8080]], all)).not.toContain(true);
  });

  test('without a hosted control plane controllers reach the API server wherever it is', () => {
    const all = policies({}, kubevirtContext({ controlPlane: { apiServerPort: 6443 }, apiServer: {} }));
    expect(all.map(({ metadata }) => metadata.name)).toEqual(['acme-machines', 'acme-controllers']);
    expect(allowed([[controller, internet, 6443], [controller, machine, 6443]], all)).not.toContain(false);
    expect(allowed([[controller, internet, 443]], all)).not.toContain(true);
  });

  test('another hosted control plane is found by the labels that are given', () => {
    const context = kubevirtContext({ controlPlane: { apiServerPort: 6443 } });
    const { spec } = objectsOf({ network: NetworkIsolation.networkPolicies({ controlPlanePodLabels: { app: 'kube-apiserver' } }) }, context)['NetworkPolicy acme-control-plane'];
    expect(spec.podSelector).toEqual({ matchLabels: { app: 'kube-apiserver' } });
  });

  test('are made for every network plug-in but Cilium, unless others are chosen', () => {
    const kinds = (networkPlugin: ManagementNetworkPlugin | undefined, network?: NetworkIsolation) => [
      ...new Set(Object.values(objectsOf({ network }, kubevirtContext({ management: { ...MANAGEMENT, networkPlugin } }))).map(({ kind }) => kind)),
    ];
    const { ANTREA, CILIUM, CILIUM_MATCHING_NODES } = ManagementNetworkPlugin;
    expect([undefined, ANTREA, ManagementNetworkPlugin.of('own')].flatMap((plugin) => kinds(plugin))).toEqual(Array(3).fill('NetworkPolicy'));
    expect([CILIUM, CILIUM_MATCHING_NODES].flatMap((plugin) => kinds(plugin))).toEqual(Array(2).fill('CiliumNetworkPolicy'));
    expect(kinds(CILIUM_MATCHING_NODES, NetworkIsolation.networkPolicies())).toEqual(['NetworkPolicy']);
    expect(kinds(undefined, NetworkIsolation.ciliumNetworkPolicies())).toEqual(['CiliumNetworkPolicy']);
  });

  test('are not made on request', () => {
    expect(objectsOf({ network: NetworkIsolation.none() })).toEqual({});
  });
});

describe('CiliumNetworkPolicies', () => {
  const CONTEXT = kubevirtContext({ management: CILIUM_MANAGEMENT });

  function specs(options: NetworkIsolationOptions = {}, context = CONTEXT): { [kindAndName: string]: any } {
    const objects = objectsOf({ network: NetworkIsolation.byNetworkPlugin(options) }, context);
    return Object.fromEntries(Object.entries(objects).map(([name, { spec }]) => [name, spec]));
  }

  const API_PORTS = [{ ports: [{ port: '6443', protocol: 'TCP' }, { port: '8132', protocol: 'TCP' }] }];
  const WORLD = { toCIDRSet: [{ cidr: '0.0.0.0/0', except: [...RANGES, ...METADATA] }] };
  const toPorts = [{ ports: [{ port: '53', protocol: 'UDP' }, { port: '53', protocol: 'TCP' }] }];
  const DNS_RULES = [
    {
      toEndpoints: ['kube-dns', 'node-local-dns'].map((app) => ({ matchLabels: { 'k8s:io.kubernetes.pod.namespace': 'kube-system', 'k8s-app': app } })), toPorts,
    },
    { toCIDRSet: ['169.254.20.10/32', '169.254.25.10/32', '10.43.0.10/32'].map((cidr) => ({ cidr })), toPorts },
    { toEntities: ['host'], toPorts },
  ];

  test('for machines', () => {
    const own = { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'kubevirt.io': 'virt-launcher' } };
    expect(specs()['CiliumNetworkPolicy acme-machines']).toEqual({
      endpointSelector: own,
      ingress: [{ fromEntities: ['all'] }],
      egress: [
        { toCIDRSet: [{ cidr: '0.0.0.0/0', except: [...RANGES, ...METADATA] }] },
        { toEndpoints: [own] },
        { toEndpoints: [{ matchLabels: { 'kamaji.clastix.io/name': 'acme' } }], toPorts: API_PORTS },
        ...DNS_RULES,
      ],
    });
  });

  test('for the control plane and controllers', () => {
    const all = specs();
    expect(all['CiliumNetworkPolicy acme-control-plane']).toEqual({
      endpointSelector: { matchLabels: { 'kamaji.clastix.io/name': 'acme' } },
      ingress: [{ fromEntities: ['all'], toPorts: API_PORTS }],
      egress: [
        WORLD,
        {
          toEndpoints: [
            { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'kubevirt.io': 'virt-launcher' } },
            { matchLabels: { 'kamaji.clastix.io/name': 'acme' } },
          ],
        },
        ...DNS_RULES,
        { toEndpoints: [{ matchLabels: { 'k8s:io.kubernetes.pod.namespace': 'kamaji-system' } }], toPorts: [{ ports: [{ port: '2379', protocol: 'TCP' }] }] },
      ],
    });
    const unlimited = specs({ controlPlaneDestinations: [IsolationPeer.anything()] })['CiliumNetworkPolicy acme-control-plane'];
    expect(unlimited.egress).toEqual([{ toEntities: ['all'] }]);
    expect(all['CiliumNetworkPolicy acme-controllers']).toEqual({
      endpointSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'app.kubernetes.io/component': 'tenant-controller' } },
      ingress: [{}],
      egress: [
        { toEndpoints: [{ matchLabels: { 'kamaji.clastix.io/name': 'acme' } }], toPorts: [{ ports: [{ port: '6443', protocol: 'TCP' }] }] },
        { toEntities: ['kube-apiserver'] },
        ...DNS_RULES,
      ],
    });
  });

  test('need no ranges, and deny by an empty rule', () => {
    const management = { ...CILIUM_MANAGEMENT, podCidrs: [], serviceCidrs: [], nodeCidrs: [] };
    const all = specs({ defaultDeny: true }, kubevirtContext({ management }));
    expect(all['CiliumNetworkPolicy acme-machines'].egress[0]).toEqual({ toCIDRSet: [{ cidr: '0.0.0.0/0', except: METADATA }] });
    expect(all['CiliumNetworkPolicy acme-default-deny']).toEqual({ endpointSelector: {}, ingress: [{}], egress: [{}] });
  });

  test('write peers the way Cilium names them', () => {
    const { egress } = specs({
      machineDestinations: [
        IsolationPeer.pods({ namespaceLabels: { team: 'platform' }, podLabels: { app: 'mirror' } }),
        IsolationPeer.pods({ namespaceLabels: {} }),
        IsolationPeer.pods({}),
        IsolationPeer.cidr('192.0.2.0/24', { except: ['192.0.2.7/32'], ports: [IsolationPort.udp(123), IsolationPort.sctp(9)] }),
        IsolationPeer.ciliumEntity('ingress', IsolationPort.tcp(443)),
      ],
    })['CiliumNetworkPolicy acme-machines'];
    const anyNamespace = { matchExpressions: [{ key: 'k8s:io.kubernetes.pod.namespace', operator: 'Exists' }] };
    expect(egress.slice(6)).toEqual([
      { toEndpoints: [{ matchLabels: { 'k8s:io.cilium.k8s.namespace.labels.team': 'platform', 'app': 'mirror' }, ...anyNamespace }] },
      { toEndpoints: [anyNamespace] },
      { toEndpoints: [{}] },
      { toCIDRSet: [{ cidr: '192.0.2.0/24', except: ['192.0.2.7/32'] }], toPorts: [{ ports: [{ port: '123', protocol: 'UDP' }, { port: '9', protocol: 'SCTP' }] }] },
      { toEntities: ['ingress'], toPorts: [{ ports: [{ port: '443', protocol: 'TCP' }] }] },
    ]);
  });
});
