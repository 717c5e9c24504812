import { KamajiDeployment, KamajiUpdateStrategy } from './deployment';
import { probesSpec, KamajiProbes } from './probes';
import { KAMAJI_RULES } from './rules';
import { checkVolumes } from './volumes';
import {
  IntOrString, KamajiControlPlaneSpecDeployment as DeploymentSpec, KamajiControlPlaneSpecDeploymentAffinity as AffinitySpec,
  KamajiControlPlaneSpecDeploymentExtraVolumes as VolumeSpec, KamajiControlPlaneSpecDeploymentStrategy as StrategySpec,
} from '../../../../imports/controlplane.cluster.x-k8s.io';
import { isCount } from '../../../manifests/values/counts';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { checkAnnotations, checkLabels } from '../../../manifests/values/labels';
import { Problem, problemIf, problemsOf } from '../../../manifests/values/problem';
import { checkTolerations } from '../../../manifests/values/tolerations';
import { checkTopologySpread } from '../../addons/controllers/topology-spread';

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

/** Which property each field of `spec.deployment` came from. */
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

/** Checks where and how the pods run. */
export function checkDeployment(deployment: KamajiDeployment): Problem[] {
  const { podLabels = {} } = deployment;
  const property = 'controlPlane.deployment';
  return [
    ...problemsOf(KAMAJI_RULES.metadata, `${property}.nodeSelector`, checkLabels(deployment.nodeSelector ?? {})),
    ...problemsOf(KAMAJI_RULES.metadata, `${property}.podLabels`, [
      ...checkLabels(podLabels),
      ...Object.keys(podLabels).filter((key) => OWN_LABEL.test(key)).map((key) => ({
        path: [key], message: `the label "${key}" belongs to Kamaji, whose Service and Deployment find the pods by it`, fix: 'use a domain of your own',
      })),
    ]),
    ...problemsOf(KAMAJI_RULES.metadata, `${property}.podAnnotations`, checkAnnotations(deployment.podAnnotations ?? {})),
    ...checkName('runtimeClassName', deployment.runtimeClassName),
    ...checkName('serviceAccountName', deployment.serviceAccountName),
    ...problemsOf(KAMAJI_RULES.toleration, `${property}.tolerations`, checkTolerations(deployment.tolerations ?? [])),
    ...problemsOf(KAMAJI_RULES.deployment, `${property}.topologySpreadConstraints`, checkTopologySpread(deployment.topologySpreadConstraints ?? [])),
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
  return value === undefined ? [] : problemIf(KAMAJI_RULES.deployment, `controlPlane.deployment.${name}`, checkDnsSubdomain(value), 'write the name of the object');
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
    rule: KAMAJI_RULES.deployment,
    property: 'controlPlane.deployment.strategy',
    message: `pods cannot be replaced with maxSurge ${maxSurge} and maxUnavailable ${maxUnavailable}`,
    accepted: 'whole numbers from 0, not both 0',
    fix: 'set maxSurge to 1, or maxUnavailable where there is no room for another pod',
  }];
}
