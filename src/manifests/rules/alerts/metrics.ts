/** A metric that alerts and dashboards read. */
export interface Metric<L extends string = string> {
  readonly name: string;

  /** Its labels, as far as they are read. */
  readonly labels: readonly L[];

  /** The program that serves it, in words for the reader of a page. */
  readonly exporter: string;

  /** The file of the program that declares it, and the release that was read. */
  readonly source: string;
}

/** The values of a label: one, one of several, or all but one. */
export type LabelMatch = string | { readonly in: readonly string[] } | { readonly not: string };

const SPECIAL = /[\\^$.|?*+()[\]{}]/g;

/**
 * The PromQL selector of a metric.
 *
 * @param metric the metric
 * @param match the values of its labels
 */
export function series<L extends string>(metric: Metric<L>, match: Partial<Readonly<Record<NoInfer<L>, LabelMatch>>> = {}): string {
  const matchers = Object.entries(match).map(([label, value]) => matcher(label, value as LabelMatch)).join(',');
  return matchers === '' ? metric.name : `${metric.name}{${matchers}}`;
}

function matcher(label: string, value: LabelMatch): string {
  if (typeof value === 'string') return `${label}=${quoted(value)}`;
  if ('not' in value) return `${label}!=${quoted(value.not)}`;
  return `${label}=~${quoted(value.in.map(escaped).join('|'))}`;
}

/** A string that matches itself as a regular expression. */
function escaped(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

const EXPORTER = 'kube-state-metrics';

/** A metric that kube-state-metrics has by default. */
function builtIn<L extends string>(name: string, labels: readonly L[], file: string): Metric<L> {
  return { name, labels, exporter: EXPORTER, source: `kubernetes/kube-state-metrics docs/metrics/${file}-metrics.md, v2.19.1` };
}

export const CRON_JOB_CREATED = builtIn('kube_cronjob_created', ['namespace', 'cronjob'], 'workload/cronjob');
export const CRON_JOB_SUCCESS = builtIn('kube_cronjob_status_last_successful_time', ['namespace', 'cronjob'], 'workload/cronjob');
export const DEPLOYMENT_AVAILABLE = builtIn('kube_deployment_status_replicas_available', ['namespace', 'deployment'], 'workload/deployment');
export const RESOURCE_QUOTA = builtIn('kube_resourcequota', ['namespace', 'resourcequota', 'resource', 'type'], 'policy/resourcequota');
export const SERVICE_TYPE = builtIn('kube_service_spec_type', ['namespace', 'service', 'type'], 'service/service');
export const SERVICE_ADDRESS = builtIn('kube_service_status_load_balancer_ingress', ['namespace', 'service'], 'service/service');

/** Decisions of ValidatingAdmissionPolicies. */
export const POLICY_CHECKS: Metric<'policy' | 'enforcement_action'> = {
  name: 'apiserver_validating_admission_policy_check_total',
  labels: ['policy', 'enforcement_action'],
  exporter: 'kube-apiserver',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/metrics/metrics.go, v1.36.3',
};

/**
 * The value of a metric by some of its labels. A restart of the exporter, or a second one beside it, then gives no series of its own.
 *
 * @param metric the metric
 * @param by the labels that stay
 * @param match the values of its labels
 */
export function newest<L extends string>(
  metric: Metric<L>, by: readonly NoInfer<L>[], match: Partial<Readonly<Record<NoInfer<L>, LabelMatch>>> = {},
): string {
  return `max by (${by.join(', ')}) (${series(metric, match)})`;
}
