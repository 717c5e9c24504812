import { Rule } from '../../../../manifests/values/problem';
import { canExpand } from '../../../addons/csi/storage-classes';
import { PropertyReport } from '../../../app/problems/problems';
import { checkOffered, listText } from '../../../contracts/capabilities/capability-checks';
import { ClaimPropertySet, InfraClusterCapabilities, InfraStorageClass } from '../../../contracts/capabilities/infra-cluster-capabilities';
import { ClusterContext } from '../../../contracts/cluster-context';
import { KubevirtSnapshotClass, KubevirtStorageClass } from '../csi-driver/kubevirt-storage-class';
import { DiskSource } from '../disk';
import { EvictionStrategy, isMigrated } from '../machine-life-cycle';

/** The cluster with the resources of machines, in messages. */
export const INFRA_PLACE = 'the cluster that runs the machines';

const INFRA_CLASS_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-CLASS',
  title: 'Storage classes of machine disks and tenant volumes must exist in the cluster that runs the machines.',
  source: 'kubevirt/containerized-data-importer pkg/controller/datavolume/util.go, kubevirt/csi-driver pkg/service/controller.go',
};

const INFRA_DEFAULT_CLASS_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-DEFAULT-CLASS',
  title: 'A disk or volume without a storage class requires a default class.',
  source: 'kubevirt/containerized-data-importer pkg/controller/common/util.go',
};

/**
 * Looks up the storage class of a disk or volume, and reports a missing one.
 *
 * @param report the property that names the class, or could
 * @param name the name; undefined for the default
 * @param offered the capabilities of the cluster that runs the machines
 * @returns the class; undefined if it does not exist, or if the classes are not declared
 */
