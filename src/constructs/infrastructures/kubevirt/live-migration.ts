import { GpuDevice, HostDevice } from './devices';
import { DiskSource } from './disk';
import { ExtraDisk } from './extra-disk';
import { PrimaryNetwork } from './network';
import { RootDisk } from './root-disk';
import { DataVolumeTemplate } from './template-types';
import { Rule } from '../../../manifests/values/problem';
import { PropertyReport } from '../../app/problems/problems';
import { InfraStorageClass, InstanceTypeCapacity } from '../../contracts/capabilities/infra-cluster-capabilities';
import { ClusterContext } from '../../contracts/cluster-context';

/** Access mode of a disk that several hosts use at a time. */
const SHARED_ACCESS_MODE = 'ReadWriteMany';

/** The properties of a machine by which it can move to another host. */
export interface MovableMachine {
  readonly rootDisk: RootDisk;
  readonly extraDisks?: readonly ExtraDisk[];
  readonly network?: PrimaryNetwork;
  readonly gpus?: readonly GpuDevice[];
  readonly hostDevices?: readonly HostDevice[];
  readonly instanceType?: string;
  readonly capacity?: InstanceTypeCapacity;
}

/** True if a machine keeps its address when it moves, false if not; undefined if that is not known. */
function keepsAddress({ network }: MovableMachine, { infrastructure, management }: ClusterContext): boolean | undefined {
  // Another network than the pod network knows nothing of hosts.
  if (network && !network._hasPodAddress) return true;
  return (infrastructure.inManagementCluster ?? true) ? management?.networkPlugin?.keepsAddresses : undefined;
}

/** True if it is known that a machine can move to another host when its own is drained: it keeps its address, and its disks are shared. */
export function isKnownToMove(machine: MovableMachine, cluster: ClusterContext): boolean {
  const { rootDisk, extraDisks = [], network } = machine;
  const isBridged = network === undefined || network._hasPodAddress;
  if (!isBridged || !keepsAddress(machine, cluster) || mayHaveDevices(machine, cluster)) return false;
  return [rootDisk._source, ...extraDisks.map((disk) => disk._source)].every((source) => isKnownToBeShared(source, cluster));
}

/** True if a machine has devices of its host, or its instance type may bring some. */
function mayHaveDevices({ gpus = [], hostDevices = [], capacity, instanceType }: MovableMachine, { infraCluster }: ClusterContext): boolean {
  if (gpus.length + hostDevices.length > 0) return true;
  if (instanceType === undefined) return false;
  const known = capacity ?? infraCluster?.instanceTypes?.find(({ name }) => name === instanceType)?.capacity;
  return known === undefined || (known.gpus ?? []).length > 0;
}

/** True if the class of a disk is known to make volumes that several hosts use. */
function isKnownToBeShared({ accessMode, dataVolume }: DiskSource, cluster: ClusterContext): boolean {
  if (accessMode !== undefined || !dataVolume) return accessMode === SHARED_ACCESS_MODE;
  const { storageClassName: name, volumeMode } = dataVolume('', cluster).spec.storage ?? {};
  const classes = cluster.infraCluster?.storageClasses ?? [];
  const isDefault = ({ isDefaultForMachines }: InfraStorageClass) => isDefaultForMachines ?? false;
  const found = name === undefined ? classes.find(isDefault) ?? classes.find((one) => one.isDefault) : classes.find((one) => one.name === name);
  return (found?.claimPropertySets ?? []).some((set) => set.accessModes.map(String).includes(SHARED_ACCESS_MODE)
    && (volumeMode === undefined || volumeMode === (set.volumeMode ?? 'Filesystem')));
}

/** The DataVolume of a machine that moves: shared, unless it states an access mode. The importer takes the volume mode that goes with it. */
export function sharedVolume(template: DataVolumeTemplate | undefined): DataVolumeTemplate | undefined {
  const { storage } = template?.spec ?? {};
  if (!template || !storage || storage.accessModes) return template;
  return { ...template, spec: { ...template.spec, storage: { ...storage, accessModes: [SHARED_ACCESS_MODE] } } };
}

const NETWORK_RULE: Rule = {
  id: 'TC-KUBEVIRT-NETWORK-MIGRATION',
  title: 'A machine on the pod network must not be live-migrated where the network plug-in gives it another address on another host.',
  source: 'kubevirt/community design-proposals, live migration of bridged pod networks; ovn-kubernetes.io/features/live-migration; kubevirt issues 7238, 9776',
};

const UNKNOWN_NETWORK_RULE: Rule = {
  id: 'TC-KUBEVIRT-NETWORK-MIGRATION-UNKNOWN',
  title: 'Where machines on the pod network are live-migrated, the network plug-in should be known to keep their addresses.',
  source: 'kubevirt/kubevirt pkg/network/vmispec/interface.go (VerifyVMIMigratable)',
  warning: true,
};

/** Checks that a machine which is live-migrated keeps its address. */
export function checkMigrationNetwork(report: PropertyReport, machine: MovableMachine, cluster: ClusterContext): void {
  const kept = keepsAddress(machine, cluster);
  if (kept) return;
  if (kept === false) {
    report.add(NETWORK_RULE, {
      message: `${cluster.management!.networkPlugin!.name} gives a moved machine another address, under its kubelet and its pod network: the node loses all connections`,
      accepted: 'Kube-OVN, OVN-Kubernetes, or a plug-in that is stated to keep addresses',
      fix: 'leave out evictionStrategy, so that the node is drained and the machine stopped',
    });
  } else {
    report.add(UNKNOWN_NETWORK_RULE, {
      message: 'it is not known whether the network plug-in keeps the address of a machine that moves; where it does not, the node loses all connections',
      fix: 'state networkPlugin in the capabilities of the managementCluster, such as ManagementNetworkPlugin.KUBE_OVN, or CALICO.keepingAddresses(); '
        + 'or leave out evictionStrategy',
    });
  }
}
