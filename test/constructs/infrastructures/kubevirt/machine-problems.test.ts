import { Duration, Size, Testing } from 'cdk8s';
import { PersistentVolumeAccessMode } from 'cdk8s-plus-28';
import { DIGEST, machineProblems, SMALL } from './bind';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { PoolSize } from '../../../../src/constructs/contracts/node-pool/pool-size';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { ExtraDisk } from '../../../../src/constructs/infrastructures/kubevirt/extra-disk';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { HugePageSize, KubevirtMachineProps } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { BootstrapCheck, EvictionStrategy, RunStrategy } from '../../../../src/constructs/infrastructures/kubevirt/machine-life-cycle';
import { PrimaryNetwork } from '../../../../src/constructs/infrastructures/kubevirt/network';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TaintEffect, TolerationOperator } from '../../../../src/manifests/values/taints';
import { exampleCluster } from '../../../support/clusters';
import { poolContext } from '../../../support/contexts';
import { problemsOf } from '../../../support/problems';

const SIZE = Size.gibibytes(40);
const container = (image: string): Partial<KubevirtMachineProps> => ({ rootDisk: RootDisk.containerDisk({ image }) });
const registry = (url: string): Partial<KubevirtMachineProps> => ({ rootDisk: RootDisk.registry({ url, size: SIZE }) });
const http = (url: string): Partial<KubevirtMachineProps> => ({ rootDisk: RootDisk.http({ url, size: SIZE }) });
const custom = (dataVolumeSpec: { [field: string]: any }): Partial<KubevirtMachineProps> => ({ rootDisk: RootDisk.of({ dataVolumeSpec }) });
const blank = (...names: string[]): Partial<KubevirtMachineProps> => ({ extraDisks: names.map((name) => ExtraDisk.blank({ name, size: SIZE })) });
const blocks = (logical: number, physical: number): Partial<KubevirtMachineProps> => ({
  extraDisks: [ExtraDisk.ephemeral({ name: 'data', size: SIZE, blockSize: { logical, physical } })],
});
const unsized = (props: Partial<KubevirtMachineProps>): Partial<KubevirtMachineProps> => ({ cpu: undefined, memory: undefined, ...props });

type Case = [id: string, what: string, props: Partial<KubevirtMachineProps>, ...texts: string[]];

