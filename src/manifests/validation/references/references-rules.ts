import { AGREEMENT } from './agreement';
import { REFERENCE_IDENTITY } from './identity';
import { MISSING_OBJECTS } from './missing-objects';
import { ManifestRule } from '../../rules/manifest-rule';

/** What objects that are applied together demand of each other. */
export const REFERENCE_MANIFEST_RULES: readonly ManifestRule[] = [...MISSING_OBJECTS, ...AGREEMENT, ...REFERENCE_IDENTITY];
