import { ManifestChange, TransitionRule } from './transition-rule';
import { shownValue } from '../../schema/value-words';
import { fieldAt, sameValue } from '../../values/fields';
import { Finding } from '../../values/finding';

/** Fix for a template that is changed under its name. */
export const NEW_TEMPLATE = 'give the template another name, and name it where it is used';

/** A field that keeps its value. */
export interface KeptField {
  readonly path: readonly string[];

  /**
   * The value that the server assumes if the field is unset.
   *
   * @default - nothing
   */
  readonly byDefault?: unknown;

  /**
   * True if it may be set where it was not.
   *
   * @default false
   */
  readonly maySet?: boolean;

  /**
   * True if it may be taken away.
   *
   * @default false
   */
  readonly mayUnset?: boolean;
}

/** Values of a field in two objects. */
export interface FieldValues {
  readonly before: unknown;
  readonly after: unknown;
}

/** Reads a field of both objects; of one that is not there, what a server takes it for. */
export function fieldValues({ before, after }: ManifestChange, path: readonly string[], byDefault?: unknown): FieldValues {
  return { before: fieldAt(before, ...path) ?? byDefault, after: fieldAt(after, ...path) ?? byDefault };
}

/** True if both objects are there, and written in one version of their kind: another version may call a field by another name. */
export function isUpdate({ before, after }: ManifestChange): boolean {
  return before !== undefined && after !== undefined && before.apiVersion === after.apiVersion;
}

/**
 * A check that fields keep their values.
 *
 * @param fields the fields
 * @param fix what to do where one does not
 */
export function keeps(fields: readonly KeptField[], fix: string): TransitionRule['check'] {
  return (change) => (isUpdate(change) ? fields.flatMap((field) => checkField(change, field, fix)) : []);
}

function checkField(change: ManifestChange, { path, byDefault, maySet = false, mayUnset = false }: KeptField, fix: string): Finding[] {
  const { before, after } = fieldValues(change, path, byDefault);
  if (sameValue(before, after) || (maySet && isMissing(before)) || (mayUnset && isMissing(after))) return [];
  return [{ path, message: changeWords(before, after), fix }];
}

/** Change of a value, in words. */
export function changeWords(before: unknown, after: unknown): string {
  const [old, now] = [shownValue(before), shownValue(after)];
  if (isMissing(before)) return `it is ${now} now, and was not set before`;
  if (isMissing(after)) return `it was ${old}, and is not set any more`;
  return old === now ? 'what is in it changed' : `it was ${old}, and is ${now} now`;
}

/** True if nothing stands in a field. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Findings for a field that is there before and now, and is not the same. */
export function changed(change: ManifestChange, path: readonly string[], fix: string, byDefault?: unknown): Finding[] {
  if (!isUpdate(change)) return [];
  const { before, after } = fieldValues(change, path, byDefault);
  return isMissing(before) || isMissing(after) || sameValue(before, after) ? [] : [{ path, message: changeWords(before, after), fix }];
}
