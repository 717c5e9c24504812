import { DeclaredAlert } from './declared-alerts';
import { promDuration } from '../rules/alerts/alert';

/** The cluster that alerts are about. */
export interface AlertedCluster {
  readonly namespace: string;
  readonly name: string;
}

/** Labels by which alerts of a cluster are found, beside their severity. */
export function clusterLabels({ namespace, name }: AlertedCluster): Readonly<Record<string, string>> {
  return { cluster_name: name, cluster_namespace: namespace };
}

/** Address of the section of a page about an alert; headings become anchors as on GitHub. */
function runbookAddress(page: string, { name }: Pick<DeclaredAlert, 'name'>): string {
  return `${page}#${name.toLowerCase()}`;
}

/**
 * `spec` of a PrometheusRule.
 *
 * @param cluster the cluster
 * @param alerts the alerts
 * @param options labels of all alerts, and the address of the page that has a section for each of them
 */
export function prometheusRuleSpec(
  cluster: AlertedCluster, alerts: readonly DeclaredAlert[],
  options: { readonly labels: Readonly<Record<string, string>>; readonly runbooks: string },
): object {
  return {
    groups: alerts.length === 0 ? [] : [{
      name: `${cluster.namespace}/${cluster.name}`,
      rules: alerts.map((alert) => ({
        alert: alert.name,
        annotations: { runbook_url: runbookAddress(options.runbooks, alert), summary: alert.summary },
        expr: alert.expr,
        ...(alert.seconds > 0 && { for: promDuration(alert.seconds) }),
        labels: {
          ...options.labels, ...clusterLabels(cluster), ...(alert.object !== undefined && { object: alert.object }), severity: alert.severity,
        },
      })),
    }],
  };
}
