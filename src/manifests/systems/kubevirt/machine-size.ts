import { virtualMachine } from './rules/kubevirt-objects';
import { ContainerLoad } from '../../objects/container-load';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { CLUSTER_NAME_LABEL } from '../../rules/cluster-api/cluster-api-kinds';
import { MachineDevices, MachinePod, MachineSize, MachineSurroundings, PodScheduling, PodSizing } from '../../rules/cluster-facts';
import { ManifestIndex } from '../../rules/manifest-index';
import { fieldAt, isFields, isSet, listAt, numberAt, objectsAt, stringAt } from '../../values/fields';
import { Amounts, amountsOf, largerOf, NANO, parseQuantity, sumOf } from '../../values/quantity';

/** A number that KubeVirt's configuration cannot have. */
export interface SizingFault {
  readonly field: keyof PodSizing;
  readonly value: number;
  readonly accepted: string;
}

/** KubeVirt's ratios with its defaults. The defaults replace all of them if one is invalid. */
function resolveSizing(sizing: PodSizing): Required<PodSizing> {
  const usable = sizingFaults(sizing).length === 0 ? sizing : {};
  return {
    cpuAllocationRatio: usable.cpuAllocationRatio ?? 10,
    memoryOvercommit: usable.memoryOvercommit ?? 100,
    memoryLimitsRatio: usable.memoryLimitsRatio ?? 2,
  };
}

/** Checks KubeVirt's ratios. */
export function sizingFaults({ cpuAllocationRatio, memoryOvercommit, memoryLimitsRatio }: PodSizing): SizingFault[] {
  const fault = (field: keyof PodSizing, value: number | undefined, holds: (value: number) => boolean, accepted: string): SizingFault[] => (
    value === undefined || holds(value) ? [] : [{ field, value, accepted }]);
  return [
    ...fault('cpuAllocationRatio', cpuAllocationRatio, isWhole, 'whole numbers from 1'),
    ...fault('memoryOvercommit', memoryOvercommit, isWhole, 'whole percentages from 1'),
    ...fault('memoryLimitsRatio', memoryLimitsRatio, (ratio) => Number.isFinite(ratio) && ratio >= 1, 'numbers from 1'),
  ];
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** Volumes of a virtual machine that go with it: a claim stays. Those of DataVolumes that its template makes are deleted along with it. */
const OWN_VOLUMES: readonly string[] = ['containerDisk', 'dataVolume', 'emptyDisk', 'ephemeral', 'hostDisk'];

/** The disks of the machines of a `KubevirtMachineTemplate` that go with them, such as `emptyDisk scratch`. */
export function machineDisks(template: ManifestObject): string[] {
  return objectsAt(virtualMachine(template).fields, 'template', 'spec', 'volumes').flatMap(([volume]) => (
    OWN_VOLUMES.filter((type) => isSet(volume, type)).map((type) => `${type} ${stringAt(volume, 'name')}`)));
}

const INSTANCE_TYPE_GROUP = 'instancetype.kubevirt.io';
const CLUSTER_INSTANCE_TYPE = 'VirtualMachineClusterInstancetype';

/** The size of the machines of a `KubevirtMachineTemplate`, with its instance type as far as that is among the manifests. */
export function machineSize(template: ManifestObject, index: ManifestIndex): MachineSize {
  const machine = virtualMachine(template).fields;
  const domain = fieldAt(machine, 'template', 'spec', 'domain');
  const instanceType = stringAt(machine, 'instancetype', 'name');
  const type = instanceType === undefined ? undefined : typeOf(machine, instanceType, namespaceOf(template), index);
  const own = countedDevices(domain, 'devices', 'gpus');
  // An instance type that is not among the manifests may bring some.
  const ofType = type === undefined ? undefined : countedDevices(type, 'gpus');
  return {
    instanceType,
    cpu: processorsOf(domain) ?? numberAt(type, 'cpu', 'guest'),
    memory: memoryOf(domain) ?? bytesAt(type, 'memory', 'guest'),
    gpus: own.length > 0 || instanceType === undefined ? own : ofType,
  };
}

/** The spec of an instance type, if it is among the manifests (without a kind it is one of the whole cluster by KubeVirt's schema). */
export function typeOf(machine: unknown, name: string, namespace: string | undefined, index: ManifestIndex): unknown {
  const kind = stringAt(machine, 'instancetype', 'kind') ?? CLUSTER_INSTANCE_TYPE;
  const place = kind.toLowerCase() === CLUSTER_INSTANCE_TYPE.toLowerCase() ? undefined : namespace;
  return index.find(`${INSTANCE_TYPE_GROUP}/${kind}`, place, name)?.spec;
}

/** Sockets, cores and threads, each one if it is left out; where all are, KubeVirt takes what the resources say, and that rounds. */
function processorsOf(domain: unknown): number | undefined {
  const counts = ['sockets', 'cores', 'threads'].map((field) => numberAt(domain, 'cpu', field));
  if (counts.some((count) => count !== undefined && count < 1)) return undefined;
  const product = counts.reduce<number>((soFar, count) => soFar * (count ?? 1), 1);
  return counts.every((count) => count === undefined) || !Number.isSafeInteger(product) ? undefined : product;
}

function memoryOf(domain: unknown): number | undefined {
  // Without a size of its own the guest gets what is requested for it.
  return isSet(domain, 'memory', 'guest') ? bytesAt(domain, 'memory', 'guest') : bytesAt(domain, 'resources', 'requests', 'memory');
}

function bytesAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = fieldAt(value, ...path);
  const bytes = typeof found === 'string' || typeof found === 'number' ? parseQuantity(`${found}`) : undefined;
  return bytes === undefined || bytes < 0n ? undefined : Number(bytes / NANO);
}

