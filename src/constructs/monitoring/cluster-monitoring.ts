import { ApiObject, Lazy } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import { clusterDashboard } from '../../manifests/monitoring/dashboard';
import { alertMetrics, DeclaredAlert, declaredAlerts, isAlertName } from '../../manifests/monitoring/declared-alerts';
import { AlertedCluster, clusterLabels, prometheusRuleSpec } from '../../manifests/monitoring/prometheus-rule';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { noSubstitution } from '../../manifests/objects/prune-annotations';
import { ALERT_NAMES } from '../../manifests/rules/alerts/alert';
import { checkLabels } from '../../manifests/values/labels';
import { nearestName } from '../../manifests/values/nearest-name';
import { joinName } from '../../manifests/values/object-name';
import { Problem, problemIf, problemsOf, Rule } from '../../manifests/values/problem';
import { checkUrl } from '../../manifests/values/repository-address';
import { Problems } from '../app/problems/problems';
import { answered, constructsIn, writtenManifest } from '../app/synth/synthesis';
import { TypedApiObject } from '../app/synth/typed-api-object';

/** Page with a section for each alert. */
const RUNBOOKS = 'https://cdk8s-cluster-api.github.io/cdk8s-cluster-api/troubleshooting/alerts.html';

const PROPERTY = 'monitoring';

/** Properties of `ClusterMonitoring`. */
export interface ClusterMonitoringProps {
  /**
   * Labels of the PrometheusRule, by which a Prometheus selects its rules (`ruleSelector`). That of kube-prometheus-stack selects
   * `release: <its release>` by default.
   *
   * Rule: `TC-MONITORING-LABEL`.
   *
   * @default - none
   */
  readonly ruleLabels?: { [key: string]: string };

  /**
   * Labels that each alert gets, beside `severity` (`critical` or `warning`), `cluster_name`, `cluster_namespace` and `object`
   * (`MachineDeployment/acme-general`), such as the team that is told.
   *
   * Rule: `TC-MONITORING-LABEL`.
   *
   * @default - none
   */
  readonly alertLabels?: { [key: string]: string };

  /**
   * Names of alerts that are left out, such as `QuotaNearLimit`. docs/troubleshooting/alerts.md has all names.
   *
   * Rule: `TC-MONITORING-ALERT`.
   *
   * @default - none
   */
  readonly without?: string[];

  /**
   * Address of the page that `runbook_url` of each alert names, before `#` and the name of the alert in lower case: that of a copy of
   * docs/troubleshooting/alerts.md, with instructions of your own.
   *
   * Rule: `TC-MONITORING-RUNBOOKS`.
   *
   * @default - the page of this library's documentation
   */
  readonly runbooks?: string;

  /**
   * True if a ConfigMap with a dashboard of Grafana is written: alerts, and the values that they watch.
   *
   * @default true
   */
  readonly dashboard?: boolean;

  /**
   * Labels of that ConfigMap, by which the sidecar of Grafana finds dashboards.
   *
   * Rule: `TC-MONITORING-LABEL`.
   *
   * @default - `grafana_dashboard: "1"`, the default of kube-prometheus-stack
   */
  readonly dashboardLabels?: { [key: string]: string };
}

/** The objects that monitor a cluster. */
export interface ClusterMonitoringConfig {
  /** The PrometheusRule. */
  readonly prometheusRule: ApiObject;

  /**
   * The ConfigMap with the dashboard.
   *
   * @default - none is written
   */
  readonly dashboard?: ApiObject;
}

/** Objects that alerts are about. */
interface MonitoredTrees {
  /** Returns the constructs with the objects that the management cluster gets for the cluster. */
  readonly trees: () => readonly IConstruct[];

  /** True if nothing of the cluster may change. */
  readonly frozen?: boolean;
}

/**
 * Alerts and a dashboard for a cluster, from what its page declares: a PrometheusRule and a ConfigMap in the management cluster, with limits
 * that follow from declared sizes, start-up times, timeouts, schedules and quotas.
 *
 * A tenant cluster has alerts for control plane, certificates, pools, machines, health checks, Services, quota, controllers, and its charts and
 * manifests; a management cluster for its components, data stores, backups, and its charts and manifests. Objects that are declared later,
 * and patches, count. Hibernated pools, suspended deliveries, paused health checks and the machines of a paused cluster raise no alert. A
 * frozen cluster has those of severity `critical` alone: nothing is changed because of a warning. One that sleeps with `Hibernation.FULL`, or is
 * decommissioned, has none.
 *
 * The management cluster must have the operator of Prometheus, kube-state-metrics with the configuration of `CustomResourceMetrics`,
 * and scrape jobs for the programs whose metrics are read (docs/guides/monitor-a-tenant.md).
 *
 * An instance is plain data: it can be given to any number of clusters.
 *
 * @example
 * new ClusterMonitoring({ ruleLabels: { release: 'kube-prometheus-stack' }, alertLabels: { team: 'platform' } });
 */
export class ClusterMonitoring {
  public constructor(private readonly props: ClusterMonitoringProps = {}) {}

