import { ApiObject } from 'cdk8s';
import { isStock, plainManifest } from './plain-manifest';
import { writtenLast, writtenOnce } from './synthesis';
import { TypedApiObject } from './typed-api-object';
import { Manifest } from './yaml/manifests-text';

/**
 * An object as it is written. Not to be changed: it shares what it can with the object, and during synthesis everybody gets the same one.
 *
 * @throws if it cannot be written
 */
export function writtenManifest(object: ApiObject): Manifest {
  return writtenOnce(object, () => currentManifest(object));
}

/**
 * An object as it is written, for whoever is the last to ask.
 *
 * @throws if it cannot be written
 */
export function lastWrittenManifest(object: ApiObject): Manifest {
  return writtenLast(object, () => currentManifest(object));
}

/**
 * An object as it is written now, whoever has written it before. Not to be changed.
 *
 * @throws if it cannot be written
 */
export function currentManifest(object: ApiObject): Manifest {
  if (object.toJson === TypedApiObject.prototype.toJson) return (object as TypedApiObject)._written();
  return (isStock(object) ? plainManifest(object) : undefined) ?? object.toJson() as Manifest;
}
