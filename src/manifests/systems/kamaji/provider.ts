import { controlPlaneEffects } from './control-plane-effects';
import { controlPlanePods, controlPlaneService } from './control-plane-pods';
import { IMAGES } from './images';
import { CONTROL_PLANE_COMPONENTS } from './rules/components';
import { DATA_STORES, MISSING_STORES } from './rules/data-stores';
import { KAMAJI_CHANGES, STOPPED_CONTROL_PLANE, storeUsers } from './rules/kamaji-changes';
import { DATA_STORE, KAMAJI_CONTROL_PLANE, KAMAJI_CONTROL_PLANE_TEMPLATE, TENANT_CONTROL_PLANE } from './rules/kamaji-objects';
import { KUBELET } from './rules/kubelet';
import { DNS, EXPOSURE } from './rules/network';
import { PORTS } from './rules/ports';
import { PROVIDER_GATES } from './rules/provider-gates';
import { IDENTITY, TENANT_CONTROL_PLANES } from './rules/tenant-control-planes';
import { ManifestObject } from '../../objects/manifest-object';
import { ManifestRule } from '../../rules/manifest-rule';
import { ControlPlaneFacts, Provider } from '../../rules/provider';
import { fieldAt, stringAt } from '../../values/fields';
import { ProviderRelease } from '../../values/provider-release';

/** Cluster API's provider for Kamaji. */
export const KAMAJI_RELEASE: ProviderRelease = {
  kind: 'ControlPlaneProvider',
  name: 'kamaji',
  image: 'docker.io/clastix/cluster-api-control-plane-provider-kamaji',
  // clastix/cluster-api-control-plane-provider-kamaji config/manager/manager.yaml, v0.20.0
  container: 'controller',
};

/** What a `KamajiControlPlane` states of itself. */
function controlPlaneFacts(controlPlane: ManifestObject): ControlPlaneFacts {
  const network = fieldAt(controlPlane, 'spec', 'network');
  return {
    endpoint: stringAt(network, 'ingress', 'hostname') ?? stringAt(network, 'gateway', 'hostname') ?? stringAt(network, 'serviceAddress'),
    dataStore: stringAt(controlPlane, 'spec', 'dataStoreName'),
  };
}

/** What Kamaji and Cluster API's provider of it demand of their objects. */
export const KAMAJI_MANIFEST_RULES: readonly ManifestRule[] = [
  ...IDENTITY, ...EXPOSURE, ...PORTS, ...DNS, ...KUBELET, ...CONTROL_PLANE_COMPONENTS, ...PROVIDER_GATES, ...DATA_STORES,
  ...TENANT_CONTROL_PLANES, STOPPED_CONTROL_PLANE,
];

/** Kamaji, and Cluster API's provider for it. */
export const KAMAJI: Provider = {
  name: 'kamaji',
  title: 'Kamaji',
  kinds: [
    {
      kind: KAMAJI_CONTROL_PLANE,
      role: 'controlPlane',
      rejectServiceDomain: (domain) => (domain.includes('.') ? undefined : `${JSON.stringify(domain)} has no dot, and Kamaji refuses it`),
    },
    { kind: KAMAJI_CONTROL_PLANE_TEMPLATE, role: 'controlPlaneTemplate' },
    { kind: TENANT_CONTROL_PLANE, managementOnly: true, holdsState: true },
    { kind: DATA_STORE, managementOnly: true, holdsState: true },
  ],
  groups: { 'kamaji.clastix.io': [] },
  namespaces: {
    'kamaji-etcd': 'data stores of tenants run there',
    'kamaji-system': 'Kamaji runs there, and data stores of tenants',
  },
  rules: KAMAJI_MANIFEST_RULES,
  referenceRules: MISSING_STORES,
  changes: KAMAJI_CHANGES,
  effects: { [KAMAJI_CONTROL_PLANE]: controlPlaneEffects },
  controlPlanes: { [KAMAJI_CONTROL_PLANE]: controlPlaneFacts },
  controlPlanePods: { [KAMAJI_CONTROL_PLANE]: controlPlanePods },
  apiServerServices: { [KAMAJI_CONTROL_PLANE]: controlPlaneService },
  users: { [DATA_STORE]: storeUsers },
  powers: { pods: ['tenantcontrolplanes.kamaji.clastix.io', 'kamajicontrolplanes.controlplane.cluster.x-k8s.io'] },
  images: IMAGES,
};
