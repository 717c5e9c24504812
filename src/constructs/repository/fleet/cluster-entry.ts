import { Hibernation } from '../../contracts/hibernation';

/** One cluster of a list. A file has the same fields as columns or keys. */
export interface ClusterEntry {
  /**
   * Name of the cluster, a DNS label that starts with a letter. It must be unique in its namespace.
   *
   * Rules: `TC-CLUSTER-NAME`, `TC-FLEET-CLUSTER-TAKEN`.
   */
  readonly name: string;

  /**
   * Namespace in the management cluster (`TC-CLUSTER-NAMESPACE`).
   *
   * @default - `tenant-` and the name
   */
  readonly namespace?: string;

  /**
   * Name of the profile that creates the cluster (`TC-FLEET-PROFILE`).
   *
   * @default - the only profile of the fleet
   */
  readonly profile?: string;

  /**
   * Name of the ring of the cluster (`TC-FLEET-RING`).
   *
   * @default - the last ring
   */
  readonly ring?: string;

  /**
   * Region of the cluster, under a name that you choose.
   *
   * @default - none
   */
  readonly region?: string;

  /**
   * Network that routes the pods and Services of several clusters, under a name that you choose. Clusters of one network must not share
   * addresses (`TC-FLEET-RANGE-OVERLAP`).
   *
   * @default - other clusters do not reach its pods, and its ranges may overlap with theirs
   */
  readonly network?: string;

  /**
   * Kubernetes version, to hold a cluster back. It must not be newer than the version of the first ring, unless the cluster is in the
   * first ring.
   *
   * Rules: `TC-CLUSTER-VERSION`, `TC-FLEET-RING-ORDER`.
   *
   * @default - the version of the ring (`TC-FLEET-VERSION`)
   */
  readonly kubernetesVersion?: string;

  /**
   * The catalog of versions of charts, images and controllers, such as `2026.08`, to hold a cluster back. In a YAML file it needs quotes.
   *
   * Rule: `TC-CLUSTER-CATALOG`.
   *
   * @default - what the profile says, else the ring, else the fleet
   */
  readonly versions?: string;

  /**
   * True if the cluster is decommissioned: the first of the two commits that remove it. See `decommission` of a `TenantCluster`.
   *
   * @default false
   */
  readonly decommission?: boolean;

  /**
   * Hibernation of the cluster, in a file `pools` or `full`. See `hibernation` of a `TenantCluster`.
   *
   * @default - what the profile says
   */
  readonly hibernation?: Hibernation;

  /**
   * Labels that every object of the cluster in the management cluster gets (`TC-CLUSTER-LABEL`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Further values for profiles, by key: strings, numbers, booleans, lists of strings, and objects of these.
   *
   * @default - none
   */
  readonly values?: { [key: string]: any };
}
