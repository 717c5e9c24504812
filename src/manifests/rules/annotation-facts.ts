import { ManifestObject } from '../objects/manifest-object';
import { FieldPath } from '../values/fields';
import { parseGoBool } from '../values/flag-values';
import { parseGoDuration } from '../values/go-duration';
import { checkQuantity } from '../values/quantity';

/** Form of a value that a program parses. */
export interface AnnotationForm {
  readonly accepted: string;
  readonly fits: (value: string) => boolean;

  /**
   * True if the value is a list, joined by commas, each of whose entries has this form.
   *
   * @default false
   */
  readonly isList?: boolean;

  /**
   * Every value that is accepted.
   *
   * @default - too many to list
   */
  readonly words?: readonly string[];
}

/** A label or an annotation that a controller reads. */
export interface AnnotationFact {
  /** Its key, with the prefix; a prefix alone, with a slash at the end, is each key below it. */
  readonly key: string;

  /**
   * True if it is a label, `'both'` if the controller reads labels and annotations.
   *
   * @default false
   */
  readonly isLabel?: boolean | 'both';

  /**
   * Kinds on whose objects it is read, as `group/Kind`; a group and a slash is each of its kinds, `*` is every kind, also of objects that a
   * controller makes from a template.
   *
   * @default - every kind, on the object that is applied itself
   */
  readonly kinds?: readonly string[];

  /**
   * Form of the value.
   *
   * @default - any
   */
  readonly form?: AnnotationForm;

  /**
   * True if it counts with any value, also with `false`.
   *
   * @default false
   */
  readonly presence?: boolean;

  /**
   * Harm to every machine if it stands in a template of machines.
   *
   * @default - nothing that harms
   */
  readonly inMachineTemplate?: string;
}

/** The labels and annotations of one controller. */
export interface SystemAnnotations {
  /** The controller, e.g. `the cluster autoscaler`. */
  readonly reader: string;

  /**
   * Beginnings of keys, of which the reader has all.
   *
   * @default - others may have keys with the same prefix
   */
  readonly owned?: readonly string[];

  readonly facts: readonly AnnotationFact[];

  /** Project and files that read them. */
  readonly source: string;

  /**
   * Labels and annotations that an object of a kind gives to others, beside its own ones and those of its pods, by kind.
   *
   * @default - none
   */
  readonly places?: Readonly<Record<string, (object: ManifestObject) => readonly AnnotationPlace[]>>;
}

/** Metadata in an object, which its own or another object gets. */
export interface AnnotationPlace {
  /** The metadata. */
  readonly path: FieldPath;

  /** Kinds of the objects that get it, as `group/Kind`; a group and a slash is one of its kinds. */
  readonly reaches: readonly string[];

  /**
   * True if the object that is applied has it itself.
   *
   * @default false
   */
  readonly isOwn?: boolean;
}

/** The quantities that upstream parses; an empty value is none. */
export const QUANTITY_FORM: AnnotationForm = { accepted: 'quantities such as 4 or 16Gi', fits: (value) => value === '' || checkQuantity(value) === undefined };
export const WHOLE_NUMBER_FORM: AnnotationForm = { accepted: 'whole numbers', fits: (value) => /^[+-]?\d+$/.test(value) };
export const NUMBER_FORM: AnnotationForm = { accepted: 'numbers such as 0.5', fits: (value) => /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(value) };
export const DURATION_FORM: AnnotationForm = { accepted: 'durations such as 15m', fits: (value) => parseGoDuration(value) !== undefined };
export const BOOLEAN_FORM = oneOfForm(['true', 'false']);
export const GO_BOOLEAN_FORM: AnnotationForm = { accepted: 'true, false', fits: (value) => parseGoBool(value) !== undefined };

/** One of several words. */
export function oneOfForm(words: readonly string[], ignoresCase = false): AnnotationForm {
  const known = new Set(ignoresCase ? words.map((word) => word.toLowerCase()) : words);
  return { accepted: words.map((word) => JSON.stringify(word)).join(', '), fits: (value) => known.has(ignoresCase ? value.toLowerCase() : value), words };
}

/** Entries that are joined by commas; empty ones are passed over. */
export function listForm(entry: AnnotationForm): AnnotationForm {
  return { ...entry, fits: (value) => value === '' || entry.fits(value), isList: true };
}
