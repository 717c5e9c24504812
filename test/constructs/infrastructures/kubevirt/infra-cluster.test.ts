import { Chart, Size, Testing } from 'cdk8s';
import { PersistentVolumeAccessMode as Access, PersistentVolumeMode as Volume } from 'cdk8s-plus-28';
import { machineProblems, SMALL } from './bind';
import { strategyScope } from '../../../../src/constructs/app/problems/problems';
import { InfraClusterCapabilities } from '../../../../src/constructs/contracts/capabilities/infra-cluster-capabilities';
import { ClusterContext } from '../../../../src/constructs/contracts/cluster-context';
import {
  KubevirtCloudControllerManager,
} from '../../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtCsiDriver } from '../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-csi-driver';
import { KubevirtStorageClass } from '../../../../src/constructs/infrastructures/kubevirt/csi-driver/kubevirt-storage-class';
import { ExtraDisk } from '../../../../src/constructs/infrastructures/kubevirt/extra-disk';
import {
  KubevirtInfrastructure, KubevirtInfrastructureProps,
} from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import {
  InstanceTypeKind, KubevirtMachineProps, PreferenceKind,
} from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { EvictionStrategy } from '../../../../src/constructs/infrastructures/kubevirt/machine-life-cycle';
import { PrimaryNetwork } from '../../../../src/constructs/infrastructures/kubevirt/network';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { clusterContext, poolContext } from '../../../support/contexts';
import { problemsIn, ReportedProblem } from '../../../support/problems';

/** A cluster with block storage of Ceph, a shared file system and disks of the hosts. */
const OFFER: InfraClusterCapabilities = {
  storageClasses: [
    {
      name: 'replicated',
      isDefault: true,
      claimPropertySets: [
        { accessModes: [Access.READ_WRITE_MANY], volumeMode: Volume.BLOCK },
        { accessModes: [Access.READ_WRITE_ONCE], volumeMode: Volume.BLOCK },
        { accessModes: [Access.READ_WRITE_ONCE] },
      ],
      allowVolumeExpansion: true,
      snapshotClasses: ['rbd-snapshots'],
    },
    { name: 'single', claimPropertySets: [{ accessModes: [Access.READ_WRITE_ONCE] }], allowVolumeExpansion: false, snapshotClasses: [] },
    { name: 'nvme', local: true, claimPropertySets: [{ accessModes: [Access.READ_WRITE_ONCE], volumeMode: Volume.FILE_SYSTEM }] },
    { name: 'opaque' },
  ],
  instanceTypes: [{ name: 'u1.large', capacity: { cpu: 2, memory: Size.gibibytes(8) } }, { name: 'u1.xlarge' }],
  preferences: ['ubuntu'],
  networks: ['default/storage', 'default/vlan-100', 'tenant-acme/own'],
  deviceNames: ['nvidia.com/AD102GL_L40S'],
  kubevirtFeatureGates: ['HostDevices'],
  priorityClasses: ['tenants'],
};

const UNGATED: InfraClusterCapabilities = { ...OFFER, kubevirtFeatureGates: [] };

function within(infraCluster: InfraClusterCapabilities | undefined): ClusterContext {
  return clusterContext({ infrastructure: { clusterKind: 'KubevirtCluster', inManagementCluster: true }, infraCluster });
}

function onDisk(storageClass?: string, options: { accessMode?: Access; volumeMode?: Volume } = {}): Partial<KubevirtMachineProps> {
  return { rootDisk: RootDisk.http({ url: 'https://images.example.com/os.qcow2', size: Size.gibibytes(40), storageClass, ...options }) };
}

function custom(dataVolumeSpec: { [field: string]: unknown }): Partial<KubevirtMachineProps> {
  return { rootDisk: RootDisk.of({ dataVolumeSpec: { source: { blank: {} }, ...dataVolumeSpec } }) };
}

function sized(props: Partial<KubevirtMachineProps>): Partial<KubevirtMachineProps> {
  return { cpu: undefined, memory: undefined, ...props };
}

const MIGRATE = { evictionStrategy: EvictionStrategy.LIVE_MIGRATE };
const CLASSES = 'replicated, single, nvme, opaque';

type MachineCase = [id: string, what: string, props: Partial<KubevirtMachineProps>, texts: string[], offer?: InfraClusterCapabilities];