function countedDevices(value: unknown, ...path: readonly string[]): MachineDevices[] {
  const counts = new Map<string, number>();
  for (const [device] of objectsAt(value, ...path)) {
    const name = stringAt(device, 'deviceName');
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count }));
}

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io';
const MEBIBYTE = 1024n * 1024n * NANO;

interface SizeAmounts {
  readonly cpus?: bigint;
  readonly memory?: bigint;
}

/**
 * The pod of a virtual machine that is made from a `KubevirtMachineTemplate`. The template is the one that will be written, so that what users
 * patch counts.
 */
export function machinePod(template: ManifestObject, surroundings: MachineSurroundings): MachinePod {
  const machine = virtualMachine(template).fields;
  const sizing = resolveSizing(surroundings.sizing);
  const dedicated = fieldAt(machine, 'template', 'spec', 'domain', 'cpu', 'dedicatedCpuPlacement') === true;
  return {
    ...podOf(machine, statedSize(template, surroundings), sizing, surroundings.limited),
    sidecars: sidecarsOf(fieldAt(machine, 'template', 'spec'), dedicated),
    scheduling: schedulingOf(machine, surroundings.cluster, dedicated),
    besides: sumOf([devicesOf(machine), volumesOf(machine)]),
    meanwhile: scratchOf(machine),
  };
}

/**
 * True if a `VirtualMachine` runs, or a user can start it without a change of its manifest.
 *
 * Source: kubevirt/kubevirt staging/src/kubevirt.io/api/core/v1/types.go (VirtualMachine.RunStrategy).
 */
export function mayRun(machine: ManifestObject): boolean {
  return (stringAt(machine, 'spec', 'runStrategy') ?? (fieldAt(machine, 'spec', 'running') === true ? 'Always' : 'Halted')) !== 'Halted';
}

/**
 * The pod of a `VirtualMachine` that no pool makes. KubeVirt labels it with the host name of the guest.
 *
 * Source: kubevirt/kubevirt pkg/virt-controller/services/template.go (podLabels).
 */
export function singleMachinePod(machine: ManifestObject, surroundings: MachineSurroundings): MachinePod {
  const pod = machinePod(machine, surroundings);
  const name = stringAt(machine, 'spec', 'template', 'spec', 'hostname') ?? nameOf(machine);
  return { ...pod, ...(pod.scheduling && { scheduling: { ...pod.scheduling, labels: { ...pod.scheduling.labels, 'vm.kubevirt.io/name': name } } }) };
}

