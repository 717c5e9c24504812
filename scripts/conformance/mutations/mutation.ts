import { Place } from './places';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { FieldPath } from '../../../src/manifests/values/fields';
import { Random } from '../random';

/** Source of a mutation. */
export interface MutationSource {
  readonly object: ManifestObject;

  /** All values in the object, and what is known of them. */
  readonly places: readonly Place[];

  /** The other objects of the example. */
  readonly others: readonly ManifestObject[];
  readonly random: Random;
}

/** A changed object, and in words what was changed. */
export interface Mutant {
  readonly object: ManifestObject;
  readonly words: string;
}

/** A way of changing objects. */
export interface Mutation {
  readonly name: string;

  /** Probability in relation to other mutations. */
  readonly weight: number;

  /** Changes the object; undefined where there is nothing in it that could be changed in this way. */
  mutate(source: MutationSource): Mutant | undefined;
}

/** A value in words, never longer than a line. */
export function inWords(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** A field in words. */
export function fieldWords(path: FieldPath): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${/[./]/.test(part) ? JSON.stringify(part) : part}`)).join('');
}
