import { HELM_CHART_PROXY } from './rules/chart-proxy-changes';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { Alert, AlertsOf, MINUTE } from '../../rules/alerts/alert';
import { conditionMetric, CustomResourceMetric, OBJECT_LABELS } from '../../rules/alerts/custom-resource-metrics';
import { newest } from '../../rules/alerts/metrics';
import { durationSeconds } from '../../rules/cluster-api/health-checks';
import { stringAt } from '../../values/fields';

const CONDITION = conditionMetric({
  kind: HELM_CHART_PROXY,
  version: 'v1alpha1',
  plural: 'helmchartproxies',
  prefix: 'caaph_helmchartproxy',
  labels: OBJECT_LABELS,
  source: 'kubernetes-sigs/cluster-api-addon-provider-helm api/v1alpha1/condition_consts.go, v0.6.4',
});

/** Metrics of HelmChartProxies. */
export const HELM_CHART_PROXY_METRICS: readonly CustomResourceMetric[] = [CONDITION];

/** Time that a new cluster has to come up before its charts count as failing. */
const START = 30 * MINUTE;
const USUAL_TIMEOUT = 10 * MINUTE;

function failing(object: ManifestObject): Alert[] {
  const [namespace, name] = [namespaceOf(object) ?? '', nameOf(object) ?? ''];
  const timeout = durationSeconds(stringAt(object, 'spec', 'options', 'timeout')) ?? USUAL_TIMEOUT;
  return [{
    name: 'ReleaseFailing',
    expr: `${newest(CONDITION, ['namespace', 'name'], { namespace, name, type: 'HelmReleaseProxiesReady', status: 'False' })} == 1`,
    seconds: START + 2 * timeout,
    severity: 'warning',
    summary: `The HelmChartProxy ${name} has a release that is not ready.`,
  }];
}

/** Alerts by kind. */
export const HELM_CHART_PROXY_ALERTS: Readonly<Record<string, AlertsOf>> = { [HELM_CHART_PROXY]: failing };
