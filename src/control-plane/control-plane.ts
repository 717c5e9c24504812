import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterContext } from '../cluster-context';
import { Kubeconfigs } from './kubeconfig';

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
}

/** The machines that a control plane runs on, as objects. */
export interface ControlPlaneMachines {
  /**
   * The immutable template that they are cloned from.
   *
   * The cluster names it `<cluster>-control-plane-<hash of its spec>` and marks it against pruning; a strategy gives it any name. References
   * of the control plane object that have its kind and name follow.
   */
  readonly machineTemplate: ApiObject;

  /**
   * The object that has unhealthy ones replaced.
   *
   * @default - nothing does
   */
  readonly machineHealthCheck?: ApiObject;
}

/** What a control plane built. */
export interface ControlPlaneConfig {
  /**
   * The object that `Cluster.spec.controlPlaneRef` points to: one with the name and in the namespace of the cluster
   * (`TC-CLUSTER-RESOURCE`). It is marked against pruning, since a living cluster still needs it when it leaves the source.
   *
   * Where it runs on machines, quotas count them by the fields of Cluster API's contract: `spec.replicas` and
   * `spec.machineTemplate.spec.infrastructureRef`.
   */
  readonly resource: ApiObject;

  /**
   * The machines that it runs on.
   *
   * @default - none
   */
  readonly machines?: ControlPlaneMachines;
}

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

/**
 * Who runs the API server of a tenant cluster.
 *
 * An instance is plain data: it can be given to any number of clusters.
 */
export abstract class ControlPlane {
  /** What this control plane brings along and asks for. */
  public abstract readonly capabilities: ControlPlaneCapabilities;

  /**
   * Where the kubeconfigs of a cluster will be found.
   *
   * @param cluster the cluster
   */
  public abstract kubeconfigs(cluster: ClusterIdentity): Kubeconfigs;

  /**
   * Where the API server of a cluster will be reached. What the control plane leaves out, the infrastructure may know.
   *
   * @param cluster the cluster
   */
  public abstract apiServerAddresses(cluster: ClusterIdentity): ApiServerAddresses;

  /**
   * Makes the control plane's objects for one cluster.
   *
   * Bad values are reported through `Problems.of(scope)`.
   *
   * @param scope where to put the objects
   * @param context the cluster they belong to
   */
  public abstract bind(scope: Construct, context: ClusterContext): ControlPlaneConfig;
}