function lookUpClass(
  report: PropertyReport, name: string | undefined, { storageClasses }: InfraClusterCapabilities,
): InfraStorageClass | undefined {
  if (storageClasses === undefined) return undefined;
  const names = storageClasses.map((one) => one.name);
  if (name !== undefined) {
    report.addAll(INFRA_CLASS_RULE, checkOffered(name, { place: INFRA_PLACE, kind: 'StorageClass', list: 'storageClasses', names }));
    return storageClasses.find((one) => one.name === name);
  }
  const found = defaultFor(storageClasses);
  if (!found) {
    report.add(INFRA_DEFAULT_CLASS_RULE, {
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

const FEATURE_GATE_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-FEATURE-GATE',
  title: 'The feature gates of KubeVirt that a machine or volume requires must be enabled.',
  source: 'kubevirt/kubevirt pkg/virt-config/featuregate/active.go',
};

/** Reports a feature of KubeVirt that is used while none of the gates that bring it is on. */
export function requireGate(report: PropertyReport, used: boolean, gates: readonly string[], offered: InfraClusterCapabilities): void {
  const { kubevirtFeatureGates: on } = offered;
  if (!used || on === undefined || gates.some((gate) => on.includes(gate))) return;
  report.add(FEATURE_GATE_RULE, {
    message: `KubeVirt has it only behind the feature gate ${gates.join(' or ')}, which ${INFRA_PLACE} does not have on`,
    fix: `do without, or add ${gates[0]} to the KubeVirt object and to kubevirtFeatureGates of the capabilities`,
  });
}

const SHARED = 'ReadWriteMany';
const DEFAULT_VOLUME_MODE = 'Filesystem';

/** The claim of a disk, and the properties that its fields come from. */
interface DiskClaim {
  readonly storageClass?: string;
  readonly accessModes: readonly string[];
  readonly volumeMode?: string;
  /** True if the StorageProfile sets unset fields. */
  readonly profiled: boolean;
  readonly at: { readonly storageClass: PropertyReport; readonly accessModes: PropertyReport };
}

const VOLUME_FORM_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-VOLUME-FORM',
  title: 'The storage class of a disk must offer its access mode and volume mode together.',
  source: 'kubevirt/containerized-data-importer pkg/controller/datavolume/util.go',
};

/**
 * Checks a disk against the storage classes of the cluster that runs the machines.
 *
 * @param report the disk
 * @param source its source
 * @param cluster the cluster of the machine
 * @param offered the capabilities of the cluster that runs the machines
 * @param eviction the eviction strategy of the machine
 */
export function checkDiskRequirements(
  report: PropertyReport, source: DiskSource, cluster: ClusterContext, offered: InfraClusterCapabilities, eviction: EvictionStrategy,
): void {
  const claim = claimOf(report, source, cluster);
  // An empty name requests a volume that was created by hand.
  if (!claim || claim.storageClass === '') return;
  const storageClass = lookUpClass(claim.at.storageClass, claim.storageClass, offered);
  // Without a StorageProfile, Kubernetes sets the default class.
  if (!storageClass?.claimPropertySets?.length || (!claim.profiled && claim.storageClass === undefined)) return;
  const forms = formsOf(claim, storageClass.claimPropertySets);
  if (forms.length === 0) {
    const modes = [...claim.accessModes, claim.volumeMode].filter((mode) => mode !== undefined);
    claim.at.accessModes.add(VOLUME_FORM_RULE, {
      message: `the StorageClass "${storageClass.name}" makes no volumes that are ${modes.join(' and ')}`,
      accepted: storageClass.claimPropertySets.map(formText).join(', '),
      fix: 'ask for one of these, or leave both modes out',
    });
    return;
  }
  // Disks of machines that must move are written as shared.
  const shared = eviction === EvictionStrategy.LIVE_MIGRATE ? forms.find(isShared) : undefined;
  checkMigration(report, claim, storageClass, shared ?? forms[0], eviction);
}

const MIGRATION_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-MIGRATION',
  title: 'A machine that is live-migrated on a drain must not have a disk whose storage class is limited to one host.',
  source: 'kubevirt/kubevirt pkg/virt-handler/vm.go',
};

/** Checks the default access mode of a disk. A set one is checked without the capabilities, too. */
function checkMigration(
  report: PropertyReport, { accessModes }: DiskClaim, storageClass: InfraStorageClass, form: ClaimPropertySet, eviction: EvictionStrategy,
): void {
  const { name, claimPropertySets = [] } = storageClass;
  if (!isMigrated(eviction) || accessModes.length > 0 || isShared(form)) return;
  const shared = claimPropertySets.find(isShared);
  report.add(MIGRATION_RULE, {
    message: `${eviction} cannot move a machine whose disk is ${form.accessModes.join(' and ')}, as ${INFRA_PLACE} makes it of the StorageClass "${name}"`,
    fix: shared ? `ask for accessMode ${SHARED} and volumeMode ${shared.volumeMode ?? DEFAULT_VOLUME_MODE}`
      : `choose a class that makes ${SHARED} volumes, or leave out evictionStrategy, so that the node is drained and the machine stopped`,
  });
}

function claimOf(report: PropertyReport, { dataVolume, options }: DiskSource, cluster: ClusterContext): DiskClaim | undefined {
  const spec = dataVolume?.('', cluster).spec;
  const fields = spec?.storage ?? spec?.pvc;
  if (!fields) return undefined;
  const own = 'dataVolumeSpec' in options ? report.at('dataVolumeSpec').at(spec?.storage ? 'storage' : 'pvc') : undefined;
  return {
    storageClass: fields.storageClassName,
    accessModes: fields.accessModes ?? [],
    volumeMode: fields.volumeMode,
    profiled: spec?.storage !== undefined,
    at: {
      storageClass: own?.at('storageClassName') ?? report.at('storageClass'),
      accessModes: own?.at('accessModes') ?? report.at(fields.accessModes ? 'accessMode' : 'volumeMode'),
    },
  };
}

/** The forms in which a class can make the volume, in the order of preference. */
function formsOf({ accessModes, volumeMode, profiled }: DiskClaim, sets: readonly ClaimPropertySet[]): ClaimPropertySet[] {
  const wanted = volumeMode ?? (profiled ? undefined : DEFAULT_VOLUME_MODE);
  const offers = (set: ClaimPropertySet) => accessModes.every((mode) => set.accessModes.map(String).includes(mode));
  return sets.filter((set) => offers(set) && (wanted === undefined || modeOf(set) === wanted));
}

function isShared({ accessModes }: ClaimPropertySet): boolean {
  return accessModes.map(String).includes(SHARED);
}

function modeOf({ volumeMode }: ClaimPropertySet): string {
  return volumeMode ?? DEFAULT_VOLUME_MODE;
}

function formText(set: ClaimPropertySet): string {
  return `${set.accessModes.join(' or ')} as ${modeOf(set)}`;
}

// KubeVirt attaches volumes to running machines behind either (kubevirt/kubevirt pkg/virt-api/rest/volumes.go, v1.9.0). With
// DeclarativeHotplugVolumes alone it refuses virtualmachineinstances/removevolume for the instance of a VirtualMachine. The driver calls that
// only while an instance still holds a volume that its VirtualMachine no longer has; KubeVirt then removes the volume by itself
// (pkg/storage/hotplug/hotplug.go), and the attacher tries again.
const HOTPLUG = ['DeclarativeHotplugVolumes', 'HotplugVolumes'];

/** Checks the tenant's storage classes against the known capabilities of the cluster that runs the machines. */
export function checkVolumeRequirements(
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

const EXPANSION_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-EXPANSION',
  title: 'Tenant volumes can only grow if the storage class behind them allows expansion.',
  source: 'kubevirt/csi-driver pkg/service/controller.go',
};

const LOCAL_STORAGE_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-LOCAL',
  title: 'Tenant volumes must have storage that every host can reach.',
  source: 'kubevirt/csi-driver issue 66',
};

