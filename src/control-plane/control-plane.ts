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
}

/** What a control plane built. */
export interface ControlPlaneConfig {
  /** The object that `Cluster.spec.controlPlaneRef` points to. */
  readonly resource: ApiObject;

  /** Where the tenant's kubeconfigs will be found. */
  readonly kubeconfigs: Kubeconfigs;
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
   * Makes the control plane's objects for one cluster.
   *
   * Bad values are reported through `Problems.of(scope)`.
   *
   * @param scope where to put the objects
   * @param context the cluster they belong to
   */
  public abstract bind(scope: Construct, context: ClusterContext): ControlPlaneConfig;
}
