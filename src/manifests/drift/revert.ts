import { DriftedField, isNormal } from './drift-model';
import { positionIn } from './managed-fields';
import { LiveObjects } from '../landscape/live-objects';
import { ManifestState } from '../landscape/manifest-state';
import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ObjectChange, PlannedPart } from '../plan/plan-model';
import { planObjects } from '../plan/plan-objects';
import { detailedPartLines, partName } from '../plan/plan-words';
import { StoredPair } from '../stored/stored-objects';
import { fieldAt, FieldPath, Fields, isFields } from '../values/fields';

/** A manifest whose object drifted. */
export interface Drifted {
  readonly manifest: ManifestObject;
  readonly stored: StoredPair;
  readonly fields: readonly DriftedField[];
}

/**
 * Foresees what happens when what drifted is as in the manifests again.
 *
 * @param state the manifests
 * @param drifted what drifted
 * @param live the objects of the cluster, for the numbers of machines
 * @param definitions CustomResourceDefinitions
 * @returns the effects by manifest, a line each
 */
export function revertEffects(
  state: ManifestState, drifted: readonly Drifted[], live: LiveObjects, definitions: readonly unknown[],
): ReadonlyMap<ManifestObject, readonly string[]> {
  const present = new Map(drifted.filter(({ fields }) => fields.some((field) => !isNormal(field))).map((one) => [one.manifest, presentObject(one)]));
  if (present.size === 0) return new Map();
  const before = { ...state, objects: state.objects.map((read) => ({ ...read, object: present.get(read.object) ?? read.object })) };
  const { clusters, shared } = planObjects(before, state, live, definitions);
  const parts = [...clusters.flatMap((cluster) => cluster.parts), ...shared];
  const ofManifest = (manifest: ManifestObject) => parts.filter((part) => part.objects.some((one) => isSame(one, manifest)));
  return new Map([...present.keys()].map((manifest) => [manifest, ofManifest(manifest).flatMap(lines)]));
}

function isSame(object: ObjectChange, manifest: ManifestObject): boolean {
  const isOfKind = object.apiVersion === manifest.apiVersion && object.kind === manifest.kind;
  return isOfKind && object.name === nameOf(manifest) && object.namespace === namespaceOf(manifest);
}

function lines(part: PlannedPart): string[] {
  return detailedPartLines(part).map((line) => `${partName(part)}: ${line}`);
}

/** The living object with the values of the manifest where nothing but normal work differs. */
function presentObject({ stored: { before, after }, fields }: Drifted): ManifestObject {
  return fields.filter(isNormal).reduce<unknown>((object, { path }) => withField(object, path, before), after) as ManifestObject;
}

/** A value in which one field is as in another value, or not there if it is not there. */
function withField(value: unknown, path: FieldPath, stated: unknown): unknown {
  const [part, ...rest] = path;
  if (part === undefined || !(isFields(value) || Array.isArray(value))) return stated;
  if (Array.isArray(value)) {
    const position = positionIn(value, part);
    if (position < 0) return value;
    const other = Array.isArray(stated) ? stated[positionIn(stated, part)] : undefined;
    const item = withField(value[position], rest, other);
    return value.flatMap((one, index) => (index !== position ? [one] : isNothing(item) ? [] : [item]));
  }
  const item = withField(Object.hasOwn(value, part) ? value[part] : undefined, rest, fieldAt(stated, part));
  const others: Fields = Object.fromEntries(Object.entries(value).filter(([key]) => key !== part));
  return isNothing(item) ? others : { ...others, [part]: item };
}

function isNothing(value: unknown): boolean {
  return value === undefined || (isFields(value) && Object.keys(value).length === 0);
}
