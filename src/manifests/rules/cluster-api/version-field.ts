import { CLUSTER, MACHINE_TEMPLATE_HOLDERS } from './cluster-api-kinds';
import { knownKind } from '../../objects/known-kinds';
import { groupKind, ManifestObject } from '../../objects/manifest-object';
import { FieldPath } from '../../values/fields';

/** The field of a Cluster, a control plane or a pool that states its Kubernetes. */
export function versionField(object: ManifestObject): FieldPath {
  const kind = groupKind(object);
  if (kind === CLUSTER) return ['spec', 'topology', 'version'];
  if (MACHINE_TEMPLATE_HOLDERS.includes(kind)) return ['spec', 'template', 'spec', 'version'];
  return knownKind(kind)?.cluster?.(object).versionPath ?? ['spec', 'version'];
}