const CASES: Case[] = [
  ['TC-KUBEVIRT-SIZING', 'no size', unsized({}), 'machine: the machine has no size', 'instanceType'],
  ['TC-KUBEVIRT-SIZING', 'half a size', { memory: undefined }, 'machine.memory: cpu is given without memory'],
  ['TC-KUBEVIRT-SIZING', 'the other half', { cpu: undefined }, 'machine.cpu: memory is given without cpu'],
  ['TC-TRAP-KUBEVIRT-SIZING', 'two sizes', { instanceType: 'u1.large' }, 'machine.instanceType: cpu.cores and memory.guest', '"u1.large"'],
  ['TC-TRAP-KUBEVIRT-SIZING', 'one and a half sizes', { instanceType: 'u1.large', cpu: undefined }, 'machine.instanceType: memory.guest and the instance type "u1.large"'],
  ['TC-KUBEVIRT-SIZING', 'a capacity beside cpu and memory', { capacity: { cpu: 4, memory: SIZE } }, 'machine.capacity', 'without instanceType'],
  ['TC-KUBEVIRT-CPU', 'part of a CPU', { cpu: 0.5 }, 'machine.cpu', '0.5'],
  ['TC-KUBEVIRT-CPU', 'more than 32 bits', { cpu: 1e21 }, 'machine.cpu', '1e+21', '2147483647'],
  ['TC-KUBEVIRT-CPU', 'no model', { cpuModel: '' }, 'machine.cpuModel'],
  ['TC-KUBEVIRT-CPU', 'a model that no label can name', { cpuModel: 'intel/skylake' }, 'machine.cpuModel', '"intel/skylake" has a "/"'],
  ['TC-KUBEVIRT-CPU', 'no CPU', { cpu: 0 }, 'machine.cpu', '0 is not'],
  ['TC-KUBEVIRT-CPU', 'a capacity without CPU', unsized({ instanceType: 'u1.large', capacity: { cpu: 0, memory: SIZE } }), 'machine.capacity.cpu'],
  ['TC-KUBEVIRT-MEMORY', 'MiB in place of GiB', { memory: Size.mebibytes(16) }, 'machine.memory', '16Mi'],
  ['TC-KUBEVIRT-MEMORY', 'a kubelet\'s threshold', { memory: Size.mebibytes(100) }, 'machine.memory', '100Mi'],
  ['TC-KUBEVIRT-MEMORY', 'more than Kubernetes counts', { memory: Size.tebibytes(2 ** 24) }, 'machine.memory', 'too large'],
  ['TC-KUBEVIRT-MEMORY', 'nothing', { memory: Size.gibibytes(0) }, 'machine.memory', '0Gi is not enough'],
  ['TC-KUBEVIRT-MEMORY', 'no number', { memory: Size.gibibytes(NaN) }, 'machine.memory', 'NaNGi'],
  ['TC-KUBEVIRT-MEMORY', 'part of a MiB', { memory: Size.gibibytes(1.3) }, 'machine.memory', '1.3Gi'],
  ['TC-KUBEVIRT-HUGE-PAGES', 'odd memory', { memory: Size.mebibytes(1536), hugePages: HugePageSize.ONE_GIBIBYTE }, 'machine.hugePages', '1536Mi', '1Gi'],
  ['TC-KUBEVIRT-HUGE-PAGES', 'odd MiB', { memory: Size.mebibytes(1025), hugePages: HugePageSize.TWO_MEBIBYTES }, 'machine.hugePages', '1025Mi', '2Mi'],
  ['TC-KUBEVIRT-OBJECT-NAME', 'an instance type', unsized({ instanceType: 'U1' }), 'machine.instanceType', '"U1"'],
  ['TC-KUBEVIRT-OBJECT-NAME', 'a preference', { preference: 'ubuntu_24' }, 'machine.preference', '"ubuntu_24"'],
  ['TC-KUBEVIRT-OBJECT-NAME', 'a priority class', { priorityClassName: 'High' }, 'machine.priorityClassName', '"High"'],
  ['TC-KUBEVIRT-OBJECT-NAME', 'a scheduler', { schedulerName: '' }, 'machine.schedulerName'],
  ['TC-KUBEVIRT-OBJECT-NAME', 'a storage class', { rootDisk: RootDisk.clonePvc({ claimName: 'a', storageClass: 'Fast' }) }, 'machine.rootDisk.storageClass'],
  ['TC-KUBEVIRT-OBJECT-NAME', 'a claim', { rootDisk: RootDisk.clonePvc({ claimName: 'golden image' }) }, 'machine.rootDisk.claimName', '"golden image"'],
  ['TC-KUBEVIRT-OBJECT-NAME', 'a snapshot', { rootDisk: RootDisk.snapshot({ snapshotName: 'A', size: SIZE }) }, 'machine.rootDisk.snapshotName'],
  ['TC-KUBEVIRT-OBJECT-NAME', 'a namespace with a dot', { rootDisk: RootDisk.snapshot({ snapshotName: 'a', size: SIZE, namespace: 'b.c' }) }, 'machine.rootDisk.namespace', '"b.c"'],
  ['TC-KUBEVIRT-OBJECT-NAME', 'a namespace', { rootDisk: RootDisk.clonePvc({ claimName: 'a', namespace: 'B' }) }, 'machine.rootDisk.namespace'],
  ['TC-KUBEVIRT-OBJECT-NAME', 'a binding plugin', { network: PrimaryNetwork.bindingPlugin('l2/bridge') }, 'machine.network', '"l2/bridge"'],
  ['TC-KUBEVIRT-IMAGE', 'a placeholder', container(`…@${DIGEST}`), 'machine.rootDisk.image', '…@'],
  ['TC-KUBEVIRT-IMAGE', 'upper case', container('quay.io/Acme/ubuntu:v1'), '"quay.io/Acme/ubuntu:v1"'],
  ['TC-KUBEVIRT-IMAGE', 'half a digest', container('quay.io/acme/ubuntu@sha256:0123'), '@sha256:0123'],
  ['TC-KUBEVIRT-IMAGE', 'a scheme', container('docker://quay.io/acme/ubuntu:v1'), 'docker://'],
  ['TC-KUBEVIRT-IMAGE-UNPINNED', 'no tag', container('quay.io:5000/acme/ubuntu'), 'neither tag nor digest', '"quay.io:5000/acme/ubuntu@sha256:…"'],
  ['TC-KUBEVIRT-IMAGE-UNPINNED', 'latest', container('quay.io/acme/ubuntu:latest'), 'the tag "latest"'],
  ['TC-KUBEVIRT-IMAGE-UNPINNED', 'latest from a registry', registry('docker://quay.io/acme/ubuntu:latest'), 'machine.rootDisk.url'],
  ['TC-KUBEVIRT-REGISTRY-URL', 'no scheme', registry('quay.io/acme/ubuntu:v1'), 'machine.rootDisk.url', 'docker://'],
  ['TC-KUBEVIRT-REGISTRY-URL', 'a web page', registry('https://quay.io/acme/ubuntu:v1'), '"https://quay.io/acme/ubuntu:v1"'],
  ['TC-KUBEVIRT-REGISTRY-URL', 'tag and digest', registry(`docker://quay.io/acme/ubuntu:v1@${DIGEST}`), 'both a tag and a digest', 'leave out ":v1"'],
  ['TC-KUBEVIRT-HTTP-URL', 'no scheme', http('images.example.com/ubuntu.qcow2'), 'machine.rootDisk.url', '"images.example.com/ubuntu.qcow2"'],
  ['TC-KUBEVIRT-HTTP-URL', 'another scheme', http('ftp://images.example.com/ubuntu.qcow2'), '"ftp:'],
  ['TC-KUBEVIRT-HTTP-URL', 'no host', http('https:///ubuntu.qcow2'), 'machine.rootDisk.url'],
  ['TC-TRAP-KUBEVIRT-DATA-VOLUME-SPEC', 'no claim', custom({ source: { blank: {} } }), 'machine.rootDisk.dataVolumeSpec', 'neither storage nor pvc'],
  ['TC-TRAP-KUBEVIRT-DATA-VOLUME-SPEC', 'two claims', custom({ source: { blank: {} }, storage: {}, pvc: {} }), 'machine.rootDisk.dataVolumeSpec: it has both storage and pvc'],
  ['TC-TRAP-KUBEVIRT-DATA-VOLUME-SPEC', 'no source', custom({ storage: {} }), 'it has no source'],
  ['TC-TRAP-KUBEVIRT-DATA-VOLUME-SPEC', 'two sources', custom({ source: { blank: {}, upload: {} }, storage: {} }), '2 sources: blank, upload'],
  ['TC-TRAP-KUBEVIRT-DATA-VOLUME-SPEC', 'a source twice over', custom({ source: { blank: {} }, storage: { dataSourceRef: { kind: 'DataSource', name: 'images' } } }), 'blank, a data source'],
  ['TC-KUBEVIRT-DISK-SIZE', 'a root disk of nothing', { rootDisk: RootDisk.clonePvc({ claimName: 'a', size: Size.gibibytes(0) }) }, 'machine.rootDisk.size'],
  ['TC-KUBEVIRT-DISK-SIZE', 'more than Kubernetes counts', { podEphemeralStorage: Size.tebibytes(2 ** 24) }, 'machine.podEphemeralStorage', '16777216Ti'],
  ['TC-KUBEVIRT-DISK-SIZE', 'part of a MiB', { extraDisks: [ExtraDisk.ephemeral({ name: 'a', size: Size.kibibytes(1) })] }, 'machine.extraDisks[0].size', '1Ki'],
  ['TC-KUBEVIRT-DISK-SIZE', 'no room for the pod', { podEphemeralStorage: Size.gibibytes(0) }, 'machine.podEphemeralStorage', '0Gi'],
  ['TC-KUBEVIRT-DISK-SIZE', 'a claimed size', { rootDisk: RootDisk.of({ dataVolumeSpec: { source: { blank: {} }, storage: {} }, size: Size.gibibytes(0) }) }, 'rootDisk.size'],
  ['TC-TRAP-KUBEVIRT-DISKS', 'the root disk\'s name', blank('root'), 'machine.extraDisks[0].name: the name "root" is there twice'],
  ['TC-TRAP-KUBEVIRT-CLOUD-INIT', 'the provider\'s name', blank('cloudinitvolume'), 'machine.extraDisks[0].name', 'bootstrap data'],
  ['TC-KUBEVIRT-DISK-NAME', 'upper case', blank('data', 'Logs'), 'machine.extraDisks[1].name', '"Logs"'],
  ['TC-KUBEVIRT-DISK-NAME', 'more than a serial number holds', blank('a'.repeat(21)), '21', '20'],
  ['TC-TRAP-KUBEVIRT-DISKS', 'one name for two disks', blank('data', 'data'), 'machine.extraDisks[1].name: the name "data" is there twice'],
  ['TC-TRAP-KUBEVIRT-BLOCK-SIZE', 'no power of two', blocks(512, 3000), 'machine.extraDisks[0].blockSize.physical', '3000'],
  ['TC-TRAP-KUBEVIRT-BLOCK-SIZE', 'too small', blocks(256, 512), 'machine.extraDisks[0].blockSize.logical', '256'],
  ['TC-TRAP-KUBEVIRT-BLOCK-SIZE', 'too large', blocks(512, 4194304), 'machine.extraDisks[0].blockSize.physical', '2097152'],
  ['TC-TRAP-KUBEVIRT-BLOCK-SIZE', 'logical above physical', blocks(4096, 512), 'machine.extraDisks[0].blockSize.logical:', '4096', '512'],
  ['TC-KUBEVIRT-NETWORK-NAME', 'three parts', { network: PrimaryNetwork.multus({ networkName: 'a/b/c' }) }, 'machine.network.networkName', '"a/b/c"'],
  ['TC-KUBEVIRT-NETWORK-NAME', 'no name', { additionalNetworks: [{ networkName: 'storage/' }] }, 'machine.additionalNetworks[0].networkName', '"storage/"'],
  ['TC-TRAP-KUBEVIRT-NETWORKS', 'the primary one', { additionalNetworks: [{ networkName: 'a', name: 'default' }] }, 'machine.additionalNetworks[0].name: the name "default" is there twice'],
  ['TC-TRAP-KUBEVIRT-NETWORKS', 'a second one', { additionalNetworks: [{ networkName: 'a', name: 'net-2' }, { networkName: 'b' }] }, 'machine.additionalNetworks[1].name: the name "net-2" is there twice'],
  ['TC-TRAP-KUBEVIRT-NETWORKS', 'a dot', { additionalNetworks: [{ networkName: 'a', name: 'storage.a' }] }, 'machine.additionalNetworks[0].name: "storage.a"', 'letters, digits'],
  ['TC-KUBEVIRT-DEVICE', 'a GPU without domain', { gpus: [{ deviceName: 'L40S' }] }, 'machine.gpus[0].deviceName', '"L40S"'],
  ['TC-KUBEVIRT-DEVICE', 'no GPU', { gpus: [{ deviceName: 'nvidia.com/L40S', count: 0 }] }, 'machine.gpus[0].count', '0 is not'],
  ['TC-KUBEVIRT-DEVICE', 'more GPUs than a bus holds', { gpus: [{ deviceName: 'nvidia.com/L40S', count: 2 ** 32 }] }, 'machine.gpus[0].count', '4294967296', '256'],
  ['TC-KUBEVIRT-DEVICE', 'a resource without domain', { gpus: [{ deviceName: 'nvidia.com/L40S', nodeResourceName: 'gpu' }] }, 'machine.gpus[0].nodeResourceName'],
  ['TC-KUBEVIRT-DEVICE', 'half a device', { hostDevices: [{ deviceName: 'intel.com/qat', count: 0.5 }] }, 'machine.hostDevices[0].count', '0.5'],
  ['TC-KUBEVIRT-DEVICE-MIGRATION', 'a GPU', { gpus: [{ deviceName: 'nvidia.com/L40S' }], evictionStrategy: EvictionStrategy.LIVE_MIGRATE }, 'machine.evictionStrategy', 'LiveMigrate'],
  ['TC-KUBEVIRT-DEVICE-MIGRATION', 'a device', { hostDevices: [{ deviceName: 'intel.com/qat' }], evictionStrategy: EvictionStrategy.LIVE_MIGRATE_IF_POSSIBLE }, 'LiveMigrateIfPossible'],
  ['TC-KUBEVIRT-DEVICE-MIGRATION', 'a GPU of the instance type', unsized({
    instanceType: 'gn1.large',
    capacity: { cpu: 4, memory: SIZE, gpus: [{ resourceName: 'nvidia.com/gpu', count: 1 }] },
    evictionStrategy: EvictionStrategy.LIVE_MIGRATE,
  }), 'GPUs'],
  ['TC-TRAP-KUBEVIRT-DISK-MIGRATION', 'a disk for one host', {
    extraDisks: [ExtraDisk.blank({ name: 'data', size: SIZE, accessMode: PersistentVolumeAccessMode.READ_WRITE_ONCE })],
    evictionStrategy: EvictionStrategy.LIVE_MIGRATE,
  }, 'machine.extraDisks[0]', 'its disk is ReadWriteOnce'],
  ['TC-POOL-TIMEOUT', 'no number of seconds', { terminationGracePeriod: Duration.seconds(NaN) }, 'machine.terminationGracePeriod', 'NaN'],
  ['TC-ADMIT-FIELD-VALUE', 'an eternity', { terminationGracePeriod: Duration.seconds(1e21) }, 'machine.terminationGracePeriod', '1e+21'],
  ['TC-ADMIT-FIELD-TYPE', 'part of a second', { terminationGracePeriod: Duration.millis(1500) }, 'machine.terminationGracePeriod', '1.5'],
  ['TC-KUBEVIRT-SSH-CHECK', 'Kamaji', { bootstrapCheck: BootstrapCheck.SSH }, 'machine.bootstrapCheck', 'managed by kamaji'],
  ['TC-KUBEVIRT-LABEL', 'a label', { labels: { team: 'a b' } }, 'machine.labels.team', '"a b"'],
  ['TC-KUBEVIRT-LABEL', 'a label of the pods', { podLabels: { 'a b': '' } }, 'machine.podLabels["a b"]'],
  ['TC-KUBEVIRT-LABEL', 'a label of hosts', { nodeSelector: { '-zone': 'a' } }, 'machine.nodeSelector["-zone"]'],
  ['TC-KUBEVIRT-RESERVED-LABEL', 'the provider\'s', { labels: { name: 'x' } }, 'machine.labels.name', 'KubeVirt provider'],
  ['TC-KUBEVIRT-RESERVED-LABEL', 'the provider\'s domain', { labels: { 'capk.cluster.x-k8s.io/template-kind': 'extra-resource' } }, 'KubeVirt provider'],
  ['TC-KUBEVIRT-RESERVED-LABEL', 'the pool\'s', { podLabels: { 'cluster.x-k8s.io/deployment-name': 'x' } }, 'machine.podLabels', 'the pool'],
  ['TC-KUBEVIRT-RESERVED-LABEL', 'KubeVirt\'s', { podLabels: { 'kubevirt.io/nodeName': 'x' } }, 'belongs to KubeVirt'],
  ['TC-KUBEVIRT-ANNOTATION', 'an annotation', { annotations: { 'a b': '' } }, 'machine.annotations["a b"]'],
  ['TC-KUBEVIRT-ANNOTATION', 'an annotation of the pods', { podAnnotations: { '/x': '' } }, 'machine.podAnnotations["/x"]'],
  ['TC-KUBEVIRT-TOLERATION', 'no key', { tolerations: [{ value: 'x' }] }, 'machine.tolerations[0]', 'no key'],
  ['TC-KUBEVIRT-TOLERATION', 'a value that nobody asks for', { tolerations: [{ key: 'a', operator: TolerationOperator.EXISTS, value: 'x' }] }, '"x"'],
  ['TC-KUBEVIRT-TOLERATION', 'a time without eviction', { tolerations: [{ key: 'a', effect: TaintEffect.NO_SCHEDULE, tolerationSeconds: 60 }] }, '60 seconds', 'NoSchedule'],
  ['TC-KUBEVIRT-TOLERATION', 'part of a second', { tolerations: [{ key: 'a', effect: TaintEffect.NO_EXECUTE, tolerationSeconds: 0.5 }] }, '0.5 is not a number of seconds'],
  ['TC-KUBEVIRT-TOLERATION', 'a key that is none', { tolerations: [{ key: 'a b' }] }, '"a b"'],
];

