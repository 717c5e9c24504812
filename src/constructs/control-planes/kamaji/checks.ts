import { checkAddonImage, checkKubeProxy } from './addons';
import { checkAddressFamily } from './address-family';
import { checkAdmissionPlugins, disabledPluginArguments } from './admission-plugins';
import { checkAudit } from './audit-files';
import { checkAuthentication } from './authentication-checks';
import { apiServerUse, controllerManagerUse, schedulerUse } from './component-uses';
import { checkComponent, componentArguments } from './components';
import { checkDataStore } from './data-store';
import { checkDeployment } from './deployment-spec';
import { checkEncryption } from './encryption';
import { KamajiExposure } from './exposure';
import { checkExposure } from './exposure-spec';
import { checkRegistry } from './images';
import { KamajiControlPlaneProps } from './kamaji-control-plane-props';
import { hasRolloutLoop } from './kamaji-version';
import { KamajiKonnectivity } from './konnectivity';
import { checkKonnectivity } from './konnectivity-spec';
import { checkKubelet } from './kubelet';
import { checkDualStack, checkOffer, checkRelease, KamajiRelease, kamajiRelease } from './offer-checks';
import { checkResources } from './resources';
import { KAMAJI_RULES } from './rules';
import { checkMounts } from './volumes';
import { OVERWRITING_KIND, OWN_KINDS } from '../../../manifests/systems/kamaji/infrastructure-kinds';
import { Finding } from '../../../manifests/values/finding';
import { Problem, problemsOf } from '../../../manifests/values/problem';
import { ClusterContext } from '../../contracts/cluster-context';

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
    ...checkDeployment(props.deployment ?? {}),
    ...checkKubelet(props.kubelet ?? {}),
    ...problemsOf(KAMAJI_RULES.metadata, 'controlPlane.labels', checkClusterLabel(props.labels ?? {})),
  ];
}

function checkClusterLabel(labels: { [key: string]: string }): Finding[] {
  const key = 'cluster.x-k8s.io/cluster-name';
  return labels[key] === undefined ? [] : [{ path: [key], message: `"${key}" is set by the library to the cluster's name`, fix: 'remove the entry' }];
}

function checkNetwork(props: KamajiControlPlaneProps, context: ClusterContext): Problem[] {
  const exposure = props.exposure ?? KamajiExposure.loadBalancer();
  const konnectivity = props.konnectivity ?? KamajiKonnectivity.managed();
  return [
    ...checkExposure(exposure),
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

function checkRolloutLoop(props: KamajiControlPlaneProps, context: ClusterContext, { version, property }: KamajiRelease): Problem[] {
  const konnectivity = props.konnectivity ?? KamajiKonnectivity.managed();
  const { authentication, audit, encryption, admissionPlugins } = props;
  const added = disabledPluginArguments(admissionPlugins ?? {}, context.kubernetesVersion);
  const hasArguments = authentication || audit || encryption || componentArguments(apiServerUse(props), added).length > 0;
  return konnectivity._options && hasArguments && hasRolloutLoop(version) ? [{
    rule: KAMAJI_RULES.rolloutLoop,
    property,
    message: `Kamaji ${version} rolls the control plane for ever when konnectivity and flags of the API server come together`,
    fix: 'raise Kamaji, and name its release here',
  }] : [];
}

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
    rule: KAMAJI_RULES.infrastructure,
    property: 'controlPlane',
    message: `Kamaji's provider does not know how to give an endpoint to a ${kind}, and the cluster would wait for it for ever`,
    accepted: served.join(', '),
    fix: 'choose another infrastructure, or start the provider with --dynamic-infrastructure-clusters and name the kind in additionalInfrastructureKinds',
  }];
}
