import { controlPlaneAlerts, dataStoreAlerts, KAMAJI_METRICS } from './alerts';
import { KAMAJI_ANNOTATIONS } from './annotations';
import { COMPONENTS } from './components';
import { controlPlaneConsequences } from './control-plane-consequences';
import { controlPlaneEffects } from './control-plane-effects';
import { controlPlanePods, controlPlaneService } from './control-plane-pods';
import { encryptionFile } from './encryption-file';
import { IMAGES } from './images';
import { controlPlaneMove } from './moves';
import { PAGE_PARTS } from './page-parts';
import { CONTROL_PLANE_PROPERTIES } from './page-properties';
import { AUTHORITIES, AUTHORITY } from './rules/authorities';
import { CONTROL_PLANE_COMPONENTS } from './rules/components';
import { DATA_STORES, MISSING_STORES } from './rules/data-stores';
import { DISRUPTION } from './rules/disruption';
import { KAMAJI_CHANGES, STOPPED_CONTROL_PLANE, storeUsers } from './rules/kamaji-changes';
import {
  DATA_STORE, DEFAULT_POD_CIDR, DEFAULT_SERVICE_CIDR, KAMAJI_CONTROL_PLANE, KAMAJI_CONTROL_PLANE_TEMPLATE, PAUSED, placeOf, serviceTypeOf,
  statedRanges, TENANT_CONTROL_PLANE, tenantCluster,
} from './rules/kamaji-objects';
import { KONNECTIVITY_REMOVED } from './rules/konnectivity';
import { KUBELET } from './rules/kubelet';
import { KUBELET_VALUES } from './rules/kubelet-values';
import { MEMORY } from './rules/memory';
import { DNS, dnsList, EXPOSURE } from './rules/network';
import { PORTS } from './rules/ports';
import { PROVIDER_GATES } from './rules/provider-gates';
import { ROUTES } from './rules/routes';
import { SHARED_NAMES } from './rules/shared-names';
import { IDENTITY, TENANT_CONTROL_PLANES } from './rules/tenant-control-planes';
import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { completeVersion } from '../../rules/cluster-api/stored-forms';
import { ControlPlaneFacts, ControlPlaneNetwork, ServiceAccountSecret } from '../../rules/cluster-facts';
import { ManifestRule } from '../../rules/manifest-rule';
import { Provider } from '../../rules/provider';
import { draftAt } from '../../rules/stored-form';
import { fieldAt, isSet, stringAt, stringsAt } from '../../values/fields';

/** Parts that Kamaji installs in tenants, by the field that switches each on. */
const ADDONS: Readonly<Record<string, string>> = { coreDNS: 'CoreDNS', kubeProxy: 'kube-proxy', konnectivity: 'konnectivity' };

/** Routes before the Service, by their fields. */
const ROUTES_BY_FIELD: Readonly<Record<string, string>> = { ingress: 'Ingress', gateway: 'Gateway' };

/** Reads what a `KamajiControlPlane` or a `TenantControlPlane` states of itself. */
function controlPlaneFacts(controlPlane: ManifestObject): ControlPlaneFacts {
  const text = (...field: readonly string[]) => stringAt(controlPlane, ...placeOf(controlPlane, ...field));
  return {
    endpoint: text('network', 'ingress', 'hostname') ?? text('network', 'gateway', 'hostname') ?? text('network', 'serviceAddress'),
    dataStore: text('dataStoreName'),
    exposure: Object.entries(ROUTES_BY_FIELD).find(([field]) => isSet(controlPlane, ...placeOf(controlPlane, 'network', field)))?.[1] ?? serviceTypeOf(controlPlane),
    addons: Object.entries(ADDONS).filter(([field]) => isSet(controlPlane, 'spec', 'addons', field)).map(([, name]) => name),
    network: controlPlaneNetwork(controlPlane),
    ...(isSet(controlPlane, 'metadata', 'annotations', PAUSED) && { pausedBy: PAUSED }),
  };
}

/** The networks of a cluster, by the fields of its control plane (clastix/kamaji charts/kamaji/crds, TenantControlPlane: defaults). */
function controlPlaneNetwork(controlPlane: ManifestObject): ControlPlaneNetwork {
  const [podCidrs, serviceCidrs] = (['podCidr', 'serviceCidr'] as const).map((field) => statedRanges(controlPlane, field)?.map(({ text }) => text));
  const sources = [['spec', 'network', 'loadBalancerConfig', 'loadBalancerSourceRanges'], ['spec', 'networkProfile', 'loadBalancerSourceRanges']]
    .map((path) => ({ path, value: stringsAt(controlPlane, ...path).map(([text]) => text) })).find(({ value }) => value.length > 0);
  return {
    sourceRanges: sources,
    kubeProxy: isSet(controlPlane, 'spec', 'addons', 'kubeProxy'),
    dns: isSet(controlPlane, 'spec', 'addons', 'coreDNS'),
    dnsAddresses: stringsAt(controlPlane, 'spec', ...dnsList(fieldAt(controlPlane, 'spec'))).map(([text]) => text),
    podCidrs,
    serviceCidrs,
    usualPodCidr: DEFAULT_POD_CIDR,
    usualServiceCidr: DEFAULT_SERVICE_CIDR,
  };
}

