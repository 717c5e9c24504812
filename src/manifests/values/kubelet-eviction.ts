import { Fields, fieldAt, isFields, stringAt } from './fields';
import { Finding } from './finding';
import { parseGoDuration } from './go-duration';
import { nearestName } from './nearest-name';
import { checkQuantity, parseQuantity } from './quantity';

/** Signals of the kubelet (kubernetes/kubernetes v1.37.2 pkg/kubelet/eviction/helpers.go:84-108). */
const EVICTION_SIGNALS: readonly string[] = [
  'allocatableMemory.available', 'containerfs.available', 'containerfs.inodesFree', 'imagefs.available', 'imagefs.inodesFree',
  'memory.available', 'nodefs.available', 'nodefs.inodesFree', 'pid.available',
];

const THRESHOLDS: readonly string[] = ['evictionHard', 'evictionSoft', 'evictionMinimumReclaim'];
const PERCENTAGE = /^([+-]?\d+(?:\.\d*)?)%$/;

/** Checks the eviction thresholds of a KubeletConfiguration as the kubelet does when it starts (pkg/kubelet/eviction/helpers.go:128-168). */
export function checkEvictionSettings(configuration: Fields): Finding[] {
  const grace = configuration.evictionSoftGracePeriod;
  return [
    ...[...THRESHOLDS, 'evictionSoftGracePeriod'].flatMap((field) => signalsAt(configuration, field)
      .filter((signal) => !EVICTION_SIGNALS.includes(signal)).map((signal) => unknownSignal(field, signal))),
    ...THRESHOLDS.flatMap((field) => signalsAt(configuration, field).flatMap((signal): Finding[] => {
      const value = fieldAt(configuration, field, signal);
      const fault = typeof value === 'string' ? thresholdFault(value, field) : undefined;
      return fault === undefined ? [] : [{ path: [field, signal], message: `the kubelet does not start with ${fault}`, fix: 'write a quantity such as "500Mi" or a percentage such as "10%"' }];
    })),
    ...signalsAt(configuration, 'evictionSoftGracePeriod').filter((signal) => isWrongPeriod(fieldAt(grace, signal))).map((signal) => ({
      path: ['evictionSoftGracePeriod', signal], message: `the kubelet does not start with ${JSON.stringify(fieldAt(grace, signal))}`, fix: 'write a duration such as "1m30s"',
    })),
    ...signalsAt(configuration, 'evictionSoft').filter((signal) => stringAt(grace, signal) === undefined).map((signal) => ({
      path: ['evictionSoft', signal], message: 'a soft threshold needs a grace period: the kubelet does not start without it', fix: `write evictionSoftGracePeriod with ${signal}`,
    })),
    ...signalsAt(configuration, 'evictionSoft').flatMap((signal) => checkOrder(signal, configuration)),
  ];
}

function unknownSignal(field: string, signal: string): Finding {
  const near = nearestName(signal, EVICTION_SIGNALS);
  return {
    path: [field, signal],
    message: `${JSON.stringify(signal)} is not a signal of the kubelet, which does not start with it`,
    accepted: EVICTION_SIGNALS.join(', '),
    fix: near === undefined ? 'name one of these signals' : `did you mean ${near}?`,
  };
}

function thresholdFault(value: string, field: string): string | undefined {
  if (value.endsWith('%')) {
    const share = Number(PERCENTAGE.exec(value)?.[1] ?? NaN);
    return share >= 0 && share <= 100 ? undefined : `${JSON.stringify(value)}: a percentage is between 0% and 100%`;
  }
  const fault = checkQuantity(value);
  if (fault !== undefined) return fault;
  const amount = parseQuantity(value)!;
  // The least that is reclaimed may be nothing.
  return amount > 0n || (amount === 0n && field === 'evictionMinimumReclaim') ? undefined : `${JSON.stringify(value)}: a threshold is above 0`;
}

function isWrongPeriod(value: unknown): boolean {
  const period = typeof value === 'string' ? parseGoDuration(value) : undefined;
  return typeof value === 'string' && (period === undefined || period < 0n);
}

function checkOrder(signal: string, configuration: Fields): Finding[] {
  const [soft, hard] = ['evictionSoft', 'evictionHard'].map((field) => stringAt(configuration, field, signal));
  if (soft === undefined || hard === undefined || !isBelow(soft, hard)) return [];
  return [{
    path: ['evictionSoft', signal],
    message: `the soft threshold ${soft} is passed after the hard one ${hard}, so that it never applies`,
    fix: `raise it above ${hard}, or lower evictionHard`,
  }];
}

/** True if a soft threshold is not above the hard one; false where the two cannot be compared. */
function isBelow(soft: string, hard: string): boolean {
  const [softShare, hardShare] = [soft, hard].map((text) => PERCENTAGE.exec(text)?.[1]);
  if (softShare !== undefined && hardShare !== undefined) return Number(softShare) <= Number(hardShare);
  if (softShare !== undefined || hardShare !== undefined) return false;
  const [softAmount, hardAmount] = [soft, hard].map((text) => parseQuantity(text));
  return softAmount !== undefined && hardAmount !== undefined && softAmount <= hardAmount;
}

function signalsAt(configuration: Fields, field: string): string[] {
  const map = configuration[field];
  return isFields(map) ? Object.keys(map) : [];
}

/** Resources that can be reserved (cmd/kubelet/app/server.go, parseResourceList). */
const RESERVABLE: readonly string[] = ['cpu', 'memory', 'ephemeral-storage', 'pid'];

/** Checks what a KubeletConfiguration reserves of a node, as the kubelet does when it starts. */
export function checkReservedResources(configuration: Fields): Finding[] {
  return ['systemReserved', 'kubeReserved'].flatMap((field) => signalsAt(configuration, field).flatMap((resource): Finding[] => {
    const path = [field, resource];
    if (!RESERVABLE.includes(resource)) {
      const near = nearestName(resource, RESERVABLE);
      return [{
        path,
        message: `${JSON.stringify(resource)} cannot be reserved, and the kubelet does not start with it`,
        accepted: RESERVABLE.join(', '),
        fix: near === undefined ? 'reserve one of these resources' : `did you mean ${near}?`,
      }];
    }
    const value = fieldAt(configuration, ...path);
    const fault = typeof value !== 'string' ? undefined : checkQuantity(value) ?? (parseQuantity(value)! < 0n ? `${JSON.stringify(value)} is below 0` : undefined);
    return fault === undefined ? [] : [{ path, message: `the kubelet does not start with it: ${fault}`, fix: 'write a quantity, such as "200m" of cpu or "512Mi" of memory' }];
  }));
}
