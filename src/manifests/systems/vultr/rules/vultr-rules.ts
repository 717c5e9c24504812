import { CLAIMS } from './claims';
import { CLUSTERS } from './clusters';
import { MACHINES } from './machines';
import { TENANT_OBJECTS } from './services';
import { ManifestRule } from '../../../rules/manifest-rule';

/** What Vultr's provider, cloud controller manager and CSI driver demand of their objects. */
export const VULTR_MANIFEST_RULES: readonly ManifestRule[] = [...CLUSTERS, ...MACHINES, ...TENANT_OBJECTS, CLAIMS];
