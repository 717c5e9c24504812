import { stringAt } from '../../src/values/fields';

/** The string of a field; empty if there is none. */
export function stringField(object: unknown, ...path: string[]): string {
  return stringAt(object, ...path) ?? '';
}
