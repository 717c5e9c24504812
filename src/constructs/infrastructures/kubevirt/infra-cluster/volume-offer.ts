import { requireGate } from './machine-offer';
import { INFRA_CLUSTER_RULES } from './rules';
import { INFRA_PLACE, lookUpClass } from './storage-offer';
import { PropertyReport } from '../../../app/problems/property-report';
import { InfraClusterCapabilities } from '../../../contracts/capabilities/infra-cluster-capabilities';
import { InfraStorageClass } from '../../../contracts/capabilities/infra-storage-class';
import { checkOffered } from '../../../contracts/capabilities/offered';
import { canExpand, KubevirtSnapshotClass, KubevirtStorageClass } from '../csi-driver/kubevirt-storage-class';

// KubeVirt attaches volumes to running machines behind either (kubevirt/kubevirt pkg/virt-api/rest/volumes.go, v1.9.0). With
// DeclarativeHotplugVolumes alone it refuses virtualmachineinstances/removevolume for the instance of a VirtualMachine. The driver calls that
// only while an instance still holds a volume that its VirtualMachine no longer has; KubeVirt then removes the volume by itself
// (pkg/storage/hotplug/hotplug.go), and the attacher tries again.
const HOTPLUG = ['DeclarativeHotplugVolumes', 'HotplugVolumes'];

/** Reports what the tenant's storage classes stand on and the cluster that runs the machines does not offer, as far as that is known. */
export function checkVolumeOffer(
  report: PropertyReport, classes: readonly KubevirtStorageClass[], offered: InfraClusterCapabilities | undefined,
): void {
  if (!offered) return;
  requireGate(report, classes.length > 0, HOTPLUG, offered);
  classes.forEach((storageClass, index) => {
    const item = report.item(index);
    const infraClass = lookUpClass(item.at('infraClass'), storageClass.infraClass, offered);
    if (infraClass) checkClass(item, storageClass, infraClass);
  });
}

function checkClass(report: PropertyReport, storageClass: KubevirtStorageClass, infraClass: InfraStorageClass): void {
  if (infraClass.local) {
    report.at('infraClass').add(INFRA_CLUSTER_RULES.local, {
      message: `volumes of "${infraClass.name}" can be used on one host only, and a pod that moves to a machine on another host never gets its volume`,
      fix: 'choose a class of storage that every host reaches',
    });
  }
  if (canExpand(storageClass) && infraClass.allowVolumeExpansion === false) {
    report.at('allowVolumeExpansion').add(INFRA_CLUSTER_RULES.expansion, {
      message: `volumes of "${storageClass.name}" are said to grow, and those of "${infraClass.name}" behind them cannot`,
      fix: 'set allowVolumeExpansion: false, or let the class in the cluster that runs the machines expand',
    });
  }
  storageClass.snapshotClasses?.forEach((snapshotClass, index) => checkSnapshots(report.at('snapshotClasses').item(index), snapshotClass, infraClass));
}

function checkSnapshots(report: PropertyReport, { name, infraClass }: KubevirtSnapshotClass, storage: InfraStorageClass): void {
  const { name: storageClass, snapshotClasses } = storage;
  if (snapshotClasses?.length === 0) {
    report.add(INFRA_CLUSTER_RULES.snapshotClass, {
      message: `${INFRA_PLACE} has no VolumeSnapshotClass for volumes of "${storageClass}", so that "${name}" could never take a snapshot`,
      fix: 'remove it, or choose storage that can take snapshots',
    });
    return;
  }
  report.at('infraClass').addAll(INFRA_CLUSTER_RULES.snapshotClass, checkOffered(infraClass, {
    place: INFRA_PLACE,
    kind: `VolumeSnapshotClass for volumes of "${storageClass}" named`,
    list: `snapshotClasses of "${storageClass}"`,
    names: snapshotClasses,
  }));
}