test.each(CASES)('%s: %s', (id, _what, props, ...texts) => {
  const found = machineProblems({ ...SMALL, ...props });
  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['pool', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

test('TC-KUBEVIRT-NAME-LENGTH: the name of a volume', () => {
  const props = { ...SMALL, ...blank('a'.repeat(20)) };
  expect(machineProblems(props, poolContext({ name: 'a'.repeat(30) }))).toEqual([]);
  const [problem, ...others] = machineProblems(props, poolContext({ name: 'a'.repeat(31) }));
  expect(others).toEqual([]);
  expect(problem).toMatchObject({ path: 'pool', id: 'TC-KUBEVIRT-NAME-LENGTH' });
  expect(problem.text).toContain('64 characters');
  expect(problem.text).toContain('or the disk by 1');
});

test('TC-KUBEVIRT-NAME-LENGTH: the name of the root volume, and of the machine where it has no volume', () => {
  expect(machineProblems(SMALL, poolContext({ name: 'a'.repeat(46) }))).toEqual([]);
  expect(machineProblems(SMALL, poolContext({ name: 'a'.repeat(47) }))[0].text).toContain('"-root": 64 characters');
  const diskless = { ...SMALL, rootDisk: RootDisk.containerDisk({ image: 'quay.io/acme/ubuntu:v1' }) };
  expect(machineProblems(diskless, poolContext({ name: 'a'.repeat(51) }))).toEqual([]);
  // The pool itself is refused.
  expect(machineProblems(diskless, poolContext({ name: 'a'.repeat(52) }))).toEqual([]);
});

describe('TC-KUBEVIRT-CONTROL-PLANE-RETURN', () => {
  const CONTAINER = container('quay.io/acme/ubuntu:v1');

  function warned(props: Partial<KubevirtMachineProps>, controlPlane: boolean): string[] {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    expect(machineProblems({ ...SMALL, ...props }, poolContext({ controlPlane }))).toEqual([]);
    return emitted.mock.calls.map(([text]) => String(text));
  }

  afterEach(() => jest.restoreAllMocks());

  test('warns of control plane machines that come back without etcd\'s data', () => {
    expect(warned(CONTAINER, true)).toEqual([
      expect.stringMatching(/^\[pool\] TC-KUBEVIRT-CONTROL-PLANE-RETURN machine\.evictionStrategy: with Once and External .* Fix: set evictionStrategy to EvictionStrategy\.NONE/),
    ]);
  });

  test.each<[string, Partial<KubevirtMachineProps>, boolean]>([
    ['workers', CONTAINER, false],
    ['a machine that nobody drains', { ...CONTAINER, evictionStrategy: EvictionStrategy.NONE }, true],
    ['a disk that stays, with a machine that stays stopped', {}, true],
  ])('does not warn of %s', (_what, props, controlPlane) => {
    expect(warned(props, controlPlane)).toEqual([]);
  });
});

describe('TC-TRAP-KUBEVIRT-CORDONED-NODE', () => {
  const CONTAINER = container('quay.io/acme/ubuntu:v1');

  function warnings(props: Partial<KubevirtMachineProps>): jest.SpyInstance {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    expect(machineProblems({ ...SMALL, ...props })).toEqual([]);
    return emitted;
  }

  afterEach(() => jest.restoreAllMocks());

  test.each([
    ['Always', { runStrategy: RunStrategy.ALWAYS }],
    ['Once', { runStrategy: RunStrategy.ONCE, evictionStrategy: EvictionStrategy.EXTERNAL }],
  ])('warns of a disk that comes back with %s', (strategy, props) => {
    const text = new RegExp(`^\\[pool\\] TC-TRAP-KUBEVIRT-CORDONED-NODE machine\\.runStrategy: with ${strategy} .*cordoned.* Fix: write RerunOnFailure.*LiveMigrate only`);

    expect(warnings(props)).toHaveBeenCalledWith(expect.stringMatching(text), { code: 'TC-TRAP-KUBEVIRT-CORDONED-NODE' });
  });

  test.each<[string, Partial<KubevirtMachineProps>]>([
    ['the default', {}],
    ['a machine that stays stopped', { runStrategy: RunStrategy.RERUN_ON_FAILURE }],
    ['a machine that nobody drains', { runStrategy: RunStrategy.ONCE, evictionStrategy: EvictionStrategy.NONE }],
    ['a disk that no node comes back from', { ...CONTAINER, runStrategy: RunStrategy.ONCE }],
  ])('does not warn of %s', (_what, props) => {
    expect(warnings(props)).not.toHaveBeenCalled();
  });
});

test('a size that is refused is not refused once more by those who calculate with it', () => {
  for (const [size, id] of [[{ cpu: 0 }, 'TC-KUBEVIRT-CPU'], [{ memory: Size.mebibytes(10) }, 'TC-KUBEVIRT-MEMORY']] as const) {
    const app = Testing.app();
    exampleCluster(app, { infrastructure: new KubevirtInfrastructure(), delivery: new FluxDelivery() })
      .addNodePool('general', { machine: new KubevirtMachine({ ...SMALL, ...size }), size: PoolSize.between(0, 3) });

    expect(problemsOf(app)).toMatchObject([{ path: 'acme/general', id }]);
  }
});

test('all problems come at once', () => {
  const ids = machineProblems({ rootDisk: RootDisk.containerDisk({ image: 'ubuntu' }), cpu: 0, extraDisks: [ExtraDisk.blank({ name: 'root', size: SIZE })] })
    .map((problem) => problem.id);
  expect(ids).toEqual(['TC-KUBEVIRT-SIZING', 'TC-KUBEVIRT-CPU', 'TC-KUBEVIRT-IMAGE-UNPINNED', 'TC-TRAP-KUBEVIRT-DISKS']);
});

describe('what is taken and hardly meant', () => {
  function warned(props: Partial<KubevirtMachineProps>): string[] {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    expect(machineProblems({ ...SMALL, ...props })).toEqual([]);
    return emitted.mock.calls.map(([text]) => String(text));
  }
  const sized = (size: Size) => ({ rootDisk: RootDisk.http({ url: 'https://images.example.com/a.qcow2', size }) });

  afterEach(() => jest.restoreAllMocks());

  test.each<[string, Partial<KubevirtMachineProps>, string]>([
    ['a root disk of MiB', sized(Size.mebibytes(20)), 'machine.rootDisk.size: 20Mi'],
    ['a root disk for the system alone', { rootDisk: RootDisk.registry({ url: 'docker://quay.io/acme/ubuntu:v1', size: Size.gibibytes(2) }) }, 'machine.rootDisk.size: 2Gi'],
    ['thousandths of CPUs', { cpu: 4000 }, 'machine.cpu: 4000 CPUs'],
    ['GiB in place of MiB', { memory: Size.gibibytes(16384) }, 'machine.memory: 16384Gi'],
  ])('TC-KUBEVIRT-UNUSUAL-SIZE: %s', (_what, props, text) => {
    expect(warned(props)).toEqual([expect.stringContaining(`[pool] TC-KUBEVIRT-UNUSUAL-SIZE ${text}`)]);
  });

  test.each<Partial<KubevirtMachineProps>>([
    sized(Size.gibibytes(10)), { cpu: 1024, memory: Size.gibibytes(4096) }, { extraDisks: [ExtraDisk.blank({ name: 'data', size: Size.mebibytes(20) })] },
  ])('nothing else, %#', (props) => {
    expect(warned(props)).toEqual([]);
  });

  test('what is refused is not warned about besides', () => {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    expect(machineProblems({ ...SMALL, ...sized(Size.gibibytes(0)), cpu: 1.5, memory: Size.kibibytes(1) })).toHaveLength(3);
    expect(emitted).not.toHaveBeenCalled();
  });
});
