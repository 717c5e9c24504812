import { ManifestObject } from '../objects/manifest-object';
import { storedObject } from '../stored/stored-objects';
import { fieldAt, Fields, isFields, isSet, listAt } from '../values/fields';

/** The pools of a topology, or the classes of pools. */
export type WorkerList = 'machineDeployments' | 'machinePools';

/** A ClusterClass, or a topology, with the fields of v1beta2. */
export interface TopologySpec {
  readonly spec: Fields;
  readonly controlPlane: Fields;
  readonly workers: Readonly<Record<WorkerList, readonly Fields[]>>;
}

/** Many Clusters have one class. */
const STORED = new WeakMap<ManifestObject, TopologySpec>();

/** The spec of a ClusterClass as it is stored. */
export function storedClass(clusterClass: ManifestObject): TopologySpec {
  return storedOnce(clusterClass, 'spec');
}

/** The topology of a Cluster as it is stored. */
export function storedTopology(cluster: ManifestObject): TopologySpec {
  return storedOnce(cluster, 'spec', 'topology');
}

function storedOnce(object: ManifestObject, ...path: readonly string[]): TopologySpec {
  let stored = STORED.get(object);
  if (!stored) STORED.set(object, stored = specOf(fieldAt(storedObject(object), ...path)));
  return stored;
}

function specOf(value: unknown): TopologySpec {
  const spec = fieldsOf(value);
  const list = (name: WorkerList) => listAt(spec, 'workers', name).filter(isFields);
  return {
    spec, controlPlane: fieldsOf(spec.controlPlane), workers: { machineDeployments: list('machineDeployments'), machinePools: list('machinePools') },
  };
}

/** Fields that are set. */
export function withoutUnset(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSet(value)));
}

/** Fields; empty if a value is something else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}
