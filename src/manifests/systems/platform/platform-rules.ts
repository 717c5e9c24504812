import { ISSUERS } from './issuers';
import { LOAD_BALANCERS } from './load-balancers';
import { PROVIDER_OPERATOR } from './provider-operator';
import { SNAPSHOTS } from './snapshots';
import { ManifestRule } from '../../rules/manifest-rule';

/** What the definitions of projects demand that run beside Cluster API. */
export const PLATFORM_MANIFEST_RULES: readonly ManifestRule[] = [
  ...PROVIDER_OPERATOR, ...ISSUERS, ...SNAPSHOTS, ...LOAD_BALANCERS,
];
