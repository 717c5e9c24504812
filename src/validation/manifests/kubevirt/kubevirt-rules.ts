import { CLUSTERS } from './clusters';
import { DISKS } from './disks';
import { MACHINES } from './machines';
import { NAMES } from './names';
import { NETWORK } from './network';
import { ManifestRule } from '../manifest-rule';

/** What Cluster API's provider for KubeVirt, and KubeVirt behind it, demand of their objects. */
export const KUBEVIRT_MANIFEST_RULES: readonly ManifestRule[] = [...CLUSTERS, ...MACHINES, ...DISKS, ...NETWORK, ...NAMES];
