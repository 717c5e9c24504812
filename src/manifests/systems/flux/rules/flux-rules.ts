import { FORCED_OBJECTS } from './forced-objects';
import { HELM_RELEASES } from './helm-releases';
import { KUSTOMIZATIONS } from './kustomizations';
import { SOURCES } from './sources';
import { ManifestRule } from '../../../rules/manifest-rule';

/** What Flux demands of its objects. */
export const FLUX_MANIFEST_RULES: readonly ManifestRule[] = [...HELM_RELEASES, ...KUSTOMIZATIONS, ...FORCED_OBJECTS, ...SOURCES];
