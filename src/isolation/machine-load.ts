import { SizeRoundingBehavior } from 'cdk8s';
import { Amounts, amountsOf, sumOf } from './amounts';
import { KubevirtPodSizing } from './kubevirt-sizing';
import { listAt, Manifest, numberAt, textAt, valueAt } from './manifest-fields';
import { PodLoad } from './pod-load';
import { MachineCapacity } from '../infrastructure/machine';
import { NANO, parseQuantity } from '../kubernetes/quantity';
import { InfraInstanceType } from '../management/capabilities/infra-cluster-capabilities';
import { MAX_SIZE } from '../node-pool/autoscaler-annotations';

type Annotations = { readonly [key: string]: unknown };

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io';
const CLUSTER_INSTANCE_TYPE = 'VirtualMachineClusterInstancetype';
const MEBIBYTE = 1024n * 1024n * NANO;

/** What decides over a machine's pod beside its template. */
export interface MachineSurroundings {
  readonly sizing: Required<KubevirtPodSizing>;
  /** Whether a quota makes KubeVirt set limits. */
  readonly limited: { readonly cpu: boolean; readonly memory: boolean };
  /** Instance types of the cluster that runs the machines, as far as they are known. */
  readonly instanceTypes: readonly InfraInstanceType[];
  /** What machines of a template are said to have, by the name of the template. */
  readonly capacities: ReadonlyMap<string, MachineCapacity>;
}

/**
 * What the machines of a pool count for at most; undefined where its machines are no virtual machines of this cluster.
 *
 * @param pool the `MachineDeployment`
 * @param templates the `KubevirtMachineTemplate`s around it
 * @param surroundings what decides besides
 */
export function machineLoad(pool: Manifest, templates: readonly Manifest[], surroundings: MachineSurroundings): PodLoad | undefined {
  const size = largestSize(pool);
  const machines = { what: `machines of pool ${textAt(pool, 'metadata', 'name')}`, size, surge: surgeOf(pool, size), annotations: annotationsOf(pool) };
  return loadOf(machines, templateOf(valueAt(pool, 'spec', 'template', 'spec'), templates), surroundings);
}

/**
 * What the machines of a control plane count for at most; undefined where it does not run on virtual machines of this cluster.
 *
 * @param controlPlane an object with the fields of Cluster API's contract for control planes on machines
 * @param templates the `KubevirtMachineTemplate`s around it
 * @param surroundings what decides besides
 */
export function controlPlaneMachineLoad(
  controlPlane: Manifest, templates: readonly Manifest[], surroundings: MachineSurroundings,
): PodLoad | undefined {
  const size = numberAt(controlPlane, 'spec', 'replicas') ?? 1;
  const machines = { what: 'machines of the control plane', size, surge: surgeOf(controlPlane, size), annotations: {} };
  return loadOf(machines, templateOf(valueAt(controlPlane, 'spec', 'machineTemplate', 'spec'), templates), surroundings);
}

/** Equal machines, and what is said of them. */
interface Machines {
  readonly what: string;
  readonly size: number;
  readonly surge: number;
  readonly annotations: Annotations;
}

interface MachineSize {
  readonly cpus?: bigint;
  readonly memory?: bigint;
}

function loadOf(machines: Machines, template: Manifest | undefined, surroundings: MachineSurroundings): PodLoad | undefined {
  const { what, size, surge, annotations } = machines;
  if (!template) return undefined;
  const machine = valueAt(template, 'spec', 'template', 'spec', 'virtualMachineTemplate', 'spec');
  return {
    what,
    count: size + surge,
    reckoning: surge > 0 ? `(${size} + ${surge} in a rollout)` : `${size}`,
    ...podOf(machine, statedSize(template, annotations, surroundings), surroundings),
    initContainers: [],
    besides: sumOf([{ ...ONE_POD }, devicesOf(machine), volumesOf(machine)]),
  };
}

function templateOf(machineSpec: unknown, templates: readonly Manifest[]): Manifest | undefined {
  const [kind, name] = [textAt(machineSpec, 'infrastructureRef', 'kind'), textAt(machineSpec, 'infrastructureRef', 'name')];
  return templates.find((candidate) => candidate.kind === kind && textAt(candidate, 'metadata', 'name') === name);
}

const ONE_POD: Amounts = { 'pods': NANO, 'count/pods': NANO };

function largestSize(pool: Manifest): number {
  const maximum = Number(annotationsOf(pool)[MAX_SIZE] ?? Number.NaN);
  return Number.isSafeInteger(maximum) ? maximum : numberAt(pool, 'spec', 'replicas') ?? 1;
}

/** Cluster API rounds percentages up. */
function surgeOf(owner: Manifest, size: number): number {
  const strategy = valueAt(owner, 'spec', 'rollout', 'strategy');
  if (textAt(strategy, 'type') !== 'RollingUpdate') return 0;
  const percentage = /^(\d+)%$/.exec(textAt(strategy, 'rollingUpdate', 'maxSurge'));
  return percentage ? Math.ceil(size * Number(percentage[1]) / 100) : numberAt(strategy, 'rollingUpdate', 'maxSurge') ?? 0;
}

function annotationsOf(pool: Manifest): Annotations {
  return (valueAt(pool, 'metadata', 'annotations') ?? {}) as Annotations;
}

