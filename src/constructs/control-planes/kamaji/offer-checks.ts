import { KamajiControlPlaneProps } from './kamaji-control-plane-props';
import { checkKamajiRelease, checkKubernetesCeiling } from './kamaji-version';
import { KAMAJI_RULES } from './rules';
import { Problem, problemsOf } from '../../../manifests/values/problem';
import { parseSemanticVersion, SemanticVersion } from '../../../manifests/values/semantic-version';
import { KAMAJI, KAMAJI_PROVIDER } from '../../../manifests/values/versions';
import { checkOffered } from '../../contracts/capabilities/offered';
import { checkControlPlaneProvider } from '../../contracts/capabilities/provider-checks';
import { ClusterContext } from '../../contracts/cluster-context';
import { NETWORK_RULES } from '../../contracts/network/rules';

const OWN = 'controlPlane.kamajiVersion';
const STATED = 'managementCluster.capabilities.kamajiVersion';
/** The provider of control planes, as clusterctl knows it. */
const PROVIDER = 'kamaji';
const LAST_SINGLE_STACK: SemanticVersion = { major: 0, minor: 20, patch: 0, suffix: '' };

const PLACE = 'the management cluster';

/** The release of Kamaji that a control plane is made for, and the property that says so or could. */
export interface KamajiRelease {
  readonly version: string;
  readonly property: string;
}

/** The release that the control plane names, else the management cluster's, else the one that this library is made for. */
export function kamajiRelease({ kamajiVersion }: KamajiControlPlaneProps, { management }: ClusterContext): KamajiRelease {
  if (kamajiVersion !== undefined) return { version: kamajiVersion, property: OWN };
  const stated = management?.kamajiVersion;
  // What is no release is reported once, for the management cluster.
  const usable = stated !== undefined && checkKamajiRelease(STATED, stated).length === 0;
  return usable ? { version: stated, property: STATED } : { version: KAMAJI.version, property: OWN };
}

/** Checks the release of Kamaji, and the Kubernetes version against it. */
export function checkRelease(props: KamajiControlPlaneProps, context: ClusterContext): Problem[] {
  const { version, property } = kamajiRelease(props, context);
  const faults = checkKamajiRelease(property, version);
  if (faults.length > 0) return faults;
  const stated = context.management?.kamajiVersion;
  return [
    ...(stated === undefined || stated === version || checkKamajiRelease(STATED, stated).length > 0 ? [] : [{
      rule: KAMAJI_RULES.versionOther,
      property: OWN,
      message: `the management cluster runs Kamaji ${stated}, and the control plane is made for ${version}`,
      fix: 'leave it out here, or correct kamajiVersion of the capabilities',
    }]),
    ...checkKubernetesCeiling(version, context.kubernetesVersion, property),
  ];
}

/**
 * Checks that the provider passes on all ranges of pods and Services: up to v0.20.0 it passes on the first of each, and the releases
 * after it pass on all (clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_tcp.go of
 * v0.20.0, pull request 381).
 */
export function checkDualStack({ network, management }: ClusterContext): Problem[] {
  const stated = management?.controlPlaneProviders?.[PROVIDER];
  const release = parseSemanticVersion(stated ?? KAMAJI_PROVIDER.version);
  const passesAll = release !== undefined && compareNumbers(release, LAST_SINGLE_STACK) > 0;
  return passesAll || Math.min(network.podCidrs.length, network.serviceCidrs.length) < 2 ? [] : [{
    rule: NETWORK_RULES.dualStack,
    property: 'podCidrs',
    message: `the Kamaji provider ${stated ?? KAMAJI_PROVIDER.version} hands on only the first range, and drops the second without a word`,
    accepted: 'one range of pods and one of Services',
    fix: 'keep the ranges of one address family, or install a later release of the provider and state it in controlPlaneProviders of the management '
      + 'cluster\'s capabilities',
  }];
}

/** Checks what a control plane uses of the management cluster against what that offers. */
export function checkOffer({ dataStore, dataStoreOverrides = [], exposure }: KamajiControlPlaneProps, { management }: ClusterContext): Problem[] {
  if (!management) return [];
  const { loadBalancer, ingress } = exposure?._choice ?? {};
  const dataStores = { place: PLACE, kind: 'DataStore', list: 'dataStores', names: management.dataStores };
  return [
    ...checkControlPlaneProvider(management, PROVIDER, 'kamajiControlPlane'),
    ...problemsOf(KAMAJI_RULES.dataStoreUnknown, 'controlPlane.dataStore', checkOffered(dataStore, dataStores)),
    ...dataStoreOverrides.flatMap((override, index) => (
      problemsOf(KAMAJI_RULES.dataStoreUnknown, `controlPlane.dataStoreOverrides[${index}].dataStore`, checkOffered(override.dataStore, dataStores)))),
    ...problemsOf(KAMAJI_RULES.classUnknown, 'controlPlane.exposure.className', checkOffered(ingress?.className, {
      place: PLACE, kind: 'IngressClass', list: 'ingressClasses', names: management.ingressClasses,
    })),
    ...problemsOf(KAMAJI_RULES.classUnknown, 'controlPlane.exposure.loadBalancerClass', checkOffered(loadBalancer?.loadBalancerClass, {
      place: PLACE, kind: 'load balancer class', list: 'loadBalancerClasses', names: management.loadBalancerClasses,
    })),
  ];
}

function compareNumbers(one: SemanticVersion, other: SemanticVersion): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch;
}
