import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { addStorageClass, classSources } from './csi/storage-classes';
import { mergeValues, Values } from '../../manifests/values/chart-values';
import { KubernetesVersion } from '../../manifests/values/kubernetes-version';
import { VolumeBindingMode, VolumeReclaimPolicy } from '../../manifests/values/storage-class';
import { FieldSources } from '../app/synth/field-sources';
import { Addon, AddonCapability, AddonConfig } from '../contracts/addon';
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
   * Name of the Helm release in the tenant. A release that exists is upgraded; a new value installs the chart again
   * (`TC-ADDON-RELEASE-TAKEN`).
   *
   * @default - the name of the chart
   */
  readonly releaseName?: string;

  /**
   * Namespace of the release in the tenant. A new value installs the chart again.
   *
   * @default kube-system
   */
  readonly namespace?: string;

  /**
   * Namespace of the tenant in which the record of the release is, for a release that another HelmRelease installed with another
   * `storageNamespace`, or with none: then it is the namespace of that HelmRelease. `FluxDelivery` alone finds it there
   * (`TC-DELIVERY-STORAGE-NAMESPACE`).
   *
   * @default - the namespace of the release
   */
  readonly storageNamespace?: string;

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

/** A storage class of the tenant, of volumes of an infrastructure. */
export interface ProviderStorageClass {
  /** Name of the StorageClass. */
  readonly name: string;

  /**
   * Parameters of the driver.
   *
   * @default - none: as the infrastructure has it
   */
  readonly parameters?: { [key: string]: string };

  /**
   * True if claims that name no class are of this one.
   *
   * @default false
   */
  readonly isDefault?: boolean;

  /**
   * Treatment of a volume when its claim is deleted.
   *
   * @default VolumeReclaimPolicy.DELETE
   */
  readonly reclaimPolicy?: VolumeReclaimPolicy;

  /**
   * When a volume is made.
   *
   * @default VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER - where the first pod is that uses it
   */
  readonly volumeBindingMode?: VolumeBindingMode;
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

  /** Its images, by the key that has `repository` and `tag` below it, or by the keys of these two with a space between them. */
  readonly images: Readonly<Record<string, string>>;
}

/** Program that an infrastructure installs by a chart. */
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

  /** The storage classes of a CSI driver: its name in them, and the property that they were given to. */
  readonly storage?: {
    readonly driver: string;
    readonly classes: readonly ProviderStorageClass[];
    readonly owner: Construct;
    readonly property: string;
  };
}

/**
 * A program of an infrastructure in the tenant, in the release of its chart for the Kubernetes version of the cluster, or the
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
    const isDefault = entry.storage?.classes.some((storageClass) => storageClass.isDefault) ?? false;
    this.provides = [...entry.provides, ...(isDefault ? [AddonCapability.PERSISTENT_VOLUMES] : [])];
  }

  /** Gives the chart to the delivery. */
  public bind(tenant: Chart, context: ClusterContext): AddonConfig {
    const { chart, known, options, values, define } = this.entry;
    define?.(tenant);
    this.addClasses(tenant);
    const { version, images } = releaseFor(known.releases, context.kubernetesVersion);
    const { chartVersion = version, repository = known.repository, releaseName = chart, namespace = 'kube-system', storageNamespace } = options;
    return {
      charts: [{
        chart,
        repository,
        chartVersion,
        releaseName,
        namespace,
        storageNamespace,
        values: mergeValues({ ...values(context), ...pullSecretsField(context.companyNetwork) }, options.values),
        images: chartVersion === version
          ? Object.entries(images).map(([key, image]) => ({ image, ...imageKeys(key) })) : undefined,
      }],
    };
  }

  private addClasses(tenant: Chart): void {
    const { driver, classes, owner, property } = this.entry.storage ?? { classes: [] };
    classes.forEach((given, index) => {
      const volumeBindingMode = given.volumeBindingMode ?? VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER;
      const object = addStorageClass(tenant, `StorageClass${index}`, { ...given, volumeBindingMode }, driver!, given.parameters ?? {});
      FieldSources.record(object, owner!, classSources(`${property!}[${index}]`));
    });
  }
}

function releaseFor(releases: readonly ChartRelease[], { minor }: KubernetesVersion): ChartRelease {
  return releases.filter(({ kubernetes }) => Number(kubernetes.split('.')[1]) <= minor).at(-1) ?? releases[0];
}

function imageKeys(key: string): { readonly repositoryKey: string; readonly tagKey: string } {
  const [repositoryKey, tagKey] = key.split(' ');
  return tagKey === undefined ? { repositoryKey: `${key}.repository`, tagKey: `${key}.tag` } : { repositoryKey, tagKey };
}
