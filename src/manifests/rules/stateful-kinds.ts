import { CLUSTER, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api/cluster-api-kinds';
import { ManifestIndex } from './manifest-index';
import { DEFINITION } from './structure/kind-definitions';
import { kindsWhere } from '../objects/known-kinds';

/** Kinds whose objects machines, control planes or data go with, which an object of the same name does not bring back. */
export function statefulKinds(): string[] {
  return [
    CLUSTER, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET, ...kindsWhere((known) => known.holdsState ?? known.role !== undefined),
    '/Namespace', '/PersistentVolume', '/PersistentVolumeClaim', DEFINITION,
  ];
}

/** API groups of workloads. */
const WORKLOADS: readonly string[] = ['apps', 'batch'];

/**
 * True if folders that deliveries apply hold machines, control planes or data, or may hold them: where no workloads are validated beside the
 * deliveries, nothing is known of their folders.
 */
export function mayHoldState(index: ManifestIndex): boolean {
  return holdsState(index) || !index.kinds().some((kind) => WORKLOADS.includes(kind.split('/')[0]));
}

/** True if there are machines, control planes or data among objects. */
export function holdsState(index: ManifestIndex): boolean {
  const stateful = statefulKinds().filter((kind) => kind !== '/Namespace' && kind !== DEFINITION);
  return index.kinds().some((kind) => kind.endsWith(TEMPLATE_SUFFIX) || stateful.includes(kind));
}

/** End of the names of further kinds of machine templates, of any provider. */
export const TEMPLATE_SUFFIX = 'MachineTemplate';
