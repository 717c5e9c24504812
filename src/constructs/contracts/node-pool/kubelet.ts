import { Size, SizeRoundingBehavior } from 'cdk8s';
import { checkEviction, evictionFields, hardThresholds, percentageOf, SoftEvictionThreshold } from './kubelet-eviction';
import { jsonFault } from '../../../manifests/values/content-hash';
import { fieldText } from '../../../manifests/values/fields';
import { checkKubeletConfiguration } from '../../../manifests/values/kubelet-configuration';
import { Problem, problemsOf, Rule } from '../../../manifests/values/problem';
import { checkQuantity, NANO, parseQuantity } from '../../../manifests/values/quantity';
import { MachineCapacity } from '../machine-capacity';

/** Reservations, eviction thresholds and further configuration of the kubelets of a pool. */
export interface KubeletOptions {
  /**
   * False to write only what the other options name: no reservations, eviction thresholds or pod limit of the library, so that a pool without
   * any of them keeps the kubelet's own.
   *
   * @default true
   */
  readonly defaults?: boolean;

  /**
   * Resources kept for the operating system, by resource name (`cpu`, `memory`, `ephemeral-storage`, `pid`).
   *
   * @default - 5 % of the machine's CPU, between 50m and 500m, and 5 % of its memory, between 256Mi and 1Gi
   * (cozystack/cozystack packages/apps/kubernetes/templates/cluster.yaml); nothing where the machine's size is unknown
   */
  readonly systemReserved?: { [resource: string]: string };

  /**
   * Resources kept for the kubelet and the container runtime, by resource name.
   *
   * @default - the same as for the operating system
   */
  readonly kubeReserved?: { [resource: string]: string };

  /**
   * Thresholds at which pods are evicted at once, by signal (`memory.available`, `nodefs.available`, …), as a quantity
   * or a percentage. They are merged with the defaults, since a kubelet that is given one forgets all of its own
   * (kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction).
   *
   * @default - memory.available 7%, nodefs.available 10%, nodefs.inodesFree 5%, imagefs.available 15%, imagefs.inodesFree 5%
   */
  readonly evictionHard?: { [signal: string]: string };

  /**
   * Thresholds at which pods are evicted after a grace period, by signal.
   *
   * @default - none
   */
  readonly evictionSoft?: { [signal: string]: SoftEvictionThreshold };

  /**
   * Maximum number of pods on a node: no more than it has addresses for, which is 253 where it gets a /24 of the pod range.
   * `nodeCidrMaskSizes` of the cluster gives each node more.
   *
   * Rule: `TC-POOL-MAX-PODS`.
   *
   * @default - 110, or the number of addresses that a node has for pods, if it is lower
   */
  readonly maxPods?: number;

  /**
   * Further fields of `KubeletConfiguration` (kubelet.config.k8s.io/v1beta1), in its own spelling.
   *
   * Fields with a property of their own here, and those that every kubelet of the cluster shares (`clusterDNS`,
   * `clusterDomain`, `cgroupDriver`), are refused (`TC-POOL-KUBELET-FIELD`).
   *
   * @default - none
   */
  readonly configuration?: { [field: string]: any };
}

/** The kubelet's own default for `maxPods` (kubelet.config.k8s.io/v1beta1). */
export const DEFAULT_MAX_PODS = 110;

/** The default of `maxPods`: that of the kubelet, unless a node has fewer addresses for pods. */
export function defaultMaxPods(podsPerNode: number | undefined): number {
  return Math.min(DEFAULT_MAX_PODS, podsPerNode ?? DEFAULT_MAX_PODS);
}

const LARGEST_MAX_PODS = 2 ** 31 - 1;

const OWN_PROPERTIES: { readonly [field: string]: string } = {
  evictionHard: 'kubelet.evictionHard',
  evictionSoft: 'kubelet.evictionSoft',
  evictionSoftGracePeriod: 'kubelet.evictionSoft',
  kubeReserved: 'kubelet.kubeReserved',
  maxPods: 'kubelet.maxPods',
  registerWithTaints: 'taints',
  systemReserved: 'kubelet.systemReserved',
};

