import { BundledAddonProps } from './bundled-addon-props';
import { CHART_CATALOGUE } from './chart-catalogue.generated';
import { HelmChart } from './helm-chart';
import { mergeValues, Values } from './values';

/** Name of a chart that the library knows. */
export type BundledChart = keyof typeof CHART_CATALOGUE;

/** How a chart is installed where nobody says otherwise. */
export interface ChartInstallation {
  readonly chart: BundledChart;
  readonly releaseName: string;
  readonly namespace: string;
  /** Whether pods of the chart need host access, which the namespace must allow where the tenant enforces pod security. */
  readonly privileged?: boolean;
  readonly values?: Values;
}

/** The namespace that every cluster has from the start, and that is not for an addon to label. */
const SYSTEM_NAMESPACE = 'kube-system';

// kubernetes.io/docs/concepts/security/pod-security-admission
const PRIVILEGED = { 'pod-security.kubernetes.io/enforce': 'privileged' };

/**
 * A chart of the catalogue with what the user wants otherwise.
 *
 * @param installation how the library installs it
 * @param props what the user wants otherwise; his values go over all others
 */
export function bundledChart(installation: ChartInstallation, props: BundledAddonProps): HelmChart {
  const { chart, releaseName, privileged } = installation;
  const { repository, version } = CHART_CATALOGUE[chart];
  const namespace = props.namespace ?? installation.namespace;
  const values = mergeValues(installation.values, props.values);
  return {
    chart,
    repository: props.repository ?? repository,
    version: props.chartVersion ?? version,
    releaseName,
    namespace,
    namespaceLabels: privileged && namespace !== SYSTEM_NAMESPACE ? PRIVILEGED : undefined,
    values: Object.keys(values).length > 0 ? values : undefined,
    images: props.images,
    timeout: props.timeout,
  };
}
