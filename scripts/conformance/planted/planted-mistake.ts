import { listedObjects } from '../../../src/manifests/objects/manifest-list';
import { ManifestObject, nameOf } from '../../../src/manifests/objects/manifest-object';
import { readText } from '../../../src/manifests/objects/manifest-text';
import { FieldPath } from '../../../src/manifests/values/fields';
import { goldenManifests } from '../../golden/golden-manifests';
import { replaced, valueAt } from '../mutations/places';

/** A mistake that is planted into the output of an example: another value of one field of one object. */
export interface PlantedMistake {
  /** The mistake, in words. */
  readonly words: string;

  /** Kind and beginning of the name of the object, e.g. `OpenStackCluster acme`. */
  readonly object: string;

  /** Path of the field with dots between its parts; of the object itself if it is missing. */
  readonly at?: string;

  /** The value in its place; undefined for a field or an object that is missing. */
  readonly value?: unknown;

  /** Ids of the rules that find it, and no others. */
  readonly found: readonly string[];

  /** True if it is the change of the stored object that is wrong. */
  readonly isChange?: boolean;

  /** Objects of the user beside the output, as YAML. */
  readonly beside?: string;
}

/** The mistakes that are planted into an example. */
export interface PlantedMistakes {
  /** Name of the provider in the ids of cases. */
  readonly provider: string;

  /** Name of the golden output. */
  readonly example: string;
  readonly mistakes: readonly PlantedMistake[];
}

/** An output with a mistake. */
export interface PlantedOutput {
  /** The object with the mistake; undefined if it is missing. */
  readonly object?: ManifestObject;

  /** The object without it. */
  readonly original: ManifestObject;

  /** All objects without the mistake, and with it. */
  readonly before: readonly ManifestObject[];
  readonly after: readonly ManifestObject[];
}

/** The objects of an example's output. */
export function exampleObjects(example: string): ManifestObject[] {
  const [, text] = goldenManifests().find(([name]) => name === example)!;
  return objectsOf(text);
}

/**
 * Plants a mistake.
 *
 * @param objects the objects of the example
 * @throws if the object is not there, or the field has the value already
 */
export function plant(objects: readonly ManifestObject[], { words, object: named, at, value, beside = '' }: PlantedMistake): PlantedOutput {
  const before = [...objects, ...objectsOf(beside)];
  const [kind, name] = named.split(' ');
  const original = before.find((one) => one.kind === kind && (nameOf(one) ?? '').startsWith(name));
  if (!original) throw new Error(`${words}: there is no ${named}`);
  const path: FieldPath = at?.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)) ?? [];
  const object = at === undefined ? value as ManifestObject | undefined : replaced(original, path, value);
  if (JSON.stringify(object) === JSON.stringify(original) || (at !== undefined && value === undefined && valueAt(original, path) === undefined)) {
    throw new Error(`${words}: ${named} is as it was`);
  }
  return { object, original, before, after: before.flatMap((one): ManifestObject[] => (one !== original ? [one] : object ? [object] : [])) };
}

function objectsOf(text: string): ManifestObject[] {
  return readText(text).documents.flatMap(({ value }) => listedObjects(value)).map(({ object }) => object as ManifestObject);
}
