import type { k8s } from 'cdk8s-plus-28';
import { KamajiProbes, probesSpec } from './probes';
import { checkVolumes, KamajiVolume } from './volumes';
import {
  IntOrString, KamajiControlPlaneSpecDeployment as DeploymentSpec, KamajiControlPlaneSpecDeploymentAffinity as AffinitySpec,
  KamajiControlPlaneSpecDeploymentExtraVolumes as VolumeSpec, KamajiControlPlaneSpecDeploymentStrategy as StrategySpec,
} from '../../../../imports/controlplane.cluster.x-k8s.io';
import { isCount } from '../../../manifests/values/counts';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Finding } from '../../../manifests/values/finding';
import { checkAnnotations, checkLabels, checkQualifiedName } from '../../../manifests/values/labels';
import { Problem, problemIf, problemsOf, Rule } from '../../../manifests/values/problem';
import { checkTolerations, Toleration } from '../../../manifests/values/taints';

/** Numbers of a rolling update. */
export interface KamajiRollingUpdateOptions {
  /**
   * Number of pods that may run beyond the desired number.
   *
   * @default 1
   */
  readonly maxSurge?: number;

  /**
   * Number of the desired pods that may be missing.
   *
   * @default 0
   */
  readonly maxUnavailable?: number;
}

/**
 * Replacement of the pods of the control plane.
 *
 * @example
 * new KamajiControlPlane({ deployment: { strategy: KamajiUpdateStrategy.rollingUpdate({ maxSurge: 1, maxUnavailable: 0 }) } });
 */
export class KamajiUpdateStrategy {
  /**
   * A full set of new pods comes up before the old ones go, so that clients do not meet two versions in turn. It needs room for twice
   * the pods. This is what Kamaji does by itself (clastix/kamaji internal/builders/controlplane/deployment.go).
   */
  public static blueGreen(): KamajiUpdateStrategy {
    return new KamajiUpdateStrategy({ maxSurge: '100%', maxUnavailable: 0 });
  }

  /**
   * A few pods at a time, for management clusters without room for a second set.
   *
   * @param options how many at a time; not both 0 (`TC-KAMAJI-DEPLOYMENT`)
   */
  public static rollingUpdate(options: KamajiRollingUpdateOptions = {}): KamajiUpdateStrategy {
    return new KamajiUpdateStrategy({ maxSurge: options.maxSurge ?? 1, maxUnavailable: options.maxUnavailable ?? 0 });
  }

  /** All old pods go before the new ones come. The API server is away in between. */
  public static recreate(): KamajiUpdateStrategy {
    return new KamajiUpdateStrategy(undefined);
  }

  /** @internal */
  public readonly _rolling?: { readonly maxSurge: number | string; readonly maxUnavailable: number };

  private constructor(rolling: { readonly maxSurge: number | string; readonly maxUnavailable: number } | undefined) {
    this._rolling = rolling;
  }
}

/** Placement and settings of the pods of the control plane in the management cluster. */
export interface KamajiDeployment {
  /**
   * Labels that a node must have (`TC-KAMAJI-METADATA`).
   *
   * @default - none
   */
  readonly nodeSelector?: { [key: string]: string };

  /**
   * Taints that the pods tolerate (`TC-KAMAJI-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Rules about nodes and neighbours beyond `nodeSelector`.
   *
   * @default - none
   */
  readonly affinity?: k8s.Affinity;

  /**
   * Spread of the pods. Kamaji selects the control plane's own pods where a constraint has no selector.
   *
   * Rule: `TC-KAMAJI-DEPLOYMENT`.
   *
   * @default - over host names if possible: maxSkew 1, whenUnsatisfiable ScheduleAnyway. Kamaji spreads them by no rule of its own
   */
  readonly topologySpreadConstraints?: k8s.TopologySpreadConstraint[];

  /**
   * Name of the RuntimeClass (`TC-KAMAJI-DEPLOYMENT`).
   *
   * @default - the management cluster's default
   */
  readonly runtimeClassName?: string;

  /**
   * Name of the ServiceAccount in the tenant cluster's namespace (`TC-KAMAJI-DEPLOYMENT`).
   *
   * @default - `default`
   */
  readonly serviceAccountName?: string;

