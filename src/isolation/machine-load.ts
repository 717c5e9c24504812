import { Amounts, amountsOf, sumOf } from './amounts';
import { KubevirtPodSizing } from './kubevirt-sizing';
import { listAt, Manifest, numberAt, textAt, valueAt } from './manifest-fields';
import { PodLoad } from './pod-load';
import { NANO, parseQuantity } from '../kubernetes/quantity';

type Annotations = { readonly [key: string]: unknown };

const MAX_SIZE = 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size';
const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io';
const MEBIBYTE = 1024n * 1024n * NANO;

/** What decides over a machine's pod beside its template. */
export interface MachineSurroundings {
  readonly sizing: Required<KubevirtPodSizing>;
  /** Whether a quota makes KubeVirt set limits. */
  readonly limited: { readonly cpu: boolean; readonly memory: boolean };
}

/**
 * What the machines of a pool count for at most; undefined where its machines are no virtual machines of this cluster.
 *
 * @param pool the `MachineDeployment`
 * @param templates the `KubevirtMachineTemplate`s around it
 * @param surroundings what decides besides
 */
export function machineLoad(pool: Manifest, templates: readonly Manifest[], surroundings: MachineSurroundings): PodLoad | undefined {
  const reference = valueAt(pool, 'spec', 'template', 'spec', 'infrastructureRef');
  const template = templates.find((candidate) => candidate.kind === textAt(reference, 'kind') && textAt(candidate, 'metadata', 'name') === textAt(reference, 'name'));
  if (!template) return undefined;
  const machine = valueAt(template, 'spec', 'template', 'spec', 'virtualMachineTemplate', 'spec');
  const size = largestSize(pool);
  const surge = surgeOf(pool, size);
  return {
    what: `machines of pool ${textAt(pool, 'metadata', 'name')}`,
    count: size + surge,
    reckoning: surge > 0 ? `(${size} + ${surge} in a rollout)` : `${size}`,
    ...podOf(machine, annotationsOf(pool), surroundings),
    initContainers: [],
    besides: sumOf([{ ...ONE_POD }, devicesOf(machine), volumesOf(machine)]),
  };
}

const ONE_POD: Amounts = { 'pods': NANO, 'count/pods': NANO };

function largestSize(pool: Manifest): number {
  const maximum = Number(annotationsOf(pool)[MAX_SIZE] ?? Number.NaN);
  return Number.isSafeInteger(maximum) ? maximum : numberAt(pool, 'spec', 'replicas') ?? 1;
}

/** Cluster API rounds percentages up. */
function surgeOf(pool: Manifest, size: number): number {
  const strategy = valueAt(pool, 'spec', 'rollout', 'strategy');
  if (textAt(strategy, 'type') !== 'RollingUpdate') return 0;
  const percentage = /^(\d+)%$/.exec(textAt(strategy, 'rollingUpdate', 'maxSurge'));
  return percentage ? Math.ceil(size * Number(percentage[1]) / 100) : numberAt(strategy, 'rollingUpdate', 'maxSurge') ?? 0;
}

function annotationsOf(pool: Manifest): Annotations {
  return (valueAt(pool, 'metadata', 'annotations') ?? {}) as Annotations;
}

/** The container with the guest, as KubeVirt makes it (kubevirt/kubevirt pkg/virt-controller/services/renderresources.go). */
function podOf(machine: unknown, annotations: Annotations, { sizing, limited }: MachineSurroundings): Pick<PodLoad, 'containers' | 'machine'> {
  const instance = valueAt(machine, 'template', 'spec');
  const domain = valueAt(instance, 'domain');
  // An instance type's size is not in the manifests; what the autoscaler is told is a little less than it.
  const cpus = cpusOf(domain) ?? parseQuantity(String(annotations[`${CAPACITY}/cpu`] ?? '')) ?? 0n;
  const guest = parseQuantity(textAt(domain, 'memory', 'guest')) ?? parseQuantity(String(annotations[`${CAPACITY}/memory`] ?? '')) ?? 0n;
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