const OF_THE_CLUSTER = ['apiVersion', 'authentication', 'authorization', 'cgroupDriver', 'clusterDNS', 'clusterDomain', 'kind', 'providerID', 'staticPodPath'];

/**
 * The fields of `KubeletConfiguration` in which a pool's kubelets differ from the cluster's.
 *
 * @param options properties of the user
 * @param capacity size of the machines, if it is known
 * @param podsPerNode number of addresses that a node has for pods, if it is limited
 */
export function kubeletConfigurationOf(
  options: KubeletOptions, capacity: MachineCapacity | undefined, podsPerNode?: number,
): { [field: string]: any } {
  const maxPods = isPodCount(options.maxPods) || options.defaults === false ? options.maxPods : defaultMaxPods(podsPerNode);
  return {
    ...Object.fromEntries(Object.entries(options.configuration ?? {}).filter(([, value]) => jsonFault(value) === undefined)),
    ...reservationsOf(options, capacity),
    ...evictionFields(options),
    ...(maxPods !== undefined && (isPodCount(options.maxPods) || maxPods !== DEFAULT_MAX_PODS) && { maxPods }),
  };
}

const POOL_KUBELET_FIELD_RULE: Rule = {
  id: 'TC-POOL-KUBELET-FIELD',
  title: 'Further kubelet fields must exist in the kubelet\'s version, have values of JSON and no property of their own, and must not be set for the whole cluster.',
  source: 'kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1',
};

/**
 * Checks the kubelet options of a pool.
 *
 * @param options properties of the user
 * @param capacity size of the machines, if it is known
 * @param minor Kubernetes minor of the kubelets
 * @param podsPerNode number of addresses that a node has for pods, if it is limited
 */
export function checkKubelet(options: KubeletOptions, capacity: MachineCapacity | undefined, minor: string, podsPerNode?: number): Problem[] {
  const fields = Object.entries(options.configuration ?? {});
  const refused = fields.flatMap(([field, value]) => checkField(field, value));
  const others = Object.fromEntries(fields.filter(([field, value]) => checkField(field, value).length === 0));
  const eviction = checkEviction(options);
  return [
    ...checkMaxPods(options.maxPods, podsPerNode),
    ...eviction,
    // Allocatable resources follow from the thresholds, so these must be valid.
    ...checkReservations(options, eviction.length === 0 ? capacity : undefined),
    ...refused,
    ...problemsOf(POOL_KUBELET_FIELD_RULE, 'kubelet.configuration', checkKubeletConfiguration(minor, others)),
  ];
}

const POOL_MAX_PODS_RULE: Rule = {
  id: 'TC-POOL-MAX-PODS',
  title: 'The pod limit of a node must be a whole number above 0, in 32 bits, and not above the number of addresses that the node has for pods.',
  source: 'kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1',
};

function checkMaxPods(maxPods: number | undefined, podsPerNode: number | undefined): Problem[] {
  if (maxPods === undefined) return [];
  const at = { rule: POOL_MAX_PODS_RULE, property: 'kubelet.maxPods' };
  if (isPodCount(maxPods)) {
    return podsPerNode === undefined || maxPods <= podsPerNode ? [] : [{
      ...at,
      message: `a node may run ${maxPods} pods, and what it gets of the pod range has addresses for ${podsPerNode}`,
      accepted: `up to ${podsPerNode}`,
      fix: 'lower it, or give each node more addresses with nodeCidrMaskSizes of the cluster',
    }];
  }
  return [{
    ...at,
    message: `${maxPods} is not a number of pods`,
    accepted: `whole numbers from 1 to ${LARGEST_MAX_PODS}`,
    fix: `write a whole number, or leave it out for ${DEFAULT_MAX_PODS}`,
  }];
}

