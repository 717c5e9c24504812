import { fieldAt, isSet, stringAt } from './fields';
import { Finding, findingsAt, findingsOf } from './finding';
import { checkLabelKey, checkLabelValue, checkQualifiedName } from './labels';

/** Effect of a taint on pods that do not tolerate it. */
export enum TaintEffect {
  /** New pods are not scheduled to the node. */
  NO_SCHEDULE = 'NoSchedule',

  /** New pods are scheduled to the node only if nothing else fits. */
  PREFER_NO_SCHEDULE = 'PreferNoSchedule',

  /** New pods are not scheduled to the node, running ones are evicted. */
  NO_EXECUTE = 'NoExecute',
}

/** A mark on a node that keeps pods away which do not tolerate it. */
export interface Taint {
  /** Qualified name, e.g. `nvidia.com/gpu`; at most 63 characters behind an optional DNS name and `/`. */
  readonly key: string;

  /**
   * Value that a toleration may ask for: up to 63 letters, digits, `-`, `_` and `.`.
   *
   * @default - no value
   */
  readonly value?: string;

  /** Effect of the taint on pods that do not tolerate it. */
  readonly effect: TaintEffect;
}

/** Options of a check of taints. */
export interface CheckTaintsOptions {
  /**
   * True if the nodes are workers, which may not claim to be control planes.
   *
   * @default true
   */
  readonly workers?: boolean;

  /**
   * True if keys are accepted that controllers use.
   *
   * @default false
   */
  readonly anyOwner?: boolean;
}

const EFFECTS: readonly string[] = Object.values(TaintEffect);
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/**
 * Checks the taints that a node registers with (`nodeRegistration.taints` of kubeadm, kubelet `registerWithTaints`).
 *
 * Sources: `k8s.io/kubernetes` `pkg/util/taints` (grammar), Cluster API `internal/util/taints` `ValidateMachineTaints`
 * (keys that controllers use).
 *
 * @returns one finding for every problem, in the order of the list
 */
export function checkTaints(taints: readonly Taint[], options: CheckTaintsOptions = {}): Finding[] {
  const firstAt = new Map<string, number>();
  return taints.flatMap((taint, index) => {
    const identity = `${taint.key}:${taint.effect}`;
    const first = firstAt.get(identity);
    if (first === undefined) {
      firstAt.set(identity, index);
    }
    return findingsOf([index], [
      checkQualifiedName(taint.key),
      options.anyOwner ? undefined : checkTaintOwner(taint.key, options.workers ?? true),
      taint.value === undefined ? undefined : checkLabelValue(taint.value),
      EFFECTS.includes(taint.effect) ? undefined : `"${taint.effect}" is not an effect; accepted are ${EFFECTS.join(', ')}`,
      first === undefined ? undefined : `"${identity}" is there twice, first at position ${first}; accepted is one taint for each key and effect`,
    ], 'correct or remove the taint');
  });
}

/**
 * A taint as kubelet's `--register-with-taints` and the cluster autoscaler's annotation write it: `key=value:Effect`, `key:Effect`.
 */
export function formatTaint(taint: Taint): string {
  return taint.value === undefined ? `${taint.key}:${taint.effect}` : `${taint.key}=${taint.value}:${taint.effect}`;
}

/**
 * Checks that no controller uses the key of a taint.
 *
 * @param key the key
 * @param workers whether the nodes are workers, which may not claim to be control planes
 * @returns whose it is, or undefined
 */
export function checkTaintOwner(key: string, workers: boolean): string | undefined {
  const owner = ownerOf(key, workers);
  return owner && `"${key}" belongs to ${owner}; accepted is a key of your own, such as "example.com/dedicated"`;
}

function ownerOf(key: string, workers: boolean): string | undefined {
  if (key.startsWith('node.kubernetes.io/') && key !== OUT_OF_SERVICE) {
    return 'the node controllers of Kubernetes';
  }
  if (key.startsWith('node.cloudprovider.kubernetes.io/')) {
    return 'the cloud controller manager';
  }
  if (key === 'node.cluster.x-k8s.io/uninitialized' || key === 'node.cluster.x-k8s.io/outdated-revision') {
    return 'Cluster API';
  }
  if (key === 'node-role.kubernetes.io/master') {
    return 'Kubernetes before 1.25, and nothing tolerates it any more';
  }
  return workers && key === 'node-role.kubernetes.io/control-plane' ? 'control plane nodes' : undefined;
}

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
      message: `${JSON.stringify(fieldAt(toleration, 'tolerationSeconds'))} seconds require the effect NoExecute, and it is ${effect ?? 'unset'}`,
      accepted: TaintEffect.NO_EXECUTE,
      fix: 'use the effect NoExecute, or remove tolerationSeconds',
    }] : []),
  ];
}
