import { groupKind, ManifestObject } from '../../../objects/manifest-object';
import { ManifestIndex } from '../../../rules/manifest-index';
import { ofOneObject } from '../../../rules/of-one-object';
import { apiServerPort, clusterOf } from '../../../rules/references/object-references';
import { fieldAt, FieldPath, isSet, numberAt, stringAt } from '../../../values/fields';
import { KONNECTIVITY_PORT } from '../control-plane-pods';

export const KAMAJI_CONTROL_PLANE = 'controlplane.cluster.x-k8s.io/KamajiControlPlane';
export const KAMAJI_CONTROL_PLANE_TEMPLATE = 'controlplane.cluster.x-k8s.io/KamajiControlPlaneTemplate';
export const TENANT_CONTROL_PLANE = 'kamaji.clastix.io/TenantControlPlane';
export const DATA_STORE = 'kamaji.clastix.io/DataStore';
export const KUBECONFIG_GENERATOR = 'kamaji.clastix.io/KubeconfigGenerator';

/** What is told to Cluster API's provider of Kamaji: the object of one cluster, and the template of a class. */
export const PROVIDER_KINDS: readonly string[] = [KAMAJI_CONTROL_PLANE, KAMAJI_CONTROL_PLANE_TEMPLATE];

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

/** How the Service of a control plane is reached, as the server fills it in. */
export function serviceTypeOf(object: ManifestObject): string {
  const path = groupKind(object) === TENANT_CONTROL_PLANE ? ['controlPlane', 'service', 'serviceType'] : ['network', 'serviceType'];
  return stringAt(controlPlaneFields(object).fields, ...path) ?? DEFAULT_SERVICE_TYPE;
}

/** A port, and the field that says it, or would. */
export interface PlacedPort {
  readonly port: number;
  readonly path: FieldPath;
}

/** Port of the API server; undefined where the Cluster would say it and is not there. */
export function apiPort(object: ManifestObject, index: ManifestIndex): PlacedPort | undefined {
  if (groupKind(object) === TENANT_CONTROL_PLANE) {
    return { port: numberAt(object, 'spec', 'networkProfile', 'port') ?? DEFAULT_PORT, path: ['spec', 'networkProfile', 'port'] };
  }
  const cluster = clusterOf(object, index);
  return cluster && { port: apiServerPort(cluster), path: ['spec', 'network', 'serviceType'] };
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
