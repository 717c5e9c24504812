import { CLUSTER_TEXT, CONTROL_PLANE_TEXT, RELEASE_TEXT } from './pod-network-examples';
import { networkRule, TenantNetwork } from './pod-network-rules';
import { Tenant, tenantOf } from './tenants';
import { groupKind } from '../objects/manifest-object';
import { MAX_SIZE } from '../rules/cluster-api/autoscaler-annotations';
import { CLUSTER, KUBEADM_CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_POOL } from '../rules/cluster-api/cluster-api-kinds';
import { membersOfCluster } from '../rules/cluster-api/cluster-members';
import { documents, replaced } from '../rules/example-text';
import { ManifestRule } from '../rules/manifest-rule';
import { Cidr } from '../values/cidr';
import { numberAt, objectsAt, stringAt, stringsAt } from '../values/fields';

/** Prefix lengths of the ranges of nodes (kubernetes/kubernetes cmd/kube-controller-manager/app/core.go). */
const USUAL_LENGTHS: Readonly<Record<string, number>> = { IPv4: 24, IPv6: 64 };

/** Flags by which ranges of nodes are given out otherwise than this file knows, where their values are not read. */
const OTHERWISE = /allocate-node-cidrs|node-cidr-mask-size/;

/** The prefix length of the ranges that Kubernetes gives the nodes of a tenant; undefined if that is not known, or if it gives none. */
function nodeLength({ facts: { network }, controlPlane }: Tenant, family: string): number | undefined {
  if (!network || !controlPlane) return undefined;
  const stated = network.nodePrefixLengths?.[family];
  const text = JSON.stringify(controlPlane);
  if (/allocate-node-cidrs/.test(text) || (stated === undefined && OTHERWISE.test(text))) return undefined;
  return stated ?? USUAL_LENGTHS[family];
}

const SMALLER: ManifestRule = {
  id: 'TC-TRAP-CLUSTER-NODE-RANGE',
  title: 'The range of pods of a Cluster must hold the range of a node: the kube-controller-manager exits otherwise.',
  source: 'kubernetes/kubernetes pkg/controller/nodeipam/node_ipam_controller.go (NewNodeIpamController)',
  kinds: [CLUSTER],
  trap: true,
  example: replaced(documents(CLUSTER_TEXT, CONTROL_PLANE_TEXT), '10.243.0.0/16', '10.243.0.0/25'),
  check: (object, index) => {
    const tenant = tenantOf(object, index);
    const stated = stringsAt(object, 'spec', 'clusterNetwork', 'pods', 'cidrBlocks').map(([text]) => text.trim());
    return tenant.podCidrs.flatMap((range) => {
      const length = nodeLength(tenant, range.family);
      const at = stated.findIndex((text) => Cidr.parse(text)?.toString() === range.toString());
      return length === undefined || range.prefixLength <= length || at < 0 ? [] : [{
        path: ['spec', 'clusterNetwork', 'pods', 'cidrBlocks', at],
        message: `${range} is smaller than the range of a node, which is a /${length}`,
        fix: 'write a larger range, or a smaller range for nodes: --node-cidr-mask-size of the kube-controller-manager',
      }];
    });
  },
};

const TOPOLOGY_TEXT = `  topology:
    classRef: {name: small}
    version: v1.35.4
    workers: {machineDeployments: [{class: worker, name: general, replicas: 12}]}
`;

const COUNT: ManifestRule = networkRule({
  id: 'TC-TRAP-CNI-NODE-COUNT',
  title: 'The addresses of pods must be enough for the ranges of all nodes: further nodes get no range, and never get ready.',
  source: 'kubernetes/kubernetes pkg/controller/nodeipam/ipam/range_allocator.go (CIDRNotAvailable); cilium/cilium pkg/ipam/allocator/clusterpool',
  trap: true,
  example: replaced(documents(RELEASE_TEXT, `${CLUSTER_TEXT}${TOPOLOGY_TEXT}`, CONTROL_PLANE_TEXT), '10.243.0.0/16', '10.243.0.0/21'),
  faultsOf: (network) => {
    const room = roomFor(network);
    if (room === undefined) return [];
    const nodes = machinesOf(network.tenant);
    return nodes <= room.nodes ? [] : [{
      path: room.path,
      message: `${network.facts.title} has ranges for ${room.nodes} nodes of "${network.tenant.name}", which may have ${nodes}`,
      fix: 'give pods a larger range, or nodes smaller ones, before the cluster is created',
    }];
  },
});

/** The number of nodes that get a range, by the address family that has fewer; undefined if it is not known. */
function roomFor({ settings: { usesNodeRanges, addressing, pools, nodePrefixLengths }, tenant }: TenantNetwork) {
  const isOfNodes = usesNodeRanges === true;
  const ranges: readonly (Cidr | undefined)[] = isOfNodes ? tenant.podCidrs : (pools?.value ?? []).map((text) => Cidr.parse(text));
  if (ranges.length === 0 || ranges.includes(undefined)) return undefined;
  const rooms = new Map<string, number>();
  for (const range of ranges as readonly Cidr[]) {
    const length = isOfNodes ? nodeLength(tenant, range.family) : nodePrefixLengths?.[range.family]?.value;
    if (length === undefined || Number.isNaN(length)) return undefined;
    rooms.set(range.family, (rooms.get(range.family) ?? 0) + (length < range.prefixLength ? 0 : 2 ** (length - range.prefixLength)));
  }
  const path = isOfNodes ? addressing?.path : pools?.path;
  const nodes = Math.min(...rooms.values());
  // A pool that holds no node at all has a finding of its own.
  return path === undefined || nodes === 0 ? undefined : { nodes, path };
}

/** Machines that a tenant may have at its largest sizes, as far as they are stated. */
function machinesOf({ object, namespace, name, controlPlane, management }: Tenant): number {
  const own = [MACHINE_DEPLOYMENT, MACHINE_POOL].flatMap((kind) => membersOfCluster(namespace, name, management, kind));
  const workers = ['machineDeployments', 'machinePools'].flatMap((list) => objectsAt(object, 'spec', 'topology', 'workers', list).map(([pool]) => pool));
  const isOnMachines = controlPlane !== undefined && groupKind(controlPlane) === KUBEADM_CONTROL_PLANE;
  return [...own.map((pool) => largest(pool, numberAt(pool, 'spec', 'replicas'))), ...workers.map((pool) => largest(pool, numberAt(pool, 'replicas')))]
    .reduce((sum, count) => sum + count, isOnMachines ? numberAt(controlPlane, 'spec', 'replicas') ?? 1 : 0);
}

function largest(pool: object, replicas: number | undefined): number {
  const maximum = stringAt(pool, 'metadata', 'annotations', MAX_SIZE) ?? '';
  return /^\d{1,9}$/.test(maximum) ? Math.max(Number(maximum), replicas ?? 0) : replicas ?? 1;
}

/** Rules over the ranges of nodes. */
export const NODE_RANGE_RULES: readonly ManifestRule[] = [SMALLER, COUNT];
