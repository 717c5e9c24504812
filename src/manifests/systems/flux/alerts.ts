import { GIT_REPOSITORY, HELM_RELEASE, HELM_REPOSITORY, KUSTOMIZATION, OCI_REPOSITORY } from './deliveries';
import { ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { Alert, AlertsOf, MINUTE } from '../../rules/alerts/alert';
import { CustomResourceMetric, infoMetric } from '../../rules/alerts/custom-resource-metrics';
import { newest } from '../../rules/alerts/metrics';
import { durationSeconds } from '../../rules/cluster-api/health-checks';
import { fieldAt, stringAt } from '../../values/fields';

const LABELS = {
  exported_namespace: ['metadata', 'namespace'],
  name: ['metadata', 'name'],
  ready: ['status', 'conditions', '[type=Ready]', 'status'],
  suspended: ['spec', 'suspend'],
} as const;

/** Kinds with the versions that are stored, and the plurals of their names. */
const KINDS: readonly (readonly [kind: string, version: string, plural: string])[] = [
  [HELM_RELEASE, 'v2', 'helmreleases'],
  [KUSTOMIZATION, 'v1', 'kustomizations'],
  [GIT_REPOSITORY, 'v1', 'gitrepositories'],
  [HELM_REPOSITORY, 'v1', 'helmrepositories'],
  [OCI_REPOSITORY, 'v1', 'ocirepositories'],
];

/** State of the objects of Flux, by the names that its monitoring example has. */
const RESOURCE_INFO = KINDS.map(([kind, version, plural]) => infoMetric({
  kind,
  version,
  plural,
  prefix: 'gotk',
  labels: LABELS,
  source: 'fluxcd/flux2-monitoring-example monitoring/controllers/kube-prometheus-stack/kube-state-metrics-config.yaml, 7ab65dc8',
}, 'resource_info', 'The state of an object of Flux.', { name: ['metadata', 'name'] }));

/** Metrics of Flux. */
export const FLUX_METRICS: readonly CustomResourceMetric[] = RESOURCE_INFO;

/** Timeout of an apply or an upgrade that states none (fluxcd/helm-controller api/v2/helmrelease_types.go, GetTimeout). */
const USUAL_TIMEOUT = 5 * MINUTE;

/** Time that a new cluster has to come up before its charts count as failing. */
const START = 30 * MINUTE;

/** Kinds without a status until a controller has looked at them. Repositories of OCI have none at all. */
const APPLIED = ['HelmRelease', 'Kustomization'];
const SOURCES = ['GitRepository', 'HelmRepository', 'OCIRepository'];

/** One alert for all objects of a namespace: those that are suspended carry a label. */
function failing(object: ManifestObject): Alert[] {
  if (fieldAt(object, 'spec', 'suspend') === true) return [];
  const of = { exported_namespace: namespaceOf(object) ?? '', suspended: { not: 'true' } } as const;
  const by = ['customresource_kind', 'exported_namespace', 'name'] as const;
  const timeout = durationSeconds(stringAt(object, 'spec', 'timeout')) ?? USUAL_TIMEOUT;
  return [{
    name: 'ReleaseFailing',
    expr: `${newest(RESOURCE_INFO[0], by, { ...of, customresource_kind: { in: APPLIED }, ready: { not: 'True' } })} == 1 or `
      + `${newest(RESOURCE_INFO[0], by, { ...of, customresource_kind: { in: SOURCES }, ready: { in: ['False', 'Unknown'] } })} == 1`,
    seconds: START + 2 * timeout,
    severity: 'warning',
    shared: true,
    summary: '{{ $labels.customresource_kind }} {{ $labels.exported_namespace }}/{{ $labels.name }} is not ready.',
  }];
}

/** Alerts by kind. */
export const FLUX_ALERTS: Readonly<Record<string, AlertsOf>> = Object.fromEntries([HELM_RELEASE, KUSTOMIZATION].map((kind) => [kind, failing]));
