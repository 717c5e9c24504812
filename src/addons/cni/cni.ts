import { Addon } from '../addon';

/** A pod network: the addon that every other addon with pods comes after. */
export abstract class Cni extends Addon {
  /** Whether it does the work of kube-proxy, which the control plane then leaves out. */
  public abstract readonly replacesKubeProxy: boolean;

  /**
   * Capabilities that must be brought by another addon, and are there before this one is installed.
   *
   * @default - none
   */
  public override readonly requires: string[] = [];
}