/** The container with the guest, as KubeVirt makes it (kubevirt/kubevirt pkg/virt-controller/services/renderresources.go). */
function podOf(machine: unknown, stated: MachineSize, { sizing, limited }: MachineSurroundings): Pick<PodLoad, 'containers' | 'machine'> {
  const instance = valueAt(machine, 'template', 'spec');
  const domain = valueAt(instance, 'domain');
  const cpus = cpusOf(domain) ?? stated.cpus ?? 0n;
  const guest = parseQuantity(textAt(domain, 'memory', 'guest')) ?? stated.memory ?? 0n;
  const given = { requests: amountsOf(valueAt(domain, 'resources', 'requests')), limits: amountsOf(valueAt(domain, 'resources', 'limits')) };
  const dedicated = valueAt(domain, 'cpu', 'dedicatedCpuPlacement') === true;
  const pages = textAt(domain, 'memory', 'hugepages', 'pageSize');

  const overhead = overheadOf(instance, cpus, guest);
  const overcommitted = dedicated || pages !== '' ? guest : guest * 100n / BigInt(sizing.memoryOvercommit);
  const memory = (pages === '' ? given.requests.memory ?? given.limits.memory ?? overcommitted : 0n) + overhead;
  const cpu = given.requests.cpu ?? (dedicated ? cpus : cpus / BigInt(sizing.cpuAllocationRatio));
  const ownLimit = given.limits.memory === undefined ? undefined : given.limits.memory + overhead;
  const memoryLimit = dedicated ? memory : ownLimit ?? (limited.memory ? times(memory, sizing.memoryLimitsRatio) : undefined);
  const cpuLimit = given.limits.cpu ?? (dedicated || limited.cpu ? cpus : undefined);
  const hugePages: Amounts = pages === '' ? {} : { [`hugepages-${pages}`]: guest };

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
    machine: { cpus, ephemeralDisk: listAt(instance, 'volumes').some((volume) => valueAt(volume, 'containerDisk') ?? valueAt(volume, 'emptyDisk')) },
  };
}

/** An instance type's size, which is not in the manifests: what the management cluster is said to give it, or what the machine says of it. */
function statedSize(template: Manifest, annotations: Annotations, { instanceTypes, capacities }: MachineSurroundings): MachineSize {
  const type = valueAt(template, 'spec', 'template', 'spec', 'virtualMachineTemplate', 'spec', 'instancetype');
  const [kind, name] = [textAt(type, 'kind'), textAt(type, 'name')];
  const offered = kind === CLUSTER_INSTANCE_TYPE ? instanceTypes.find((other) => other.name === name)?.capacity : undefined;
  const capacity = offered ?? capacities.get(textAt(template, 'metadata', 'name'));
  return capacity ? {
    cpus: parseQuantity(`${capacity.cpu}`),
    memory: parseQuantity(`${capacity.memory.toMebibytes({ rounding: SizeRoundingBehavior.NONE })}Mi`),
  } : {
    // Where nobody stated it: what the autoscaler is told is a little less than it.
    cpus: parseQuantity(String(annotations[`${CAPACITY}/cpu`] ?? '')),
    memory: parseQuantity(String(annotations[`${CAPACITY}/memory`] ?? '')),
  };
}

function cpusOf(domain: unknown): bigint | undefined {
  const cpu = valueAt(domain, 'cpu');
  const counts = ['cores', 'sockets', 'threads'].map((field) => numberAt(cpu, field));
  return counts.every((count) => count === undefined) ? undefined : counts.reduce<bigint>((product, count) => product * BigInt(count ?? 1), NANO);
}

/** What KubeVirt adds to the guest's memory, at least (kubevirt/kubevirt pkg/hypervisor/kvm/launcherresourcerenderer.go). */
function overheadOf(instance: unknown, cpus: bigint, guest: bigint): bigint {
  const domain = valueAt(instance, 'domain');
  const devices = valueAt(domain, 'devices');
  const passedThrough = listAt(devices, 'gpus').length + listAt(devices, 'hostDevices').length > 0;
  const mebibytes = 25 + 100 + 25 + 40 + 30 + 8
    + (valueAt(devices, 'autoattachGraphicsDevice') === false ? 0 : 32)
    + (passedThrough ? 1024 : 0)
    + (valueAt(devices, 'tpm') === undefined ? 0 : 53)
    + (valueAt(domain, 'cpu', 'dedicatedCpuPlacement') === true ? 100 : 0);
  return BigInt(mebibytes) * MEBIBYTE + guest / 512n + 8n * MEBIBYTE * cpus / NANO;
}

function devicesOf(machine: unknown): Amounts {
  const devices = valueAt(machine, 'template', 'spec', 'domain', 'devices');
  const names = [...listAt(devices, 'gpus'), ...listAt(devices, 'hostDevices')].map((device) => textAt(device, 'deviceName'));
  return sumOf(names.filter((name) => name !== '').map((name) => ({ [`requests.${name}`]: NANO })));
}

function volumesOf(machine: unknown): Amounts {
  return sumOf(listAt(machine, 'dataVolumeTemplates').map((volume) => {
    const spec = valueAt(volume, 'spec');
    const size = valueAt(spec, 'storage', 'resources', 'requests', 'storage') ?? valueAt(spec, 'pvc', 'resources', 'requests', 'storage');
    return { 'persistentvolumeclaims': NANO, 'count/persistentvolumeclaims': NANO, 'requests.storage': parseQuantity(String(size ?? '')) ?? 0n };
  }));
}

function times(amount: bigint, ratio: number): bigint {
  return amount * BigInt(Math.round(ratio * 1000)) / 1000n;
}