function isPodCount(maxPods: number | undefined): maxPods is number {
  return maxPods !== undefined && Number.isInteger(maxPods) && maxPods > 0 && maxPods <= LARGEST_MAX_PODS;
}

function checkField(field: string, value: unknown): Problem[] {
  const property = OWN_PROPERTIES[field];
  const at = { rule: POOL_KUBELET_FIELD_RULE, property: `kubelet.configuration["${field}"]` };
  if (property) {
    return [{ ...at, message: `"${field}" has a property of its own`, fix: `set ${property} instead` }];
  }
  if (OF_THE_CLUSTER.includes(field)) {
    return [{ ...at, message: `"${field}" is the same for every node and comes from the control plane`, fix: 'leave it out' }];
  }
  const fault = jsonFault(value);
  return fault === undefined ? [] : [{ ...at, message: fault, accepted: 'values of JSON', fix: 'write a string, a number, a boolean, a list or an object of them' }];
}

const RESERVABLE = ['cpu', 'memory', 'ephemeral-storage', 'pid'];
const MEBIBYTE = 1024n * 1024n;

/** Resources of a node for pods, after reservations and the hard memory threshold. */
interface Allocatable {
  /** Thousandths of a CPU. */
  readonly cpuMillis: number;
  /** Memory in Mi. */
  readonly memoryMebibytes: number;
  /** Ephemeral storage in Mi; undefined where the size of the disk is unknown. */
  readonly ephemeralStorageMebibytes?: number;
}

/** The reservation fields of a kubelet's configuration. */
interface Reservations {
  readonly systemReserved?: { readonly [resource: string]: string };
  readonly kubeReserved?: { readonly [resource: string]: string };
}

/** Reserved resources, by the options or else in proportion to the machine. */
function reservationsOf(options: KubeletOptions, capacity: MachineCapacity | undefined): Reservations {
  const share = capacity && options.defaults !== false ? fivePercent(capacity) : undefined;
  const systemReserved = share || options.systemReserved ? { ...share, ...options.systemReserved } : undefined;
  const kubeReserved = share || options.kubeReserved ? { ...share, ...options.kubeReserved } : undefined;
  return { ...(systemReserved && { systemReserved }), ...(kubeReserved && { kubeReserved }) };
}

/** Resources of a node for pods. The options must be valid. */
export function allocatableOf(options: KubeletOptions, capacity: MachineCapacity): Allocatable {
  const { systemReserved = {}, kubeReserved = {} } = reservationsOf(options, capacity);
  const evictionHard = hardThresholds(options);
  const reserved = (resource: string): bigint => amount(systemReserved[resource]) + amount(kubeReserved[resource]);
  const memory = bytes(capacity.memory);
  const cpu = BigInt(Math.round(capacity.cpu * 1000)) * (NANO / 1000n);
  const left = {
    cpuMillis: Number((cpu - reserved('cpu')) / (NANO / 1000n)),
    memoryMebibytes: mebibytes(memory - reserved('memory') - thresholdAmount(evictionHard['memory.available'], memory)),
  };
  if (!capacity.ephemeralStorage) return left;
  const disk = bytes(capacity.ephemeralStorage);
  return {
    ...left,
    ephemeralStorageMebibytes: mebibytes(disk - reserved('ephemeral-storage') - thresholdAmount(evictionHard['nodefs.available'], disk)),
  };
}

/** Checks the reservations of a pool, and that they leave resources of a machine of known size for pods. */
function checkReservations(options: KubeletOptions, capacity: MachineCapacity | undefined): Problem[] {
  const grammar = [
    ...checkReserved('systemReserved', options.systemReserved ?? {}),
    ...checkReserved('kubeReserved', options.kubeReserved ?? {}),
  ];
  return grammar.length > 0 || !capacity ? grammar : checkRemainder(options, capacity);
}

const POOL_RESERVATION_RULE: Rule = {
  id: 'TC-POOL-RESERVATION',
  title: 'Reserved resources must be quantities above 0 of cpu, memory, ephemeral-storage or pid.',
  source: 'kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources',
};

