import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { MAX_SIZE } from '../../rules/cluster-api/autoscaler-annotations';
import { MACHINE_DEPLOYMENT, MACHINE_POOL } from '../../rules/cluster-api/cluster-api-kinds';
import { membersOfCluster } from '../../rules/cluster-api/cluster-members';
import { ManifestIndex } from '../../rules/manifest-index';
import { clusterOf } from '../../rules/references/object-references';
import { numberAt, stringAt } from '../../values/fields';

/** The components of a control plane, by their field. */
export type ControlPlaneComponent = 'apiServer' | 'controllerManager' | 'scheduler';

/** The most memory that components held with a number of nodes, in MiB. */
export interface MeasuredMemory extends Readonly<Record<ControlPlaneComponent, number>> {
  readonly nodes: number;
}

/**
 * Memory of Kubernetes v1.37.2. With 3 nodes: the living run of `conformance/`. With more: a real API server on etcd, controller manager and
 * scheduler, with 30 pods on each node, their Events, a Service for 5 pods, a ConfigMap and a Secret of 2 kB for 3 pods, a CiliumEndpoint for
 * each pod, and the watches and Leases of a kubelet and a Cilium agent for each node, which began with all objects at up to 100 nodes, and at one
 * node of ten above; two unbounded lists of everything at the end.
 */
export const MEASURED_MEMORY: readonly MeasuredMemory[] = [
  { nodes: 3, apiServer: 331, controllerManager: 133, scheduler: 74 },
  { nodes: 10, apiServer: 403, controllerManager: 148, scheduler: 81 },
  { nodes: 100, apiServer: 1403, controllerManager: 251, scheduler: 159 },
  { nodes: 250, apiServer: 2421, controllerManager: 457, scheduler: 310 },
  { nodes: 500, apiServer: 4455, controllerManager: 780, scheduler: 511 },
];

/** Memory that a component is expected to hold, in MiB: between and beyond the measured numbers of nodes on a line through them. */
export function expectedMemory(component: ControlPlaneComponent, nodes: number): number {
  const after = MEASURED_MEMORY.findIndex((measured) => measured.nodes >= nodes);
  if (after === 0) return MEASURED_MEMORY[0][component];
  const [one, other] = MEASURED_MEMORY.slice(after < 0 ? -2 : after - 1);
  return Math.round(one[component] + (other[component] - one[component]) * (nodes - one.nodes) / (other.nodes - one.nodes));
}

/** The largest number of nodes that the pools of a control plane's cluster may have; 0 where none are known. */
export function mostNodesOf(controlPlane: ManifestObject, index: ManifestIndex): number {
  const owner = clusterOf(controlPlane, index);
  const pools = owner ? [MACHINE_DEPLOYMENT, MACHINE_POOL].flatMap((kind) => membersOfCluster(namespaceOf(owner), nameOf(owner), index, kind)) : [];
  return pools.reduce((sum, pool) => {
    const maximum = Number(stringAt(pool, 'metadata', 'annotations', MAX_SIZE) ?? Number.NaN);
    return sum + (Number.isSafeInteger(maximum) ? maximum : numberAt(pool, 'spec', 'replicas') ?? 1);
  }, 0);
}