/** The container with the guest, as KubeVirt makes it (kubevirt/kubevirt pkg/virt-controller/services/renderresources.go). */
function podOf(machine: unknown, stated: SizeAmounts, sizing: Required<PodSizing>, limited: MachineSurroundings['limited']): Omit<MachinePod, 'besides'> {
  const instance = fieldAt(machine, 'template', 'spec');
  const domain = fieldAt(instance, 'domain');
  const cpus = cpusOf(domain) ?? stated.cpus ?? 0n;
  const guest = parseQuantity(stringAt(domain, 'memory', 'guest') ?? '') ?? stated.memory ?? 0n;
  const given = { requests: amountsOf(fieldAt(domain, 'resources', 'requests')), limits: amountsOf(fieldAt(domain, 'resources', 'limits')) };
  const dedicated = fieldAt(domain, 'cpu', 'dedicatedCpuPlacement') === true;
  const pages = stringAt(domain, 'memory', 'hugepages', 'pageSize');

  const overhead = overheadOf(instance, cpus, guest);
  const overcommitted = dedicated || pages !== undefined ? guest : guest * 100n / BigInt(sizing.memoryOvercommit);
  const memory = (pages === undefined ? given.requests.memory ?? given.limits.memory ?? overcommitted : 0n) + overhead;
  const cpu = given.requests.cpu ?? (dedicated ? cpus : cpus / BigInt(sizing.cpuAllocationRatio));
  const ownLimit = given.limits.memory === undefined ? undefined : given.limits.memory + overhead;
  const memoryLimit = dedicated ? memory : ownLimit ?? (limited.memory ? times(memory, sizing.memoryLimitsRatio) : undefined);
  const cpuLimit = given.limits.cpu ?? (dedicated || limited.cpu ? cpus : undefined);
  const hugePages: Amounts = pages === undefined ? {} : { [`hugepages-${pages}`]: guest };

  return {
    containers: [{
      name: 'compute',
      requests: { ...given.requests, ...hugePages, cpu, memory },
      limits: {
        ...given.limits,
        ...hugePages,
        ...(cpuLimit !== undefined && { cpu: cpuLimit }),
        ...(memoryLimit !== undefined && { memory: memoryLimit }),
      },
    }],
    machine: { cpus, ephemeralDisk: listAt(instance, 'volumes').some((volume) => fieldAt(volume, 'containerDisk') ?? fieldAt(volume, 'emptyDisk')) },
  };
}

// kubevirt/kubevirt pkg/container-disk/container-disk.go, pkg/virt-controller/services/serialconsolelog.go: defaults of supportContainerResources.
const SIDECARS = {
  disk: { requests: { cpu: '1m', memory: '1M' }, limits: { cpu: '10m', memory: '40M' } },
  console: { requests: { cpu: '5m', memory: '35M' }, limits: { cpu: '15m', memory: '60M' } },
};

/** Containers beside the guest: one for each image of a disk, and one with the log of the console. With dedicated CPUs they request their limits. */
function sidecarsOf(instance: unknown, dedicated: boolean): ContainerLoad[] {
  const devices = fieldAt(instance, 'domain', 'devices');
  const hasConsole = fieldAt(devices, 'autoattachSerialConsole') !== false && fieldAt(devices, 'logSerialConsole') !== false;
  const disks = objectsAt(instance, 'volumes').filter(([volume]) => isSet(volume, 'containerDisk'));
  const container = (name: string, { requests, limits }: typeof SIDECARS.disk): ContainerLoad => (
    { name, requests: amountsOf(dedicated ? limits : requests), limits: amountsOf(limits) });
  return [
    ...disks.map(([volume]) => container(`volume${stringAt(volume, 'name')}`, SIDECARS.disk)),
    ...hasConsole ? [container('guest-console-log', SIDECARS.console)] : [],
  ];
}

/** Source: kubevirt/kubevirt pkg/virt-controller/services/nodeselectorrenderer.go. */
function schedulingOf(machine: unknown, cluster: string | undefined, dedicated: boolean): PodScheduling {
  const labels = fieldAt(machine, 'template', 'metadata', 'labels');
  return {
    labels: { ...(isFields(labels) && labels), 'kubevirt.io': 'virt-launcher', ...(cluster !== undefined && { [CLUSTER_NAME_LABEL]: cluster }) },
    fields: fieldAt(machine, 'template', 'spec'),
    hostLabels: { 'kubevirt.io/schedulable': 'true', ...(dedicated && { cpumanager: 'true' }) },
  };
}

/** The ratios that the configuration of KubeVirt states; undefined if it is not among the objects. */
export function podSizing(index: ManifestIndex): PodSizing | undefined {
  const [kubevirt] = index.all('kubevirt.io/KubeVirt');
  const developer = fieldAt(kubevirt, 'spec', 'configuration', 'developerConfiguration');
  return kubevirt && {
    cpuAllocationRatio: numberAt(developer, 'cpuAllocationRatio'),
    memoryOvercommit: numberAt(developer, 'memoryOvercommit'),
  };
}

