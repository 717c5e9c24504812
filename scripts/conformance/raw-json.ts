import { isFields } from '../../src/manifests/values/fields';

// Marks what JavaScript's JSON cannot hold, in a character that is no part of any manifest.
const MARK = '\ue000';
const RAW = new RegExp(`"${MARK}([^"${MARK}]*)${MARK}"`, 'g');
const AGAIN = new RegExp(`${MARK}":`, 'g');

/** A value that stands in the text as it is, such as a number that JavaScript would write in another way. */
export function raw(text: string): string {
  return `${MARK}${text}${MARK}`;
}

/** A copy of a map that has one of its keys twice. */
export function withKeyTwice(map: Readonly<Record<string, unknown>>, key: string, value: unknown): Record<string, unknown> {
  return { ...map, [`${key}${MARK}`]: value };
}

/** The JSON text of a value, which may hold raw values and keys that are there twice. */
export function rawJson(value: unknown): string {
  return JSON.stringify(value).replace(RAW, '$1').replace(AGAIN, '":');
}

/** True if a value has neither raw values nor duplicate keys. */
export function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes(MARK);
  if (Array.isArray(value)) return value.every(isPlain);
  return !isFields(value) || Object.entries(value).every(([key, inner]) => !key.includes(MARK) && isPlain(inner));
}
