import { KamajiControlPlaneProps } from './kamaji-control-plane-props';
import { isUnreadRelease, tenantMinors } from '../../../manifests/rules/tenant-kubernetes';
import { KAMAJI_TENANTS } from '../../../manifests/systems/kamaji/releases';
import { DUAL_STACK } from '../../../manifests/systems/kamaji/rules/network';
import { ManifestSilence } from '../../../manifests/validation/silences';
import { KubernetesVersion } from '../../../manifests/values/kubernetes-version';
import { Problem, problemsOf, Rule } from '../../../manifests/values/problem';
import { parseSemanticVersion, SemanticVersion } from '../../../manifests/values/semantic-version';
import { KAMAJI, KAMAJI_PROVIDER } from '../../../manifests/values/versions';
import { checkControlPlaneProvider, checkOffered } from '../../contracts/capabilities/capability-checks';
import { ClusterContext } from '../../contracts/cluster-context';
import { NETWORK_DUAL_STACK_RULE } from '../../contracts/network/cluster-network';

// From some day of January 2026 on Kamaji knows JSON patches of the kubelet configuration; the first February release surely does.
const OLDEST = 'edge-26.2.1';
const ROLLOUT_LOOP = '26.5.3-edge';

const VERSION_RULE: Rule = {
  id: 'TC-KAMAJI-VERSION',
  title: 'The version of Kamaji must be a release tag from edge-26.2.1 on, which has all fields that this library writes.',
  source: 'clastix/kamaji pull request 1052 (configurationJSONPatches)',
};

/** Checks that a text names a release of Kamaji, and that it is not too old. */
export function checkKamajiRelease(property: string, text: string): Problem[] {
  const order = KAMAJI_TENANTS.compare(text, OLDEST);
  return order !== undefined && order >= 0 ? [] : [{
    rule: VERSION_RULE,
    property,
    message: order !== undefined ? `Kamaji "${text}" does not know all fields that are sent to it` : `"${text}" is not a release of Kamaji`,
    accepted: 'tags from edge-26.2.1 on, such as "edge-26.2.4" or "26.8.2-edge"',
    fix: `name the release that the management cluster runs, or leave it out for ${KAMAJI.version}`,
  }];
}

const NEWER_RELEASE_RULE: Rule = {
  id: 'TC-KAMAJI-VERSION-NEWER',
  title: 'A release of Kamaji that is newer than those that the library knows may run a newer Kubernetes than they can.',
  source: 'clastix/kamaji internal/upgrade/kubeadm_version.go',
  warning: true,
};

const KUBERNETES_VERSION_RULE: Rule = {
  id: 'TC-KAMAJI-KUBERNETES-VERSION',
  title: 'The Kubernetes minor version must not be newer than that which the release of Kamaji is built with.',
  source: 'clastix/kamaji internal/webhook/handlers/tcp_version.go',
};

/**
 * Checks the Kubernetes version against the release of Kamaji. A release that is none is left to `checkKamajiRelease`. Of one that is newer than
 * the library's own it is not known what it is built with: that is a warning.
 *
 * @param text the release
 * @param kubernetes the version of the tenant cluster
 * @param statedIn the property that holds the release
 */
export function checkKubernetesCeiling(text: string, kubernetes: KubernetesVersion, statedIn: string): Problem[] {
  const ceiling = tenantMinors(KAMAJI_TENANTS, text);
  if (!ceiling || kubernetes.minor <= ceiling.newest) return [];
  if (isUnreadRelease(KAMAJI_TENANTS, text)) {
    return [{
      rule: NEWER_RELEASE_RULE,
      property: statedIn,
      message: `Kamaji ${text} is newer than ${KAMAJI.version}, the newest that this release of the library knows: whether it runs Kubernetes ${kubernetes} is not checked`,
      fix: 'look it up in the notes of the release: an older Kamaji refuses the control plane',
    }];
  }
  return [{
    rule: KUBERNETES_VERSION_RULE,
    property: 'kubernetesVersion',
    message: `Kubernetes ${kubernetes} is newer than Kamaji ${text} can run, and Kamaji refuses the control plane`,
    accepted: `versions up to 1.${ceiling.newest}.x`,
    fix: `choose an older Kubernetes, or raise Kamaji first and say so in ${statedIn}`,
  }];
}

/** True if the release rolls control planes for ever that have both konnectivity and extra arguments of the API server. */
export function hasRolloutLoop(text: string): boolean {
  return KAMAJI_TENANTS.compare(text, ROLLOUT_LOOP) === 0;
}

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
  // A version that is no release is reported once, for the management cluster.
  const usable = stated !== undefined && checkKamajiRelease(STATED, stated).length === 0;
  return usable ? { version: stated, property: STATED } : { version: KAMAJI.version, property: OWN };
}