  /**
   * Makes the objects for one cluster. Bad values are reported through `Problems.of(scope)`.
   *
   * @internal
   */
  public _bind(scope: Construct, cluster: AlertedCluster, { trees, frozen = false }: MonitoredTrees): ClusterMonitoringConfig {
    this.check().forEach((problem) => Problems.of(scope).add(problem));
    const { ruleLabels = {}, alertLabels: labels = {}, runbooks = RUNBOOKS, dashboard = true, dashboardLabels = { grafana_dashboard: '1' } } = this.props;
    const own = new Set<ApiObject>();
    const without = { names: new Set(this.props.without), frozen };
    const alerts = () => answered(scope, 'alerts', () => declaredAlerts(manifestsIn(trees(), own), without));
    const { namespace, name } = cluster;
    const prometheusRule = new TypedApiObject(scope, 'PrometheusRule', { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule' }, {
      metadata: { name, namespace, labels: ruleLabels, annotations: noSubstitution() },
      spec: Lazy.any({ produce: () => prometheusRuleSpec(cluster, alerts(), { labels, runbooks }) }),
    });
    own.add(prometheusRule);
    if (!dashboard) return { prometheusRule };
    const configMap = this.makeDashboard(scope, cluster, dashboardLabels, alerts);
    own.add(configMap);
    return { prometheusRule, dashboard: configMap };
  }

  private makeDashboard(
    scope: Construct, cluster: AlertedCluster, labels: { [key: string]: string }, alerts: () => readonly DeclaredAlert[],
  ): ApiObject {
    return new TypedApiObject(scope, 'Dashboard', { apiVersion: 'v1', kind: 'ConfigMap' }, {
      metadata: { name: joinName(cluster.name, 'dashboard'), namespace: cluster.namespace, labels, annotations: noSubstitution() },
      data: {
        // The sidecar writes all dashboards into one folder.
        [`${cluster.namespace}-${cluster.name}.json`]: Lazy.any({ produce: () => `${JSON.stringify(clusterDashboard(cluster, alerts()), null, 2)}\n` }),
      },
    });
  }

  private check(): Problem[] {
    const { ruleLabels = {}, alertLabels = {}, dashboardLabels = {}, without = [], runbooks } = this.props;
    return [
      ...problemsOf(LABEL_RULE, `${PROPERTY}.ruleLabels`, checkLabels(ruleLabels)),
      ...problemsOf(LABEL_RULE, `${PROPERTY}.dashboardLabels`, checkLabels(dashboardLabels)),
      ...Object.keys(alertLabels).flatMap((label) => checkAlertLabel(label)),
      ...without.flatMap((name) => checkAlertName(name)),
      ...problemIf(RUNBOOKS_RULE, `${PROPERTY}.runbooks`, runbooks === undefined ? undefined : checkUrl(runbooks, ['https', 'http']), 'write the address of the page'),
    ];
  }
}

const ALERT_RULE: Rule = {
  id: 'TC-MONITORING-ALERT',
  title: 'An alert that is left out must be one that the library has.',
};

function checkAlertName(name: string): Problem[] {
  if (isAlertName(name)) return [];
  const names = Object.keys(ALERT_NAMES);
  return [{
    rule: ALERT_RULE,
    property: `${PROPERTY}.without`,
    message: `${JSON.stringify(name)} is no alert`,
    accepted: names.join(', '),
    fix: `write ${nearestName(name, names) ?? 'one of these'}, or remove it`,
  }];
}

const LABEL_RULE: Rule = {
  id: 'TC-MONITORING-LABEL',
  title: 'Labels of objects must be valid in Kubernetes, and those of alerts in Prometheus, and not be set by the library.',
  source: 'prometheus/prometheus model/rulefmt/rulefmt.go (Validate), rules/alerting.go (Eval)',
};

/** Labels of metrics that a rule must not overwrite: Prometheus rejects alerts with the same labels. One rule is about one namespace. */
const SERIES_LABELS: ReadonlySet<string> = new Set(alertMetrics().flatMap(({ labels }) => labels).filter((label) => label !== 'namespace'));

function checkAlertLabel(label: string): Problem[] {
  const at = { rule: LABEL_RULE, property: `${PROPERTY}.alertLabels` };
  if (['alertname', 'object', 'severity', ...Object.keys(clusterLabels({ namespace: '', name: '' }))].includes(label)) {
    return [{ ...at, message: `the label "${label}" is set already`, fix: 'choose another name' }];
  }
  if (SERIES_LABELS.has(label)) {
    return [{ ...at, message: `the label "${label}" tells the alerts of several objects apart`, fix: 'choose another name' }];
  }
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label) && !label.startsWith('__') ? [] : [{
    ...at, message: `${JSON.stringify(label)} is not the name of a label`, accepted: 'letters, digits and "_", no digit first and not "__"', fix: 'correct the name',
  }];
}

const RUNBOOKS_RULE: Rule = {
  id: 'TC-MONITORING-RUNBOOKS',
  title: 'The page with the instructions for alerts must have an address.',
};

/** The manifests of all objects of some trees. Those that cannot be written are reported elsewhere. */
function manifestsIn(trees: readonly IConstruct[], without: ReadonlySet<ApiObject>): ManifestObject[] {
  const objects = trees.flatMap((tree) => constructsIn(tree)).filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
  return objects.filter((object) => !without.has(object)).flatMap((object) => {
    try {
      return [writtenManifest(object) as ManifestObject];
    } catch {
      return [];
    }
  });
}
