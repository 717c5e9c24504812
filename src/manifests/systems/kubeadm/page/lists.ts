import { sameValue } from '../../../values/fields';

/**
 * The items of a list behind those that the class writes by itself.
 *
 * @param wanted the list as it was
 * @param plain the items that the class writes without options
 * @returns undefined if the list does not begin with these: then it becomes a patch as a whole
 */
export function behind<T>(wanted: readonly T[], plain: readonly T[]): readonly T[] | undefined {
  return plain.every((item, index) => sameValue(item, wanted[index])) ? wanted.slice(plain.length) : undefined;
}