function checkReserved(property: string, reserved: { readonly [resource: string]: string }): Problem[] {
  return Object.entries(reserved).flatMap(([resource, quantity]): Problem[] => {
    const at = { rule: POOL_RESERVATION_RULE, property: fieldText([property, resource], 'kubelet') };
    if (!RESERVABLE.includes(resource)) {
      return [{ ...at, message: `"${resource}" cannot be reserved`, accepted: RESERVABLE.join(', '), fix: 'reserve one of these resources' }];
    }
    const fault = checkQuantity(quantity, { positive: true, whole: resource !== 'cpu' });
    return fault ? [{ ...at, message: fault, fix: 'write a quantity above 0, such as "200m" of cpu or "512Mi" of memory' }] : [];
  });
}

const POOL_RESERVATION_TOO_LARGE_RULE: Rule = {
  id: 'TC-POOL-RESERVATION-TOO-LARGE',
  title: 'Reservations and the hard memory threshold must be less than the machine has.',
  source: 'kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources',
};

function checkRemainder(options: KubeletOptions, capacity: MachineCapacity): Problem[] {
  const left = allocatableOf(options, capacity);
  const { systemReserved = {}, kubeReserved = {} } = reservationsOf(options, capacity);
  const sum = (resource: string): string => `${systemReserved[resource] ?? '0'} for the system and ${kubeReserved[resource] ?? '0'} for Kubernetes`;
  const problems: Problem[] = [];
  if (left.memoryMebibytes <= 0) {
    problems.push({
      rule: POOL_RESERVATION_TOO_LARGE_RULE,
      property: 'kubelet',
      message: `${sum('memory')}, and the hard threshold ${hardThresholds(options)['memory.available'] ?? '0'}, `
        + `leave nothing of ${wholeMebibytes(capacity.memory)}Mi memory for pods`,
      fix: 'give the machine more memory, or reserve less in kubelet.systemReserved and kubelet.kubeReserved',
    });
  }
  if (left.cpuMillis <= 0) {
    problems.push({
      rule: POOL_RESERVATION_TOO_LARGE_RULE,
      property: 'kubelet',
      message: `${sum('cpu')} leave nothing of ${capacity.cpu} CPUs for pods`,
      fix: 'give the machine more CPUs, or reserve less in kubelet.systemReserved and kubelet.kubeReserved',
    });
  }
  return problems;
}

/** 5 % of the machine, within bounds, as Cozystack reserves it (packages/apps/kubernetes/templates/cluster.yaml). */
function fivePercent(capacity: MachineCapacity): { readonly cpu: string; readonly memory: string } {
  const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(Math.floor(value), least), most);
  return {
    cpu: `${clamp(capacity.cpu * 1000 * 0.05, 50, 500)}m`,
    memory: `${clamp(wholeMebibytes(capacity.memory) * 0.05, 256, 1024)}Mi`,
  };
}

function thresholdAmount(text: string | undefined, whole: bigint): bigint {
  const share = text === undefined ? undefined : percentageOf(text);
  // Thousandths of a percent keep the arithmetic in whole numbers.
  return share === undefined ? amount(text) : (whole * BigInt(Math.round(Math.min(share, 100) * 1000))) / 100_000n;
}

function amount(quantity: string | undefined): bigint {
  return quantity === undefined ? 0n : parseQuantity(quantity) ?? 0n;
}

function bytes(size: Size): bigint {
  return BigInt(wholeMebibytes(size)) * MEBIBYTE * NANO;
}

function wholeMebibytes(size: Size): number {
  return Math.floor(size.toMebibytes({ rounding: SizeRoundingBehavior.NONE }));
}

function mebibytes(amountInNanos: bigint): number {
  const unit = MEBIBYTE * NANO;
  return Number(amountInNanos < 0n ? -((-amountInNanos + unit - 1n) / unit) : amountInNanos / unit);
}
