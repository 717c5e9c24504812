import { Duration } from 'cdk8s';
import { checkTolerationsOf } from './workload-options';
import { HelmChart, HelmCrdPolicy, HelmInstallFailurePolicy } from '../addons/helm-chart';
import { HelmChartImage } from '../addons/helm-chart-image';
import { TolerationPaths, tolerationValues } from '../addons/toleration-values';
import { mergeValues, Values } from '../addons/values';
import { Toleration } from '../kubernetes/tolerations';
import { Problem } from '../validation/problem';
import { PinnedChart } from '../versions';

/** What every Helm chart of the management cluster can be given. */
export interface ManagementChartOptions {
  /**
   * Exact version of the chart, as its repository spells it. The values that are set are those of the default version; look for renamed
   * keys in the notes of another (`TC-DELIVERY-CHART-VERSION`).
   *
   * @default - the version that the library was released with
   */
  readonly chartVersion?: string;

  /**
   * Where the packaged chart is kept instead, e.g. in a mirror: the address of a Helm repository, or of an OCI repository without the
   * chart's name (`TC-DELIVERY-REPOSITORY`).
   *
   * @default - where its project publishes it
   */
  readonly repository?: string;

  /**
   * Namespace of the release. Changing it installs the chart anew.
   *
   * @default - the one that its project recommends
   */
  readonly namespace?: string;

  /**
   * Values that go over those that are set otherwise, as in a value file: maps are merged, lists are replaced, and `null` removes a key.
   *
   * @default - none
   */
  readonly values?: { [key: string]: any };

  /**
   * The images that the chart runs in this version, where they are to be moved or to have digests: the library knows those of the default
   * version (`TC-IMAGE-CHART-UNKNOWN`).
   *
   * @default - those of the default version, if it is this one
   */
  readonly images?: HelmChartImage[];

  /**
   * Taints that all pods of the chart put up with (`TC-MANAGEMENT-TOLERATION`).
   *
   * @default - none beside those that the chart tolerates itself
   */
  readonly tolerations?: Toleration[];

  /**
   * How long an install or upgrade may take before it counts as failed and is tried again (`TC-DELIVERY-DURATION`).
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;
}

/** How a chart is installed where nobody says otherwise. */
export interface ChartDefaults {
  readonly chart: string;
  readonly pin: Omit<PinnedChart, 'source'>;
  readonly gitPath?: string;
  readonly releaseName: string;
  readonly namespace: string;
  readonly values?: Values;
  readonly tolerations?: TolerationPaths;
  readonly crds?: HelmCrdPolicy;
  readonly hooks?: boolean;
  readonly installFailurePolicy?: HelmInstallFailurePolicy;

  /** The images that it runs in the version that is pinned, where no table has them. */
  readonly images?: HelmChartImage[];
}

/** A chart with what the user wants otherwise. One that is read from Git is taken for packaged when it comes from elsewhere. */
export function managementChart(defaults: ChartDefaults, options: ManagementChartOptions): HelmChart {
  const { chart, pin, releaseName, gitPath, crds, hooks, installFailurePolicy, tolerations = {}, images } = defaults;
  const version = options.chartVersion ?? pin.version;
  const values = mergeValues(defaults.values, tolerationValues(tolerations, options.tolerations), options.values);
  return {
    chart,
    repository: options.repository ?? pin.repository,
    version,
    gitPath: options.repository === undefined ? gitPath : undefined,
    releaseName,
    namespace: options.namespace ?? defaults.namespace,
    values: Object.keys(values).length > 0 ? values : undefined,
    crds,
    hooks,
    installFailurePolicy,
    images: options.images ?? (version === pin.version ? images : undefined),
    timeout: options.timeout,
  };
}

/** Checks what the delivery does not. */
export function checkChartOptions(property: string, { tolerations }: ManagementChartOptions): Problem[] {
  return checkTolerationsOf(`${property}.tolerations`, tolerations);
}
