import { Construct } from 'constructs';
import { NifcloudDiskAccountingType, NifcloudDiskType, NifcloudFileSystem, NifcloudStorageClass } from './nifcloud-storage-class';
import { NIFCLOUD_RULES } from './rules';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { checkAnnotations, checkLabels } from '../../../manifests/values/labels';
import { Problem, problemIf, problemsOf } from '../../../manifests/values/problem';
import { DEFAULT_CLASS_ANNOTATION, VolumeBindingMode } from '../../../manifests/values/storage-class';
import { addStorageClass, checkDefaultMark, checkOneDefault, checkTaken } from '../../addons/csi/storage-classes';
import { VolumeAccessMode, VolumeClass } from '../../contracts/volume-class';

/** Name of the CSI driver (nifcloud/nifcloud-additional-storage-csi-driver pkg/driver/driver.go). */
const PROVISIONER = 'additional-storage.csi.nifcloud.com';

/** Step of disk sizes. */
const STEP = '100Gi';

/** Adds the StorageClass of one class. */
export function addNifcloudStorageClass(scope: Construct, storageClass: NifcloudStorageClass): void {
  const { name, type, accountingType, fsType } = storageClass;
  addStorageClass(scope, name, { ...storageClass, volumeBindingMode: VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER }, PROVISIONER, {
    'csi.storage.k8s.io/fstype': fsType ?? NifcloudFileSystem.EXT4,
    'type': type ?? NifcloudDiskType.STANDARD_FLASH_A,
    'accountingType': accountingType ?? NifcloudDiskAccountingType.HOURLY,
  });
}

/**
 * The capabilities of a class's volumes.
 *
 * Source: nifcloud/nifcloud-additional-storage-csi-driver pkg/driver/controller.go, pkg/cloud/cloud.go.
 */
export function volumeClassOf({ name, isDefault }: NifcloudStorageClass): VolumeClass {
  const accessModes = [VolumeAccessMode.READ_WRITE_ONCE, VolumeAccessMode.READ_WRITE_ONCE_POD];
  return { name, isDefault, accessModes, least: STEP, step: STEP, copies: false };
}

/** Checks the storage classes of a cluster. */
export function checkStorageClasses(classes: readonly NifcloudStorageClass[]): Problem[] {
  const placed = classes.map((given, index) => ({ property: `storageClasses[${index}]`, given }));
  return [
    ...placed.flatMap(({ property, given }) => problemIf(NIFCLOUD_RULES.className, `${property}.name`, checkDnsSubdomain(given.name), 'rename the class')),
    ...checkTaken(NIFCLOUD_RULES.className, 'storage class', placed),
    ...placed.flatMap(({ property, given: { labels = {}, annotations = {} } }) => [
      ...problemsOf(NIFCLOUD_RULES.classLabel, `${property}.labels`, checkLabels(labels)),
      ...problemsOf(NIFCLOUD_RULES.classLabel, `${property}.annotations`, checkAnnotations(annotations)),
    ]),
    ...placed.flatMap((one) => checkDefaultMark(NIFCLOUD_RULES.classLabel, one, DEFAULT_CLASS_ANNOTATION)),
    ...checkOneDefault(NIFCLOUD_RULES.classDefault, placed),
  ];
}
