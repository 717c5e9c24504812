import { coreDnsSpec, KamajiCoreDns, kubeProxyOf, kubeProxySpec } from './addons';
import { admissionControllers, disabledPluginArguments } from './admission-plugins';
import { AUTHENTICATION_CONFIG, componentArguments, componentResources, ComponentUse, resourceSpec } from './components';
import { dataStoreIdentity } from './data-store';
import { deploymentSources, deploymentSpec } from './deployment';
import { KamajiExposure } from './exposure';
import { apiPortProperty, exposureSpec } from './exposure-network';
import { KamajiControlPlaneProps } from './kamaji-control-plane-props';
import { KamajiKonnectivity, konnectivityPortProperty, konnectivitySpec } from './konnectivity';
import { kubeletSpec } from './kubelet';
import { servicePortSpecs } from './ports';
import { KamajiProbes, probesSpec } from './probes';
import { KamajiSize } from './size';
import { ApiServerFile } from './volumes';
import {
  KamajiControlPlaneSpec as Spec, KamajiControlPlaneSpecApiServerExtraVolumeMounts as MountSpec,
} from '../../../../imports/controlplane.cluster.x-k8s.io';
import { CONTROL_PLANE_PROPERTIES } from '../../../manifests/systems/kamaji/page-properties';
import { ComponentArgument } from '../../../manifests/values/component-arguments';
import { ClusterContext } from '../../contracts/cluster-context';
import { NODE_MASK_FLAGS, nodeMaskArguments } from '../../contracts/network/cluster-network';

const REPLICAS = 2;
const REGISTRY = 'registry.k8s.io';

/** Number of pods that serve the API. */
export function replicasOf(props: KamajiControlPlaneProps): number {
  return props.replicas ?? REPLICAS;
}

/** `spec` of the KamajiControlPlane. */
export function controlPlaneSpec(
  props: KamajiControlPlaneProps, context: ClusterContext, files: readonly ApiServerFile[], mostNodes: () => number,
): Spec {
  const identity = dataStoreIdentity(context.namespace, context.name);
  const probes = props.probes ?? {};
  const { kineResources } = props;
  const size = () => props.size ?? KamajiSize._for(mostNodes());
  return {
    version: context.kubernetesVersion.toString(),
    replicas: replicasOf(props),
    dataStoreName: props.dataStore,
    dataStoreSchema: props.dataStoreSchema ?? identity,
    dataStoreUsername: props.dataStoreUsername ?? identity,
    dataStoreOverrides: props.dataStoreOverrides?.length ? props.dataStoreOverrides : undefined,
    kine: kineResources && { resources: resourceSpec(kineResources) },
    network: networkSpec(props, context),
    addons: addonsSpec(props, context),
    registry: props.registry ?? REGISTRY,
    apiServer: componentSpec(
      apiServerUse(props), size, probes, files, disabledPluginArguments(props.admissionPlugins ?? {}, context.kubernetesVersion)),
    controllerManager: componentSpec(controllerManagerUse(props), size, probes, [], nodeMaskArguments(context.network)),
    scheduler: componentSpec(schedulerUse(props), size, probes),
    admissionControllers: admissionControllers(props.admissionPlugins ?? {}),
    kubelet: kubeletSpec(props.kubelet ?? {}, context.kubernetesVersion),
    deployment: deploymentSpec(props.deployment ?? {}, context.name, probes, files.map(({ volume }) => volume)),
  };
}

/** Property by field of the KamajiControlPlane. */
export function controlPlaneSources(props: KamajiControlPlaneProps, spec: Spec): { [field: string]: string } {
  const exposure = props.exposure ?? KamajiExposure.loadBalancer();
  const enable = props.admissionPlugins?.enable ?? [];
  const configurationPatches = props.kubelet?.configurationPatches ?? [];
  const plugins: readonly string[] = spec.admissionControllers ?? [];
  const ownPatches = (spec.kubelet?.configurationJsonPatches?.length ?? 0) - configurationPatches.length;
  return {
    // The chart has labels, and the library annotations, too.
    ...Object.fromEntries(['labels', 'annotations'].flatMap((name) => Object.keys(props[name as 'labels' | 'annotations'] ?? {})
      .map((key) => [`metadata.${name}["${key}"]`, `controlPlane.${name}["${key}"]`]))),
    ...Object.assign({}, ...[apiServerUse(props), controllerManagerUse(props), schedulerUse(props)].map((use) => componentSources(use, spec))),
    ...deploymentSources(props.deployment ?? {}),
    ...CONTROL_PLANE_PROPERTIES,
    // The port of the API server is in the Cluster: what is wrong with it is found at the type of the Service.
    'spec.network.serviceType': apiPortProperty(exposure),
    'spec.addons.konnectivity.server.port': konnectivityPortProperty(exposure),
    ...Object.fromEntries(configurationPatches.map((_, index) => [
      `spec.kubelet.configurationJSONPatches[${ownPatches + index}].**`, `controlPlane.kubelet.configurationPatches[${index}].**`,
    ])),
    ...Object.fromEntries(enable.map((name, index) => [`spec.admissionControllers[${plugins.indexOf(name)}]`, `controlPlane.admissionPlugins.enable[${index}]`])),
  };
}

