import { APPLICATION } from './deliveries';
import { ManifestObject, nameOf } from '../../objects/manifest-object';
import { Alert, AlertsOf, MINUTE } from '../../rules/alerts/alert';
import { Metric, newest } from '../../rules/alerts/metrics';
import { fieldAt } from '../../values/fields';

/** State of Applications. Prometheus calls the label with the namespace of the Application `exported_namespace`, or `namespace` if labels are honored. */
const APPLICATION_INFO: Metric<'name' | 'autosync_enabled' | 'sync_status' | 'health_status'> = {
  name: 'argocd_app_info',
  labels: ['name', 'autosync_enabled', 'sync_status', 'health_status'],
  exporter: 'Argo CD',
  source: 'argoproj/argo-cd controller/metrics/metrics.go, v3.5.1',
};

/** Metrics of Argo CD. */
export const ARGO_CD_METRICS: readonly Metric[] = [APPLICATION_INFO];

// argoproj/argo-cd docs/user-guide/skip_reconcile.md
const SKIP_RECONCILE = 'argocd.argoproj.io/skip-reconcile';

function failing(object: ManifestObject): Alert[] {
  if (fieldAt(object, 'metadata', 'annotations', SKIP_RECONCILE) === 'true') return [];
  const name = nameOf(object) ?? '';
  return [{
    name: 'ReleaseFailing',
    expr: `${newest(APPLICATION_INFO, ['name'], { name, health_status: { in: ['Degraded', 'Missing'] } })} == 1 or `
      + `${newest(APPLICATION_INFO, ['name'], { name, autosync_enabled: 'true', sync_status: { not: 'Synced' } })} == 1`,
    seconds: 40 * MINUTE,
    severity: 'warning',
    summary: `The Application ${name} is not synced, or not healthy.`,
  }];
}

/** Alerts by kind. */
export const ARGO_CD_ALERTS: Readonly<Record<string, AlertsOf>> = { [APPLICATION]: failing };
