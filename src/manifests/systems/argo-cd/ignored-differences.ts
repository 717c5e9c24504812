import { globPattern } from './glob-pattern';
import { groupOf, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { KeptChanges } from '../../rules/delivery-facts';
import { fieldAt, Fields, listAt, objectsAt, sameValue, stringAt, withFieldsOf } from '../../values/fields';

const HOOK = 'argocd.argoproj.io/hook';

/**
 * Changes of a manifest that Argo CD does not apply: those of manifests that it skips, and those in fields that its Application ignores. An
 * Application syncs by itself when something differs that it does not ignore, and applies all of its manifests then.
 *
 * Sources: argoproj/argo-cd gitops-engine/pkg/sync/hook/hook.go (Skip), controller/sync.go (normalizeTargetResources),
 * controller/appcontroller.go (autoSync), docs/user-guide/sync-options.md (ApplyOutOfSyncOnly, RespectIgnoreDifferences), v3.6.1.
 */
export function keepsOut(application: ManifestObject, manifest: ManifestObject, former: ManifestObject): KeptChanges | undefined {
  if (stringAt(manifest, 'metadata', 'annotations', HOOK)?.trim() === 'Skip') return { applied: former, because: `skips it, by ${HOOK}` };
  const pointers = objectsAt(application, 'spec', 'ignoreDifferences').filter(([rule]) => concerns(rule, manifest))
    .flatMap(([rule]) => listAt(rule, 'jsonPointers').map(String));
  if (pointers.length === 0) return undefined;
  const applied = withFieldsOf(manifest, former, pointers);
  if (sameValue(applied, manifest)) return undefined;
  const options = listAt(application, 'spec', 'syncPolicy', 'syncOptions');
  const because = `ignores differences in ${pointers.join(', ')}`;
  if (options.includes('RespectIgnoreDifferences=true')) return { applied: sameValue(applied, former) ? former : applied, because };
  if (!sameValue(applied, former)) return undefined;
  return { applied: former, because, unlessOthersDiffer: !options.includes('ApplyOutOfSyncOnly=true') };
}

/** Source: argoproj/argo-cd util/argo/normalizers/diff_normalizer.go (Normalize), v3.6.1. */
function concerns(rule: Fields, manifest: ManifestObject): boolean {
  const isMeant = (pattern: unknown, text: string) => globPattern(String(pattern))?.(text) === true;
  return isMeant(rule.group ?? '', groupOf(manifest)) && isMeant(rule.kind, String(manifest.kind))
    && (fieldAt(rule, 'name') === undefined || rule.name === nameOf(manifest))
    && (fieldAt(rule, 'namespace') === undefined || rule.namespace === namespaceOf(manifest));
}
