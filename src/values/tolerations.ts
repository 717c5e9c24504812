import { Finding } from './finding';
import { checkLabels } from './labels';
import { TaintEffect } from './taints';

/** How a toleration compares a taint. */
export enum TolerationOperator {
  /** Key and value are the taint's. */
  EQUAL = 'Equal',

  /** The key is the taint's, with any value. */
  EXISTS = 'Exists',
}

/** A taint that pods put up with. */
export interface Toleration {
  /**
   * Key of the taint.
   *
   * @default - every key, with `TolerationOperator.EXISTS`
   */
  readonly key?: string;

  /**
   * How the taint is compared.
   *
   * @default TolerationOperator.EQUAL
   */
  readonly operator?: TolerationOperator;

  /**
   * Value of the taint; not with `TolerationOperator.EXISTS`.
   *
   * @default - no value
   */
  readonly value?: string;

  /**
   * Effect of the taint.
   *
   * @default - every effect
   */
  readonly effect?: TaintEffect;

  /**
   * How many seconds a pod stays after the taint has appeared; only with `TaintEffect.NO_EXECUTE`.
   *
   * @default - for ever
   */
  readonly tolerationSeconds?: number;
}

/**
 * Checks tolerations as the API server does for pods.
 *
 * Source: k8s.io/kubernetes pkg/apis/core/validation (`ValidateTolerations`).
 */
export function checkTolerations(tolerations: readonly Toleration[]): Finding[] {
  return tolerations.flatMap((toleration, index) => faultsOf(toleration).map(([message, fix]) => ({ path: [index], message, fix })));
}

function faultsOf({ key, operator, value, effect, tolerationSeconds }: Toleration): [message: string, fix: string][] {
  const faults: [string, string][] = [];
  const exists = operator === TolerationOperator.EXISTS;
  if (!key && !exists) {
    faults.push(['it has no key', 'give the key of the taint, or TolerationOperator.EXISTS to tolerate every taint']);
  }
  if (exists && value) {
    faults.push([`Exists goes with every value, and the value "${value}" is given`, 'leave out the value, or use TolerationOperator.EQUAL']);
  }
  if (tolerationSeconds !== undefined && effect !== TaintEffect.NO_EXECUTE) {
    faults.push([`${tolerationSeconds} seconds are given for the effect ${effect ?? 'of any kind'}`, 'leave out tolerationSeconds, or give TaintEffect.NO_EXECUTE']);
  }
  if (tolerationSeconds !== undefined && !Number.isSafeInteger(tolerationSeconds)) {
    faults.push([`${tolerationSeconds} is not a number of seconds`, 'write whole seconds']);
  }
  for (const { message } of checkLabels({ [key || 'any']: value ?? '' })) faults.push([message, 'write key and value as the taint has them']);
  return faults;
}
