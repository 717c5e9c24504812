import { listItems } from './list-items';
import { FieldPath } from '../values/fields';

/** An object, and where in a list it stands; nowhere if it is in none. */
export interface ListedObject {
  readonly object: unknown;
  readonly within: FieldPath;
}

/** The items of a list, and of lists in it; everything else as it is. */
export function listedObjects(value: unknown, within: FieldPath = []): ListedObject[] {
  return listItems(value)?.flatMap((item, index) => listedObjects(item, [...within, 'items', index])) ?? [{ object: value, within }];
}
