import { KubeletOptions } from './kubelet';
import { POOL_RULES } from './rules';
import { checkDuration, durationText } from './timeouts';
import { Problem } from '../../../manifests/values/problem';
import { checkQuantity, compareQuantities } from '../../../manifests/values/quantity';

/**
 * The kubelet's own hard thresholds, with 7 % in place of its 100Mi of memory, which is too little for a large node.
 *
 * Sources: kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction,
 * cozystack/cozystack packages/apps/kubernetes/templates/talos.
 */
const DEFAULT_HARD: { readonly [signal: string]: string } = {
  'imagefs.available': '15%',
  'imagefs.inodesFree': '5%',
  'memory.available': '7%',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
};

const SIGNALS = [
  'containerfs.available', 'containerfs.inodesFree', 'imagefs.available', 'imagefs.inodesFree',
  'memory.available', 'nodefs.available', 'nodefs.inodesFree', 'pid.available',
];

const PERCENTAGE = /^(\d+(?:\.\d+)?)%$/;

/** The eviction fields of a kubelet's configuration. */
export interface EvictionFields {
  /** Hard thresholds by signal; complete, since the kubelet forgets its own when given any. */
  readonly evictionHard: { readonly [signal: string]: string };
  /** Soft thresholds by signal. */
  readonly evictionSoft?: { readonly [signal: string]: string };
  /** Grace period of each soft threshold. */
  readonly evictionSoftGracePeriod?: { readonly [signal: string]: string };
}

/** The eviction fields that the options ask for. */
export function evictionFields(options: KubeletOptions): EvictionFields {
  const evictionHard = { ...DEFAULT_HARD, ...options.evictionHard };
  const soft = Object.entries(options.evictionSoft ?? {});
  if (soft.length === 0) return { evictionHard };
  return {
    evictionHard,
    evictionSoft: Object.fromEntries(soft.map(([signal, { threshold }]) => [signal, threshold])),
    evictionSoftGracePeriod: Object.fromEntries(soft.map(([signal, { gracePeriod }]) => [signal, durationText(gracePeriod)])),
  };
}

/** The percentage of a threshold; undefined if the threshold is a quantity. */
export function percentageOf(threshold: string): number | undefined {
  const match = PERCENTAGE.exec(threshold);
  return match ? Number(match[1]) : undefined;
}

/** Checks the eviction thresholds of a pool. */
export function checkEviction(options: KubeletOptions): Problem[] {
  const fields = evictionFields(options);
  return [
    ...Object.entries(options.evictionHard ?? {}).flatMap(([signal, threshold]) => checkThreshold('evictionHard', signal, threshold)),
    ...Object.entries(options.evictionSoft ?? {}).flatMap(([signal, { threshold }]) => checkThreshold('evictionSoft', signal, threshold)),
    ...Object.entries(options.evictionSoft ?? {}).flatMap(([signal, { gracePeriod }]) => checkDuration(`kubelet.evictionSoft["${signal}"].gracePeriod`, gracePeriod)),
    ...Object.entries(options.evictionSoft ?? {}).flatMap(([signal, { threshold }]) => checkOrder(signal, threshold, fields.evictionHard[signal])),
  ];
}

function checkThreshold(property: string, signal: string, threshold: string): Problem[] {
  const at = { rule: POOL_RULES.evictionThreshold, property: `kubelet.${property}["${signal}"]` };
  if (!SIGNALS.includes(signal)) {
    return [{ ...at, message: `"${signal}" is not a signal of the kubelet`, accepted: SIGNALS.join(', '), fix: 'name one of these signals' }];
  }
  const percentage = percentageOf(threshold);
  if (percentage !== undefined) {
    return percentage > 0 && percentage < 100
      ? []
      : [{ ...at, message: `${threshold} is not a usable share`, accepted: 'percentages above 0% and below 100%', fix: 'choose a share between' }];
  }
  const fault = checkQuantity(threshold, { positive: true });
  return fault ? [{ ...at, message: fault, fix: 'write a quantity such as "500Mi" or a percentage such as "10%"' }] : [];
}

function checkOrder(signal: string, soft: string, hard: string | undefined): Problem[] {
  if (hard === undefined || !isBelow(soft, hard)) return [];
  return [{
    rule: POOL_RULES.evictionOrder,
    property: `kubelet.evictionSoft["${signal}"]`,
    message: `the soft threshold ${soft} is passed after the hard one ${hard}, so it never applies`,
    accepted: `soft thresholds above ${hard}`,
    fix: `raise the soft threshold above ${hard} or lower kubelet.evictionHard["${signal}"]`,
  }];
}

/** True if the soft threshold is not above the hard one; false where the two cannot be compared. */
function isBelow(soft: string, hard: string): boolean {
  const [softShare, hardShare] = [percentageOf(soft), percentageOf(hard)];
  if (softShare !== undefined && hardShare !== undefined) return softShare <= hardShare;
  if (softShare !== undefined || hardShare !== undefined) return false;
  if (checkQuantity(soft) || checkQuantity(hard)) return false;
  return compareQuantities(soft, hard) <= 0;
}
