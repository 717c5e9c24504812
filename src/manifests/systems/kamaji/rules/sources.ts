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