function componentSources({ props, property }: ComponentUse, spec: Spec): { [field: string]: string } {
  const { extraArgs = [], extraVolumeMounts = [], featureGates = {} } = props;
  const all = (spec[property as 'scheduler'] as { readonly extraArgs?: readonly string[] }).extraArgs!;
  const before = all.length - extraArgs.length;
  const [path, own] = [`spec.${property}`, `controlPlane.${property}`];
  return {
    ...(Object.keys(featureGates).length > 0 && { [`${path}.extraArgs[${before - 1}]`]: `${own}.featureGates` }),
    ...Object.fromEntries(extraArgs.map((_, index) => [`${path}.extraArgs[${before + index}]`, `${own}.extraArgs[${index}]`])),
    ...Object.fromEntries(extraVolumeMounts.map((_, index) => [`${path}.extraVolumeMounts[${index}].**`, `${own}.extraVolumeMounts[${index}].**`])),
    [`${path}.probes.**`]: 'controlPlane.probes.**',
  };
}

function networkSpec(props: KamajiControlPlaneProps, context: ClusterContext): Spec['network'] {
  return {
    ...exposureSpec(props.exposure ?? KamajiExposure.loadBalancer()),
    certSaNs: props.certSans?.length ? props.certSans : undefined,
    additionalServicePorts: servicePortSpecs(props.additionalServicePorts),
    // Kamaji computes addresses when a control plane is made, and its provider takes them away again unless they are given.
    dnsServiceIPs: props.coreDns && !props.coreDns._image ? context.network.dnsServiceIps : undefined,
  };
}

function addonsSpec(props: KamajiControlPlaneProps, context: ClusterContext): Spec['addons'] {
  const exposure = props.exposure ?? KamajiExposure.loadBalancer();
  const addons = {
    coreDns: coreDnsSpec(props.coreDns ?? KamajiCoreDns.managed(), context.network.dnsServiceIps),
    kubeProxy: kubeProxySpec(kubeProxyOf(props.kubeProxy, context.kubeProxyReplaced)),
    konnectivity: konnectivitySpec(props.konnectivity ?? KamajiKonnectivity.managed(), exposure, context.kubernetesVersion),
  };
  return Object.values(addons).some((addon) => addon !== undefined) ? addons : undefined;
}

/**
 * One component. The lists are there even when they are empty: the provider writes the object back and so becomes their owner, and what
 * is then merely left out stays (cozystack/cozystack commits f87f77339 and 0f60f0703).
 */
function componentSpec(
  use: ComponentUse, size: () => KamajiSize, probes: KamajiProbes, files: readonly ApiServerFile[] = [], added: readonly ComponentArgument[] = [],
): Spec['apiServer'] {
  return {
    containerImageName: use.props.image,
    resources: componentResources(use, size),
    probes: probesSpec(probes),
    extraArgs: componentArguments(use, [...added, ...files.flatMap(({ args }) => args)]),
    extraVolumeMounts: [
      ...(use.props.extraVolumeMounts ?? []).map(({ name, mountPath, subPath }): MountSpec => ({ name, mountPath, subPath, readOnly: true })),
      ...files.map(({ volume, mountPath }): MountSpec => ({ name: volume.name, mountPath, readOnly: true })),
    ],
  };
}

/** The API server with the flags that others set. */
export function apiServerUse(props: KamajiControlPlaneProps): ComponentUse {
  const component = props.apiServer ?? {};
  const konnectivity = props.konnectivity ?? KamajiKonnectivity.managed();
  return {
    component: 'kube-apiserver',
    property: 'apiServer',
    props: component,
    managed: {
      'disable-admission-plugins': 'controlPlane.admissionPlugins sets it',
      'etcd-servers-overrides': 'controlPlane.dataStoreOverrides sets it',
      ...(konnectivity._options && { 'egress-selector-config-file': 'konnectivity sets it' }),
      ...(props.authentication && setBy('controlPlane.authentication', AUTHENTICATION_CONFIG)),
      ...(props.audit && setBy('controlPlane.audit', 'audit-policy-file', 'audit-log-path', 'audit-webhook-config-file')),
      ...(props.encryption && setBy('controlPlane.encryption', 'encryption-provider-config', 'encryption-provider-config-automatic-reload')),
    },
  };
}

/** The controller manager with the flags that others set. */
export function controllerManagerUse(props: KamajiControlPlaneProps): ComponentUse {
  return { component: 'kube-controller-manager', property: 'controllerManager', props: props.controllerManager ?? {}, managed: NODE_MASK_FLAGS };
}

/** The scheduler with the flags that others set. */
export function schedulerUse(props: KamajiControlPlaneProps): ComponentUse {
  return { component: 'kube-scheduler', property: 'scheduler', props: props.scheduler ?? {}, managed: {} };
}

function setBy(property: string, ...names: string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, `${property} sets it`]));
}
