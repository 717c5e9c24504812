import { ApiObject } from 'cdk8s';
import { writtenLast, writtenOnce } from './synthesis';
import { Manifest } from '../../../manifests/objects/yaml/manifests-text';
import { Problem } from '../../../manifests/values/problem';

/**
 * An object as it is written. Not to be changed: it shares fields with the object, and during synthesis all callers get the same one.
 *
 * @throws if it cannot be written
 */
export function writtenManifest(object: ApiObject): Manifest {
  return writtenOnce(object, () => object.toJson() as Manifest);
}

/**
 * An object as it is written, for the last caller.
 *
 * @throws if it cannot be written
 */
export function lastWrittenManifest(object: ApiObject): Manifest {
  return writtenLast(object, () => object.toJson() as Manifest);
}

/**
 * Checks an object as it is written, with all patches. Finds nothing in an object that cannot be written: that is reported once, and must
 * not hide other problems.
 */
export function checkWritten(object: ApiObject, check: (manifest: ReturnType<ApiObject['toJson']>) => Problem[]): Problem[] {
  let manifest: Manifest;
  try {
    manifest = writtenManifest(object);
  } catch {
    return [];
  }
  return check(manifest);
}
