import { machinesOfPool, PlacedPool, poolKinds, poolOf, poolsIn, poolsOf, poolsWithin, poolUsesOf, userKinds } from './pool-index';
import { knownKind } from '../../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../../objects/manifest-object';
import { CLUSTER } from '../../rules/cluster-api/cluster-api-kinds';
import { edited, replaced } from '../../rules/example-text';
import { ManifestIndex, TargetCluster } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { CONTROL_PLANE_TEXT } from '../../rules/references/examples';
import { missing } from '../../rules/references/missing-references';
import { clusterOfOwner, partOf } from '../../rules/references/object-references';
import { addressShortage } from '../../values/address-demand';
import { addressCount, AddressRange, commonRange, formatAddressRange, parseAddressRange } from '../../values/address-ranges';
import { Cidr } from '../../values/cidr';
import { FieldPath, stringAt, stringsAt } from '../../values/fields';
import { distinctFindings, Finding } from '../../values/finding';

const ALLOCATION = 'kubernetes-sigs/cluster-api-ipam-provider-in-cluster internal/poolutil/pool.go (FindFreeAddress), '
  + 'metal3-io/ip-address-manager ipam/ippool_manager.go (allocateAddress)';

const POOL_TEXT = `apiVersion: ipam.cluster.x-k8s.io/v1alpha2
kind: InClusterIPPool
metadata: {name: nodes, namespace: tenant-acme}
spec:
  addresses: [192.0.2.10-192.0.2.13]
  prefix: 24
  gateway: 192.0.2.1
`;

const CLUSTER_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneEndpoint: {host: 192.0.2.9, port: 6443}
  clusterNetwork:
    pods: {cidrBlocks: [10.243.0.0/16]}
    services: {cidrBlocks: [10.96.0.0/16]}
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: acme}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: VSphereCluster, name: acme}
`;

const INFRASTRUCTURE_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereCluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneEndpoint: {host: 192.0.2.9, port: 6443}
`;

const TEMPLATE_TEXT = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereMachineTemplate
metadata: {name: acme-general, namespace: tenant-acme}
spec:
  template:
    spec:
      template: ubuntu-2404-kube-v1.35.4
      network:
        devices:
        - networkName: nodes
          addressesFromPools: [{apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: nodes}]
`;

const MACHINES_TEXT = `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: acme-general, namespace: tenant-acme}
spec:
  clusterName: acme
  replicas: 3
  selector: {matchLabels: {pool: general}}
  template:
    metadata: {labels: {pool: general}}
    spec:
      clusterName: acme
      bootstrap: {dataSecretName: acme-general}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: VSphereMachineTemplate, name: acme-general}
