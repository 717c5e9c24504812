import { groupKind, ManifestObject } from '../objects/manifest-object';
import { fieldAt, FieldPath, isFields } from '../values/fields';

/** The texts of a Secret, those in base64 too, of a ConfigMap, and of the template of an ExternalSecret, with their fields. */
export function secretTexts(object: ManifestObject): (readonly [FieldPath, string])[] {
  const kind = groupKind(object);
  if (kind === '/ConfigMap') return textsAt(object, 'data');
  if (kind !== '/Secret') return textsAt(object, 'spec', 'target', 'template', 'data');
  const packed = textsAt(object, 'data').map(([path, text]) => [path, Buffer.from(text, 'base64').toString('utf8')] as const);
  return [...textsAt(object, 'stringData'), ...packed];
}

function textsAt(object: ManifestObject, ...path: readonly string[]): (readonly [FieldPath, string])[] {
  const texts = fieldAt(object, ...path);
  return isFields(texts) ? Object.entries(texts).flatMap(([key, text]) => (typeof text === 'string' ? [[[...path, key], text] as const] : [])) : [];
}
