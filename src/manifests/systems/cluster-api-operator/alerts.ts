import { PROVIDER_KINDS } from './components';
import { AlertsOf, MINUTE } from '../../rules/alerts/alert';
import { componentAlert } from '../../rules/alerts/component-alerts';
import { conditionMetric, CustomResourceMetric, OBJECT_LABELS } from '../../rules/alerts/custom-resource-metrics';

/** A provider is downloaded and installed first. */
const INSTALLATION = 20 * MINUTE;

const CONDITIONS = PROVIDER_KINDS.map((kind) => conditionMetric({
  kind,
  version: 'v1alpha2',
  plural: `${kind.split('/')[1].toLowerCase()}s`,
  prefix: 'capi_operator_provider',
  labels: OBJECT_LABELS,
  source: 'kubernetes-sigs/cluster-api-operator api/v1alpha2/provider_types.go, v0.28.0',
}));

/** Metrics of providers that the operator installs. */
export const CLUSTER_API_OPERATOR_METRICS: readonly CustomResourceMetric[] = CONDITIONS;

/** Alerts by kind. */
export const CLUSTER_API_OPERATOR_ALERTS: Readonly<Record<string, AlertsOf>> = Object.fromEntries(
  CONDITIONS.map((metric) => [metric.resource.kind, componentAlert(metric, 'Ready', INSTALLATION)]),
);
