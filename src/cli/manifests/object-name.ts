import { ManifestObject, textAt } from '../../images/manifest-object';

/** How people call an object: kind, namespace and name. */
export function objectName(object: ManifestObject): string {
  const namespace = textAt(object, 'metadata', 'namespace');
  const name = textAt(object, 'metadata', 'name') ?? textAt(object, 'metadata', 'generateName') ?? 'without name';
  return `${String(object.kind)} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