/** The Secret with the kubeconfigs of a control plane (clastix/kamaji internal/resources/kubeconfig.go, 26.8.2-edge). */
function kubeconfigs(controlPlane: ManifestObject): Record<string, readonly string[]> {
  return { [`${nameOf(controlPlane) ?? ''}-admin-kubeconfig`]: ['admin.conf', 'admin.svc', 'super-admin.conf', 'super-admin.svc'] };
}

/**
 * The keys for tokens of ServiceAccounts. Kamaji keeps a Secret whose first public key belongs to the private one, and replaces the pods of the
 * control plane when it changes (clastix/kamaji internal/resources/sa_certificate.go, internal/builders/controlplane/deployment.go, 26.8.2-edge).
 */
function serviceAccountSecret(controlPlane: ManifestObject): ServiceAccountSecret {
  return { name: `${nameOf(controlPlane) ?? ''}-sa-certificate`, publicKeys: 'sa.pub', privateKey: 'sa.key', restarts: true };
}

/** Rules for the objects of Kamaji and of Cluster API's provider for it. */
export const KAMAJI_MANIFEST_RULES: readonly ManifestRule[] = [
  ...IDENTITY, ...EXPOSURE, ...PORTS, ...ROUTES, ...DNS, ...KUBELET, ...KUBELET_VALUES, ...CONTROL_PLANE_COMPONENTS, ...PROVIDER_GATES,
  ...DATA_STORES, ...TENANT_CONTROL_PLANES, STOPPED_CONTROL_PLANE, MEMORY, ...SHARED_NAMES, DISRUPTION,
];

/** Kamaji, and Cluster API's provider for it. */
export const KAMAJI: Provider = {
  name: 'kamaji',
  title: 'Kamaji',
  pageParts: PAGE_PARTS,
  managers: [{ name: 'kamaji', role: 'controller', title: 'Kamaji', source: 'clastix/kamaji cmd/root.go (the executable)' }],
  annotations: KAMAJI_ANNOTATIONS,
  pageProperties: {
    [KAMAJI_CONTROL_PLANE]: { of: 'the cluster', properties: { ...CONTROL_PLANE_PROPERTIES, 'spec.version': 'kubernetesVersion' } },
  },
  kinds: [
    {
      kind: KAMAJI_CONTROL_PLANE,
      hosted: true,
      role: 'controlPlane',
      rejectServiceDomain: (domain) => (domain.includes('.') ? undefined : `${JSON.stringify(domain)} has no dot, and Kamaji refuses it`),
    },
    { kind: KAMAJI_CONTROL_PLANE_TEMPLATE, role: 'controlPlaneTemplate' },
    { kind: TENANT_CONTROL_PLANE, managementOnly: true, holdsState: true, cluster: tenantCluster },
    { kind: DATA_STORE, managementOnly: true, holdsState: true },
  ],
  groups: { 'kamaji.clastix.io': [] },
  namespaces: {
    'kamaji-etcd': 'data stores of tenants run there',
    'kamaji-system': 'Kamaji runs there, and data stores of tenants',
  },
  rules: KAMAJI_MANIFEST_RULES,
  referenceRules: MISSING_STORES,
  changes: [...KAMAJI_CHANGES, AUTHORITY, KONNECTIVITY_REMOVED],
  components: COMPONENTS,
  // The provider adds the "v" (controllers/kamajicontrolplane_controller_tcp.go, v0.20.0).
  storedForms: { [KAMAJI_CONTROL_PLANE]: { version: 'v1alpha2', complete: (object) => completeVersion(draftAt(object, 'spec')) } },
  effects: { [KAMAJI_CONTROL_PLANE]: controlPlaneEffects, [TENANT_CONTROL_PLANE]: controlPlaneEffects },
  consequences: { [KAMAJI_CONTROL_PLANE]: controlPlaneConsequences, [TENANT_CONTROL_PLANE]: controlPlaneConsequences },
  controlPlanes: { [KAMAJI_CONTROL_PLANE]: controlPlaneFacts, [TENANT_CONTROL_PLANE]: controlPlaneFacts },
  authorities: AUTHORITIES,
  serviceAccountKeys: { [KAMAJI_CONTROL_PLANE]: serviceAccountSecret, [TENANT_CONTROL_PLANE]: serviceAccountSecret },
  encryptionFiles: { [KAMAJI_CONTROL_PLANE]: encryptionFile, [TENANT_CONTROL_PLANE]: encryptionFile },
  controlPlanePods: { [KAMAJI_CONTROL_PLANE]: controlPlanePods, [TENANT_CONTROL_PLANE]: controlPlanePods },
  apiServerServices: { [KAMAJI_CONTROL_PLANE]: controlPlaneService, [TENANT_CONTROL_PLANE]: controlPlaneService },
  secrets: { [KAMAJI_CONTROL_PLANE]: kubeconfigs, [TENANT_CONTROL_PLANE]: kubeconfigs },
  users: { [DATA_STORE]: storeUsers },
  moves: { [KAMAJI_CONTROL_PLANE]: controlPlaneMove },
  powers: { pods: ['tenantcontrolplanes.kamaji.clastix.io', 'kamajicontrolplanes.controlplane.cluster.x-k8s.io'] },
  alerts: { [KAMAJI_CONTROL_PLANE]: controlPlaneAlerts, [TENANT_CONTROL_PLANE]: controlPlaneAlerts, [DATA_STORE]: dataStoreAlerts },
  metrics: KAMAJI_METRICS,
  images: IMAGES,
};
