import { ManifestObject } from '../objects/manifest-object';
import { FieldPath, isSet } from '../values/fields';
import { Finding } from '../values/finding';

/** A finding unless exactly one of some fields is there. */
export function oneOf(object: ManifestObject, path: FieldPath, fields: readonly string[]): Finding[] {
  const given = fields.filter((field) => isSet(object, ...path.map(String), field));
  return given.length === 1 ? [] : [{
    path,
    message: given.length === 0 ? `it has none of ${fields.join(', ')}` : `it has ${given.join(' and ')}`,
    accepted: `one of ${fields.join(', ')}`,
    fix: given.length === 0 ? 'write one of them' : 'keep one of them',
  }];
}
