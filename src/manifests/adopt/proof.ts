import { objectId } from './cluster-parts';
import { InputObjects } from './input-objects';
import { ReadObject } from '../landscape/placed-objects';
import { ManifestObject } from '../objects/manifest-object';
import { withoutMarks, withoutSecrets } from '../objects/secret-values';
import { plan, PlannedChanges } from '../plan/plan-objects';
import { isNothing, planTotals } from '../plan/plan-totals';
import { convertedObject, storedPair } from '../stored/stored-objects';
import { fieldAt, FieldPath, fieldText, isFields, sameValue } from '../values/fields';

/** A field that differs. */
export interface FieldDifference {
  readonly field: string;

  /** The value before; undefined if there was none. Values that may be secret are hidden. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Result of the comparison of an object with what the app makes. */
export interface ProvenObject {
  readonly read: ReadObject;

  /**
   * `equal` to the value, `converted`: the same values in another version of the API, `stored` as the same object by the server, which adds
   * defaults, `different`, or `missing` in the output.
   */
  readonly result: 'equal' | 'converted' | 'stored' | 'different' | 'missing';
  readonly differences: readonly FieldDifference[];
}

/** Comparison of manifests with the output of an app. */
export interface Proof {
  readonly objects: readonly ProvenObject[];

  /** Objects of the output that were not in the input. */
  readonly added: readonly ManifestObject[];
  readonly plan: PlannedChanges;

  /** True if the plan is empty, and each object is stored as it was. */
  readonly isEmpty: boolean;
}

/**
 * Compares manifests with the output of an app, object by object. What the app leaves where it is counts as unchanged.
 *
 * @param input the manifests before
 * @param output the objects of the app
 */
export function prove(input: InputObjects, output: readonly ManifestObject[]): Proof {
  const made = new Map(output.map((object) => [objectId(object), object]));
  const known = new Set([...input.objects.map(({ object }) => object), ...input.left.map(({ read }) => read.object)].map(objectId));
  const old = input.objects.map(({ object }) => object);
  // A duplicate that is left does not stand for the object that the app must make.
  const taken = new Set([...made.keys(), ...old.map(objectId)]);
  const left = input.left.map(({ read }) => read.object).filter((object) => !taken.has(objectId(object)));
  const planned = plan([...old, ...left], [...output, ...left]);
  const objects = input.objects.map((read) => provenObject(read, made.get(objectId(read.object))));
  return {
    objects,
    added: output.filter((object) => !known.has(objectId(object))),
    plan: planned,
    isEmpty: isNothing(planTotals(planned)) && objects.every(({ result }) => result !== 'different' && result !== 'missing'),
  };
}

/**
 * Compares an object with what the app makes of it, field by field.
 *
 * @param read the object
 * @param made the object of the app; undefined if it has none
 */
export function provenObject(read: ReadObject, made: ManifestObject | undefined): ProvenObject {
  if (!made) return { read, result: 'missing', differences: [] };
  if (sameValue(read.object, made)) return { read, result: 'equal', differences: [] };
  const [before, after] = hidden(read.object, made);
  const differences: FieldDifference[] = [];
  compare(before, after, [], differences);
  if (differences.length > 0) return { read, result: 'different', differences: withoutMarks(differences) };
  return { read, result: isConverted(read.object, made) ? 'converted' : 'stored', differences: [] };
}

/** True if two objects in different versions of the API have the same values. */
function isConverted(before: ManifestObject, after: ManifestObject): boolean {
  return before.apiVersion !== after.apiVersion && sameValue(convertedObject(before), convertedObject(after));
}

function hidden(before: ManifestObject, after: ManifestObject): readonly [unknown, unknown] {
  const pair = storedPair(before, after);
  return [withoutSecrets(pair.before), withoutSecrets(pair.after)];
}

function compare(before: unknown, after: unknown, path: FieldPath, differences: FieldDifference[]): void {
  if (sameValue(before, after)) return;
  if (isFields(before) && isFields(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(fieldAt(before, name), fieldAt(after, name), [...path, name], differences);
    }
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    before.forEach((item, index) => compare(item, after[index], [...path, index], differences));
  } else {
    differences.push({ field: fieldText(path), before, after });
  }
}

/** Numbers of objects by result. */
export function proofCounts({ objects }: Proof): Readonly<Record<ProvenObject['result'], number>> {
  const count = (result: ProvenObject['result']) => objects.filter((object) => object.result === result).length;
  return { equal: count('equal'), converted: count('converted'), stored: count('stored'), different: count('different'), missing: count('missing') };
}
