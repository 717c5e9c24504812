/**
 * Has a commit refresh an Application only if it changes something in its folder: otherwise each commit renders the folders of all tenants.
 *
 * Source: argoproj/argo-cd docs/operator-manual/high_availability.md (manifest paths annotation)
 */
export const OWN_FOLDER_ONLY = { 'argocd.argoproj.io/manifest-generate-paths': '.' };

/**
 * Retries of a failed sync: without limit, and each time with the newest commit. Otherwise Argo CD would retry the commit that failed,
 * and never get to the one that mends it.
 *
 * Source: argoproj/argo-cd manifests/crds/application-crd.yaml (`retry.refresh`)
 */
export const SYNC_RETRY = { backoff: { duration: '30s', factor: 2, maxDuration: '5m' }, limit: -1, refresh: true };
