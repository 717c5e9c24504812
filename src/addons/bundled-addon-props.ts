import { Duration } from 'cdk8s';
import { Addon } from './addon';
import { HelmChartImage } from './helm-chart-image';
import { Toleration } from '../kubernetes/tolerations';

/** What every addon of the library can be given. */
export interface BundledAddonProps {
  /**
   * Name of the addon and of its Helm release, a DNS label that is unique within a cluster (`TC-ADDON-NAME`, `TC-ADDON-NAME-TAKEN`).
   * Changing it installs the chart anew.
   *
   * @default - the usual name of what it installs
   */
  readonly name?: string;

  /**
   * Exact version of the chart, as its repository spells it. The values that the addon sets are those of the default version; look for
   * renamed keys in the notes of another.
   *
   * @default - the version that the library was released with
   */
  readonly chartVersion?: string;

  /**
   * Where the chart is kept instead, e.g. in a mirror: the address of a Helm repository, or of an OCI repository without the chart's name.
   *
   * @default - where its project publishes it
   */
  readonly repository?: string;

  /**
   * Namespace of the release in the tenant. Changing it installs the chart anew.
   *
   * @default - the one that the project recommends, or the usual name of what it installs
   */
  readonly namespace?: string;

  /**
   * Values that go over those of the addon, as in a value file: maps are merged, lists are replaced, and `null` removes a key. A key that
   * is nearly one of the chart is warned about (`TC-ADDON-VALUE-KEY`), a private key in them is refused (`TC-DELIVERY-PRIVATE-KEY`).
   *
   * @default - none
   */
  readonly values?: { [key: string]: any };

  /**
   * The images that the chart runs, for a `chartVersion` other than the default one. Where `ImageSources` has a registry or requires
   * digests, they must be known (`TC-IMAGE-CHART-UNKNOWN`).
   *
   * @default - those of the default version
   */
  readonly images?: HelmChartImage[];

  /**
   * Taints that all pods of the addon put up with, beside those that the chart tolerates itself. A cluster in which every pool has taints
   * needs it: the pods stay pending otherwise (`TC-ADDON-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * How long an install or upgrade may take before it counts as failed and is tried again.
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;

  /**
   * Addons that this one is installed after, beside those that bring what it requires (`TC-ADDON-AFTER`, `TC-ADDON-CYCLE`).
   *
   * @default - none
   */
  readonly after?: Addon[];
}
