import { HostFile } from './hosts/host-file';
import { KubeadmNode } from './kubeadm-node';
import { Addon } from '../addons/addon';
import { Problem } from '../validation/problem';

/** A Secret that addons read, and that somebody has to make. */
export interface RequiredSecret {
  /** Namespace of the Secret. */
  readonly namespace: string;

  /** Name of the Secret. */
  readonly name: string;

  /** Keys that it must have. */
  readonly keys: string[];
}

/** What a platform puts on hosts and into the cluster. */
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
   * Shell commands that put the files into effect on every node. They must change nothing when they run again.
   *
   * @default - none
   */
  readonly nodeCommands?: string[];

  /**
   * What nodes must have that no file brings, each as a line of the overview of hosts, e.g. a program of the cloud.
   *
   * @default - nothing
   */
  readonly nodeRequirements?: string[];

  /**
   * Secrets that must be in the cluster before the addons; the overview of hosts says how to make them.
   *
   * @default - none
   */
  readonly secrets?: RequiredSecret[];
}

/** The nodes of a cluster, for a platform that has demands of them. */
export interface KubeadmNodes {
  /** Those of the control plane. */
  readonly controlPlaneNodes: KubeadmNode[];

  /** The others. */
  readonly workers: KubeadmNode[];
}

/**
 * Where the machines of a `KubeadmCluster` are: what a cloud asks of nodes, and brings into the cluster.
 *
 * An instance is plain data: it can be given to any number of clusters.
 */
export abstract class KubeadmPlatform {
  /**
   * Whether a cloud controller manager initializes the nodes. Kubelets then register with `--cloud-provider=external`
   * (`TC-KUBEADM-CLUSTER-CLOUD-PROVIDER`), and it must report each node's `address` as `InternalIP`: Calico sends the traffic between nodes there.
   */
  public abstract readonly externalCloudProvider: boolean;

  /** What the platform puts on hosts and into the cluster. */
  public abstract config(): KubeadmPlatformConfig;

  /**
   * What is wrong with the platform's own options, and with nodes on it.
   *
   * @param _nodes the nodes; properties are named as in the cluster's, e.g. `workers[0].zone`
   * @returns nothing unless the platform has demands
   */
  public check(_nodes: KubeadmNodes): Problem[] {
    return [];
  }
}
