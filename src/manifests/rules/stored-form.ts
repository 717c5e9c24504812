import { fieldAt, Fields, FieldPath, isFields, listAt } from '../values/fields';
import { parseGoDuration } from '../values/go-duration';

/** A copy of an object, or a part of one, that is brought into the form that is stored. */
export type Draft = Record<string, unknown>;

/** The form in which the server stores objects of a kind, as its conversion and its webhooks make it. */
export interface StoredForm {
  /**
   * The version that objects are stored in.
   *
   * @default - the one that they are written in
   */
  readonly version?: string;

  /**
   * Older versions, and what turns the spec of one into that of the stored version.
   *
   * @default - none is known
   */
  readonly conversions?: Readonly<Record<string, (spec: Draft, form: FormOf) => void>>;

  /**
   * True if a webhook reads objects into Go's types and writes them anew: lists, maps and groups that are empty are left out then,
   * and texts and numbers that are no pointers.
   *
   * @default false
   */
  readonly omitsEmpty?: boolean;

  /**
   * True of specs of older versions whose conversion is known.
   *
   * @default - it is known of all
   */
  readonly convertible?: (spec: Draft) => boolean;

  /**
   * Fields of an object that are written in one of several places; objects with the same text have them in the same ones.
   *
   * @default - each field has one place
   */
  readonly placesOf?: (object: Fields) => string;

  /**
   * Fields that a webhook sets, or that controllers take for granted.
   *
   * @default - none
   */
  readonly complete?: (object: Draft, form: FormOf) => void;
}

/**
 * The fields that drafts get: those of the stored version, or, of two objects in one older version, those of that version. The second names fields
 * as the files do, and has the same values in them.
 */
export class FormOf {
  /** @param isConverted true for the fields of the stored version */
  public constructor(public readonly isConverted: boolean) {}

  /** Moves a value to its field in the stored version. */
  public move(draft: Draft, from: string, to: string, convert: (value: unknown) => unknown = (value) => value): void {
    const value = take(draft, from);
    if (value !== undefined) put(draft, this.isConverted ? to : from, convert(value));
  }

  /** Removes fields that the stored version does not have. */
  public drop(draft: Draft, ...fields: readonly string[]): void {
    for (const field of fields) take(draft, field);
  }

  /** Replaces a value that the stored version has in another shape. */
  public reshape(draft: Draft, field: string, convert: (value: unknown) => unknown): void {
    if (this.isConverted) this.move(draft, field, field, convert);
  }

  /** A reference without what the stored version does not keep: the version of the API, and the namespace, which is that of the object. */
  public refer(draft: Draft, from: string, to = from): void {
    this.move(draft, from, to, (value) => {
      if (!isFields(value) || typeof value.apiVersion !== 'string') return value;
      const group = value.apiVersion.slice(0, Math.max(0, value.apiVersion.indexOf('/')));
      const { kind, name } = value;
      return { apiGroup: group, kind, name };
    });
  }
}

/** The form of a kind whose versions have the same fields. */
export function sameFields(version: string, ...older: readonly string[]): StoredForm {
  return { version, conversions: Object.fromEntries(older.map((name) => [name, (): void => {}])) };
}

/** Forms of kinds whose empty lists, maps and groups are left out. */
export function omittingEmpty(forms: Readonly<Record<string, StoredForm>>): Readonly<Record<string, StoredForm>> {
  return Object.fromEntries(Object.entries(forms).map(([kind, form]) => [kind, { ...form, omitsEmpty: true }]));
}

/** Whole seconds of a Go duration; what is none stays as it is. */
export function seconds(duration: unknown): unknown {
  const nanoseconds = typeof duration === 'string' ? parseGoDuration(duration) : undefined;
  return nanoseconds === undefined ? duration : Number(nanoseconds / 1_000_000_000n);
}

/** The object in a field of a draft. */
export function draftAt(draft: unknown, ...path: FieldPath): Draft | undefined {
  const found = fieldAt(draft, ...path);
  return isFields(found) ? found as Draft : undefined;
}

/** The objects in a list of a draft. */
export function draftsAt(draft: unknown, ...path: FieldPath): Draft[] {
  return listAt(draft, ...path).filter(isFields) as Draft[];
}

/** Writes a value into a field of a draft; objects around it come with it. */
export function put(draft: Draft, field: string, value: unknown): void {
  const names = field.split('.');
  let place = draft;
  for (const name of names.slice(0, -1)) {
    const inside = isFields(place[name]) ? place[name] as Draft : {};
    place[name] = inside;
    place = inside;
  }
  place[names[names.length - 1]] = value;
}

/** Writes a value into a field that has none. */
export function putDefault(draft: Draft, field: string, value: unknown): void {
  if ((fieldAt(draft, ...field.split('.')) ?? undefined) === undefined) put(draft, field, value);
}

function take(draft: Draft, field: string): unknown {
  const names = field.split('.');
  const around = draftAt(draft, ...names.slice(0, -1));
  const name = names[names.length - 1];
  if (!around || !Object.hasOwn(around, name)) return undefined;
  const value = around[name];
  delete around[name];
  return value ?? undefined;
}

/** A copy of plain JSON. */
export function draftOf(object: Fields): Draft {
  return copyOf(object) as Draft;
}

function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Draft = {};
  for (const name of Object.keys(value)) {
    const inner = copyOf((value as Fields)[name]);
    // A field of this name would be the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: inner, enumerable: true, configurable: true, writable: true });
    else copy[name] = inner;
  }
  return copy;
}
