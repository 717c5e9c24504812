import { APPLICATION, APPLICATION_SET } from './deliveries';
import { AnnotationFact, BOOLEAN_FORM, GO_BOOLEAN_FORM, listForm, oneOfForm, SystemAnnotations, WHOLE_NUMBER_FORM } from '../../rules/annotation-facts';

const PREFIX = 'argocd.argoproj.io/';

/** Sync options that an Application has, as they are compared. Those of `OBJECT_OPTIONS` are for single objects, too. */
const APPLICATION_OPTIONS: readonly string[] = [
  'ApplyOutOfSyncOnly=false', 'ApplyOutOfSyncOnly=true', 'CreateNamespace=false', 'CreateNamespace=true', 'FailOnSharedResource=false',
  'FailOnSharedResource=true', 'PrunePropagationPolicy=background', 'PrunePropagationPolicy=foreground', 'PrunePropagationPolicy=orphan',
  'RespectIgnoreDifferences=false', 'RespectIgnoreDifferences=true',
];

const OBJECT_OPTIONS: readonly string[] = [
  'ClientSideApplyMigration=false', 'ClientSideApplyMigration=true', 'Delete=confirm', 'Delete=false', 'Delete=true', 'Force=false', 'Force=true',
  'Prune=confirm', 'Prune=false', 'Prune=true', 'PruneLast=false', 'PruneLast=true', 'Replace=false', 'Replace=true', 'ServerSideApply=false',
  'ServerSideApply=true', 'SkipDryRunOnMissingResource=false', 'SkipDryRunOnMissingResource=true', 'Validate=false', 'Validate=true',
];

/**
 * Sync options that are read of objects alone: that of an Application is in each request to sync.
 *
 * Source: argoproj/argo-cd controller/sync.go (WithOperationSettings), v3.6.0.
 */
export const OBJECTS_ALONE: readonly string[] = ['Force=false', 'Force=true'];

/** Sync options in `spec.syncPolicy.syncOptions`. */
export const ALL_SYNC_OPTIONS: readonly string[] = [...APPLICATION_OPTIONS, ...OBJECT_OPTIONS.filter((option) => !OBJECTS_ALONE.includes(option))];

const HOOKS: readonly string[] = ['PreSync', 'Sync', 'PostSync', 'SyncFail', 'Skip', 'PreDelete', 'PostDelete'];
const HOOK_POLICIES: readonly string[] = ['HookSucceeded', 'HookFailed', 'BeforeHookCreation'];
const COMPARE_OPTIONS: readonly string[] = [
  'IgnoreExtraneous', 'IncludeMutationWebhook=true', 'IncludeMutationWebhook=false', 'ServerSideDiff=true', 'ServerSideDiff=false',
];

const FACTS: readonly AnnotationFact[] = [
  { key: `${PREFIX}sync-options`, form: listForm(oneOfForm(OBJECT_OPTIONS)) },
  { key: `${PREFIX}sync-wave`, form: WHOLE_NUMBER_FORM },
  { key: `${PREFIX}hook`, form: listForm(oneOfForm(HOOKS)) },
  { key: `${PREFIX}hook-delete-policy`, form: listForm(oneOfForm(HOOK_POLICIES)) },
  { key: `${PREFIX}compare-options`, form: listForm(oneOfForm(COMPARE_OPTIONS)) },
  { key: `${PREFIX}ignore-healthcheck`, form: BOOLEAN_FORM },
  { key: `${PREFIX}manifest-generate-paths`, kinds: [APPLICATION] },
  { key: `${PREFIX}refresh`, kinds: [APPLICATION], form: oneOfForm(['normal', 'hard']) },
  { key: `${PREFIX}skip-reconcile`, kinds: [APPLICATION, '/Secret'], form: GO_BOOLEAN_FORM },
  { key: `${PREFIX}application-set-refresh`, kinds: [APPLICATION_SET] },
  { key: `${PREFIX}secret-type`, isLabel: true, kinds: ['/Secret'], form: oneOfForm(['cluster', 'repository', 'repo-creds', 'repository-write', 'repository-push', 'repo-write-creds', 'scm-creds']) },
  { key: `${PREFIX}auto-label-cluster-info`, isLabel: true, kinds: ['/Secret'] },
  ...[
    'application-set-name', 'client-side-apply-migration-manager', 'deletion-approved', 'hydrate', 'ignore-default-links', 'ignore-resource-updates',
    'ignore-restart-policy', 'installation-id', 'instance', 'kubernetes-version', 'managed-by-url', 'tracking-id',
  ].map((name) => ({ key: `${PREFIX}${name}`, isLabel: 'both' as const, kinds: ['*'] })),
];

/** Labels and annotations by which objects steer Argo CD. */
export const ARGO_CD_ANNOTATIONS: SystemAnnotations = {
  reader: 'Argo CD',
  facts: FACTS,
  source: 'argoproj/argo-cd gitops-engine/pkg/sync/common/types.go, gitops-engine/pkg/sync/resource/annotations.go, common/common.go, controller/{state,sync,hook}.go, v3.5.1',
};
