import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ClusterContext } from '../cluster-context';

/** What an infrastructure declares about itself before anything is built. */
export interface InfrastructureCapabilities {
  /** Kind of its infrastructure object, e.g. `KubevirtCluster`. */
  readonly clusterKind: string;

  /**
   * Networks that machines see beside the tenant cluster's own, e.g. the pod, Service and node ranges of the
   * management cluster that virtual machines run in. The tenant's ranges must not overlap with them.
   *
   * @default - none known
   */
  readonly reservedCidrs?: string[];

  /**
   * Whether the machines run in the management cluster, so that its Service names resolve there.
   *
   * @default false
   */
  readonly inManagementCluster?: boolean;

  /**
   * Whether a cloud controller manager initializes the nodes. Kubelets then register with `--cloud-provider=external`, and pods wait
   * until it has been there.
   *
   * @default false
   */
  readonly externalCloudProvider?: boolean;
}

/** What an infrastructure built. */
export interface InfrastructureConfig {
  /** The object that `Cluster.spec.infrastructureRef` points to. */
  readonly resource: ApiObject;
}

/**
 * Where the machines of a tenant cluster live.
 *
 * An instance is plain data: it can be given to any number of clusters.
 */
export abstract class Infrastructure {
  /** What this infrastructure brings along and asks for. */
  public abstract readonly capabilities: InfrastructureCapabilities;

  /**
   * Makes the infrastructure's objects for one cluster.
   *
   * Bad values are reported through `Problems.of(scope)`.
   *
   * @param scope where to put the objects
   * @param context the cluster they belong to
   */
  public abstract bind(scope: Construct, context: ClusterContext): InfrastructureConfig;
}
