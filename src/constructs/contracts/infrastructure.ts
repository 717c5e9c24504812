import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Addon } from './addon';
import { ApiServerAddresses, ClusterContext, ClusterIdentity } from './cluster-context';
import { InfrastructureCapabilities } from './infrastructure-capabilities';

/** Objects that an infrastructure makes for a cluster (`Infrastructure.bind`). */
export interface InfrastructureConfig {
  /**
   * The object that `Cluster.spec.infrastructureRef` points to: one of the kind `clusterKind`, with the name and in the namespace of the
   * cluster. It is marked against pruning, since a living cluster still needs it when it leaves the source.
   *
   * Rule: `TC-CLUSTER-RESOURCE`.
   */
  readonly resource: ApiObject;

  /**
   * Addons that the tenant needs for what the infrastructure offers, e.g. for its volumes. They reach it like the user's own.
   *
   * @default - none
   */
  readonly addons?: Addon[];

  /**
   * The workload in the management cluster that runs the cloud controller manager.
   *
   * @default - there is none
   */
  readonly cloudControllerManager?: ApiObject;

  /**
   * The workload in the management cluster that runs the controller of the CSI driver.
   *
   * @default - there is none
   */
  readonly csiController?: ApiObject;
}

/**
 * Provider of the machines of a tenant cluster.
 *
 * An instance is plain data: it can be given to any number of clusters.
 */
export abstract class Infrastructure {
  /** Capabilities and requirements of this infrastructure. */
  public abstract readonly capabilities: InfrastructureCapabilities;

  /**
   * Addresses of the API server of a cluster whose control plane runs on machines and leaves the endpoint to the infrastructure, as far as
   * they are known before it exists. A name must be one that the control plane can put into the API server's certificate.
   *
   * @param _cluster the cluster
   * @returns nothing unless an infrastructure knows more
   */
  public apiServerAddresses(_cluster: ClusterIdentity): ApiServerAddresses {
    return {};
  }

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

/** Infrastructures of clusters, by what they declare. */
const BY_CAPABILITIES = new WeakMap<InfrastructureCapabilities, Infrastructure>();

/** Lets machines find the infrastructure of their cluster. */
export function registerInfrastructure(infrastructure: Infrastructure): void {
  BY_CAPABILITIES.set(infrastructure.capabilities, infrastructure);
}

/**
 * The infrastructure of a cluster, for machines that follow its options.
 *
 * @param context the cluster
 * @param type the class
 * @returns undefined if it is of another class
 */
export function infrastructureOf<T extends Infrastructure>(
  { infrastructure }: ClusterContext, type: abstract new (...args: any[]) => T,
): T | undefined {
  const found = BY_CAPABILITIES.get(infrastructure);
  return found instanceof type ? found : undefined;
}
