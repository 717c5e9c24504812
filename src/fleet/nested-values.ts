import { ListedValue, Place } from './listed-cluster';
import { FLEET_RULES } from './rules';
import { FieldPath } from '../validation/manifests/manifest-rule';
import { Problem } from '../validation/problem';

/** Values by key, and what is wrong with the keys. */
export interface FlatValues {
  readonly values: Map<string, ListedValue>;
  readonly problems: Problem[];
}

/**
 * Turns maps in maps into the keys that a table has: `pool.size`. What is null is not there.
 *
 * @param map the values
 * @param placeOf where the value at a path stands
 */
export function flatValues(map: object, placeOf: (path: FieldPath) => Place): FlatValues {
  const values = new Map<string, ListedValue>();
  const problems: Problem[] = [];

  const walk = (inner: object, above: FieldPath): void => {
    for (const [name, value] of Object.entries(inner)) {
      const path = [...above, name];
      if (value === null || value === undefined) continue;
      if (isMap(value)) {
        walk(value, path);
        continue;
      }
      const key = path.join('.');
      const place = placeOf(path);
      const other = values.get(key);
      if (other) {
        problems.push({
          rule: FLEET_RULES.column,
          property: `${place()} ${key}`,
          message: `"${key}" has another value in ${other.place()}, where the key is written in another way`,
          fix: 'remove one of the two',
        });
      } else {
        values.set(key, { value: value as unknown, place });
      }
    }
  };

  walk(map, []);
  return { values, problems };
}

/** Whether a value has keys of its own. Objects of classes are values. */
export function isMap(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
