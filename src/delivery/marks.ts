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
    'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
    'helm.sh/resource-policy': 'keep',
    'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  };
}

/**
 * Annotation that makes Argo CD ask a person before it prunes or deletes the object.
 *
 * For the `Cluster`: its removal takes every machine with it.
 *
 * Source: argoproj/argo-cd docs/user-guide/sync-options.md (confirm).
 */
export function confirmRemoval(): { [key: string]: string } {
  return { 'argocd.argoproj.io/sync-options': 'Prune=confirm,Delete=confirm' };
}

/**
 * Annotation that keeps Flux from replacing `${…}` in the object: shell text is full of it, and an unknown
 * variable would silently become empty.
 *
 * Source: fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (post build variable substitution).
 */
export function noSubstitution(): { [key: string]: string } {
  return { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' };
}
