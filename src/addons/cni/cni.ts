import { Addon } from '../addon';

/** A pod network: the addon that every other addon with pods comes after. */
export abstract class Cni extends Addon {
  /** Whether it does the work of kube-proxy, which the control plane then leaves out. */
  public abstract readonly replacesKubeProxy: boolean;

  /**
   * Whether it gives each node blocks of pod addresses as they are needed. Otherwise a node's pods get theirs from the one range that
   * Kubernetes gives the node, which `kubelet.maxPods` is held to (`TC-POOL-MAX-PODS`).
   *
   * @default false
   */
  public readonly assignsAddressBlocks: boolean = false;

  /**
   * Capabilities that must be brought by another addon, and are there before this one is installed.
   *
   * @default - none
   */
  public override readonly requires: string[] = [];
}
