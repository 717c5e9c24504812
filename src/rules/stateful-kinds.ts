import { DEFINITION } from './changes/definition-changes';
import { CLUSTER, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api/cluster-api-kinds';
import { ManifestIndex } from './manifest-index';
import { kindsWhere } from '../manifests/known-kinds';

/** Kinds whose objects machines, control planes or data go with, which an object of the same name does not bring back. */
export function statefulKinds(): string[] {
  return [
    CLUSTER, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET, ...kindsWhere(({ role, holdsState = role !== undefined }) => holdsState),
    '/Namespace', '/PersistentVolume', '/PersistentVolumeClaim', DEFINITION,
  ];
}

/**
 * True if folders that deliveries apply hold machines, control planes or data, or may hold them: where only deliveries are validated, nothing
 * is known of their folders.
 *
 * @param groups the API groups of deliveries
 */
export function mayHoldState(index: ManifestIndex, groups: readonly string[]): boolean {
  const kinds = index.kinds();
  const stateful = statefulKinds().filter((kind) => kind !== '/Namespace' && kind !== DEFINITION);
  return kinds.some((kind) => kind.endsWith(TEMPLATE_SUFFIX) || stateful.includes(kind)) || kinds.every((kind) => groups.includes(kind.split('/')[0]));
}

/** End of the names of further kinds of machine templates, of any provider. */
export const TEMPLATE_SUFFIX = 'MachineTemplate';
