import { ApiObject } from 'cdk8s';
import { isSettling } from './synthesis';
import { writtenManifest } from './written-manifest';
import { Problem } from '../validation/problem';

/**
 * What a check finds in an object as it is written, with all patches. Nothing where it cannot be written: that is said once, and must not
 * hide what else is wrong.
 */
export function checkWritten(object: ApiObject, check: (manifest: ReturnType<ApiObject['toJson']>) => Problem[]): Problem[] {
  if (isSettling()) return [];
  let manifest: ReturnType<ApiObject['toJson']>;
  try {
    manifest = writtenManifest(object);
  } catch {
    return [];
  }
  return check(manifest);
}
