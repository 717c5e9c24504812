import { withoutMarks } from '../../objects/secret-values';
import { DEEPEST, excess, parsedJson } from '../../objects/value-size';
import { shownValue } from '../../schema/value-words';
import { FieldPath, Fields, isFields, isSet, sameValue } from '../../values/fields';
import { HIDDEN } from '../../values/secret-text';

/** A field whose value differs between two states of an object. */
export interface FieldChange {
  /** Items of a list are named by what tells them apart, if they have that; else by their position. */
  readonly path: FieldPath;

  /** `undefined` where it was not set. */
  readonly before: unknown;

  /** `undefined` where it is not set any more. */
  readonly after: unknown;
}

/** Fields that tell the items of a list apart, the first that all items of both lists have. */
const IDENTITIES: readonly string[] = ['name', 'path', 'key', 'class', 'type'];

/**
 * The smallest values that differ between two states. The order of keys does not matter, and `null` counts as not set.
 *
 * @param before the earlier state
 * @param after the later state
 * @param path where they are
 */
export function fieldChanges(before: unknown, after: unknown, path: FieldPath = []): FieldChange[] {
  if (sameValue(before, after)) return [];
  if (isFields(before) && isFields(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => fieldChanges(own(before, key), own(after, key), [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) return listChanges(before, after, path);
  // A text may hold a text, which may hold another one.
  const [old, now] = path.length > DEEPEST ? [] : [before, after].map(fieldsInText);
  if (old && now) {
    const inner = fieldChanges(old, now, path);
    if (inner.length > 0) return inner;
  }
  return [{ path, before: before ?? undefined, after: after ?? undefined }];
}

/** True if a group of fields is added, removed or changed as a whole. */
export function isGroup({ before, after }: FieldChange): boolean {
  return isFields(before ?? {}) && isFields(after ?? {});
}

/** The fields of a group. */
export function membersOf({ path, before, after }: FieldChange): FieldChange[] {
  return fieldChanges(before ?? {}, after ?? {}, path);
}

/** The fields of a group and of the groups in it, so that a group that is not set is the same as an empty one. */
export function innermostChanges(change: FieldChange): FieldChange[] {
  return isGroup(change) ? membersOf(change).flatMap(innermostChanges) : [change];
}

/** A change in words: `1.34.1 -> 1.35.4`. */
export function valueWords({ before, after }: Pick<FieldChange, 'before' | 'after'>): string {
  if (isPlainList(before) && isPlainList(after)) return itemWords(before, after);
  if (!isSet(before)) return isShown(after) ? `${plain(after)} added` : 'added';
  if (!isSet(after)) return isShown(before) ? `${plain(before)} removed` : 'removed';
  const [old, now] = [plain(before), plain(after)];
  return old === now ? 'changed' : `${old} -> ${now}`;
}

/** Fields in a text of JSON, such as the content of a file. */
function fieldsInText(value: unknown): Fields | undefined {
  const parsed = typeof value === 'string' && value.startsWith('{') ? parsedJson(value) : undefined;
  return isFields(parsed) && excess(parsed) === undefined ? parsed : undefined;
}

function isPlainList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isScalar);
}

function itemWords(before: readonly unknown[], after: readonly unknown[]): string {
  const added = after.filter((item) => !before.includes(item)).map((item) => `${plain(item)} added`);
  const removed = before.filter((item) => !after.includes(item)).map((item) => `${plain(item)} removed`);
  return [...added, ...removed].join(', ') || 'in another order';
}

function isShown(value: unknown): boolean {
  return isScalar(value) && withoutMarks(value) !== HIDDEN;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function plain(value: unknown): string {
  const shown = shownValue(withoutMarks(value));
  return typeof value === 'string' && /^[\w.:/@+=%-]+$/.test(value) && !shown.includes('…') ? value : shown;
}

function listChanges(before: readonly unknown[], after: readonly unknown[], path: FieldPath): FieldChange[] {
  const identity = identityOf(before, after);
  if (identity !== undefined) {
    const [old, now] = [before, after].map((list) => new Map((list as Fields[]).map((item) => [item[identity] as string, item])));
    const changes = [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => fieldChanges(old.get(name), now.get(name), [...path, name]));
    if (changes.length > 0) return changes;
  } else if (before.length === after.length) {
    return before.flatMap((item, index) => fieldChanges(item, after[index], [...path, index]));
  }
  return [{ path, before, after }];
}

/** The field that tells the items of two lists apart, if they have one. */
export function identityOf(before: readonly unknown[], after: readonly unknown[]): string | undefined {
  return IDENTITIES.find((key) => [before, after].every((list) => isToldApartBy(list, key)));
}

function isToldApartBy(list: readonly unknown[], key: string): boolean {
  const names = list.map((item) => (isFields(item) ? item[key] : undefined));
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
}

function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}