const VERSION_OTHER_RULE: Rule = {
  id: 'TC-KAMAJI-VERSION-OTHER',
  title: 'The version of Kamaji of a control plane must be the version that the management cluster runs.',
  source: 'clastix/kamaji internal/webhook/handlers/tcp_version.go',
};

/** Checks the release of Kamaji, and the Kubernetes version against it. */
export function checkRelease(props: KamajiControlPlaneProps, context: ClusterContext): Problem[] {
  const { version, property } = kamajiRelease(props, context);
  const faults = checkKamajiRelease(property, version);
  if (faults.length > 0) return faults;
  const stated = context.management?.kamajiVersion;
  return [
    ...(stated === undefined || stated === version || checkKamajiRelease(STATED, stated).length > 0 ? [] : [{
      rule: VERSION_OTHER_RULE,
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
export function checkDualStack(context: ClusterContext): Problem[] {
  const { network, management } = context;
  return passesAllRanges(context) || Math.min(network.podCidrs.length, network.serviceCidrs.length) < 2 ? [] : [{
    rule: NETWORK_DUAL_STACK_RULE,
    property: 'podCidrs',
    message: `the Kamaji provider ${management?.controlPlaneProviders?.[PROVIDER] ?? KAMAJI_PROVIDER.version} hands on only the first range, and drops the second without a word`,
    accepted: 'one range of pods and one of Services',
    fix: 'keep the ranges of one address family, or install a later release of the provider and state it in controlPlaneProviders of the management '
      + 'cluster\'s capabilities',
  }];
}

/** Silences for what manifests do not show: the release of the provider. */
export function releaseSilences(context: ClusterContext): ManifestSilence[] {
  const { podCidrs, serviceCidrs } = context.network;
  return Math.max(podCidrs.length, serviceCidrs.length) < 2 || !passesAllRanges(context) ? []
    : [{ rule: DUAL_STACK.id, reason: 'the release of the provider that the management cluster runs passes on all ranges' }];
}

function passesAllRanges({ management }: ClusterContext): boolean {
  const release = parseSemanticVersion(management?.controlPlaneProviders?.[PROVIDER] ?? KAMAJI_PROVIDER.version);
  return release !== undefined && compareNumbers(release, LAST_SINGLE_STACK) > 0;
}

const DATA_STORE_UNKNOWN_RULE: Rule = {
  id: 'TC-KAMAJI-DATA-STORE-UNKNOWN',
  title: 'The data stores of a control plane must exist in the management cluster.',
  source: 'clastix/kamaji internal/webhook/handlers/tcp_datastore.go',
};

const CLASS_UNKNOWN_RULE: Rule = {
  id: 'TC-KAMAJI-CLASS-UNKNOWN',
  title: 'The Ingress or load balancer class of a control plane must exist in the management cluster.',
  source: 'kubernetes.io/docs/concepts/services-networking/ingress, kubernetes.io/docs/concepts/services-networking/service (load balancer class)',
};

/** Checks what a control plane uses of the management cluster against what that offers. */
export function checkOffer(props: KamajiControlPlaneProps, { management }: ClusterContext): Problem[] {
  const { dataStore, formerDataStore, dataStoreOverrides = [], exposure } = props;
  if (!management) return [];
  const { loadBalancer, ingress } = exposure?._choice ?? {};
  const dataStores = { place: PLACE, kind: 'DataStore', list: 'dataStores', names: management.dataStores };
  return [
    ...checkControlPlaneProvider(management, PROVIDER, 'kamajiControlPlane'),
    ...problemsOf(DATA_STORE_UNKNOWN_RULE, 'controlPlane.dataStore', checkOffered(dataStore, dataStores)),
    ...problemsOf(DATA_STORE_UNKNOWN_RULE, 'controlPlane.formerDataStore', checkOffered(formerDataStore, dataStores)),
    ...dataStoreOverrides.flatMap((override, index) => (
      problemsOf(DATA_STORE_UNKNOWN_RULE, `controlPlane.dataStoreOverrides[${index}].dataStore`, checkOffered(override.dataStore, dataStores)))),
    ...problemsOf(CLASS_UNKNOWN_RULE, 'controlPlane.exposure.className', checkOffered(ingress?.className, {
      place: PLACE, kind: 'IngressClass', list: 'ingressClasses', names: management.ingressClasses,
    })),
    ...problemsOf(CLASS_UNKNOWN_RULE, 'controlPlane.exposure.loadBalancerClass', checkOffered(loadBalancer?.loadBalancerClass, {
      place: PLACE, kind: 'load balancer class', list: 'loadBalancerClasses', names: management.loadBalancerClasses,
    })),
  ];
}

function compareNumbers(one: SemanticVersion, other: SemanticVersion): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch;
}