const MACHINES: MachineCase[] = [
  ['TC-KUBEVIRT-INFRA-CLASS', 'a root disk', onDisk('replicatd'), ['machine.rootDisk.storageClass: ', 'no StorageClass "replicatd"', CLASSES, 'write "replicated"']],
  ['TC-KUBEVIRT-INFRA-CLASS', 'an unlike name', onDisk('gold'), ['choose one of these, or add "gold" to storageClasses']],
  ['TC-KUBEVIRT-INFRA-CLASS', 'no classes at all', onDisk('gold'), ['Accepted: none', 'Fix: add "gold"'], { storageClasses: [] }],
  [
    'TC-KUBEVIRT-INFRA-CLASS', 'an extra disk', { extraDisks: [ExtraDisk.ephemeral({ name: 'tmp', size: Size.gibibytes(1) }), ExtraDisk.blank({ name: 'data', size: Size.gibibytes(1), storageClass: 'fast' })] },
    ['machine.extraDisks[1].storageClass: '],
  ],
  ['TC-KUBEVIRT-INFRA-CLASS', 'a DataVolume of the user', custom({ pvc: { storageClassName: 'fast', accessModes: ['ReadWriteOnce'] } }), ['machine.rootDisk.dataVolumeSpec.pvc.storageClassName: ']],
  ['TC-KUBEVIRT-INFRA-DEFAULT-CLASS', 'no default', {}, ['machine.rootDisk.storageClass: no storage class is named', 'Accepted: slow'], { storageClasses: [{ name: 'slow' }] }],
  [
    'TC-KUBEVIRT-INFRA-VOLUME-FORM', 'an access mode', onDisk('single', { accessMode: Access.READ_WRITE_MANY }),
    ['machine.rootDisk.accessMode: the StorageClass "single" makes no volumes that are ReadWriteMany', 'Accepted: ReadWriteOnce as Filesystem'],
  ],
  ['TC-KUBEVIRT-INFRA-VOLUME-FORM', 'a volume mode', onDisk('single', { volumeMode: Volume.BLOCK }), ['machine.rootDisk.volumeMode: ', 'that are Block']],
  [
    'TC-KUBEVIRT-INFRA-VOLUME-FORM', 'modes that do not go together', onDisk('replicated', { accessMode: Access.READ_WRITE_MANY, volumeMode: Volume.FILE_SYSTEM }),
    ['ReadWriteMany and Filesystem', 'ReadWriteMany as Block, ReadWriteOnce as Block, ReadWriteOnce as Filesystem'],
  ],
  [
    'TC-KUBEVIRT-INFRA-VOLUME-FORM', 'a claim without StorageProfile', custom({ pvc: { storageClassName: 'replicated', accessModes: ['ReadWriteMany'] } }),
    ['machine.rootDisk.dataVolumeSpec.pvc.accessModes: '],
  ],
  ['TC-KUBEVIRT-INFRA-MIGRATION', 'storage for one host', { ...onDisk('single'), ...MIGRATE }, ['machine.rootDisk: LiveMigrate', 'ReadWriteOnce', 'choose a class that makes ReadWriteMany']],
  [
    'TC-KUBEVIRT-INFRA-MIGRATION', 'a form for one host', { ...onDisk('replicated', { volumeMode: Volume.FILE_SYSTEM }), evictionStrategy: EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE },
    ['ask for accessMode ReadWriteMany and volumeMode Block'],
  ],
  [
    'TC-KUBEVIRT-INFRA-MIGRATION', 'the default of machines', MIGRATE, ['the StorageClass "vm"'],
    { storageClasses: [{ name: 'files', isDefault: true }, { name: 'vm', isDefaultForMachines: true, claimPropertySets: [{ accessModes: [Access.READ_WRITE_ONCE] }] }] },
  ],
  ['TC-KUBEVIRT-INFRA-INSTANCE-TYPE', 'an instance type', sized({ instanceType: 'u1.lrge' }), ['machine.instanceType: ', 'u1.large, u1.xlarge', 'write "u1.large"']],
  ['TC-KUBEVIRT-INFRA-PREFERENCE', 'a preference', { preference: 'ubntu' }, ['machine.preference: ', 'write "ubuntu"']],
  [
    'TC-KUBEVIRT-INFRA-INSTANCE-TYPE-SIZE', 'another size', sized({ instanceType: 'u1.large', capacity: { cpu: 4, memory: Size.gibibytes(8) } }),
    ['machine.capacity: it says 4 CPUs and 8Gi, and the instance type "u1.large"', '2 CPUs and 8Gi'],
  ],
  ['TC-KUBEVIRT-INFRA-NETWORK', 'a network', { additionalNetworks: [{ networkName: 'default/vlan-10' }] }, ['machine.additionalNetworks[0].networkName: ', 'write "default/vlan-100"']],
  ['TC-KUBEVIRT-INFRA-NETWORK', 'a forgotten namespace', { additionalNetworks: [{ networkName: 'storage' }] }, ['"tenant-acme/storage"', 'write "default/storage"']],
  ['TC-KUBEVIRT-INFRA-NETWORK', 'the primary network', { network: PrimaryNetwork.multus({ networkName: 'net/a' }) }, ['machine.network.networkName: ', '"net/a"']],
  ['TC-KUBEVIRT-INFRA-DEVICE', 'a GPU', { gpus: [{ deviceName: 'nvidia.com/AD102GL_L40' }] }, ['machine.gpus[0].deviceName: ', 'write "nvidia.com/AD102GL_L40S"']],
  ['TC-KUBEVIRT-INFRA-DEVICE', 'a host device', { hostDevices: [{ deviceName: 'intel.com/qat' }] }, ['machine.hostDevices[0].deviceName: ']],
  ['TC-KUBEVIRT-INFRA-FEATURE-GATE', 'CPUs of its own', { dedicatedCpus: true }, ['machine.dedicatedCpus: ', 'feature gate CPUManager']],
  ['TC-KUBEVIRT-INFRA-FEATURE-GATE', 'host devices', { hostDevices: [{ deviceName: 'nvidia.com/AD102GL_L40S' }] }, ['machine.hostDevices: ', 'feature gate HostDevices'], UNGATED],
  ['TC-KUBEVIRT-INFRA-PRIORITY-CLASS', 'a priority class', { priorityClassName: 'tenant' }, ['machine.priorityClassName: ', 'write "tenants"']],
];