/** An instance type's size, which is not in the manifests: from the capabilities of the management cluster, or from the machine. */
function statedSize(template: ManifestObject, { annotations, stated, instanceTypes }: MachineSurroundings): SizeAmounts {
  const type = fieldAt(template, 'spec', 'template', 'spec', 'virtualMachineTemplate', 'spec', 'instancetype');
  const [kind, name] = [stringAt(type, 'kind'), stringAt(type, 'name')];
  const size = (kind === CLUSTER_INSTANCE_TYPE && name !== undefined ? instanceTypes.get(name) : undefined) ?? stated;
  return size ? { cpus: parseQuantity(size.cpu), memory: parseQuantity(size.memory) } : {
    // Neither states it: the capacity annotations for the autoscaler come close, and are a little smaller.
    cpus: parseQuantity(String(annotations[`${CAPACITY}/cpu`] ?? '')),
    memory: parseQuantity(String(annotations[`${CAPACITY}/memory`] ?? '')),
  };
}

function cpusOf(domain: unknown): bigint | undefined {
  const cpu = fieldAt(domain, 'cpu');
  const counts = ['cores', 'sockets', 'threads'].map((field) => numberAt(cpu, field));
  return counts.every((count) => count === undefined) ? undefined : counts.reduce<bigint>((product, count) => product * BigInt(count ?? 1), NANO);
}

/** Memory that KubeVirt adds to the guest's, at least (kubevirt/kubevirt pkg/hypervisor/kvm/launcherresourcerenderer.go). */
function overheadOf(instance: unknown, cpus: bigint, guest: bigint): bigint {
  const domain = fieldAt(instance, 'domain');
  const devices = fieldAt(domain, 'devices');
  const passedThrough = listAt(devices, 'gpus').length + listAt(devices, 'hostDevices').length > 0;
  const mebibytes = 25 + 100 + 25 + 40 + 30 + 8
    + (fieldAt(devices, 'autoattachGraphicsDevice') === false ? 0 : 32)
    + (passedThrough ? 1024 : 0)
    + (fieldAt(devices, 'tpm') === undefined ? 0 : 53)
    + (fieldAt(domain, 'cpu', 'dedicatedCpuPlacement') === true ? 100 : 0);
  return BigInt(mebibytes) * MEBIBYTE + guest / 512n + 8n * MEBIBYTE * cpus / NANO;
}

function devicesOf(machine: unknown): Amounts {
  const devices = fieldAt(machine, 'template', 'spec', 'domain', 'devices');
  const names = [...listAt(devices, 'gpus'), ...listAt(devices, 'hostDevices')].map((device) => stringAt(device, 'deviceName'));
  return sumOf(names.filter((name) => name !== undefined).map((name) => ({ [`requests.${name}`]: NANO })));
}

function volumesOf(machine: unknown): Amounts {
  return sumOf(listAt(machine, 'dataVolumeTemplates').map((volume) => (
    { 'persistentvolumeclaims': NANO, 'count/persistentvolumeclaims': NANO, 'requests.storage': sizeOf(fieldAt(volume, 'spec')) })));
}

/**
 * The volume that CDI unpacks a disk in, as large as the disk: images of registries need one, unless the node pulls them.
 *
 * Source: kubevirt/containerized-data-importer doc/scratch-space.md.
 */
function scratchOf(machine: unknown): Amounts {
  const sizes = listAt(machine, 'dataVolumeTemplates').map((volume) => fieldAt(volume, 'spec'))
    .filter((spec) => isSet(spec, 'source', 'registry') && fieldAt(spec, 'source', 'registry', 'pullMethod') !== 'node')
    .map((spec) => sizeOf(spec));
  return sizes.map((size): Amounts => ({ 'persistentvolumeclaims': NANO, 'count/persistentvolumeclaims': NANO, 'requests.storage': size })).reduce(largerOf, {});
}

function sizeOf(volumeSpec: unknown): bigint {
  const size = fieldAt(volumeSpec, 'storage', 'resources', 'requests', 'storage') ?? fieldAt(volumeSpec, 'pvc', 'resources', 'requests', 'storage');
  return parseQuantity(String(size ?? '')) ?? 0n;
}

function times(amount: bigint, ratio: number): bigint {
  return amount * BigInt(Math.round(ratio * 1000)) / 1000n;
}
