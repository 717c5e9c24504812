import { ClusterList } from './cluster-list';
import { FleetCluster } from './fleet-cluster';
import { FleetRing } from './fleet-ring';
import { FleetOverride } from './fleet-selector';
import { Versions } from '../../contracts/versions';
import { TenantCluster } from '../../tenant/tenant-cluster';
import { TenantClusterOptions } from '../../tenant/tenant-cluster-props';

/**
 * Defines the clusters of one kind. A profile is an object or a class with two functions. To extend another profile, call its functions.
 *
 * The fleet calls a profile once for each of its clusters. A profile keeps no state between calls. Create strategies that all clusters
 * share once, outside of it.
 */
export interface IClusterProfile {
  /**
   * Returns the properties of the cluster. The fleet adds name, namespace, Kubernetes version and labels from the list.
   *
   * @param cluster the values of the cluster
   */
  props(cluster: FleetCluster): TenantClusterOptions;

  /**
   * Adds pools, addons and workloads to the cluster.
   *
   * @param tenant the cluster
   * @param cluster its values
   */
  populate(tenant: TenantCluster, cluster: FleetCluster): void;
}

/** Properties of a fleet. */
export interface FleetProps {
  /** The clusters. */
  readonly clusters: ClusterList;

  /** The profiles, by the name that the list uses (`TC-FLEET-PROFILE`). */
  readonly profiles: { [name: string]: IClusterProfile };

  /**
   * The rings, in the order in which they get changes. A ring must not run a newer Kubernetes version than the ring before it, and must be
   * at most one minor release behind that ring.
   *
   * Rules: `TC-FLEET-RING-ORDER`, `TC-FLEET-RING-STEP`.
   *
   * @default - none: each cluster sets its own Kubernetes version (`TC-FLEET-VERSION`)
   */
  readonly rings?: FleetRing[];

  /**
   * The versions of charts, images and controllers that clusters get where neither their entry nor the profile nor the ring says others
   * (`TC-CLUSTER-CATALOG`).
   *
   * @default - the newest catalog of the package, so that a newer package moves them
   */
  readonly versions?: Versions;

  /**
   * Values for selected clusters, by name, profile, ring, region or label. The last override for a cluster wins.
   *
   * Rules: `TC-FLEET-OVERRIDE`, `TC-FLEET-OVERRIDE-IDLE`.
   *
   * @default - none
   */
  readonly overrides?: FleetOverride[];

  /**
   * Key of the label with the region, on all objects of a cluster in the management cluster, e.g. `example.com/region`.
   * `topology.kubernetes.io/region` does not fit: it is for nodes and volumes (kubernetes.io/docs/reference/labels-annotations-taints).
   *
   * Rule: `TC-FLEET-LABEL`.
   *
   * @default - no such label
   */
  readonly regionLabel?: string;

  /**
   * Key of the label with the ring, on all objects of a cluster in the management cluster, e.g. `example.com/ring`.
   *
   * Rule: `TC-FLEET-LABEL`.
   *
   * @default - no such label
   */
  readonly ringLabel?: string;

  /**
   * Columns and keys of the list that are for people, such as the owner of a cluster. An unread value under these keys causes no warning
   * (`TC-FLEET-UNUSED`).
   *
   * @default - none
   */
  readonly ignoredValues?: string[];

  /**
   * True if the network of a cluster routes its Services, as it routes its pods. A mesh that translates Services of other clusters to pods
   * only needs unique pod ranges (docs.cilium.io network/clustermesh).
   *
   * @default true
   */
  readonly servicesRouted?: boolean;
}