test.each(MACHINES)('%s: %s of a machine', (id, _, props, texts, offer = OFFER) => {
  const found = machineProblems({ ...SMALL, ...props }, poolContext({ cluster: within(offer) }));

  expect(found.map((problem) => problem.id)).toEqual([id]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test.each<[what: string, props: Partial<KubevirtMachineProps>, offer?: InfraClusterCapabilities]>([
  ['the default class', { ...MIGRATE }],
  ['every form of a class', onDisk('replicated', { accessMode: Access.READ_WRITE_ONCE, volumeMode: Volume.FILE_SYSTEM })],
  ['a class whose forms nobody stated', { ...onDisk('opaque', { volumeMode: Volume.BLOCK }), ...MIGRATE }],
  ['a disk without storage', { rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/os:v1' }), ...MIGRATE }, { storageClasses: [] }],
  ['a claim for a volume made by hand', custom({ pvc: { storageClassName: '', accessModes: ['ReadWriteMany'] } })],
  ['a claim that Kubernetes chooses the class for', custom({ pvc: { accessModes: ['ReadWriteMany'] } })],
  ['instance types and preferences of the namespace', sized({
    instanceType: 'mine', instanceTypeKind: InstanceTypeKind.NAMESPACED, preference: 'mine', preferenceKind: PreferenceKind.NAMESPACED,
  })],
  ['the same size in other words', sized({ instanceType: 'u1.large', capacity: { cpu: 2, memory: Size.mebibytes(8192) } })],
  ['networks of the namespace', { additionalNetworks: [{ networkName: 'own' }, { networkName: 'tenant-acme/private' }, { networkName: 'default/storage' }] }],
  ['permitted devices', { gpus: [{ deviceName: 'nvidia.com/AD102GL_L40S' }], hostDevices: [{ deviceName: 'nvidia.com/AD102GL_L40S' }] }],
  ['priority classes of Kubernetes', { priorityClassName: 'system-cluster-critical' }],
  ['nothing stated', { ...onDisk('any'), preference: 'any', gpus: [{ deviceName: 'a.com/b' }], dedicatedCpus: true, priorityClassName: 'any' }, {}],
])('%s is accepted', (_, props, offer = OFFER) => {
  expect(machineProblems({ ...SMALL, ...props }, poolContext({ cluster: within(offer) }))).toEqual([]);
});

test('in another cluster the namespace of machines is not known, so that bare names of networks are not looked up', () => {
  const elsewhere = clusterContext({ infrastructure: { clusterKind: 'KubevirtCluster', inManagementCluster: false }, infraCluster: OFFER });
  const found = machineProblems({ ...SMALL, additionalNetworks: [{ networkName: 'storage' }, { networkName: 'default/nothing' }] }, poolContext({ cluster: elsewhere }));

  expect(found.map(({ text }) => text)).toEqual([expect.stringContaining('machine.additionalNetworks[1].networkName: ')]);
});

describe('the size of an instance type', () => {
  const machine = new KubevirtMachine({ ...SMALL, ...sized({ instanceType: 'u1.large', gpus: [{ deviceName: 'nvidia.com/AD102GL_L40S' }] }) });

  test('comes from the cluster that runs the machines', () => {
    expect(machine.capacity).toBeUndefined();
    expect(machine.capacityIn(within(OFFER))).toEqual({
      cpu: 2, memory: Size.gibibytes(8), ephemeralStorage: Size.gibibytes(40), gpus: [{ resourceName: 'nvidia.com/gpu', count: 1 }],
    });
  });

  test('is unknown where nobody said it', () => {
    expect(machine.capacityIn(within(undefined))).toBeUndefined();
    expect(new KubevirtMachine({ ...SMALL, ...sized({ instanceType: 'u1.xlarge' }) }).capacityIn(within(OFFER))).toBeUndefined();
    expect(new KubevirtMachine({ ...SMALL, ...sized({ instanceType: 'u1.large', instanceTypeKind: InstanceTypeKind.NAMESPACED }) }).capacityIn(within(OFFER))).toBeUndefined();
  });

  test('is what the machine says itself, if it does', () => {
    const own = { cpu: 4, memory: Size.gibibytes(4) };
    expect(new KubevirtMachine({ ...SMALL, ...sized({ instanceType: 'u1.large', capacity: own }) }).capacityIn(within(OFFER))).toMatchObject(own);
  });
});

test('TC-KUBEVIRT-DEVICE-MIGRATION: an instance type with GPUs keeps a machine on its host', () => {
  const gpuType = { name: 'gn1.large', capacity: { cpu: 2, memory: Size.gibibytes(8), gpus: [{ resourceName: 'nvidia.com/gpu', count: 1 }] } };
  const props = { ...SMALL, ...sized({ instanceType: 'gn1.large' }), ...MIGRATE };

  expect(machineProblems(props, poolContext({ cluster: within({ instanceTypes: [gpuType] }) })).map(({ id }) => id)).toEqual(['TC-KUBEVIRT-DEVICE-MIGRATION']);
  expect(machineProblems(props, poolContext({ cluster: within({ instanceTypes: [{ name: 'gn1.large' }] }) }))).toEqual([]);
});

/** Problems of an infrastructure, apart from those of the CSI driver, which lacks settings in these tests. */
function infrastructureProblems(props: KubevirtInfrastructureProps, context: ClusterContext): ReportedProblem[] {
  return problemsIn((app) => {
    new KubevirtInfrastructure(props).bind(strategyScope(new Chart(app, 'acme', { namespace: context.namespace }), 'Infrastructure'), context);
  }).filter(({ id }) => !id.startsWith('TC-KUBEVIRT-CSI-'));
}

const VOLUMES: [id: string, what: string, storageClass: Partial<KubevirtStorageClass>, texts: string[], offer?: InfraClusterCapabilities][] = [
  ['TC-KUBEVIRT-INFRA-CLASS', 'a class', { infraClass: 'replicate' }, ['infrastructure.storageClasses[0].infraClass: ', 'write "replicated"']],
  ['TC-KUBEVIRT-INFRA-DEFAULT-CLASS', 'no default', { infraClass: undefined }, ['infrastructure.storageClasses[0].infraClass: '], { storageClasses: [{ name: 'slow' }] }],
  ['TC-KUBEVIRT-INFRA-LOCAL', 'disks of hosts', { infraClass: 'nvme' }, ['infrastructure.storageClasses[0].infraClass: volumes of "nvme"']],
  ['TC-KUBEVIRT-INFRA-EXPANSION', 'growing by default', { infraClass: 'single' }, ['infrastructure.storageClasses[0].allowVolumeExpansion: volumes of "fast"', '"single"']],
  [
    'TC-KUBEVIRT-INFRA-SNAPSHOT-CLASS', 'a class of other storage', { snapshotClasses: [{ name: 'fast', infraClass: 'cephfs-snapshots' }] },
    ['infrastructure.storageClasses[0].snapshotClasses[0].infraClass: ', 'no VolumeSnapshotClass for volumes of "replicated" named "cephfs-snapshots"', 'Accepted: rbd-snapshots'],
  ],
  [
    'TC-KUBEVIRT-INFRA-SNAPSHOT-CLASS', 'storage without', { infraClass: 'single', allowVolumeExpansion: false, snapshotClasses: [{ name: 'fast' }] },
    ['infrastructure.storageClasses[0].snapshotClasses[0]: ', '"fast" could never take a snapshot'],
  ],
  ['TC-KUBEVIRT-INFRA-FEATURE-GATE', 'hot-plugging', {}, ['infrastructure.storageClasses: ', 'DeclarativeHotplugVolumes or HotplugVolumes'], UNGATED],
];

/** The offer, with the feature gate that volumes need. */
const HOTPLUG: InfraClusterCapabilities = { ...OFFER, kubevirtFeatureGates: ['HotplugVolumes'] };

test.each(VOLUMES)('%s: %s behind a storage class', (id, _, storageClass, texts, offer = HOTPLUG) => {
  const found = infrastructureProblems({ storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true, ...storageClass }] }, within(offer));

  expect(found.map((problem) => problem.id)).toEqual([id]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test('storage classes that stand on what is there are accepted', () => {
  const storageClasses: KubevirtStorageClass[] = [
    { name: 'fast', infraClass: 'replicated', isDefault: true, snapshotClasses: [{ name: 'fast', infraClass: 'rbd-snapshots' }] },
    { name: 'small', infraClass: 'single', allowVolumeExpansion: false },
    { name: 'other', infraClass: 'opaque', snapshotClasses: [{ name: 'other', infraClass: 'any' }] },
  ];
  expect(infrastructureProblems({ storageClasses }, within(HOTPLUG))).toEqual([]);
  expect(infrastructureProblems({ storageClasses: [{ name: 'a', infraClass: 'b' }] }, within(undefined))).toEqual([]);
});

test('TC-CONTROLLER-PRIORITY-CLASS: controllers run in the management cluster', () => {
  const context = clusterContext({ infrastructure: { clusterKind: 'KubevirtCluster' }, management: { priorityClasses: ['tenants'] } });
  const found = infrastructureProblems({
    cloudControllerManager: KubevirtCloudControllerManager.of({ priorityClassName: 'tenant' }),
    csiDriver: KubevirtCsiDriver.of({ priorityClassName: 'high' }),
    storageClasses: [{ name: 'fast', infraClass: 'replicated', isDefault: true }],
  }, context);

  expect(found.map(({ id, text }) => `${id} ${text.split(':')[0]}`)).toEqual([
    'TC-CONTROLLER-PRIORITY-CLASS infrastructure.cloudControllerManager.priorityClassName',
    'TC-CONTROLLER-PRIORITY-CLASS infrastructure.csiDriver.priorityClassName',
  ]);
});

describe('another cluster that runs the machines', () => {
  const SECRET = { infraClusterSecretRef: { name: 'edge' }, cloudControllerManager: KubevirtCloudControllerManager.none() };

  test('is described by the infrastructure', () => {
    const { capabilities } = new KubevirtInfrastructure({ ...SECRET, infraCluster: OFFER });

    expect(capabilities).toMatchObject({ inManagementCluster: false, infraCluster: OFFER });
  });

  test('TC-KUBEVIRT-INFRA-CLUSTER: is not the management cluster', () => {
    const found = infrastructureProblems({ infraCluster: {} }, within(undefined));

    expect(found.map(({ id, text }) => `${id} ${text}`)).toEqual([expect.stringContaining('TC-KUBEVIRT-INFRA-CLUSTER infrastructure.infraCluster: the management cluster runs the machines')]);
  });

  test('is checked once, however many clusters it serves', () => {
    const infrastructure = new KubevirtInfrastructure({ ...SECRET, infraCluster: { preferences: ['Ubuntu 24'] } });
    const found = problemsIn((app) => ['one', 'two'].forEach((name) => {
      infrastructure.bind(strategyScope(new Chart(app, name), 'Infrastructure'), clusterContext({ name }));
    }));

    expect(found.map(({ path, id }) => [path, id])).toEqual([['one', 'TC-MANAGEMENT-CAPABILITIES-ENTRY']]);
    expect(found[0].text).toContain('infrastructure.infraCluster.preferences[0]: "Ubuntu 24"');
  });
});

test('a statement changes no manifest of a machine', () => {
  const manifest = (infraCluster?: InfraClusterCapabilities) => new KubevirtMachine(SMALL)
    .bind(new Chart(Testing.app(), 'pool'), poolContext({ cluster: within(infraCluster) })).template.toJson();

  expect(manifest(OFFER)).toEqual(manifest());
});
