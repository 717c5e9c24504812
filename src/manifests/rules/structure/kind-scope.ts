import { structureOf, structuresOf } from './structures';
import { knownKind } from '../../objects/known-kinds';
import { groupKind, groupOf, ManifestObject } from '../../objects/manifest-object';
import { isFields } from '../../values/fields';

/**
 * True if the objects of a kind are in no namespace.
 *
 * @returns undefined for a kind without a definition that no provider registers
 */
export function isClusterScoped(group: string, kind: string): boolean | undefined {
  const structure = structureOf(group, kind);
  if (structure) return structure.scope === 'Cluster';
  const known = knownKind(`${group}/${kind}`);
  return known && (known.clusterScoped ?? false);
}

/**
 * True if the objects of a resource are in no namespace.
 *
 * @param group the API group
 * @param plural the name of the resource in URLs and roles
 * @returns undefined for a resource without a definition
 */
export function isResourceClusterScoped(group: string, plural: string): boolean | undefined {
  const structure = structuresOf(group).find((one) => one.plural === plural);
  return structure && structure.scope === 'Cluster';
}

/**
 * An object in another namespace, as kustomize makes it; of a Namespace the name changes. Objects that are known to be in no namespace stay as
 * they are. kustomize counts kinds that it does not know as namespaced (kubernetes-sigs/kustomize kyaml/resid/gvk.go, IsClusterScoped).
 */
export function inNamespace(object: ManifestObject, namespace: string): ManifestObject {
  const metadata = isFields(object.metadata) ? object.metadata : {};
  if (groupKind(object) === '/Namespace') return { ...object, metadata: { ...metadata, name: namespace } };
  return isClusterScoped(groupOf(object), String(object.kind)) ? object : { ...object, metadata: { ...metadata, namespace } };
}
