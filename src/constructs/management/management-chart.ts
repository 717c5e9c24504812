import { Duration } from 'cdk8s';
import { TOLERATION_RULE } from './component-options';
import { HelmChartImage } from '../../manifests/images/helm-chart-image';
import { mergeValues, Values } from '../../manifests/values/chart-values';
import { Problem, problemsOf } from '../../manifests/values/problem';
import { checkTolerations, Toleration } from '../../manifests/values/taints';
import { PinnedChart } from '../../manifests/values/versions';
import { TolerationPaths, tolerationValues } from '../addons/bundled-addon';
import { HelmChart, HelmCrdPolicy, HelmInstallFailurePolicy } from '../contracts/helm-chart';

/** Options of every Helm chart of the management cluster. */
export interface ManagementChartOptions {
  /**
   * Exact version of the chart, as its repository spells it. The library sets values for the default version. For another version, check
   * its release notes for renamed keys.
   *
   * Rule: `TC-DELIVERY-CHART-VERSION`.
   *
   * @default - the version that the library was released with
   */
  readonly chartVersion?: string;

  /**
   * Source of the packaged chart, e.g. a mirror: the address of a Helm repository, or of an OCI repository without the chart's name
   * (`TC-DELIVERY-REPOSITORY`).
   *
   * @default - the repository of its project
   */
  readonly repository?: string;

  /**
   * Namespace of the release. A new namespace installs the chart again.
   *
   * @default - the namespace that its project recommends
   */
  readonly namespace?: string;

  /**
   * Values that override all others, as in a values file: objects are merged, lists are replaced, and `null` removes a key.
   *
   * @default - none
   */
  readonly values?: { [key: string]: any };

  /**
   * The images of the chart in this version. Required for another version if images move to another registry or get digests.
   *
   * Rule: `TC-IMAGE-CHART-UNKNOWN`.
   *
   * @default - the images of the default version, if this is the default version
   */
  readonly images?: HelmChartImage[];

  /**
   * Tolerations of all pods of the chart (`TC-MANAGEMENT-TOLERATION`).
   *
   * @default - the tolerations of the chart
   */
  readonly tolerations?: Toleration[];

  /**
   * Timeout of an installation or upgrade, after which it fails and is retried (`TC-DELIVERY-DURATION`).
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;
}

/** Default installation of a chart. */
interface ChartDefaults {
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

  /** The images of the pinned version, if no table has them. */
  readonly images?: HelmChartImage[];
}

/** Applies the user's options to a chart. A chart from Git counts as packaged if the user sets another source. */
export function managementChart(defaults: ChartDefaults, options: ManagementChartOptions): HelmChart {
  const { chart, pin, releaseName, gitPath, crds, hooks, installFailurePolicy, tolerations = {}, images } = defaults;
  const version = options.chartVersion ?? pin.version;
  const values = mergeValues(defaults.values, tolerationValues(tolerations, options.tolerations), options.values);
  return {
    chart,
    repository: options.repository ?? pin.repository,
    chartVersion: version,
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

/** Checks the options that the delivery does not check. */
export function checkChartOptions(property: string, { tolerations }: ManagementChartOptions): Problem[] {
  return problemsOf(TOLERATION_RULE, `${property}.tolerations`, checkTolerations(tolerations ?? []));
}
