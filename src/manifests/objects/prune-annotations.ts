import { ManifestObject } from './manifest-object';
import { fieldAt, stringAt } from '../values/fields';

const PRUNE = 'kustomize.toolkit.fluxcd.io/prune';
const SUBSTITUTE = 'kustomize.toolkit.fluxcd.io/substitute';
const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';
const RESOURCE_POLICY = 'helm.sh/resource-policy';

/** Annotations that tools write to every object that they apply, for themselves. Nothing acts on them in a cluster without the tool. */
export const TOOL_ANNOTATIONS: readonly string[] = [
  'kubectl.kubernetes.io/last-applied-configuration', 'meta.helm.sh/release-name', 'meta.helm.sh/release-namespace',
];

/** Annotation by which Argo CD counts an object to the Application that it names (argo-cd docs/user-guide/resource_tracking.md). */
export const TRACKING_ID = 'argocd.argoproj.io/tracking-id';

/**
 * Annotations that keep an object alive when it leaves the GitOps source: Flux and Helm never prune it,
 * Argo CD neither prunes it nor deletes it together with its Application, nor tries to for ever because it is there.
 *
 * For what a living cluster still needs: machine and bootstrap templates that an old MachineSet may clone from,
 * the control plane and the infrastructure object. They go when their `Cluster` is deleted.
 *
 * Sources: fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (prune), argoproj/argo-cd
 * docs/user-guide/sync-options.md (Prune, Delete) and docs/user-guide/compare-options.md (IgnoreExtraneous), Helm's `helm.sh/resource-policy`.
 */
export function keepOnPrune(): { [key: string]: string } {
  return {
    'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
    [SYNC_OPTIONS]: 'Prune=false,Delete=false',
    [RESOURCE_POLICY]: 'keep',
    [PRUNE]: 'disabled',
  };
}

/** True if an object is marked to stay when it leaves the source: for Flux, for Argo CD, or for Helm. */
export function isKept(object: ManifestObject): boolean {
  return hasMark(object, PRUNE, 'disabled')
    || (stringAt(object, 'metadata', 'annotations', SYNC_OPTIONS) ?? '').split(',').some((option) => option.trim() === 'Prune=false')
    || isKeptByHelm(object);
}

/** True if Helm leaves an object when its release is uninstalled or has it no longer. */
export function isKeptByHelm(object: ManifestObject): boolean {
  return stringAt(object, 'metadata', 'annotations', RESOURCE_POLICY)?.trim().toLowerCase() === 'keep';
}

/**
 * True if a label or annotation of an object has a value, in any spelling, as Flux compares them.
 *
 * Source: fluxcd/pkg ssa/utils/meta.go (AnyInMetadata), v0.76.1.
 */
export function hasMark(object: ManifestObject, key: string, value: string): boolean {
  return ['annotations', 'labels'].some((map) => stringAt(object, 'metadata', map, key)?.toLowerCase() === value.toLowerCase());
}

/**
 * The annotations of `keepOnPrune()` for an object of others; none if it decides about pruning itself, whichever way. Further options of
 * Argo CD that it has stay.
 */
export function keptAnnotations(object: ManifestObject): { [key: string]: string } {
  type Texts = Readonly<Record<string, string>>;
  const { annotations = {}, labels = {} } = (object.metadata ?? {}) as { readonly annotations?: Texts; readonly labels?: Texts };
  const options = annotations[SYNC_OPTIONS] ?? '';
  const decides = [PRUNE, RESOURCE_POLICY].some((key) => annotations[key] !== undefined) || labels[PRUNE] !== undefined || /\b(Prune|Delete)=/.test(options);
  if (decides) return {};
  const kept = keepOnPrune();
  return { ...kept, [SYNC_OPTIONS]: options === '' ? kept[SYNC_OPTIONS] : `${options},${kept[SYNC_OPTIONS]}` };
}

/**
 * Annotation that makes Argo CD ask a person before it prunes or deletes the object.
 *
 * For the `Cluster`: deleting it deletes every machine.
 *
 * Source: argoproj/argo-cd docs/user-guide/sync-options.md (confirm).
 */
export function confirmRemoval(): { [key: string]: string } {
  return { [SYNC_OPTIONS]: 'Prune=confirm,Delete=confirm' };
}

/**
 * Annotation that keeps Flux from replacing `${…}` in the object: shell text is full of it, and an unknown
 * variable would silently become empty.
 *
 * Source: fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (post build variable substitution).
 */
export function noSubstitution(): { [key: string]: string } {
  return { [SUBSTITUTE]: 'disabled' };
}

/** True if an annotation or label of an object keeps Flux from replacing `${…}` in it. */
export function isNotSubstituted(object: ManifestObject): boolean {
  return ['annotations', 'labels'].some((map) => fieldAt(object, 'metadata', map, SUBSTITUTE) === 'disabled');
}

/** The place of an object in the order in which Argo CD applies objects. */
export function syncWave(object: ManifestObject): number | undefined {
  const wave = stringAt(object, 'metadata', 'annotations', SYNC_WAVE);
  return wave !== undefined && /^-?\d{1,9}$/.test(wave) ? Number(wave) : undefined;
}
