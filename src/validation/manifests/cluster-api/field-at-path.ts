import { fieldAt } from '../../../images/manifest-object';
import { FieldPath } from '../manifest-rule';

/** What stands at a path; undefined where a part of it is missing. */
export function valueAt(object: unknown, path: FieldPath): unknown {
  return fieldAt(object, ...path.map(String));
}

/** The text at a path; undefined where there is none, or an empty one. */
export function textAtPath(object: unknown, path: FieldPath): string | undefined {
  const found = valueAt(object, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