  /**
   * Replacement of pods.
   *
   * @default KamajiUpdateStrategy.blueGreen()
   */
  readonly strategy?: KamajiUpdateStrategy;

  /**
   * Further labels of the pods, not with the domain `kamaji.clastix.io` (`TC-KAMAJI-METADATA`).
   *
   * @default - none
   */
  readonly podLabels?: { [key: string]: string };

  /**
   * Further annotations of the pods (`TC-KAMAJI-METADATA`).
   *
   * @default - none
   */
  readonly podAnnotations?: { [key: string]: string };

  /**
   * Further volumes of the pods, for `extraVolumeMounts` of the components (`TC-TRAP-KAMAJI-VOLUME`).
   *
   * @default - none
   */
  readonly volumes?: KamajiVolume[];
}

/** Label by which Kamaji's Deployment and Service select the pods of a control plane. */
export const POD_LABEL = 'kamaji.clastix.io/name';

const OWN_LABEL = /(^|\.)kamaji\.clastix\.io\//;

/** `spec.deployment`. */
export function deploymentSpec(deployment: KamajiDeployment, name: string, probes: KamajiProbes, volumes: VolumeSpec[]): DeploymentSpec {
  const { podLabels, podAnnotations } = deployment;
  return {
    nodeSelector: deployment.nodeSelector,
    tolerations: deployment.tolerations,
    affinity: deployment.affinity as AffinitySpec | undefined,
    topologySpreadConstraints: deployment.topologySpreadConstraints ?? [{
      topologyKey: 'kubernetes.io/hostname',
      maxSkew: 1,
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { [POD_LABEL]: name } },
    }],
    runtimeClassName: deployment.runtimeClassName,
    serviceAccountName: deployment.serviceAccountName,
    strategy: strategySpec(deployment.strategy ?? KamajiUpdateStrategy.blueGreen()),
    podAdditionalMetadata: podLabels || podAnnotations ? { labels: podLabels, annotations: podAnnotations } : undefined,
    probes: probesSpec(probes),
    extraVolumes: [...(deployment.volumes ?? []).map((volume) => volume._spec), ...volumes],
  };
}

/** Property by field of `spec.deployment`. */
export function deploymentSources({ volumes = [] }: KamajiDeployment): { [field: string]: string } {
  return {
    'spec.deployment.probes.**': 'controlPlane.probes.**',
    'spec.deployment.topologySpreadConstraints.**': 'controlPlane.deployment.topologySpreadConstraints.**',
    'spec.deployment.strategy': 'controlPlane.deployment.strategy',
    // The library's own volumes come behind those of the user.
    'spec.deployment.extraVolumes': 'controlPlane.deployment.volumes',
    ...Object.fromEntries(volumes.map((_, index) => [`spec.deployment.extraVolumes[${index}]`, `controlPlane.deployment.volumes[${index}]`])),
  };
}

export const METADATA_RULE: Rule = {
  id: 'TC-KAMAJI-METADATA',
  title: 'Labels and annotations must have valid keys and values, and must not be labels that Kamaji sets.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go',
};

export const TOLERATION_RULE: Rule = {
  id: 'TC-KAMAJI-TOLERATION',
  title: 'A toleration must have a key unless it tolerates everything, and must not have a value or time that its operator or effect excludes.',
  source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateTolerations)',
};

const DEPLOYMENT_RULE: Rule = {
  id: 'TC-KAMAJI-DEPLOYMENT',
  title: 'The settings of the control plane\'s Deployment must be valid.',
  source: 'kubernetes/kubernetes pkg/apis/apps/validation/validation.go',
};

