import { ApiServerAddress } from './api-server-address';
import { IsolationPeer } from './capabilities/isolation-peer';
import { NodeSetupPart } from './node-setup';

/** Capabilities of a control plane, declared before its objects are made. */
export interface ControlPlaneCapabilities {
  /** Port that the API server is reached at. */
  readonly apiServerPort: number;

  /**
   * Who fills the endpoint of the infrastructure object in place of the infrastructure provider:
   * the value of the annotation `cluster.x-k8s.io/managed-by`, for the kinds in `managedInfrastructureKinds`.
   *
   * @default - the infrastructure provider makes the endpoint
   */
  readonly endpointManager?: string;

  /**
   * Kinds of infrastructure object that the `endpointManager` also reports ready, e.g. `KubevirtCluster`. Only these can have the annotation
   * `cluster.x-k8s.io/managed-by`: providers leave objects with it alone, make no networks for them, and never report them ready.
   *
   * @default - all
   */
  readonly managedInfrastructureKinds?: string[];

  /**
   * Endpoint that the control plane brings, where the infrastructure provider neither makes it nor knows it: the infrastructure writes it into
   * `spec.controlPlaneEndpoint` of its object.
   *
   * Rule: `TC-CLUSTER-ENDPOINT`.
   *
   * @default - the infrastructure provider makes the endpoint, or `endpointManager` fills it in
   */
  readonly infrastructureEndpoint?: ApiServerAddress;

  /**
   * True if the control plane passes on a second address family of the pod and Service ranges.
   *
   * @default true
   */
  readonly dualStack?: boolean;

  /**
   * True if kubeadm sets it up, which holds the ranges of Services to a limit that newer API servers have given up
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
   * Number of machines of the cluster's infrastructure that it runs on. They are nodes of the tenant cluster.
   *
   * @default - none: it runs beside the cluster
   */
  readonly machineCount?: number;

  /**
   * Parts of `ControlPlaneMachines.nodeSetup` that it applies to the machines it runs on. A cluster whose infrastructure or machines ask for
   * another part is refused.
   *
   * Rule: `TC-NODE-SETUP-APPLIED`.
   *
   * @default - none
   */
  readonly appliedNodeSetup?: NodeSetupPart[];

  /**
   * True if `spec.replicas: 0` of its object stops it, and another number starts it again with the same data, certificates and address.
   * Only such a control plane can sleep. For control planes without machines.
   *
   * Rule: `TC-CLUSTER-HIBERNATION-CONTROL-PLANE`.
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
   * Pods or addresses in the management cluster whose webhooks its API servers call, beside its data stores. The isolation of a tenant lets
   * its pods through to them.
   *
   * @default - it calls none
   */
  readonly webhookPeers?: IsolationPeer[];

  /**
   * Resources that it consists of in the management cluster, as `resources.group`, e.g. `kubeadmcontrolplanes.controlplane.cluster.x-k8s.io`. Users
   * with a view of the tenant there may read them.
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
