import { HostFile } from './host-file';
import { KubeadmNode } from './kubeadm-node';
import { Problem } from '../../manifests/values/problem';
import { Addon } from '../contracts/addon';

/** A Secret that addons read and the administrator must create. */
export interface RequiredSecret {
  /** Namespace of the Secret. */
  readonly namespace: string;

  /** Name of the Secret. */
  readonly name: string;

  /** Keys that it must have. */
  readonly keys: string[];
}

/** Objects and files that a platform adds to the cluster and its hosts. */
export interface KubeadmPlatformConfig {
  /**
   * Addons that the cluster needs there, such as the cloud controller manager.
   *
   * @default - none
   */
  readonly addons?: Addon[];

  /**
   * Files of every node.
   *
   * @default - none
   */
  readonly nodeFiles?: HostFile[];

  /**
   * Shell commands that apply the files on every node. They must be idempotent.
   *
   * @default - none
   */
  readonly nodeCommands?: string[];

  /**
   * Further requirements of nodes, such as a program of the cloud. Each is a line in the overview of hosts.
   *
   * @default - none
   */
  readonly nodeRequirements?: string[];

  /**
   * Secrets that must be in the cluster before the addons; the overview of hosts describes how to create them.
   *
   * @default - none
   */
  readonly secrets?: RequiredSecret[];
}

/** The nodes of a cluster, for the checks of a platform. */
export interface KubeadmNodes {
  /** Nodes of the control plane. */
  readonly controlPlaneNodes: KubeadmNode[];

  /** Nodes for workloads. */
  readonly workers: KubeadmNode[];
}

/**
 * The platform of the machines of a `KubeadmCluster`: requirements for nodes, and addons.
 *
 * An instance is plain data: clusters can share it.
 */
export abstract class KubeadmPlatform {
  /**
   * True if a cloud controller manager initializes the nodes. Kubelets then register with `--cloud-provider=external`, and it must report
   * each node's `address` as `InternalIP`: Calico sends the traffic between nodes there.
   *
   * Rule: `TC-KUBEADM-CLUSTER-CLOUD-PROVIDER`.
   */
  public abstract readonly externalCloudProvider: boolean;

  /** Returns the objects and files that the platform adds. */
  public abstract config(): KubeadmPlatformConfig;

  /**
   * Checks the options of the platform, and the nodes.
   *
   * @param _nodes the nodes; paths of properties start at the cluster, e.g. `workers[0].zone`
   * @returns an empty list unless the platform overrides the method
   */
  public check(_nodes: KubeadmNodes): Problem[] {
    return [];
  }
}
