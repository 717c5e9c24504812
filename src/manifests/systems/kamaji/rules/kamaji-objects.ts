import { PlacedText, StatedCluster } from '../../../objects/known-kinds';
import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ofOneObject } from '../../../rules/of-one-object';
import { apiServerPort, clusterOf } from '../../../rules/references/object-references';
import { fieldAt, FieldPath, isSet, numberAt, stringAt, stringsAt } from '../../../values/fields';

export const KAMAJI_CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/KamajiControlPlane';
export const KAMAJI_CONTROL_PLANE_TEMPLATE = 'controlplane.cluster.x-k8s.io/KamajiControlPlaneTemplate';
export const TENANT_CONTROL_PLANE = 'kamaji.clastix.io/TenantControlPlane';
export const DATA_STORE = 'kamaji.clastix.io/DataStore';
export const KUBECONFIG_GENERATOR = 'kamaji.clastix.io/KubeconfigGenerator';

/** Kinds of Cluster API's provider for Kamaji: the object of one cluster, and the template of a class. */
export const PROVIDER_KINDS: readonly string[] = [KAMAJI_CONTROL_PLANE, KAMAJI_CONTROL_PLANE_TEMPLATE];

/** Port of the konnectivity server, unless it is told another one. */
export const KONNECTIVITY_PORT = 8132;

/** Annotation with which Kamaji leaves a control plane alone; its value does not matter (clastix/kamaji controllers/utils/is_paused.go, 26.8.2-edge). */
export const PAUSED = 'kamaji.clastix.io/paused';

const DEFAULT_REPLICAS = 2;
const DEFAULT_SERVICE_TYPE = 'LoadBalancer';
const DEFAULT_PORT = 6443;

/** The fields that describe a control plane, and where they are. */
export interface ControlPlaneFields {
  readonly fields: unknown;
  readonly path: FieldPath;
}

/** The fields that describe a control plane: of a template, those that its objects get. */
export const controlPlaneFields = ofOneObject((object: ManifestObject): ControlPlaneFields => {
  const path = groupKind(object) === KAMAJI_CONTROL_PLANE_TEMPLATE ? ['spec', 'template', 'spec'] : ['spec'];
  return { fields: fieldAt(object, ...path), path };
});

const TENANT_DEPLOYMENT = ['controlPlane', 'deployment'] as const;

/**
 * Places of fields of a KamajiControlPlane in a TenantControlPlane, below `spec`. Fields that are not listed, and not in one that is, have the
 * same place.
 *
 * Source: clastix/cluster-api-control-plane-provider-kamaji controllers/kamajicontrolplane_controller_tcp.go, v0.20.0.
 */
export const TENANT_PLACES: Readonly<Record<string, readonly string[]>> = {
  'admissionControllers': ['kubernetes', 'admissionControllers'],
  ...Object.fromEntries(['apiServer', 'controllerManager', 'scheduler', 'kine'].flatMap((component) => [
    [`${component}.extraArgs`, [...TENANT_DEPLOYMENT, 'extraArgs', component]],
    [`${component}.resources`, [...TENANT_DEPLOYMENT, 'resources', component]],
  ])),
  ...Object.fromEntries(['apiServer', 'controllerManager', 'scheduler'].flatMap((component) => [
    [`${component}.extraVolumeMounts`, [...TENANT_DEPLOYMENT, 'additionalVolumeMounts', component]],
    [`${component}.probes`, [...TENANT_DEPLOYMENT, 'probes', component]],
    [`${component}.containerImageName`, [...TENANT_DEPLOYMENT, 'registrySettings', `${component}Image`]],
  ])),
  'dataStoreName': ['dataStore'],
  'deployment': TENANT_DEPLOYMENT,
  'deployment.extraContainers': [...TENANT_DEPLOYMENT, 'additionalContainers'],
  'deployment.extraInitContainers': [...TENANT_DEPLOYMENT, 'additionalInitContainers'],
  'deployment.extraVolumes': [...TENANT_DEPLOYMENT, 'additionalVolumes'],
  'kubelet': ['kubernetes', 'kubelet'],
  'network': ['networkProfile'],
  'network.additionalServicePorts': ['controlPlane', 'service', 'additionalPorts'],
  'network.gateway': ['controlPlane', 'gateway'],
  'network.ingress': ['controlPlane', 'ingress'],
  'network.loadBalancerConfig.loadBalancerClass': ['networkProfile', 'loadBalancerClass'],
  'network.loadBalancerConfig.loadBalancerSourceRanges': ['networkProfile', 'loadBalancerSourceRanges'],
  'network.serviceAddress': ['networkProfile', 'address'],
  'network.serviceAnnotations': ['controlPlane', 'service', 'additionalMetadata', 'annotations'],
  'network.serviceLabels': ['controlPlane', 'service', 'additionalMetadata', 'labels'],
  'network.serviceType': ['controlPlane', 'service', 'serviceType'],
  'registry': [...TENANT_DEPLOYMENT, 'registrySettings', 'registry'],
  'replicas': [...TENANT_DEPLOYMENT, 'replicas'],
  'version': ['kubernetes', 'version'],
};

/** The place of a field, named as in a KamajiControlPlane, in an object of any of the kinds that describe a control plane. */
export function placeOf(object: ManifestObject, ...field: readonly string[]): readonly string[] {
  return groupKind(object) === TENANT_CONTROL_PLANE ? tenantPlace(field) : [...controlPlaneFields(object).path.map(String), ...field];
}

