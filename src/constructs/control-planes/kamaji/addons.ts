import { checkImageTag, checkRegistry } from './components';
import {
  KamajiControlPlaneSpecAddonsCoreDns as CoreDnsSpec, KamajiControlPlaneSpecAddonsKubeProxy as KubeProxySpec,
} from '../../../../imports/controlplane.cluster.x-k8s.io';
import { Problem, Rule } from '../../../manifests/values/problem';

/** Source of the image of an addon. */
export interface KamajiAddonImage {
  /**
   * Registry, with a path if there is one, to which Kamaji appends the name of the image. The control plane's `registry` does not reach
   * the addons (`TC-KAMAJI-IMAGE`).
   *
   * @default - what Kamaji is built with, `registry.k8s.io` or `registry.k8s.io/coredns`
   */
  readonly imageRepository?: string;

  /**
   * Tag of the image. Kamaji ignores that of CoreDNS without `imageRepository` (`TC-TRAP-KAMAJI-ADDON-IMAGE`).
   *
   * @default - for CoreDNS the tag that Kamaji is built with, so that it changes with Kamaji; for kube-proxy the Kubernetes version
   */
  readonly imageTag?: string;
}

/**
 * The cluster's DNS server.
 *
 * @example
 * new KamajiControlPlane({ coreDns: KamajiCoreDns.none() });
 */
export class KamajiCoreDns {
  /**
   * Kamaji runs CoreDNS in the tenant cluster and puts back every change of its objects.
   *
   * @param image source of the image
   */
  public static managed(image: KamajiAddonImage = {}): KamajiCoreDns {
    return new KamajiCoreDns(image);
  }

  /** Something else serves DNS, at the address that kubelets are told anyway: the tenth of the Service range. */
  public static none(): KamajiCoreDns {
    return new KamajiCoreDns(undefined);
  }

  /** @internal */
  public readonly _image?: KamajiAddonImage;

  private constructor(image: KamajiAddonImage | undefined) {
    this._image = image;
  }
}

/**
 * The program that leads Services to their pods on every node.
 *
 * @example
 * new KamajiControlPlane({ kubeProxy: KamajiKubeProxy.managed() });
 */
export class KamajiKubeProxy {
  /**
   * Kamaji runs kube-proxy in the tenant cluster, with kubeadm's configuration.
   *
   * @param image source of the image
   */
  public static managed(image: KamajiAddonImage = {}): KamajiKubeProxy {
    return new KamajiKubeProxy(image);
  }

  /** The network plug-in takes its place. */
  public static none(): KamajiKubeProxy {
    return new KamajiKubeProxy(undefined);
  }

  /** @internal */
  public readonly _image?: KamajiAddonImage;

  private constructor(image: KamajiAddonImage | undefined) {
    this._image = image;
  }
}

/** `spec.addons.coreDNS`; its addresses replace those of the network even where it has none, so that it always has them. */
export function coreDnsSpec(coreDns: KamajiCoreDns, dnsServiceIps: string[]): CoreDnsSpec | undefined {
  return coreDns._image && { ...coreDns._image, dnsServiceIPs: dnsServiceIps };
}

/** The chosen kube-proxy, or the one that suits the pod network. */
export function kubeProxyOf(chosen: KamajiKubeProxy | undefined, replaced: boolean | undefined): KamajiKubeProxy {
  return chosen ?? (replaced ? KamajiKubeProxy.none() : KamajiKubeProxy.managed());
}

const KUBE_PROXY_RULE: Rule = {
  id: 'TC-KAMAJI-KUBE-PROXY',
  title: 'Either kube-proxy or the pod network must forward Services to their pods, not both.',
  source: 'docs.cilium.io/en/stable/network/kubernetes/kubeproxy-free',
};

/** Checks that exactly one of kube-proxy and the pod network leads Services to their pods, as far as the pod network is known. */
export function checkKubeProxy(chosen: KamajiKubeProxy | undefined, replaced: boolean | undefined): Problem[] {
  const managed = kubeProxyOf(chosen, replaced)._image !== undefined;
  if (replaced === undefined || managed !== replaced) return [];
  return [{
    rule: KUBE_PROXY_RULE,
    property: 'controlPlane.kubeProxy',
    message: managed ? 'kube-proxy and the pod network would both lead Services to their pods' : 'nothing leads Services to their pods: kube-proxy is left out, and the pod network does not replace it',
    fix: 'leave kubeProxy out, so that it follows the pod network, or choose a cni that suits it',
  }];
}

/** `spec.addons.kubeProxy`; Kamaji runs it where the block is there, with content or without. */
export function kubeProxySpec(kubeProxy: KamajiKubeProxy): KubeProxySpec | undefined {
  return kubeProxy._image && { ...kubeProxy._image };
}

/** Checks the image of an addon. */
export function checkAddonImage(property: string, image: KamajiAddonImage | undefined): Problem[] {
  const { imageRepository, imageTag } = image ?? {};
  return [
    ...checkRegistry(`${property}.imageRepository`, imageRepository),
    ...checkImageTag(`${property}.imageTag`, imageTag),
  ];
}
