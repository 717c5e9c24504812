import { Size, SizeRoundingBehavior } from 'cdk8s';
import { evictionFields, percentageOf } from './eviction';
import { KubeletOptions } from './kubelet';
import { POOL_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';
import { checkQuantity, NANO, parseQuantity } from '../../../manifests/values/quantity';
import { MachineCapacity } from '../machine-capacity';

const RESERVABLE = ['cpu', 'memory', 'ephemeral-storage', 'pid'];
const MEBIBYTE = 1024n * 1024n;

/** What one node offers to pods, after reservations and the hard memory threshold. */
export interface Allocatable {
  /** Thousandths of a CPU. */
  readonly cpuMillis: number;
  /** Memory in Mi. */
  readonly memoryMebibytes: number;
  /** Ephemeral storage in Mi; undefined where the size of the disk is unknown. */
  readonly ephemeralStorageMebibytes?: number;
}

/** The reservation fields of a kubelet's configuration. */
export interface Reservations {
  readonly systemReserved?: { readonly [resource: string]: string };
  readonly kubeReserved?: { readonly [resource: string]: string };
}

/** What is kept from pods, by the options or from the machine's size. */
export function reservationsOf(options: KubeletOptions, capacity: MachineCapacity | undefined): Reservations {
  const share = capacity ? fivePercent(capacity) : undefined;
  const systemReserved = share || options.systemReserved ? { ...share, ...options.systemReserved } : undefined;
  const kubeReserved = share || options.kubeReserved ? { ...share, ...options.kubeReserved } : undefined;
  return { ...(systemReserved && { systemReserved }), ...(kubeReserved && { kubeReserved }) };
}

/** What is left for pods. Call it for valid options only. */
export function allocatableOf(options: KubeletOptions, capacity: MachineCapacity): Allocatable {
  const { systemReserved = {}, kubeReserved = {} } = reservationsOf(options, capacity);
  const { evictionHard } = evictionFields(options);
  const reserved = (resource: string): bigint => amount(systemReserved[resource]) + amount(kubeReserved[resource]);
  const memory = bytes(capacity.memory);
  const cpu = BigInt(Math.round(capacity.cpu * 1000)) * (NANO / 1000n);
  const left = {
    cpuMillis: Number((cpu - reserved('cpu')) / (NANO / 1000n)),
    memoryMebibytes: mebibytes(memory - reserved('memory') - threshold(evictionHard['memory.available'], memory)),
  };
  if (!capacity.ephemeralStorage) return left;
  const disk = bytes(capacity.ephemeralStorage);
  return {
    ...left,
    ephemeralStorageMebibytes: mebibytes(disk - reserved('ephemeral-storage') - threshold(evictionHard['nodefs.available'], disk)),
  };
}

/** Checks the reservations of a pool against the grammar and, where its eviction thresholds are valid, against its machines. */
export function checkReservations(options: KubeletOptions, capacity: MachineCapacity | undefined): Problem[] {
  const grammar = [
    ...checkReserved('systemReserved', options.systemReserved ?? {}),
    ...checkReserved('kubeReserved', options.kubeReserved ?? {}),
  ];
  return grammar.length > 0 || !capacity ? grammar : checkRemainder(options, capacity);
}

function checkReserved(property: string, reserved: { readonly [resource: string]: string }): Problem[] {
  return Object.entries(reserved).flatMap(([resource, quantity]): Problem[] => {
    const at = { rule: POOL_RULES.reservation, property: `kubelet.${property}["${resource}"]` };
    if (!RESERVABLE.includes(resource)) {
      return [{ ...at, message: `"${resource}" cannot be reserved`, accepted: RESERVABLE.join(', '), fix: 'reserve one of these resources' }];
    }
    const fault = checkQuantity(quantity, { positive: true, whole: resource !== 'cpu' });
    return fault ? [{ ...at, message: fault, fix: 'write a quantity above 0, such as "200m" of cpu or "512Mi" of memory' }] : [];
  });
}

function checkRemainder(options: KubeletOptions, capacity: MachineCapacity): Problem[] {
  const left = allocatableOf(options, capacity);
  const { systemReserved = {}, kubeReserved = {} } = reservationsOf(options, capacity);
  const sum = (resource: string): string => `${systemReserved[resource] ?? '0'} for the system and ${kubeReserved[resource] ?? '0'} for Kubernetes`;
  const problems: Problem[] = [];
  if (left.memoryMebibytes <= 0) {
    problems.push({
      rule: POOL_RULES.reservationTooLarge,
      property: 'kubelet',
      message: `${sum('memory')}, and the hard threshold ${evictionFields(options).evictionHard['memory.available']}, `
        + `leave nothing of ${wholeMebibytes(capacity.memory)}Mi memory for pods`,
      fix: 'give the machine more memory, or reserve less in kubelet.systemReserved and kubelet.kubeReserved',
    });
  }
  if (left.cpuMillis <= 0) {
    problems.push({
      rule: POOL_RULES.reservationTooLarge,
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

function threshold(text: string | undefined, whole: bigint): bigint {
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
