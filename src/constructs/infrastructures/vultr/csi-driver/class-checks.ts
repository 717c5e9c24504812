import { VultrStorage, VultrStorageClass } from './vultr-storage-class';
import { Problem } from '../../../../manifests/values/problem';
import { DEFAULT_CLASS_ANNOTATION } from '../../../../manifests/values/storage-class';
import { checkDefaultClass, checkDefaultMark, checkTaken, Placed } from '../../../addons/csi/class-checks';
import { VULTR_RULES } from '../rules';

/**
 * Checks the storage classes of a cluster.
 *
 * @param list the property that holds them
 * @param classes the storage classes
 */
export function checkClasses(list: string, classes: readonly VultrStorageClass[]): Problem[] {
  const placed = classes.map((given, index) => ({ property: `${list}[${index}]`, given }));
  return [
    ...checkTaken(VULTR_RULES.storageClassName, 'storage class', placed),
    ...placed.flatMap((one) => checkDefaultMark(VULTR_RULES.storageClassLabel, one, DEFAULT_CLASS_ANNOTATION)),
    ...checkDefault(list, placed),
  ];
}

/** File systems are for claims that name them: most claims that name no class are for one node, which a file system refuses. */
function checkDefault(list: string, classes: readonly Placed<VultrStorageClass>[]): Problem[] {
  const rule = VULTR_RULES.defaultStorageClass;
  const isFileSystem = ({ given }: Placed<VultrStorageClass>): boolean => given.storage === VultrStorage.FILE_SYSTEM_NVME;
  const blocks = classes.filter((one) => !isFileSystem(one));
  return [
    ...classes.filter((one) => one.given.isDefault && isFileSystem(one)).map(({ property, given }) => ({
      rule,
      property: `${property}.isDefault`,
      message: `"${given.name}" is a file system, which refuses claims for one node (ReadWriteOnce), and most that name no class are such`,
      fix: 'make a class of block storage the default',
    })),
    ...(blocks.length > 0 ? checkDefaultClass(rule, list, blocks) : []),
  ];
}
