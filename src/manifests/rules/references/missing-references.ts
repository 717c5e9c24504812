import { PlacedReference } from './object-references';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { FieldPath } from '../../values/fields';
import { Finding } from '../../values/finding';
import { nearestName } from '../../values/nearest-name';
import { ManifestIndex, namespacesFor } from '../manifest-index';

/** An object that another one needs. */
export interface Wanted {
  readonly kind: string;
  readonly name: string;
  readonly path: FieldPath;

  /** Its namespace, if it differs from that of the referring object. */
  readonly namespace?: string;

  /** True if it is in no namespace. */
  readonly clusterScoped?: boolean;
}

/** A finding if an object is not among those that were read, and others of its kind and namespace are. */
export function missing(object: ManifestObject, index: ManifestIndex, wanted: Wanted): Finding[] {
  const { kind, name, path, namespace: given, clusterScoped } = wanted;
  const place = clusterScoped ? undefined : given ?? namespaceOf(object);
  if (index.find(kind, place, name)) return [];
  // Without a namespace, an object gets that of a delivery, which kustomize also writes over the one that another object states.
  if (place === undefined && index.named(kind, name).length > 0) return [];
  const names = namesBeside(object, index, kind, place);
  return names.length === 0 ? [] : [notThere({ kind, name, path, namespace: place }, names)];
}

/** A finding if an object is not among those that were read. */
export function absent(object: ManifestObject, index: ManifestIndex, { reference: { kind, name }, path }: PlacedReference): Finding[] {
  if (index.find(kind, namespaceOf(object), name)) return [];
  const namespace = namespaceOf(object);
  return [notThere({ kind, name, path, namespace }, namesBeside(object, index, kind, namespace))];
}

/** Names of the other objects of a kind in a namespace. */
function namesBeside(object: ManifestObject, index: ManifestIndex, kind: string, place: string | undefined): string[] {
  const others = namespacesFor(place).flatMap((namespace) => index.allIn(kind, namespace));
  return others.flatMap((other) => (other === object ? [] : nameOf(other) ?? []));
}

/** A finding if an object is not among those that were read, and others of its API group are. */
export function absentAmongOthers(object: ManifestObject, index: ManifestIndex, placed: PlacedReference): Finding[] {
  const [group] = placed.reference.kind.split('/');
  return index.holds(group, namespaceOf(object)) && group !== groupKind(object).split('/')[0] ? absent(object, index, placed) : [];
}

function notThere({ kind, name, path, namespace }: Wanted, names: readonly string[]): Finding {
  const near = nearestName(name, names);
  const [, short] = kind.split('/');
  const where = namespace === undefined ? '' : ` in the namespace "${namespace}"`;
  return {
    path,
    message: `among the manifests that were read, there is no ${short} "${name}"${where}`,
    fix: near === undefined ? `add the ${short} or name another one, or validate it together with these if it is written elsewhere` : `write "${near}", or add the ${short}`,
  };
}
