import { COMPONENT } from './components';
import { DATA_STORES } from './data-stores';
import { DNS } from './dns';
import { EXPOSURE } from './exposure';
import { IDENTITY } from './identity';
import { KUBELET } from './kubelet';
import { PORTS } from './ports';
import { TENANT_CONTROL_PLANES } from './tenant-control-planes';
import { ManifestRule } from '../manifest-rule';

/** What Kamaji and Cluster API's provider of it demand of their objects. */
export const KAMAJI_MANIFEST_RULES: readonly ManifestRule[] = [
  ...IDENTITY, ...EXPOSURE, ...PORTS, ...DNS, ...KUBELET, ...COMPONENT, ...DATA_STORES, ...TENANT_CONTROL_PLANES,
];
