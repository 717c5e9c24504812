import { checkAddonImage, checkKubeProxy } from './addons';
import { checkAdmissionPlugins, disabledPluginArguments } from './admission-plugins';
import { checkAudit } from './audit';
import { checkAuthentication } from './authentication-checks';
import { checkComponent, checkRegistry, checkResources, componentArguments } from './components';
import { apiServerUse, controllerManagerUse, schedulerUse } from './control-plane-spec';
import { checkDataStore } from './data-store';
import { checkDeployment, METADATA_RULE } from './deployment';
import { checkEncryption } from './encryption';
import { KamajiExposure } from './exposure';
import { checkAddressFamily, checkExposure } from './exposure-checks';
import { KamajiControlPlaneProps } from './kamaji-control-plane-props';
import { checkDualStack, checkOffer, checkRelease, hasRolloutLoop, KamajiRelease, kamajiRelease, releaseSilences } from './kamaji-release';
import { checkKonnectivity, KamajiKonnectivity } from './konnectivity';
import { checkKubelet } from './kubelet';
import { checkMounts } from './volumes';
import { INFRASTRUCTURE_KIND, OVERWRITING_KIND, OWN_KINDS } from '../../../manifests/systems/kamaji/rules/provider-gates';
import { ManifestSilence } from '../../../manifests/validation/silences';
import { Cidr } from '../../../manifests/values/cidr';
import { Finding } from '../../../manifests/values/finding';
import { Problem, problemsOf, Rule } from '../../../manifests/values/problem';
import { ClusterContext } from '../../contracts/cluster-context';
import { checkServiceAccountKeys } from '../service-account-keys';

/** Checks everything that a control plane was told, against itself and against the cluster. */
export function checkControlPlane(props: KamajiControlPlaneProps, context: ClusterContext): Problem[] {
  return [
    ...checkInfrastructure(context.infrastructure.clusterKind, props.additionalInfrastructureKinds ?? []),
    ...checkRelease(props, context),
    ...checkRolloutLoop(props, context, kamajiRelease(props, context)),
    ...checkDataStore(props),
    ...checkOffer(props, context),
    ...checkResources('controlPlane.kineResources', props.kineResources),
    ...checkDualStack(context),
    ...checkNetwork(props, context),
    ...checkAddonImage('controlPlane.coreDns', props.coreDns?._image),
    ...checkAddonImage('controlPlane.kubeProxy', props.kubeProxy?._image),
    ...checkKubeProxy(props.kubeProxy, context.kubeProxyReplaced),
    ...checkRegistry('controlPlane.registry', props.registry),
    ...checkComponents(props, context),
    ...(props.authentication ? checkAuthentication(props.authentication) : []),
    ...(props.audit ? checkAudit(props.audit) : []),
    ...(props.encryption ? checkEncryption(props.encryption) : []),
    ...(props.serviceAccountKeys ? checkServiceAccountKeys(props.serviceAccountKeys) : []),
    ...checkDeployment(props.deployment ?? {}),
    ...checkKubelet(props.kubelet ?? {}),
    ...problemsOf(METADATA_RULE, 'controlPlane.labels', checkClusterLabel(props.labels ?? {})),
  ];
}

function checkClusterLabel(labels: { [key: string]: string }): Finding[] {
  const key = 'cluster.x-k8s.io/cluster-name';
  return labels[key] === undefined ? [] : [{ path: [key], message: `"${key}" is set by the library to the cluster's name`, fix: 'remove the entry' }];
}

const SOURCES_RULE: Rule = {
  id: 'TC-KAMAJI-NODE-SOURCES',
  title: 'The load balancer of an API server should accept the tenant\'s own nodes, which are pods of the management cluster where machines run there.',
  source: 'kubernetes.io/docs/concepts/services-networking/service (loadBalancerSourceRanges)',
  warning: true,
};

/** No object of the tenant shows the range of pods of the management cluster. */
function checkSources(exposure: KamajiExposure, { infrastructure, management }: ClusterContext): Problem[] {
  const { sourceRanges = [] } = exposure._choice.loadBalancer ?? {};
  const pods = management?.podCidrs ?? [];
  const [sources, pools] = [sourceRanges, pods].map((texts) => texts.flatMap((text) => Cidr.parse(text) ?? []));
  if (!infrastructure.inManagementCluster || sources.length === 0 || pools.length === 0) return [];
  return sources.some((source) => pools.some((pool) => pool.overlaps(source))) ? [] : [{
    rule: SOURCES_RULE,
    property: 'controlPlane.exposure.sourceRanges',
    message: `none of them has an address of the tenant's nodes, which are pods of the management cluster, ${pools.join(', ')}: kubelets do not reach their API server`,
    fix: `add ${pools.map((pool) => `"${pool}"`).join(' and ')}`,
  }];
}

