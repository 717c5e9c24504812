import { controlPlaneEffects } from './control-plane-effects';
import { controlPlaneFacts } from './control-plane-facts';
import { controlPlanePods, controlPlaneService } from './control-plane-pods';
import { IMAGES } from './images';
import { KAMAJI_CHANGES, storeUsers } from './rules/kamaji-changes';
import { DATA_STORE, KAMAJI_CONTROL_PLANE, KAMAJI_CONTROL_PLANE_TEMPLATE, TENANT_CONTROL_PLANE } from './rules/kamaji-objects';
import { KAMAJI_MANIFEST_RULES } from './rules/kamaji-rules';
import { MISSING_STORES } from './rules/missing-stores';
import { Provider } from '../../rules/provider';
import { ProviderRelease } from '../../values/provider-release';

/** Cluster API's provider for Kamaji. */
export const KAMAJI_RELEASE: ProviderRelease = {
  kind: 'ControlPlaneProvider',
  name: 'kamaji',
  image: 'docker.io/clastix/cluster-api-control-plane-provider-kamaji',
  // clastix/cluster-api-control-plane-provider-kamaji config/manager/manager.yaml, v0.20.0
  container: 'controller',
};

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
