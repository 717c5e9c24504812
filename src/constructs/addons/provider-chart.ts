import { Chart } from 'cdk8s';
import { mergeValues, Values } from '../../manifests/values/chart-values';
import { KubernetesVersion } from '../../manifests/values/kubernetes-version';
import { Addon, AddonConfig } from '../contracts/addon';
import { ClusterContext } from '../contracts/cluster-context';
import { pullSecretsField } from '../contracts/company-network/company-network';

/** Options of a chart that belongs to an infrastructure: its cloud controller manager, or its CSI driver. */
export interface ProviderChartOptions {
  /**
   * Exact version of the chart, as its repository spells it. Its release notes say which Kubernetes versions it supports.
   *
   * @default - the release that the library knows for the Kubernetes version of the control plane
   */
  readonly chartVersion?: string;

  /**
   * Source of the chart, e.g. a mirror.
   *
   * @default - the repository of its project
   */
  readonly repository?: string;

  /**
   * Values that override those of the library, as in a values file: objects are merged, lists are replaced, `null` removes a key.
   *
   * @default - none
   */
  readonly values?: { [key: string]: any };
}

/**
 * A cloud controller manager or a CSI driver of an infrastructure, as a released chart.
 *
 * @example
 * const driver = ProviderChart.of({ values: { logVerbosityLevel: 4 } });
 */
export class ProviderChart {
  /**
   * Installs the chart.
   *
   * @param options its options
   */
  public static of(options: ProviderChartOptions = {}): ProviderChart {
    return new ProviderChart(true, options);
  }

  /** Not installed by this library: the user installs it. */
  public static external(): ProviderChart {
    return new ProviderChart(false, {});
  }

  private constructor(
    /** True if this library installs it. */
    public readonly enabled: boolean,
    /** Its options. */
    public readonly options: ProviderChartOptions,
  ) {}
}

/** The releases of a chart, the oldest first. */
export interface ChartReleases {
  readonly repository: string;
  readonly releases: readonly ChartRelease[];
}

/** A release of a chart. */
interface ChartRelease {
  /** The minor version of Kubernetes that it is for, e.g. `1.35`. */
  readonly kubernetes: string;
  readonly version: string;

  /** Its images, by the key that has `repository` and `tag` below it. */
  readonly images: Readonly<Record<string, string>>;
}

/** What an infrastructure installs by a chart. */
interface ProviderChartEntry {
  /** Name of the chart, of its release and of the addon. */
  readonly chart: string;
  readonly known: ChartReleases;
  readonly options: ProviderChartOptions;
  readonly provides: string[];

  /** The values for one cluster. */
  readonly values: (context: ClusterContext) => Values;

  /** Defines objects that are delivered before the chart. */
  readonly define?: (tenant: Chart) => void;
}

/**
 * A program of an infrastructure in the namespace `kube-system` of the tenant, in the release of its chart for the Kubernetes version of the cluster, or the
 * last one before it: a cloud controller manager must not be newer than the API server (kubernetes.io/releases/version-skew-policy).
 */
export class ProviderChartAddon extends Addon {
  /** Name of the addon. */
  public readonly name: string;

  /** Capabilities that the chart provides. */
  public override readonly provides: string[];

  /** Nothing that would have to be there first: the pod network may wait for it. */
  public override readonly requires: string[] = [];

  /**
   * @param entry what is installed
   */
  public constructor(private readonly entry: ProviderChartEntry) {
    super();
    this.name = entry.chart;
    this.provides = entry.provides;
  }

  /** Gives the chart to the delivery. */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    const { chart, known, options, values, define } = this.entry;
    define?.(tenant);
    const { version, images } = releaseFor(known.releases, context.kubernetesVersion);
    const { chartVersion = version, repository = known.repository } = options;
    return {
      charts: [{
        chart,
        repository,
        chartVersion,
        releaseName: chart,
        namespace: 'kube-system',
        values: mergeValues({ ...values(context), ...pullSecretsField(context.companyNetwork) }, options.values),
        images: chartVersion === version
          ? Object.entries(images).map(([key, image]) => ({ image, repositoryKey: `${key}.repository`, tagKey: `${key}.tag` })) : undefined,
      }],
    };
  }
}

function releaseFor(releases: readonly ChartRelease[], { minor }: KubernetesVersion): ChartRelease {
  return releases.filter(({ kubernetes }) => Number(kubernetes.split('.')[1]) <= minor).at(-1) ?? releases[0];
}
