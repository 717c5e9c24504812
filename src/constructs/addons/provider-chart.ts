import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { CLASSES_PROPERTY } from './csi/driver-checks';
import { addStorageClass, checkDefaultClass, checkTaken, classSources } from './csi/storage-classes';
import { TenantSecret } from './tenant-secret';
import { mergeValues, Values } from '../../manifests/values/chart-values';
import { KubernetesVersion } from '../../manifests/values/kubernetes-version';
import { Problem, Rule } from '../../manifests/values/problem';
import { VolumeBindingMode, VolumeReclaimPolicy } from '../../manifests/values/storage-class';
import { TolerationOperator } from '../../manifests/values/taints';
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

/** The programs that an infrastructure installs in the tenant. */
export interface ProviderPrograms {
  /**
   * The cloud controller manager, which gives nodes their provider ID, addresses and labels. With `ProviderChart.external()`, kubelets wait for yours.
   *
   * @default ProviderChart.of()
   */
  readonly cloudControllerManager?: ProviderChart;

  /**
   * The CSI driver, which is installed where there are storage classes.
   *
   * @default ProviderChart.of()
   */
  readonly csiDriver?: ProviderChart;
}

/** Options that storage classes of all infrastructures have. */
export interface ProviderStorageClassOptions {
  /** Name of the StorageClass, which no other class has (`TC-PROVIDER-STORAGE-CLASS`). */
  readonly name: string;

  /**
   * True if claims that name no class are of this one (`TC-PROVIDER-STORAGE-CLASS`).
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
}

/** A storage class of the tenant, of volumes of an infrastructure. */
export interface ProviderStorageClass extends ProviderStorageClassOptions {
  /**
   * Parameters of the driver.
   *
   * @default - none: as the infrastructure has it
   */
  readonly parameters?: { [key: string]: string };

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

  /** The storage classes of a CSI driver, its name in them, and the construct that was given them. */
  readonly storage?: {
    readonly driver: string;
    readonly classes: readonly ProviderStorageClass[];
    readonly owner: Construct;
  };
}

/** A program of an infrastructure, as the options of the infrastructure have it. */
interface ProviderProgram extends Omit<ProviderChartEntry, 'options' | 'values' | 'define'> {
  /** The user's option. */
  readonly given?: ProviderChart;

  /** False if the options of the infrastructure need no such program. */
  readonly needed?: boolean;

  /** The Secret that configures it: the user's option, and the name that the program expects. */
  readonly secret?: { readonly given?: TenantSecret; readonly usual: string };

  /** The values for one cluster. */
  readonly values: (context: ClusterContext, secret: string) => Values;

  /** Defines objects that are delivered before the chart. */
  readonly define?: (tenant: Chart, secret: string) => void;
}

/**
 * The addons of the programs that are to be installed. Their Secrets are carried to the tenant, each once.
 *
 * @param scope the scope of the infrastructure
 * @param context the cluster
 * @param programs all programs of the infrastructure
 */
export function providerAddons(scope: Construct, context: ClusterContext, programs: readonly ProviderProgram[]): Addon[] {
  const carried = new Set<string>();
  return programs.flatMap(({ given = ProviderChart.of(), needed = true, secret, values, define, ...entry }) => {
    if (!given.enabled || !needed) return [];
    const { given: source = TenantSecret.carried(), usual = '' } = secret ?? {};
    if (secret && !carried.has(usual)) source._addSet(scope, context, usual);
    carried.add(usual);
    const name = source._nameOr(usual);
    return [new ProviderChartAddon({
      ...entry, options: given.options, values: (cluster) => values(cluster, name), define: (tenant) => define?.(tenant, name),
    })];
  });
}

const CLASS_RULE: Rule = {
  id: 'TC-PROVIDER-STORAGE-CLASS',
  title: 'Names of storage classes of an infrastructure must be unique, and exactly one class must be the default.',
  source: 'kubernetes.io/docs/concepts/storage/storage-classes (default StorageClass)',
};

/** Checks the storage classes of an infrastructure. */
export function checkProviderClasses(classes: readonly ProviderStorageClassOptions[]): Problem[] {
  const placed = classes.map((given, index) => ({ property: `${CLASSES_PROPERTY}[${index}]`, given }));
  return [...checkTaken(CLASS_RULE, 'storage class', placed), ...(placed.length > 0 ? checkDefaultClass(CLASS_RULE, CLASSES_PROPERTY, placed) : [])];
}

/** Tolerations of programs that run before nodes are ready. */
export const EVERYWHERE = [{ operator: TolerationOperator.EXISTS }];

/** The node selector for programs that run beside the API server; undefined if the control plane has no nodes in the tenant. */
export function controlPlaneNodes({ controlPlane: { machineCount = 0 } }: ClusterContext): object | undefined {
  return machineCount > 0 ? { 'node-role.kubernetes.io/control-plane': '' } : undefined;
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
    const { driver, classes, owner } = this.entry.storage ?? { classes: [] };
    classes.forEach((given, index) => {
      const volumeBindingMode = given.volumeBindingMode ?? VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER;
      const object = addStorageClass(tenant, `StorageClass${index}`, { ...given, volumeBindingMode }, driver!, given.parameters ?? {});
      FieldSources.record(object, owner!, classSources(`${CLASSES_PROPERTY}[${index}]`));
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
