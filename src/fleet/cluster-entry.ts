/** One cluster of a list. The same fields are columns or keys of a file. */
export interface ClusterEntry {
  /** Name of the cluster, a DNS label that starts with a letter (`TC-CLUSTER-NAME`), once in its namespace (`TC-FLEET-CLUSTER-TAKEN`). */
  readonly name: string;

  /**
   * Namespace in the management cluster (`TC-CLUSTER-NAMESPACE`).
   *
   * @default - `tenant-` and the name
   */
  readonly namespace?: string;

  /**
   * Which of the fleet's profiles it is made by (`TC-FLEET-PROFILE`).
   *
   * @default - the only one, where there is one
   */
  readonly profile?: string;

  /**
   * Which of the fleet's rings it is in (`TC-FLEET-RING`).
   *
   * @default - the last one
   */
  readonly ring?: string;

  /**
   * Where it is, by a name of your own.
   *
   * @default - none
   */
  readonly region?: string;

  /**
   * The network in which pods, and Services, of several clusters are routed, by a name of your own: clusters of one network have no
   * address in common (`TC-FLEET-RANGE-OVERLAP`).
   *
   * @default - nothing reaches pods of the cluster from others: its ranges may be those of another one
   */
  readonly network?: string;

  /**
   * Kubernetes version (`TC-CLUSTER-VERSION`), to hold a cluster back. No newer than that of the first ring, unless it is in the first
   * ring itself (`TC-FLEET-RING-ORDER`).
   *
   * @default - that of the ring (`TC-FLEET-VERSION`)
   */
  readonly kubernetesVersion?: string;

  /**
   * Whether the cluster is taken down: the first of the two commits that remove it, see `decommission` of a `TenantCluster`.
   *
   * @default false
   */
  readonly decommission?: boolean;

  /**
   * Labels that every object of the cluster in the management cluster gets (`TC-CLUSTER-LABEL`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * What else profiles read of the cluster, by key: texts, numbers, booleans, lists of texts, and maps of these.
   *
   * @default - nothing
   */
  readonly values?: { [key: string]: any };
}
