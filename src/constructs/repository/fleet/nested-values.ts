import { ListedValue, Place } from './listed-cluster';
import { FLEET_RULES } from './rules';
import { FieldPath, isPlainObject } from '../../../manifests/values/fields';
import { Problem } from '../../../manifests/values/problem';

/** Values by key, and the problems of the keys. */
export interface FlatValues {
  readonly values: Map<string, ListedValue>;
  readonly problems: Problem[];
}

/**
 * Flattens nested objects into the keys of a table: `pool.size`. Null values are skipped.
 *
 * @param map the values
 * @param placeOf the place of the value at a path
 */
export function flatValues(map: object, placeOf: (path: FieldPath) => Place): FlatValues {
  const values = new Map<string, ListedValue>();
  const problems: Problem[] = [];

  const walk = (inner: object, above: FieldPath): void => {
    for (const [name, value] of Object.entries(inner)) {
      const path = [...above, name];
      if (value === null || value === undefined) continue;
      if (isPlainObject(value)) {
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
          message: `"${key}" is also set in ${other.place()}, where the key is written differently`,
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

