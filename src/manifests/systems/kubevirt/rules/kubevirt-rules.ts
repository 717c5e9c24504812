import { CLUSTERS } from './clusters';
import { COUNTED } from './counts';
import { ACCESS_MODE_OF_PROFILE } from './data-volumes';
import { DISKS } from './disks';
import { IMAGE_VERSION } from './image-version';
import { MACHINES } from './machines';
import { NAMES } from './names';
import { NETWORK } from './network';
import { POOLS } from './pools';
import { TEMPLATE_METADATA } from './template-metadata';
import { TENANT_STORAGE } from './tenant-storage';
import { VIRTUAL_MACHINES } from './virtual-machines';
import { ManifestRule } from '../../../rules/manifest-rule';

/** What Cluster API's provider for KubeVirt, and KubeVirt behind it, demand of their objects. */
export const KUBEVIRT_MANIFEST_RULES: readonly ManifestRule[] = [
  ...CLUSTERS, ...MACHINES, COUNTED, ...DISKS, ...NETWORK, ...NAMES, ...POOLS, IMAGE_VERSION, TEMPLATE_METADATA, TENANT_STORAGE, ...VIRTUAL_MACHINES,
  ACCESS_MODE_OF_PROFILE,
];
