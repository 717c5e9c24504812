import { Chart, Duration } from 'cdk8s';
import { ClusterContext } from '../cluster-context';
import { Addon, AddonConfig } from './addon';
import { AddonCapability } from './addon-capability';
import { HelmChart, HelmCrdPolicy, HelmInstallFailurePolicy } from './helm-chart';
import { HelmChartImage } from './helm-chart-image';
import { mergeValues } from './values';

/** Any Helm chart, and what is to be known about it. */
export interface HelmAddonProps {
  /** Name of the chart, e.g. `cert-manager`. For an OCI repository the last part of its address. */
  readonly chart: string;

  /**
   * Where the chart is kept: the address of a Helm repository (`https://charts.jetstack.io`), or of an OCI repository without the
   * chart's name (`oci://registry.example.com/charts`).
   */
  readonly repository: string;

  /** Exact version of the chart, as its repository spells it. */
  readonly version: string;

  /** Namespace of the release in the tenant. */
  readonly namespace: string;

  /**
   * Labels of that namespace, e.g. `pod-security.kubernetes.io/enforce`. Addons that share a namespace must agree
   * (`TC-ADDON-NAMESPACE-LABELS`).
   *
   * @default - none; the delivery makes the namespace when it does not exist
   */
  readonly namespaceLabels?: { [key: string]: string };

  /**
   * Name of the Helm release in the tenant (`TC-ADDON-RELEASE-TAKEN`).
   *
   * @default - the name of the addon
   */
  readonly releaseName?: string;

  /**
   * Values of the chart, as in a value file. `null` removes a key that the chart sets itself. They end up readable in the output: a
   * private key in them is refused (`TC-DELIVERY-PRIVATE-KEY`).
   *
   * @default - the chart's own
   */
  readonly values?: { [key: string]: any };

  /**
   * The images that the chart runs, so that they can be moved to another registry and get digests; an empty list for none. Where
   * `ImageSources` has a registry or requires digests, they must be known (`TC-IMAGE-CHART-UNKNOWN`).
   *
   * @default - what the library knows of the chart in this version
   */
  readonly images?: HelmChartImage[];

  /**
   * What happens to the chart's custom resource definitions.
   *
   * @default HelmCrdPolicy.CREATE_REPLACE
   */
  readonly crds?: HelmCrdPolicy;

  /**
   * How long an install or upgrade may take before it counts as failed and is tried again.
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;

  /**
   * Whether the release counts as installed only once its objects are ready.
   *
   * @default true
   */
  readonly wait?: boolean;

  /**
   * What happens when the first installation fails. A failed upgrade is always tried again as an upgrade.
   *
   * @default HelmInstallFailurePolicy.UPGRADE
   */
  readonly installFailurePolicy?: HelmInstallFailurePolicy;

  /**
   * Capabilities that the chart brings, of `AddonCapability` or names of your own.
   *
   * @default - none
   */
  readonly provides?: string[];

  /**
   * Capabilities that are there before the chart is installed (`TC-ADDON-REQUIREMENT`).
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
   * Addons that this one is installed after, beside those that bring what it requires (`TC-ADDON-AFTER`, `TC-ADDON-CYCLE`).
   *
   * @default - none
   */
  readonly after?: Addon[];
}

/** A Helm chart of your choice, installed in the tenant. */
export class HelmAddon extends Addon {
  /** Name of the addon. */
  public readonly name: string;

  /** Capabilities that the chart brings. */
  public override readonly provides: string[];

  /** Capabilities that are there before the chart is installed. */
  public override readonly requires: string[];

  /** Names or capabilities of addons that cannot be in the same cluster. */
  public override readonly conflictsWith: string[];

  /** Addons that this one is installed after. */
  public override readonly after: Addon[];

  private readonly props: HelmAddonProps;

  /**
   * @param name name of the addon, a DNS label that is unique within a cluster (`TC-ADDON-NAME`, `TC-ADDON-NAME-TAKEN`)
   * @param props the chart
   */
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
    const { chart, repository, version, namespace, namespaceLabels, releaseName = this.name, values, images, crds, timeout, wait } = this.props;
    const { installFailurePolicy } = this.props;
    const merged = values === undefined ? undefined : mergeValues(values);
    const helmChart: HelmChart = {
      chart, repository, version, namespace, namespaceLabels, releaseName, values: merged, images, crds, timeout, wait, installFailurePolicy,
    };
    return { charts: [helmChart] };
  }
}
