import { BundledAddonProps } from './bundled-addon-props';
import CHART_CATALOGUE from '../../../data/charts.json';
import { CatalogVersion, versionIn } from '../../manifests/values/catalog';
import { mergeValues, Values } from '../../manifests/values/chart-values';
import { HelmChart } from '../contracts/helm-chart';
import { Versions } from '../contracts/versions';

/** Name of a chart that the library knows. Declarations of the package refer to no JSON, which compilers of users may not resolve. */
export type BundledChart = string;

/** Default installation of a chart. */
export interface ChartInstallation {
  readonly chart: BundledChart;
  readonly releaseName: string;
  readonly namespace: string;
  /** True if pods of the chart need host access, which the namespace must allow where the tenant enforces pod security. */
  readonly privileged?: boolean;
  readonly values?: Values;
}

/** An entry of the catalogue. */
export interface CatalogChart extends CatalogVersion {
  readonly repository: string;
}

/** The charts that the library knows. */
export const CHARTS: Readonly<Record<BundledChart, CatalogChart>> = CHART_CATALOGUE;

/** A namespace of every cluster, which addons must not label. */
const SYSTEM_NAMESPACE = 'kube-system';

// kubernetes.io/docs/concepts/security/pod-security-admission
const PRIVILEGED = { 'pod-security.kubernetes.io/enforce': 'privileged' };

/**
 * Applies the user's options to a chart of the catalogue.
 *
 * @param installation the default installation
 * @param props the user's options; the user's values override all others
 * @param versions the versions of the cluster
 */
export function bundledChart(installation: ChartInstallation, props: BundledAddonProps, versions: Versions): HelmChart {
  const { chart, releaseName, privileged } = installation;
  const entry = CHARTS[chart];
  const namespace = props.namespace ?? installation.namespace;
  const values = mergeValues(installation.values, props.values);
  return {
    chart,
    repository: props.repository ?? entry.repository,
    chartVersion: props.chartVersion ?? versionIn(entry, versions),
    releaseName,
    namespace,
    namespaceLabels: privileged && namespace !== SYSTEM_NAMESPACE ? PRIVILEGED : undefined,
    values: Object.keys(values).length > 0 ? values : undefined,
    valuesFrom: props.valuesFrom,
    images: props.images,
    timeout: props.timeout,
  };
}
