/** Host and port of a tenant's API server. */
export interface ApiServerAddress {
  /** Host name or IP address. */
  readonly host: string;

  /** Port. */
  readonly port: number;
}

/** Where a tenant's API server is reached, as far as that is known before it exists. */
export interface ApiServerAddresses {
  /**
   * Where it is published.
   *
   * @default - not known before the control plane is up
   */
  readonly published?: ApiServerAddress;

  /**
   * Where it is reached inside the management cluster, by a name that resolves there.
   *
   * @default - the control plane has no such name
   */
  readonly internal?: ApiServerAddress;
}

/** A tenant cluster by name, before anything else of it is known. */
export interface ClusterIdentity {
  /** Name of the `Cluster` object. */
  readonly name: string;

  /** Namespace in the management cluster that holds the tenant cluster's objects. */
  readonly namespace: string;
}
