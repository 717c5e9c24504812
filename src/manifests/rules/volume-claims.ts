import { ManifestIndex } from './manifest-index';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { fieldAt, FieldPath, isSet, objectsAt, stringAt } from '../values/fields';

const STATEFUL_SET = 'apps/StatefulSet';
const STORAGE_CLASS = 'storage.k8s.io/StorageClass';

/** Kinds that ask for volumes. */
export const CLAIM_KINDS: readonly string[] = ['/PersistentVolumeClaim', STATEFUL_SET];

/** A claim for a volume, and the StorageClass that makes it. */
export interface ClaimedVolume {
  readonly spec: unknown;
  readonly path: FieldPath;
  readonly storageClass: ManifestObject;
}

/**
 * The claims in an object for volumes that a driver makes, whose StorageClass is validated together with them.
 *
 * @param driver name of the driver
 */
export function claimsOf(driver: string, object: ManifestObject, index: ManifestIndex): ClaimedVolume[] {
  const specs = groupKind(object) === STATEFUL_SET
    ? objectsAt(object, 'spec', 'volumeClaimTemplates').map(([claim, at]) => ({ spec: claim.spec, path: ['spec', 'volumeClaimTemplates', at, 'spec'] }))
    : [{ spec: fieldAt(object, 'spec'), path: ['spec'] }];
  return specs.flatMap(({ spec, path }) => {
    const storageClass = index.find(STORAGE_CLASS, undefined, stringAt(spec, 'storageClassName') ?? '');
    // A volume that is there already is not made by the driver.
    return storageClass?.provisioner === driver && !isSet(spec, 'volumeName') ? [{ spec, path, storageClass }] : [];
  });
}
