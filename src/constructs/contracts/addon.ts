import { Chart } from 'cdk8s';
import { AddonCapability } from './addon-capability';
import { ClusterContext } from './cluster-context';
import { GitManifests } from './git-manifests';
import { HelmChart } from './helm-chart';
import { VolumeClass } from './volume-class';

/** What an addon installs. */
export interface AddonConfig {
  /**
   * Helm charts, in the order in which they are installed.
   *
   * @default - none
   */
  readonly charts?: HelmChart[];

  /**
   * Manifests of Git repositories, applied together, before the charts. They stay when the addon is removed.
   *
   * @default - none
   */
  readonly gitManifests?: GitManifests[];

  /**
   * True if the manifests come after the charts: their kinds are defined by one of these. A Kustomization of Flux, and an Application of
   * Argo CD, fail until the definitions are there and are tried again. So does a ClusterResourceSet, but after ever longer pauses of up to
   * 16 minutes (kubernetes/client-go util/workqueue/default_rate_limiters.go).
   *
   * @default false - they come before the charts
   */
  readonly chartsFirst?: boolean;

  /**
   * What volumes of the storage classes can be that the addon brings. Claims of the cluster's workloads and addons are checked against it.
   *
   * @default - not known, and not checked
   */
  readonly volumeClasses?: VolumeClass[];
}

/**
 * Something that runs in the tenant.
 *
 * An instance is plain data: it can be given to any number of clusters. Manifests are constructs that it defines in the chart it is
 * given; Helm charts are what it returns. How both reach the tenant is decided by the cluster's delivery.
 */
export abstract class Addon {
  /** Name of the addon, a DNS label that is unique within a cluster. */
  public abstract readonly name: string;

  /**
   * Capabilities that the addon brings.
   *
   * @default - none
   */
  public readonly provides: string[] = [];

  /**
   * Capabilities that must be brought by another addon, and are there before this one is installed.
   *
   * @default - a pod network
   */
  public readonly requires: string[] = [AddonCapability.POD_NETWORK];

  /**
   * Names of addons, or capabilities of addons, that cannot be in the same cluster.
   *
   * @default - none
   */
  public readonly conflictsWith: string[] = [];

  /**
   * Addons that this one is installed after, beside those that bring what it requires.
   *
   * @default - none
   */
  public readonly after: Addon[] = [];

  /**
   * Makes what the addon installs.
   *
   * Bad values are reported through `Problems.of(tenant)`; the name of the addon is put before the property.
   *
   * @param tenant a chart whose objects go to the tenant
   * @param context the cluster that the addon is for
   */
  public abstract bind(tenant: Chart, context: ClusterContext): AddonConfig;
}