/** Checks placement and settings of the pods. */
export function checkDeployment(deployment: KamajiDeployment): Problem[] {
  const { podLabels = {} } = deployment;
  const property = 'controlPlane.deployment';
  return [
    ...problemsOf(METADATA_RULE, `${property}.nodeSelector`, checkLabels(deployment.nodeSelector ?? {})),
    ...problemsOf(METADATA_RULE, `${property}.podLabels`, [
      ...checkLabels(podLabels),
      ...Object.keys(podLabels).filter((key) => OWN_LABEL.test(key)).map((key) => ({
        path: [key], message: `the label "${key}" belongs to Kamaji, whose Service and Deployment find the pods by it`, fix: 'use a domain of your own',
      })),
    ]),
    ...problemsOf(METADATA_RULE, `${property}.podAnnotations`, checkAnnotations(deployment.podAnnotations ?? {})),
    ...checkName('runtimeClassName', deployment.runtimeClassName),
    ...checkName('serviceAccountName', deployment.serviceAccountName),
    ...problemsOf(TOLERATION_RULE, `${property}.tolerations`, checkTolerations(deployment.tolerations ?? [])),
    ...problemsOf(DEPLOYMENT_RULE, `${property}.topologySpreadConstraints`, checkTopologySpread(deployment.topologySpreadConstraints ?? [])),
    ...checkStrategy(deployment.strategy),
    ...checkVolumes(deployment.volumes ?? []),
  ];
}

function strategySpec({ _rolling: rolling }: KamajiUpdateStrategy): StrategySpec {
  return rolling ? {
    type: 'RollingUpdate',
    rollingUpdate: {
      maxSurge: typeof rolling.maxSurge === 'number' ? IntOrString.fromNumber(rolling.maxSurge) : IntOrString.fromString(rolling.maxSurge),
      maxUnavailable: IntOrString.fromNumber(rolling.maxUnavailable),
    },
  } : { type: 'Recreate' };
}

function checkName(name: string, value: string | undefined): Problem[] {
  return value === undefined ? [] : problemIf(DEPLOYMENT_RULE, `controlPlane.deployment.${name}`, checkDnsSubdomain(value), 'write the name of the object');
}

function checkStrategy(strategy: KamajiUpdateStrategy | undefined): Problem[] {
  const rolling = strategy?._rolling;
  if (!rolling) {
    return [];
  }
  const { maxSurge, maxUnavailable } = rolling;
  // The schema refuses fractions.
  if ([maxSurge, maxUnavailable].some((count) => typeof count === 'number' && !Number.isInteger(count))) return [];
  return (typeof maxSurge === 'string' || isCount(maxSurge)) && isCount(maxUnavailable) && !(maxSurge === 0 && maxUnavailable === 0) ? [] : [{
    rule: DEPLOYMENT_RULE,
    property: 'controlPlane.deployment.strategy',
    message: `pods cannot be replaced with maxSurge ${maxSurge} and maxUnavailable ${maxUnavailable}`,
    accepted: 'whole numbers from 0, not both 0',
    fix: 'set maxSurge to 1, or maxUnavailable where there is no room for another pod',
  }];
}

const ACTIONS: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway'];

/**
 * Checks topology spread constraints as the API server does for pods; the schema has the types and sizes of numbers.
 *
 * Source: kubernetes/kubernetes pkg/apis/core/validation/validation.go (`validateTopologySpreadConstraints`).
 */
function checkTopologySpread(constraints: readonly k8s.TopologySpreadConstraint[]): Finding[] {
  return constraints.flatMap((constraint, index) => {
    const { maxSkew, minDomains, topologyKey, whenUnsatisfiable } = constraint;
    const earlier = constraints.slice(0, index);
    const isRepeated = earlier.some((other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable);
    const keyFault = checkQualifiedName(topologyKey);
    const findings: Finding[] = [];
    const add = (field: readonly string[], message: string, fix: string) => findings.push({ path: [index, ...field], message, fix });
    if (!(maxSkew >= 1)) add(['maxSkew'], `${maxSkew} is not a difference between two numbers of pods`, 'write a whole number from 1');
    if (minDomains !== undefined && !(minDomains >= 1 && whenUnsatisfiable === 'DoNotSchedule')) {
      add(['minDomains'], `${minDomains} domains cannot be asked for`, 'write a whole number from 1, with whenUnsatisfiable "DoNotSchedule"');
    }
    if (keyFault !== undefined) add(['topologyKey'], keyFault, 'write a label of the nodes');
    if (!ACTIONS.includes(whenUnsatisfiable)) {
      add(['whenUnsatisfiable'], `"${whenUnsatisfiable}" is not an action`, `write ${ACTIONS.map((action) => `"${action}"`).join(' or ')}`);
    }
    if (isRepeated) add([], `"${topologyKey}" with "${whenUnsatisfiable}" is there twice`, 'join the two');
    return findings;
  });
}
