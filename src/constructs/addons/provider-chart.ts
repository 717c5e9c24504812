import { VolumeBindingMode, VolumeReclaimPolicy } from '../../manifests/values/storage-class';

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
