/** What a control plane declares about itself before anything is built. */
export interface ControlPlaneCapabilities {
  /** Port that the API server is reached at. */
  readonly apiServerPort: number;

  /**
   * Who fills the endpoint of the infrastructure object in place of the infrastructure provider:
   * the value of its annotation `cluster.x-k8s.io/managed-by`.
   *
   * @default - the infrastructure provider makes the endpoint
   */
  readonly endpointManager?: string;

  /**
   * Whether the control plane passes on a second address family of the pod and Service ranges.
   *
   * @default true
   */
  readonly dualStack?: boolean;

  /**
   * Whether kubeadm sets it up, which holds the ranges of Services to a limit that newer API servers have given up
   * (`TC-NETWORK-SERVICE-SIZE`).
   *
   * @default false
   */
  readonly kubeadm?: boolean;

  /**
   * Capabilities of addons that it brings along, such as `AddonCapability.CLUSTER_DNS`: addons may require them, and none may bring
   * them again.
   *
   * @default - none
   */
  readonly addonCapabilities?: string[];

  /**
   * Port beside that of the API server which nodes reach it at for the tunnel back to them.
   *
   * @default - no tunnel
   */
  readonly tunnelPort?: number;

  /**
   * How many machines of the cluster's infrastructure it runs on. They are nodes of the tenant cluster.
   *
   * @default - none: it runs beside the cluster
   */
  readonly machineCount?: number;

  /**
   * Whether `spec.replicas: 0` of its object stops it, and another number starts it again with the same data, certificates and address.
   * Only such a control plane can sleep (`TC-CLUSTER-HIBERNATION-CONTROL-PLANE`). For control planes without machines.
   *
   * @default false
   */
  readonly stopsAtZeroReplicas?: boolean;

  /**
   * Data stores of the management cluster that its pods connect to, by name.
   *
   * @default - not known by name: any data store of the management cluster
   */
  readonly dataStores?: string[];

  /**
   * What it consists of in the management cluster, as `resources.group`, e.g. `kubeadmcontrolplanes.controlplane.cluster.x-k8s.io`. Who is
   * given a view of the tenant there may read these.
   *
   * @default - nothing that is shown
   */
  readonly viewableResources?: string[];

  /**
   * Label of its pods in the management cluster, whose value is the name of the cluster, e.g. `kamaji.clastix.io/name`. Network policies of
   * the tenant's isolation select them by it.
   *
   * @default - it runs in no pods of the management cluster, or they cannot be told apart
   */
  readonly podLabel?: string;
}