/** The place of a field of a KamajiControlPlane in a TenantControlPlane. */
export function tenantPlace(field: readonly string[]): readonly string[] {
  const known = field.map((_, index) => field.length - index).find((length) => Object.hasOwn(TENANT_PLACES, field.slice(0, length).join('.')));
  return ['spec', ...known === undefined ? field : [...TENANT_PLACES[field.slice(0, known).join('.')], ...field.slice(known)]];
}

/** The value of a field, named as in a KamajiControlPlane, in an object of any of the kinds that describe a control plane. */
export function valueOf(object: ManifestObject, ...field: readonly string[]): unknown {
  return fieldAt(object, ...placeOf(object, ...field));
}

/** Type of the Service of a control plane, as the server fills it in. */
export function serviceTypeOf(object: ManifestObject): string {
  return stringAt(object, ...placeOf(object, 'network', 'serviceType')) ?? DEFAULT_SERVICE_TYPE;
}

/** The number of replicas, with the default of both definitions. */
export function replicasOf(object: ManifestObject): number {
  return numberAt(object, ...placeOf(object, 'replicas')) ?? DEFAULT_REPLICAS;
}

/** Ranges where nothing states one (clastix/kamaji charts/kamaji/crds, TenantControlPlane: defaults). */
export const DEFAULT_POD_CIDR = '10.244.0.0/16';
export const DEFAULT_SERVICE_CIDR = '10.96.0.0/16';

/** The pod or service ranges that a TenantControlPlane states, if any: those of the list replace the deprecated field. */
export function statedRanges(object: ManifestObject, field: 'podCidr' | 'serviceCidr'): readonly PlacedText[] | undefined {
  const profile = ['spec', 'networkProfile'];
  const listed = stringsAt(object, ...profile, `${field}s`).map(([text, index]) => ({ text, path: [...profile, `${field}s`, index] }));
  const single = stringAt(object, ...profile, field);
  if (listed.length > 0) return listed;
  return single === undefined ? undefined : [{ text: single, path: [...profile, field] }];
}

/** A TenantControlPlane as a cluster. */
export function tenantCluster(object: ManifestObject): StatedCluster {
  const text = (...field: readonly string[]) => stringAt(object, ...placeOf(object, ...field));
  const path = ['spec', 'networkProfile'];
  const ranges = (field: 'podCidr' | 'serviceCidr', usual: string) => statedRanges(object, field) ?? [{ text: usual, path: [...path, field], isDefault: true }];
  const domain = stringAt(object, ...path, 'clusterDomain');
  const isRouted = ['ingress', 'gateway'].some((way) => text('network', way, 'hostname') !== undefined);
  return {
    version: text('version'),
    versionPath: placeOf(object, 'version'),
    replicas: numberAt(object, ...placeOf(object, 'replicas')),
    port: isRouted ? undefined : tenantPort(object).port,
    pods: ranges('podCidr', DEFAULT_POD_CIDR),
    services: ranges('serviceCidr', DEFAULT_SERVICE_CIDR),
    ...(domain !== undefined && { domain: { text: domain, path: [...path, 'clusterDomain'] } }),
  };
}

/** A port, and the field that says it, or would. */
export interface PlacedPort {
  readonly port: number;
  readonly path: FieldPath;
}

/** Port of the API server; undefined where the Cluster would say it and is not there. */
export function apiPort(object: ManifestObject, index: ManifestIndex): PlacedPort | undefined {
  if (groupKind(object) === TENANT_CONTROL_PLANE) return tenantPort(object);
  const cluster = clusterOf(object, index);
  return cluster && { port: apiServerPort(cluster), path: ['spec', 'network', 'serviceType'] };
}

function tenantPort(object: ManifestObject): PlacedPort {
  return { port: numberAt(object, 'spec', 'networkProfile', 'port') ?? DEFAULT_PORT, path: ['spec', 'networkProfile', 'port'] };
}

/** Port of the konnectivity server; undefined without one. */
export function konnectivityPort(object: ManifestObject): PlacedPort | undefined {
  const { fields, path } = controlPlaneFields(object);
  if (!isSet(fields, 'addons', 'konnectivity')) return undefined;
  const given = numberAt(fields, 'addons', 'konnectivity', 'server', 'port');
  return {
    port: given ?? KONNECTIVITY_PORT,
    path: [...path, 'addons', 'konnectivity', ...(given === undefined ? [] : ['server', 'port'])],
  };
}

const PROVIDER = 'clastix/cluster-api-control-plane-provider-kamaji';
const KAMAJI = 'clastix/kamaji';

export const PROVIDER_CRD = `${PROVIDER} config/crd/bases/controlplane.cluster.x-k8s.io_kamajicontrolplanes.yaml`;
export const PROVIDER_RECONCILER = `${PROVIDER} controllers/kamajicontrolplane_controller_tcp.go`;
export const PROVIDER_CLUSTER_PATCH = `${PROVIDER} controllers/kamajicontrolplane_controller_cluster_patch.go`;
export const TENANT_CRD = `${KAMAJI} charts/kamaji/crds/kamaji.clastix.io_tenantcontrolplanes.yaml`;
export const DATA_STORE_CRD = `${KAMAJI} charts/kamaji/crds/kamaji.clastix.io_datastores.yaml`;
export const GENERATOR_CRD = `${KAMAJI} charts/kamaji/crds/kamaji.clastix.io_kubeconfiggenerators.yaml`;
export const WEBHOOKS = `${KAMAJI} internal/webhook/handlers`;
export const DEPLOYMENT_BUILDER = `${KAMAJI} internal/builders/controlplane/deployment.go`;
export const SERVICE_BUILDER = `${KAMAJI} internal/resources/k8s_service_resource.go`;
