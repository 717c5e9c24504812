import { ADMISSION_PLUGINS } from './admission-plugins';
import { COMPONENT } from './components';
import { DATA_STORES } from './data-stores';
import { DNS } from './dns';
import { EXPOSURE } from './exposure';
import { IDENTITY } from './identity';
import { KUBELET } from './kubelet';
import { PORTS } from './ports';
import { PROVIDER_GATES } from './provider-gates';
import { STOPPED_CONTROL_PLANE } from './stopped-control-planes';
import { TENANT_CONTROL_PLANES } from './tenant-control-planes';
import { ManifestRule } from '../../../rules/manifest-rule';

/** What Kamaji and Cluster API's provider of it demand of their objects. */
export const KAMAJI_MANIFEST_RULES: readonly ManifestRule[] = [
  ...IDENTITY, ...EXPOSURE, ...PORTS, ...DNS, ...KUBELET, ...COMPONENT, ADMISSION_PLUGINS, ...PROVIDER_GATES, ...DATA_STORES,
  ...TENANT_CONTROL_PLANES, STOPPED_CONTROL_PLANE,
];
