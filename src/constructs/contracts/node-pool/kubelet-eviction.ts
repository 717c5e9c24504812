import { Duration } from 'cdk8s';
import { checkDuration, durationText } from './timeouts';
import { Problem, Rule } from '../../../manifests/values/problem';
import { checkQuantity, compareQuantities } from '../../../manifests/values/quantity';

/** A soft eviction threshold: pods are evicted when it has been passed for a while. */
export interface SoftEvictionThreshold {
  /** Quantity such as `500Mi`, or percentage such as `10%`. */
  readonly threshold: string;

  /** Time that the threshold must be passed before pods are evicted. The kubelet refuses a soft threshold without it. */
  readonly gracePeriod: Duration;
}

/** Eviction thresholds of the kubelets of a pool: properties of `KubeletOptions`. */
interface EvictionOptions {
  readonly defaults?: boolean;
  readonly evictionHard?: { readonly [signal: string]: string };
  readonly evictionSoft?: { readonly [signal: string]: SoftEvictionThreshold };
}

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

/** The kubelet's own hard thresholds of what is allocatable (kubernetes/kubernetes pkg/kubelet/apis/config/v1beta1/defaults_linux.go). */
const KUBELETS_OWN_HARD: { readonly [signal: string]: string } = { 'memory.available': '100Mi', 'nodefs.available': '10%' };

const SIGNALS = [
  'containerfs.available', 'containerfs.inodesFree', 'imagefs.available', 'imagefs.inodesFree',
  'memory.available', 'nodefs.available', 'nodefs.inodesFree', 'pid.available',
];

const PERCENTAGE = /^(\d+(?:\.\d+)?)%$/;

/** The eviction fields of a kubelet's configuration. */
interface EvictionFields {
  /** Hard thresholds by signal; complete, since the kubelet forgets its own when given any. Undefined if these are to stay. */
  readonly evictionHard?: { readonly [signal: string]: string };
  /** Soft thresholds by signal. */
  readonly evictionSoft?: { readonly [signal: string]: string };
  /** Grace period of each soft threshold. */
  readonly evictionSoftGracePeriod?: { readonly [signal: string]: string };
}

/** The eviction fields of the options. */
export function evictionFields(options: EvictionOptions): EvictionFields {
  const evictionHard = options.defaults === false ? options.evictionHard : { ...DEFAULT_HARD, ...options.evictionHard };
  const soft = Object.entries(options.evictionSoft ?? {});
  const hard = evictionHard && { evictionHard };
  if (soft.length === 0) return { ...hard };
  return {
    ...hard,
    evictionSoft: Object.fromEntries(soft.map(([signal, { threshold }]) => [signal, threshold])),
    evictionSoftGracePeriod: Object.fromEntries(soft.map(([signal, { gracePeriod }]) => [signal, durationText(gracePeriod)])),
  };
}

/** The hard thresholds that a kubelet has with the options. */
export function hardThresholds(options: EvictionOptions): { readonly [signal: string]: string } {
  return evictionFields(options).evictionHard ?? KUBELETS_OWN_HARD;
}

/** The percentage of a threshold; undefined if the threshold is a quantity. */
export function percentageOf(threshold: string): number | undefined {
  const match = PERCENTAGE.exec(threshold);
  return match ? Number(match[1]) : undefined;
}

/** Checks the eviction thresholds of a pool. */
export function checkEviction(options: EvictionOptions): Problem[] {
  const hard = hardThresholds(options);
  return [
    ...Object.entries(options.evictionHard ?? {}).flatMap(([signal, threshold]) => checkThreshold('evictionHard', signal, threshold)),
    ...Object.entries(options.evictionSoft ?? {}).flatMap(([signal, { threshold }]) => checkThreshold('evictionSoft', signal, threshold)),
    ...Object.entries(options.evictionSoft ?? {}).flatMap(([signal, { gracePeriod }]) => checkDuration(`kubelet.evictionSoft["${signal}"].gracePeriod`, gracePeriod)),
    ...Object.entries(options.evictionSoft ?? {}).flatMap(([signal, { threshold }]) => checkOrder(signal, threshold, hard[signal])),
  ];
}

const POOL_EVICTION_THRESHOLD_RULE: Rule = {
  id: 'TC-POOL-EVICTION-THRESHOLD',
  title: 'Eviction thresholds must name a signal of the kubelet, with a quantity or a percentage between 0 and 100.',
  source: 'kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction',
};

function checkThreshold(property: string, signal: string, threshold: string): Problem[] {
  const at = { rule: POOL_EVICTION_THRESHOLD_RULE, property: `kubelet.${property}["${signal}"]` };
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

const POOL_EVICTION_ORDER_RULE: Rule = {
  id: 'TC-POOL-EVICTION-ORDER',
  title: 'A soft eviction threshold must be above the hard one.',
  source: 'kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction',
};

function checkOrder(signal: string, soft: string, hard: string | undefined): Problem[] {
  if (hard === undefined || !isBelow(soft, hard)) return [];
  return [{
    rule: POOL_EVICTION_ORDER_RULE,
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
