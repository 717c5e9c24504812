import { PlacedReference } from './object-references';
import { groupKind, ManifestObject } from '../../../images/manifest-object';
import { nearestName } from '../../../kubernetes/nearest-name';
import { nameOf, namespaceOf } from '../manifest-fields';
import { ManifestIndex } from '../manifest-index';
import { FieldPath, ManifestFinding } from '../manifest-rule';

/** An object that another one needs. */
export interface Wanted {
  readonly kind: string;
  readonly name: string;
  readonly path: FieldPath;

  /** Its namespace, if it is not that of whoever names it. */
  readonly namespace?: string;
}

/** A finding if an object is not there, and others of its kind and namespace are. */
export function missing(object: ManifestObject, index: ManifestIndex, { kind, name, path, namespace: given }: Wanted): ManifestFinding[] {
  const place = given ?? namespaceOf(object);
  if (index.find(kind, place, name)) return [];
  const names = namesBeside(object, index, kind, place);
  return names.length === 0 ? [] : [notThere(kind, name, path, names)];
}

/** A finding if an object is not there. */
export function absent(object: ManifestObject, index: ManifestIndex, { reference: { kind, name }, path }: PlacedReference): ManifestFinding[] {
  if (index.find(kind, namespaceOf(object), name)) return [];
  return [notThere(kind, name, path, namesBeside(object, index, kind, namespaceOf(object)))];
}

/** Names of the other objects of a kind in a namespace. */
function namesBeside(object: ManifestObject, index: ManifestIndex, kind: string, place: string | undefined): string[] {
  return index.all(kind).filter((other) => other !== object && namespaceOf(other) === place).flatMap((other) => nameOf(other) ?? []);
}

/** A finding if an object is not there, and others of its API group are. */
export function absentAmongOthers(object: ManifestObject, index: ManifestIndex, placed: PlacedReference): ManifestFinding[] {
  const [group] = placed.reference.kind.split('/');
  return index.holds(group, namespaceOf(object)) && group !== groupKind(object).split('/')[0] ? absent(object, index, placed) : [];
}

function notThere(kind: string, name: string, path: FieldPath, names: readonly string[]): ManifestFinding {
  const near = nearestName(name, names);
  const [, short] = kind.split('/');
  return { path, message: `there is no ${short} "${name}" in the namespace`, fix: near === undefined ? `add the ${short}, or name another one` : `write "${near}", or add the ${short}` };
}
