import { KUBERNETES_ALERTS } from '../kubernetes/alerts';
import { groupKind, ManifestObject, nameOf } from '../objects/manifest-object';
import { Alert, ALERT_NAMES, AlertName, AlertsOf, WatchedCluster } from '../rules/alerts/alert';
import { CustomResourceMetric } from '../rules/alerts/custom-resource-metrics';
import {
  CRON_JOB_CREATED, CRON_JOB_SUCCESS, DEPLOYMENT_AVAILABLE, Metric, POLICY_CHECKS, RESOURCE_QUOTA, SERVICE_ADDRESS, SERVICE_TYPE,
} from '../rules/alerts/metrics';
import { CLUSTER_API_ALERTS, CLUSTER_API_METRICS } from '../rules/cluster-api/alerts';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { providers } from '../systems/providers';
import { fieldAt } from '../values/fields';

/** Every metric that alerts read. */
export function alertMetrics(): readonly Metric[] {
  return [
    CRON_JOB_CREATED, CRON_JOB_SUCCESS, DEPLOYMENT_AVAILABLE, RESOURCE_QUOTA, SERVICE_ADDRESS, SERVICE_TYPE, POLICY_CHECKS,
    ...CLUSTER_API_METRICS, ...providers().flatMap(({ metrics = [] }) => metrics),
  ];
}

/** The metrics that kube-state-metrics makes only with a configuration. */
export function customResourceMetrics(): readonly CustomResourceMetric[] {
  return alertMetrics().filter((metric): metric is CustomResourceMetric => 'resource' in metric);
}

/** Alerts of a cluster that are left out. */
export interface LeftOutAlerts {
  /** Names of alerts. */
  readonly names: ReadonlySet<string>;

  /** True if the cluster is frozen, so that nothing is changed because of a warning. */
  readonly frozen: boolean;
}

/** An alert, and the object that it is about. */
export interface DeclaredAlert extends Alert {
  /**
   * `Kind/name`.
   *
   * @default - all objects of a namespace
   */
  readonly object?: string;
}

/**
 * The alerts for the objects of a cluster, in the order of their names.
 *
 * @param objects the objects as they are written to the management cluster
 * @param without the alerts that are left out
 */
export function declaredAlerts(objects: readonly ManifestObject[], without: LeftOutAlerts): readonly DeclaredAlert[] {
  const index = new ManifestIndex(objects);
  const cluster = watchedCluster(index);
  if (cluster.stopped) return [];
  const found = objects.flatMap((object) => (alertsOf(groupKind(object))?.(object, index, cluster) ?? []).map((alert): DeclaredAlert => (
    alert.shared ? alert : { ...alert, object: `${String(object.kind)}/${nameOf(object) ?? ''}` })))
    .filter(({ name, severity }) => !without.names.has(name) && !(without.frozen && severity === 'warning'));
  return merged(found).sort((one, other) => compare(one.name, other.name) || compare(one.expr, other.expr));
}

/** True if a text is the name of an alert. */
export function isAlertName(text: string): text is AlertName {
  return Object.hasOwn(ALERT_NAMES, text);
}

function alertsOf(kind: string): AlertsOf | undefined {
  return CLUSTER_API_ALERTS[kind] ?? KUBERNETES_ALERTS[kind] ?? providers().map(({ alerts }) => alerts?.[kind]).find((known) => known !== undefined);
}

/** The state of the cluster that the objects declare. */
function watchedCluster(index: ManifestIndex): WatchedCluster & { readonly stopped: boolean } {
  const replicas = providers().flatMap(({ controlPlanePods = {} }) => Object.entries(controlPlanePods))
    .flatMap(([kind, pods]) => index.all(kind).map((object) => pods(object).replicas));
  return {
    paused: index.all(CLUSTER).some((object) => fieldAt(object, 'spec', 'paused') === true),
    stopped: replicas.length > 0 && replicas.every((number) => number === 0),
  };
}

/** Alerts that ask the same question are one, with the longest time. */
function merged(alerts: readonly DeclaredAlert[]): DeclaredAlert[] {
  const byQuestion = new Map<string, DeclaredAlert>();
  for (const alert of alerts) {
    const key = `${alert.name} ${alert.expr}`;
    const known = byQuestion.get(key);
    if (known === undefined || known.seconds < alert.seconds) byQuestion.set(key, alert);
  }
  return [...byQuestion.values()];
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
