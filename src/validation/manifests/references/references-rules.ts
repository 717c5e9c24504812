import { AGREEMENT } from './agreement';
import { REFERENCE_IDENTITY } from './identity';
import { MISSING_DELIVERIES } from './missing-deliveries';
import { MISSING_OBJECTS } from './missing-objects';
import { MISSING_STORES } from './missing-stores';
import { ManifestRule } from '../manifest-rule';

/** What objects that are applied together demand of each other. */
export const REFERENCE_MANIFEST_RULES: readonly ManifestRule[] = [
  ...MISSING_OBJECTS, ...MISSING_DELIVERIES, ...MISSING_STORES, ...AGREEMENT, ...REFERENCE_IDENTITY,
];
