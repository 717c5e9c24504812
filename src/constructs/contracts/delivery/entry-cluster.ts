/** A `Cluster` of Cluster API. */
export interface EntryCluster {
  /** Namespace of the object. */
  readonly namespace: string;

  /** Name of the object. */
  readonly name: string;
}
