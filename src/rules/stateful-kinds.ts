import { DEFINITION } from './changes/definition-changes';
import { CLUSTER, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET } from './cluster-api/cluster-api-kinds';
import { kindsWhere } from '../manifests/known-kinds';

/** Kinds whose objects machines, control planes or data go with, which an object of the same name does not bring back. */
export function statefulKinds(): string[] {
  return [
    CLUSTER, MACHINE, MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET, ...kindsWhere(({ role, holdsState = role !== undefined }) => holdsState),
    '/Namespace', '/PersistentVolume', '/PersistentVolumeClaim', DEFINITION,
  ];
}

/** End of the names of further kinds of machine templates, of any provider. */
export const TEMPLATE_SUFFIX = 'MachineTemplate';
