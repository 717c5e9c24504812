import { Chart, Duration } from 'cdk8s';
import { HelmChartImage } from '../../manifests/images/helm-chart-image';
import { mergeValues } from '../../manifests/values/chart-values';
import { Addon, AddonCapability, AddonConfig } from '../contracts/addon';
import { ClusterContext } from '../contracts/cluster-context';
import { HelmChart, HelmCrdPolicy, HelmInstallFailurePolicy, HelmValuesSource } from '../contracts/helm-chart';

/** Properties of an addon from any Helm chart. */
export interface HelmAddonProps {
  /** Name of the chart, e.g. `cert-manager`. For an OCI repository the last part of its address. */
  readonly chart: string;

  /**
   * Source of the chart: the address of a Helm repository (`https://charts.jetstack.io`), or of an OCI repository without the chart's name
   * (`oci://registry.example.com/charts`).
   */
  readonly repository: string;

  /** Exact version of the chart, as its repository spells it. */
  readonly chartVersion: string;

  /** Namespace of the release in the tenant. */
  readonly namespace: string;

  /**
   * Labels of that namespace, e.g. `pod-security.kubernetes.io/enforce`. Addons that share a namespace must agree
   * (`TC-ADDON-NAMESPACE-LABELS`).
   *
   * @default - none; the delivery creates the namespace if it does not exist
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * Name of the Helm release in the tenant. A release that exists is upgraded (`TC-ADDON-RELEASE-TAKEN`).
   *
   * @default - the name of the addon
   */
  readonly releaseName?: string;

  /**
   * Namespace of the tenant in which the record of the release is, for a release that another HelmRelease installed with another
   * `storageNamespace`, or with none: then it is the namespace of that HelmRelease. `FluxDelivery` alone finds it there
   * (`TC-DELIVERY-STORAGE-NAMESPACE`).
   *
   * @default - the namespace of the release
   */
  readonly storageNamespace?: string;

  /**
   * Values of the chart, as in a values file. `null` removes a default of the chart. The values are readable in the output: a private key
   * is rejected (`TC-DELIVERY-PRIVATE-KEY`).
   *
   * @default - the chart's own
   */
  readonly values?: { [key: string]: any };

  /**
   * Values that the output does not hold, such as passwords: Secrets and ConfigMaps that the delivery reads, in this order. `FluxDelivery` alone
   * can (`TC-DELIVERY-VALUES-FROM`).
   *
   * @default - none
   */
  readonly valuesFrom?: HelmValuesSource[];

  /**
   * The images of the chart, so that they can move to another registry and get digests; an empty list for none. They are required if
   * `ImageSources` has a registry or requires digests (`TC-IMAGE-CHART-UNKNOWN`).
   *
   * @default - the library's list for the chart in this version
   */
  readonly images?: HelmChartImage[];

  /**
   * Policy for the chart's custom resource definitions.
   *
   * @default HelmCrdPolicy.CREATE_REPLACE
   */
  readonly crds?: HelmCrdPolicy;

  /**
   * Timeout of an installation or upgrade, after which it fails and is retried.
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;

  /**
   * True if the release is installed only once its objects are ready.
   *
   * @default true
   */
  readonly wait?: boolean;

  /**
   * Policy for a failed first installation. A failed upgrade is always retried as an upgrade.
   *
   * @default HelmInstallFailurePolicy.UPGRADE
   */
  readonly installFailurePolicy?: HelmInstallFailurePolicy;

  /**
   * Capabilities that the chart provides: values of `AddonCapability`, or your own names.
   *
   * @default - none
   */
  readonly provides?: string[];

  /**
   * Capabilities that the cluster must have before the chart is installed (`TC-ADDON-REQUIREMENT`).
   *
   * @default - a pod network
   */
  readonly requires?: string[];

  /**
   * Names or capabilities of addons that cannot be in the same cluster (`TC-ADDON-CONFLICT`).
   *
   * @default - none
   */
  readonly conflictsWith?: string[];

  /**
   * Addons that must be installed before this one, in addition to those that provide its requirements (`TC-ADDON-AFTER`, `TC-ADDON-CYCLE`).
   *
   * @default - none
   */
  readonly after?: Addon[];
}

/**
 * A Helm chart of your choice, installed in the tenant.
 *
 * The name of the addon is a DNS label that is unique within a cluster (`TC-ADDON-NAME`, `TC-ADDON-NAME-TAKEN`).
 *
 * @example
 * acme.addAddon(new HelmAddon('podinfo', {
 *   chart: 'podinfo',
 *   repository: 'https://stefanprodan.github.io/podinfo',
 *   chartVersion: '6.9.2',
 *   namespace: 'podinfo',
 *   values: { replicaCount: 2 },
 * }));
 */
export class HelmAddon extends Addon {
  /** Name of the addon. */
  public readonly name: string;

  /** Capabilities that the chart provides. */
  public override readonly provides: string[];

  /** Capabilities that the cluster must have before the chart is installed. */
  public override readonly requires: string[];

  /** Names or capabilities of addons that cannot be in the same cluster. */
  public override readonly conflictsWith: string[];

  /** Addons that must be installed before this one. */
  public override readonly after: Addon[];

  private readonly props: HelmAddonProps;

  public constructor(name: string, props: HelmAddonProps) {
    super();
    this.name = name;
    this.props = props;
    this.provides = props.provides ?? [];
    this.requires = props.requires ?? [AddonCapability.POD_NETWORK];
    this.conflictsWith = props.conflictsWith ?? [];
    this.after = props.after ?? [];
  }

  /**
   * Gives the chart to the delivery.
   *
   * @param _tenant a chart whose objects go to the tenant; nothing is put there
   * @param _context the cluster that the addon is for
   */
  public bind(_tenant: Chart, _context: ClusterContext): AddonConfig {
    const { chart, repository, chartVersion, namespace, namespaceLabels, releaseName = this.name, values, images, crds, timeout, wait } = this.props;
    const { valuesFrom, installFailurePolicy, storageNamespace } = this.props;
    const merged = values === undefined ? undefined : mergeValues(values);
    const install = { crds, timeout, wait, installFailurePolicy };
    const helmChart: HelmChart = {
      chart, repository, chartVersion, namespace, namespaceLabels, releaseName, storageNamespace, values: merged, valuesFrom, images, ...install,
    };
    return { charts: [helmChart] };
  }
}
