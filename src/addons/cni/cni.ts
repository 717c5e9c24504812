import { Chart } from 'cdk8s';
import { Addon, AddonConfig } from '../addon';
import { AddonCapability } from '../addon-capability';

/** A pod network: the addon that every other addon with pods comes after. */
export abstract class Cni extends Addon {
  /**
   * No pod network is delivered: the user installs one. Until then no node is ready, and addons with pods wait for it. Health checks do not
   * replace machines whose nodes report `Ready` as `False`, since every node does so without a pod network.
   */
  public static none(): Cni {
    return new UserInstalledCni();
  }

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

/** Stands for the pod network that the user installs. */
class UserInstalledCni extends Cni {
  public readonly name: string = 'user-installed-cni';
  public readonly replacesKubeProxy: boolean = false;
  public override readonly provides: string[] = [AddonCapability.POD_NETWORK];

  public bind(_tenant: Chart): AddonConfig {
    return {};
  }
}

/** The pod network that is delivered; undefined with `Cni.none()`, and for another value, which is refused. */
export function deliveredCni(cni: Cni | undefined): Cni | undefined {
  return !(cni instanceof Cni) || cni instanceof UserInstalledCni ? undefined : cni;
}
