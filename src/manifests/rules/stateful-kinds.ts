import { DEFINITION } from './changes/definition-changes';
import { CLUSTER, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api/cluster-api-kinds';
import { ManifestIndex } from './manifest-index';
import { kindsWhere } from '../objects/known-kinds';

/** Kinds whose objects machines, control planes or data go with, which an object of the same name does not bring back. */
export function statefulKinds(): string[] {
  return [
    CLUSTER, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET, ...kindsWhere(({ role, holdsState = role !== undefined }) => holdsState),
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
  const kinds = index.kinds();
  const stateful = statefulKinds().filter((kind) => kind !== '/Namespace' && kind !== DEFINITION);
  const isStateful = kinds.some((kind) => kind.endsWith(TEMPLATE_SUFFIX) || stateful.includes(kind));
  return isStateful || !kinds.some((kind) => WORKLOADS.includes(kind.split('/')[0]));
}

/** End of the names of further kinds of machine templates, of any provider. */
export const TEMPLATE_SUFFIX = 'MachineTemplate';
