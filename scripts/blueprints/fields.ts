import { stringAt } from '../../src/manifests/values/fields';

/** The string of a field; empty if there is none. */
export function stringField(object: unknown, ...path: string[]): string {
  return stringAt(object, ...path) ?? '';
}
