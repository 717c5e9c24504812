import { Chart } from 'cdk8s';
import { Addon, AddonCapability, AddonConfig } from '../../contracts/addon';
import { CniPort } from '../../contracts/network/cni-port';

/** A pod network: the addon that every other addon with pods comes after. */
export abstract class Cni extends Addon {
  /**
   * No pod network is delivered: the user installs one. Until then no node is ready, and addons with pods wait for it. Health checks do not
   * replace machines whose nodes report `Ready` as `False`, since every node does so without a pod network.
   */
  public static none(): Cni {
    return new UserInstalledCni();
  }

  /** True if the pod network replaces kube-proxy. The control plane then omits kube-proxy. */
  public abstract readonly replacesKubeProxy: boolean;

  /**
   * Port of each node at which the pod network answers `/healthz` in place of kube-proxy: with 200 while Services work on the node. Load
   * balancers of machines on KubeVirt ask there (`serviceProbe` of the machine).
   *
   * @default - not known; beside kube-proxy its port, 10256
   */
  public readonly serviceProxyHealthPort?: number;

  /**
   * True if the pod network assigns blocks of pod addresses to nodes on demand. Otherwise the pods of a node get addresses from the node's
   * one range, and `kubelet.maxPods` is checked against that range (`TC-POOL-MAX-PODS`).
   *
   * @default false
   */
  public readonly assignsAddressBlocks: boolean = false;

  /**
   * Ports at which nodes must reach each other. The files of a `hosts.KubeadmCluster` list them for firewalls.
   *
   * @default - none are known
   */
  public readonly peerPorts: CniPort[] = [];

  /**
   * Capabilities that another addon must provide before this one is installed.
   *
   * @default - none
   */
  public override readonly requires: string[] = [];
}

/** A placeholder for the pod network that the user installs. */
class UserInstalledCni extends Cni {
  public readonly name: string = 'user-installed-cni';
  public readonly replacesKubeProxy: boolean = false;
  public override readonly provides: string[] = [AddonCapability.POD_NETWORK];

  public bind(_tenant: Chart): AddonConfig {
    return {};
  }
}

/** Port of kube-proxy's `healthzBindAddress` (kubernetes/kubernetes pkg/cluster/ports/ports.go, ProxyHealthzPort). */
export const KUBE_PROXY_HEALTH_PORT = 10256;

/** Port at which nodes answer for their Service proxy; undefined where it is not known. */
export function serviceProxyHealthPort(cni: Cni | undefined): number | undefined {
  return cni && (cni.serviceProxyHealthPort ?? (cni.replacesKubeProxy ? undefined : KUBE_PROXY_HEALTH_PORT));
}

/** The delivered pod network; undefined for `Cni.none()`. */
export function deliveredCni(cni: Cni | undefined): Cni | undefined {
  return cni instanceof UserInstalledCni ? undefined : cni;
}