`;

const overlap: ManifestRule = {
  id: 'TC-TRAP-ADDRESS-POOL-OVERLAP',
  title: 'Two pools of addresses must not have an address in common, even in different namespaces: machines get the same address otherwise.',
  source: `${ALLOCATION}: each looks at the addresses of one pool alone`,
  get kinds() { return poolKinds(); },
  trap: true,
  example: replaced(POOL_TEXT, '192.0.2.13]', '192.0.2.40]', edited(POOL_TEXT, { 'name: nodes': 'name: others', '192.0.2.10-192.0.2.13': '192.0.2.30-192.0.2.60' })),
  check: (object, index) => poolsIn(object).flatMap((pool) => {
    const all = poolsWithin(poolsOf(index), pool.ranges);
    const own = all.findIndex((other) => other.object === object && other.name === pool.name);
    // One finding for each pair.
    return [...overlaps(pool, machinePools(index.target)), ...overlaps(pool, all.slice(0, Math.max(own, 0)))];
  }),
};

/** Most pools that are reported for one. */
const MOST_OTHERS = 20;

/** Findings for the pools that have addresses of a pool. */
function overlaps(pool: PlacedPool, others: readonly PlacedPool[]): Finding[] {
  const findings: Finding[] = [];
  for (const other of others) {
    if (findings.length === MOST_OTHERS) break;
    const common = isSamePool(pool, other) ? undefined : commonAddresses(pool.ranges, other.ranges);
    if (!common) continue;
    findings.push({
      path: pool.path,
      message: `${formatAddressRange(common)} ${common.first === common.last ? 'is' : 'are'} in ${poolText(other)} as well, and ${receiversText(pool, other)} get the same address`,
      fix: 'give each pool addresses of its own, or use one pool for all',
    });
  }
  return findings;
}

/** The pools that machines of a tenant take addresses from, which its load balancers must not have. */
function machinePools(tenant: TargetCluster | undefined): readonly PlacedPool[] {
  const { management } = tenant ?? {};
  return management ? poolsOf(management).filter((pool) => (
    clustersOfPool(pool, management).some((cluster) => nameOf(cluster) === tenant?.name && namespaceOf(cluster) === tenant?.namespace))) : [];
}

function isSamePool(one: PlacedPool, other: PlacedPool): boolean {
  return one.kind === other.kind && one.name === other.name && one.namespace === other.namespace;
}

function poolText({ kind, name, namespace }: PlacedPool): string {
  return `the ${kind.split('/')[1]} "${name}"${namespace === undefined ? '' : ` in the namespace "${namespace}"`}`;
}

function receiversText(pool: PlacedPool, other: PlacedPool): string {
  return pool.receivers === other.receivers ? pool.receivers ?? 'machines' : `${pool.receivers ?? 'machines'} and ${other.receivers ?? 'machines'}`;
}

function commonAddresses(some: readonly AddressRange[] = [], others: readonly AddressRange[] = []): AddressRange | undefined {
  for (const one of some) {
    for (const other of others) {
      const common = commonRange(one, other);
      if (common) return common;
    }
  }
  return undefined;
}

const exhausted: ManifestRule = {
  id: 'TC-TRAP-ADDRESS-POOL-EXHAUSTED',
  title: 'A pool must have an address for each machine at the largest sizes of its groups, and for those that a rollout adds: others wait for one, and the rollout stops.',
  source: ALLOCATION,
  get kinds() { return poolKinds(); },
  trap: true,
  example: replaced(POOL_TEXT, '192.0.2.13]', '192.0.2.12]', TEMPLATE_TEXT, MACHINES_TEXT),
  check: (object, index) => poolsIn(object).flatMap((pool): Finding[] => {
    const { name, ranges = [] } = pool;
    // A pool without an address is reported by itself.
    const message = ranges.length === 0 ? undefined : addressShortage(name, addressCount(ranges), machinesOfPool(pool, index));
    return message === undefined ? [] : [{ path: pool.path, message, fix: 'add addresses, or lower maximum sizes or maxSurge' }];
  }),
};

/** Networks of a cluster, and what they are for. */
const NETWORKS = { pods: 'pods', services: 'Services' } as const;

const networks: ManifestRule = {
  id: 'TC-TRAP-ADDRESS-POOL-NETWORK',
  title: 'Addresses of machines must not be in the ranges of pods or Services of their cluster: nodes do not reach each other otherwise.',
  source: 'kubernetes.io/docs/concepts/cluster-administration/networking (non-overlapping addresses of nodes, pods and Services)',
  get kinds() { return poolKinds(); },
  trap: true,
  example: replaced(CLUSTER_TEXT, '10.243.0.0/16', '192.0.2.0/24', CONTROL_PLANE_TEXT, INFRASTRUCTURE_TEXT, POOL_TEXT, TEMPLATE_TEXT, MACHINES_TEXT),
  check: (object, index) => poolsIn(object).flatMap((pool) => distinctFindings(clustersOfPool(pool, index).flatMap((cluster) => (
    Object.entries(NETWORKS).flatMap(([field, what]) => stringsAt(cluster, 'spec', 'clusterNetwork', field, 'cidrBlocks').flatMap(([text]): Finding[] => {
      const block = Cidr.parse(text);
      const common = block && commonAddresses(pool.ranges, [{ family: block.family, first: block.first, last: block.last }]);
      return common ? [{
        path: pool.path,
        message: `${formatAddressRange(common)} ${common.first === common.last ? 'is' : 'are'} in ${text}, the range of ${what} of the Cluster "${nameOf(cluster)}"`,
        fix: `choose another range of ${what}, or other addresses for the machines`,
      }] : [];
    }))
  )))),
};

/** The clusters whose machines take addresses from a pool. */
function clustersOfPool(pool: PlacedPool, index: ManifestIndex): ManifestObject[] {
  const clusters = machinesOfPool(pool, index).map(({ owner }) => clusterOfOwner(owner, index)).filter((cluster) => cluster !== undefined);
  return [...new Set(clusters)];
}

const endpoint: ManifestRule = {
  id: 'TC-TRAP-ADDRESS-POOL-ENDPOINT',
  title: 'A pool must not have the address of an API server: a machine gets it otherwise, and the cluster is cut off.',
  source: 'kubernetes-sigs/cluster-api api/core/v1beta2/cluster_types.go (controlPlaneEndpoint), kube-vip.io/docs (a virtual address outside of the ranges of DHCP and IPAM)',
  get kinds() { return poolKinds(); },
  trap: true,
  example: replaced(CLUSTER_TEXT, 'host: 192.0.2.9', 'host: 192.0.2.12', POOL_TEXT),
  check: (object, index) => poolsIn(object).flatMap((pool) => endpointsIn(index).flatMap(({ address, cluster, range, own }): Finding[] => (
    // The provider of the pool's own object checks its own endpoint.
    own === object || !commonAddresses(pool.ranges, [range]) ? [] : [{
      path: pool.path,
      message: `"${address}" is the address of the API server of the Cluster "${nameOf(cluster)}"`,
      fix: 'leave it out of the addresses for machines, or choose another address for the API server',
    }]
  ))),
};

/** The address of an API server. */
interface Endpoint {
  readonly address: string;
  readonly range: AddressRange;
  readonly cluster: ManifestObject;

  /** The infrastructure object of the cluster. */
  readonly own?: ManifestObject;
}

const ENDPOINTS = new WeakMap<ManifestIndex, readonly Endpoint[]>();

function endpointsIn(index: ManifestIndex): readonly Endpoint[] {
  let endpoints = ENDPOINTS.get(index);
  if (!endpoints) ENDPOINTS.set(index, endpoints = index.all(CLUSTER).flatMap((cluster) => endpointOf(cluster, index)));
  return endpoints;
}

function endpointOf(cluster: ManifestObject, index: ManifestIndex): Endpoint[] {
  const own = partOf(cluster, 'infrastructureRef', index);
  const address = [cluster, own].map((object) => stringAt(object, 'spec', 'controlPlaneEndpoint', 'host')).find((host) => host !== undefined);
  const range = address === undefined || /[-/]/.test(address) ? undefined : parseAddressRange(address);
  return range ? [{ address: address!, range, cluster, own }] : [];
}

const reference: ManifestRule = {
  id: 'TC-TRAP-ADDRESS-POOL-MISSING',
  title: 'The pools of addresses that machines use must exist, in the namespace of the machines unless they have none: the machines wait for an address otherwise.',
  source: 'kubernetes-sigs/cluster-api-ipam-provider-in-cluster internal/controllers/ipaddressclaim.go (FetchPool), '
    + 'metal3-io/ip-address-manager ipam/ippool_manager.go (claims are looked for in the namespace of the pool)',
  get kinds() { return userKinds(); },
  trap: true,
  elsewhere: true,
  example: replaced(TEMPLATE_TEXT, 'name: nodes}]', 'name: node}]', POOL_TEXT),
  check: (template, index) => poolUsesOf(template, index).flatMap((use) => {
    if (poolOf(use, template, index)) return [];
    const clusterScoped = knownKind(use.kind)?.clusterScoped;
    const found = missing(template, index, { kind: use.kind, name: use.name, path: use.path, clusterScoped });
    return found.length > 0 || clusterScoped ? found : elsewhere(use.kind, use.name, use.path, template, index);
  }),
};

/** A finding if a pool of the name is in another namespace only. */
function elsewhere(kind: string, name: string, path: FieldPath, template: ManifestObject, index: ManifestIndex): Finding[] {
  const other = index.all(kind).find((pool) => nameOf(pool) === name && namespaceOf(pool) !== undefined && namespaceOf(template) !== undefined);
  return other ? [{
    path,
    message: `${objectName(other)} is in another namespace than the machines, in "${namespaceOf(template)}", which do not find it there`,
    fix: `make a ${groupKind(other).split('/')[1]} in the namespace of the machines, or a pool for all namespaces`,
  }] : [];
}

/** Rules over pools of addresses of any system. */
export const ADDRESS_POOL_RULES: readonly ManifestRule[] = [overlap, exhausted, networks, endpoint, reference];

/** Texts of examples. */
export const POOL_EXAMPLES = { pool: POOL_TEXT, template: TEMPLATE_TEXT, machines: MACHINES_TEXT };
