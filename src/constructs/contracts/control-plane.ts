import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ApiServerAddresses, ClusterContext, ClusterIdentity, Kubeconfigs } from './cluster-context';
import { ControlPlaneCapabilities } from './control-plane-capabilities';
import { FormerTemplates } from './node-pool/former-templates';
import { NodeSetup } from './node-setup';

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

  /**
   * The template of the objects that replace unhealthy ones in place of Cluster API (`MachineConfig.remediationTemplate`).
   *
   * @default - Cluster API deletes them
   */
  readonly remediationTemplate?: ApiObject;

  /**
   * The templates that they were made from before there was a page.
   *
   * @default - the template is named after its content
   */
  readonly formerTemplates?: FormerTemplates;

  /**
   * Field of the control plane object whose changes replace them, beside the name of the template, e.g. `spec.kubeadmConfigSpec`. It is kept
   * with the former templates.
   *
   * @default - none
   */
  readonly configurationField?: string;

  /**
   * Needs of each node, for a control plane that writes the configuration of its machines itself
   * (`ControlPlaneCapabilities.appliedNodeSetup`).
   *
   * @default - what the infrastructure asks of all nodes
   */
  readonly nodeSetup?: NodeSetup;
}

/** Objects that a control plane makes for a cluster (`ControlPlane.bind`). */
export interface ControlPlaneConfig {
  /**
   * The object that `Cluster.spec.controlPlaneRef` points to: one with the name and in the namespace of the cluster. It is marked against
   * pruning, since a living cluster still needs it when it leaves the source.
   *
   * Quotas count the machines of a control plane by the fields of Cluster API's contract: `spec.replicas` and
   * `spec.machineTemplate.spec.infrastructureRef`.
   *
   * Rule: `TC-CLUSTER-RESOURCE`.
   */
  readonly resource: ApiObject;

  /**
   * The machines that it runs on.
   *
   * @default - none
   */
  readonly machines?: ControlPlaneMachines;
}

/**
 * Control plane of a tenant cluster.
 *
 * An instance is plain data: it can be given to any number of clusters.
 */
export abstract class ControlPlane {
  /** Capabilities and requirements of this control plane. */
  public abstract readonly capabilities: ControlPlaneCapabilities;

  /**
   * Kubeconfigs of a cluster, as they will be found.
   *
   * @param cluster the cluster
   */
  public abstract kubeconfigs(cluster: ClusterIdentity): Kubeconfigs;

  /**
   * Addresses of the API server of a cluster. The infrastructure may know those that the control plane leaves out.
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
