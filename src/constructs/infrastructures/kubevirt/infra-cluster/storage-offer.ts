import { INFRA_CLUSTER_RULES } from './rules';
import { PropertyReport } from '../../../app/problems/property-report';
import { InfraClusterCapabilities } from '../../../contracts/capabilities/infra-cluster-capabilities';
import { InfraStorageClass } from '../../../contracts/capabilities/infra-storage-class';
import { checkOffered, listText } from '../../../contracts/capabilities/offered';

/** Who offers what machines use. */
export const INFRA_PLACE = 'the cluster that runs the machines';

/**
 * Looks up the storage class of a disk or volume, and reports one that is not there.
 *
 * @param report the property that names the class, or could
 * @param name the name; undefined for the default
 * @param offered what the cluster that runs the machines offers
 * @returns the class; undefined if it does not exist, or if the classes are not declared
 */
export function lookUpClass(
  report: PropertyReport, name: string | undefined, { storageClasses }: InfraClusterCapabilities,
): InfraStorageClass | undefined {
  if (storageClasses === undefined) return undefined;
  const names = storageClasses.map((one) => one.name);
  if (name !== undefined) {
    report.addAll(INFRA_CLUSTER_RULES.storageClass, checkOffered(name, { place: INFRA_PLACE, kind: 'StorageClass', list: 'storageClasses', names }));
    return storageClasses.find((one) => one.name === name);
  }
  const found = defaultFor(storageClasses);
  if (!found) {
    report.add(INFRA_CLUSTER_RULES.defaultClass, {
      message: `no storage class is named, and ${INFRA_PLACE} has no default one`,
      accepted: listText(names),
      fix: 'name a class, or say isDefault of the one that is the default',
    });
  }
  return found;
}

/** The class of a volume of a virtual machine that names none (kubevirt/containerized-data-importer pkg/controller/common/util.go). */
function defaultFor(classes: readonly InfraStorageClass[]): InfraStorageClass | undefined {
  return classes.find(({ isDefaultForMachines }) => isDefaultForMachines) ?? classes.find(({ isDefault }) => isDefault);
}
