import { Duration } from 'cdk8s';
import { HelmChartImage } from '../../manifests/images/helm-chart-image';
import { Toleration } from '../../manifests/values/tolerations';
import { Addon } from '../contracts/addon';
import { HelmValuesSource } from '../contracts/helm-values-source';

/** Options of every addon of the library. */
export interface BundledAddonProps {
  /**
   * Name of the addon and of its Helm release, a DNS label that is unique within a cluster. A new value installs the chart again.
   *
   * Rules: `TC-ADDON-NAME`, `TC-ADDON-NAME-TAKEN`.
   *
   * @default - the usual name of the program
   */
  readonly name?: string;

  /**
   * Exact version of the chart, as its repository spells it. The addon sets values for the default version. For another version, check its
   * release notes for renamed keys.
   *
   * @default - the version that the library was released with
   */
  readonly chartVersion?: string;

  /**
   * Source of the chart, e.g. a mirror: the address of a Helm repository, or of an OCI repository without the chart's name.
   *
   * @default - the repository of its project
   */
  readonly repository?: string;

  /**
   * Namespace of the release in the tenant. A new value installs the chart again.
   *
   * @default - the namespace that the project recommends, or the usual name of the program
   */
  readonly namespace?: string;

  /**
   * Values that override those of the addon, as in a values file: objects are merged, lists are replaced, and `null` removes a key. A
   * likely misspelled key causes a warning. Private keys are rejected.
   *
   * Rules: `TC-ADDON-VALUE-KEY`, `TC-DELIVERY-PRIVATE-KEY`.
   *
   * @default - none
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
   * The images of the chart, for a `chartVersion` other than the default. They are required if `ImageSources` has a registry or requires
   * digests (`TC-IMAGE-CHART-UNKNOWN`).
   *
   * @default - the images of the default version
   */
  readonly images?: HelmChartImage[];

  /**
   * Tolerations of all pods of the addon, in addition to those of the chart. A cluster whose pools all have taints needs them: otherwise
   * the pods stay pending (`TC-ADDON-TOLERATION`).
   *
   * @default - none
   */
  readonly tolerations?: Toleration[];

  /**
   * Timeout of an installation or upgrade, after which it fails and is retried.
   *
   * @default Duration.minutes(10)
   */
  readonly timeout?: Duration;

  /**
   * Addons that must be installed before this one, in addition to those that provide its requirements (`TC-ADDON-AFTER`, `TC-ADDON-CYCLE`).
   *
   * @default - none
   */
  readonly after?: Addon[];
}