function checkClass(report: PropertyReport, storageClass: KubevirtStorageClass, infraClass: InfraStorageClass): void {
  if (infraClass.local) {
    report.at('infraClass').add(LOCAL_STORAGE_RULE, {
      message: `volumes of "${infraClass.name}" can be used on one host only, and a pod that moves to a machine on another host never gets its volume`,
      fix: 'choose a class of storage that every host reaches',
    });
  }
  if (canExpand(storageClass) && infraClass.allowVolumeExpansion === false) {
    report.at('allowVolumeExpansion').add(EXPANSION_RULE, {
      message: `volumes of "${storageClass.name}" are said to grow, and those of "${infraClass.name}" behind them cannot`,
      fix: 'set allowVolumeExpansion: false, or let the class in the cluster that runs the machines expand',
    });
  }
  storageClass.snapshotClasses?.forEach((snapshotClass, index) => checkSnapshots(report.at('snapshotClasses').item(index), snapshotClass, infraClass));
}

const INFRA_SNAPSHOT_CLASS_RULE: Rule = {
  id: 'TC-KUBEVIRT-INFRA-SNAPSHOT-CLASS',
  title: 'The class of volume snapshots must support the storage of the volume.',
  source: 'kubevirt/csi-driver pkg/service/controller.go',
};

function checkSnapshots(report: PropertyReport, { name, infraClass }: KubevirtSnapshotClass, storage: InfraStorageClass): void {
  const { name: storageClass, snapshotClasses } = storage;
  if (snapshotClasses?.length === 0) {
    report.add(INFRA_SNAPSHOT_CLASS_RULE, {
      message: `${INFRA_PLACE} has no VolumeSnapshotClass for volumes of "${storageClass}", so that "${name}" could never take a snapshot`,
      fix: 'remove it, or choose storage that can take snapshots',
    });
    return;
  }
  report.at('infraClass').addAll(INFRA_SNAPSHOT_CLASS_RULE, checkOffered(infraClass, {
    place: INFRA_PLACE,
    kind: `VolumeSnapshotClass for volumes of "${storageClass}" named`,
    list: `snapshotClasses of "${storageClass}"`,
    names: snapshotClasses,
  }));
}
