import { fieldAt, isSet, stringAt } from './fields';
import { Finding, findingsAt, findingsOf } from './finding';
import { checkLabelKey, checkLabelValue } from './labels';
import { TaintEffect } from './taints';

/** Comparison of a toleration with a taint. */
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
   * Comparison with the taint.
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
   * Number of seconds that a pod stays after the taint has appeared; only with `TaintEffect.NO_EXECUTE`.
   *
   * @default - for ever
   */
  readonly tolerationSeconds?: number;
}

/** Checks tolerations that a user gives. */
export function checkTolerations(tolerations: readonly Toleration[]): Finding[] {
  return tolerations.flatMap((toleration, index) => findingsAt([index], [
    ...checkToleration(toleration),
    ...(toleration.tolerationSeconds === undefined || Number.isSafeInteger(toleration.tolerationSeconds) ? []
      : [{ path: ['tolerationSeconds'], message: `${toleration.tolerationSeconds} is not a number of seconds`, fix: 'write whole seconds' }]),
  ]));
}

/**
 * Checks a toleration as the API server does for pods. That seconds are whole is left to the schema.
 *
 * Source: k8s.io/kubernetes pkg/apis/core/validation (`ValidateTolerations`).
 */
export function checkToleration(toleration: unknown): Finding[] {
  const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((field) => stringAt(toleration, field));
  const isEqual = operator === undefined || operator === TolerationOperator.EQUAL;
  const isExists = operator === TolerationOperator.EXISTS;
  return [
    ...findingsOf(['key'], [key === undefined ? undefined : checkLabelKey(key)], 'write the key of the taint'),
    ...(key === undefined && !isExists ? [{
      path: ['operator'], message: 'there is no key', accepted: TolerationOperator.EXISTS, fix: 'set the key, or the operator Exists to tolerate every taint',
    }] : []),
    ...findingsOf(['value'], [isExists && value !== undefined ? `the operator Exists takes no value, and ${JSON.stringify(value)} is given` : undefined],
      'remove it, or use the operator Equal'),
    ...findingsOf(['value'], [isEqual && value !== undefined ? checkLabelValue(value) : undefined], 'write the value of the taint'),
    ...(operator === 'Gt' || operator === 'Lt' ? [{
      path: ['operator'], message: `${operator} needs a feature gate that is off`, accepted: Object.values(TolerationOperator).join(', '), fix: 'use another operator',
    }] : []),
    ...(isSet(toleration, 'tolerationSeconds') && effect !== TaintEffect.NO_EXECUTE ? [{
      path: ['effect'],
      message: `${String(fieldAt(toleration, 'tolerationSeconds'))} seconds require the effect NoExecute, and it is ${effect ?? 'unset'}`,
      accepted: TaintEffect.NO_EXECUTE,
      fix: 'use the effect NoExecute, or remove tolerationSeconds',
    }] : []),
  ];
}