function checkNetwork(props: KamajiControlPlaneProps, context: ClusterContext): Problem[] {
  const exposure = props.exposure ?? KamajiExposure.loadBalancer();
  const konnectivity = props.konnectivity ?? KamajiKonnectivity.managed();
  return [
    ...checkExposure(exposure),
    ...checkSources(exposure, context),
    ...checkAddressFamily(exposure, context.network, props.apiServer ?? {}),
    ...checkKonnectivity(konnectivity, exposure, context.kubernetesVersion),
  ];
}

function checkComponents(props: KamajiControlPlaneProps, context: ClusterContext): Problem[] {
  return [
    ...[apiServerUse(props), controllerManagerUse(props), schedulerUse(props)].flatMap((use) => [
      ...checkComponent(use),
      ...checkMounts(use.property, use.props.extraVolumeMounts ?? []),
    ]),
    ...checkAdmissionPlugins(props.admissionPlugins ?? {}, context.kubernetesVersion),
  ];
}

const ROLLOUT_LOOP_RULE: Rule = {
  id: 'TC-KAMAJI-ROLLOUT-LOOP',
  title: 'Konnectivity and API server arguments must not be combined with Kamaji 26.5.3-edge, which then rolls the control plane out for ever.',
  source: 'clastix/kamaji issue 1154',
};

function checkRolloutLoop(props: KamajiControlPlaneProps, context: ClusterContext, { version, property }: KamajiRelease): Problem[] {
  const konnectivity = props.konnectivity ?? KamajiKonnectivity.managed();
  const { authentication, audit, encryption, admissionPlugins } = props;
  const added = disabledPluginArguments(admissionPlugins ?? {}, context.kubernetesVersion);
  const hasArguments = authentication || audit || encryption || componentArguments(apiServerUse(props), added).length > 0;
  return konnectivity._options && hasArguments && hasRolloutLoop(version) ? [{
    rule: ROLLOUT_LOOP_RULE,
    property,
    message: `Kamaji ${version} rolls the control plane for ever when konnectivity and flags of the API server come together`,
    fix: 'raise Kamaji, and name its release here',
  }] : [];
}

/** Silences for what manifests do not show, and the page states: flags of the provider, and its release. */
export function silences({ additionalInfrastructureKinds = [] }: KamajiControlPlaneProps, context: ClusterContext): ManifestSilence[] {
  const { clusterKind } = context.infrastructure;
  const isConfigured = additionalInfrastructureKinds.includes(clusterKind) && ![...OWN_KINDS, OVERWRITING_KIND].includes(clusterKind);
  return [
    ...(isConfigured ? [{ rule: INFRASTRUCTURE_KIND.id, reason: `additionalInfrastructureKinds states that the provider serves ${clusterKind}` }] : []),
    ...releaseSilences(context),
  ];
}

const INFRASTRUCTURE_RULE: Rule = {
  id: 'TC-KAMAJI-INFRASTRUCTURE',
  title: 'The kind of the infrastructure object must be one that Kamaji\'s provider can write an endpoint to.',
  source: 'clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_cluster_patch.go',
};

/**
 * Checks that Kamaji's provider can give the endpoint of its control plane to the infrastructure, or compare it. The kind that overwrites it
 * has a rule over manifests (`TC-TRAP-VULTR-KAMAJI`).
 *
 * @param kind kind of the infrastructure object
 * @param additional kinds that the provider was told to serve beside its own
 */
function checkInfrastructure(kind: string, additional: readonly string[]): Problem[] {
  const served = [...new Set([...OWN_KINDS, ...additional])].filter((candidate) => candidate !== OVERWRITING_KIND).sort();
  return [...served, OVERWRITING_KIND].includes(kind) ? [] : [{
    rule: INFRASTRUCTURE_RULE,
    property: 'controlPlane',
    message: `Kamaji's provider does not know how to give an endpoint to a ${kind}, and the cluster would wait for it for ever`,
    accepted: served.join(', '),
    fix: 'choose another infrastructure, or start the provider with --dynamic-infrastructure-clusters and name the kind in additionalInfrastructureKinds',
  }];
}
