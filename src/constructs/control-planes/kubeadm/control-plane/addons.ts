import { checkTag, checkRepository } from './images';
import { KUBEADM_CONTROL_PLANE_RULES } from './rules';
import { Problem } from '../../../../manifests/values/problem';

/** Where the image of CoreDNS comes from. */
export interface KubeadmCoreDnsOptions {
  /**
   * Registry, with a path if there is one, to which kubeadm appends `coredns` (`TC-KUBEADM-CP-IMAGE`).
   *
   * @default - the control plane's `imageRepository`
   */
  readonly imageRepository?: string;

  /**
   * Tag of the image; it starts with the version of CoreDNS. Cluster API changes a living CoreDNS only along versions that it knows how to
   * migrate.
   *
   * Rule: `TC-ADMIT-KCP-IMAGE-TAG`.
   *
   * @default - the one that kubeadm is built with
   */
  readonly imageTag?: string;
}

/**
 * The cluster's DNS server.
 *
 * @example
 * const coreDns = KubeadmCoreDns.managed({ imageRepository: 'registry.example.com/coredns' });
 */
export class KubeadmCoreDns {
  /**
   * kubeadm installs CoreDNS, and Cluster API upgrades it with the control plane.
   *
   * @param options where the image comes from
   */
  public static managed(options: KubeadmCoreDnsOptions = {}): KubeadmCoreDns {
    return new KubeadmCoreDns(options);
  }

  /**
   * Another component serves DNS, at the address that kubelets always use: the tenth of the Service range. Cluster API does not manage it.
   */
  public static none(): KubeadmCoreDns {
    return new KubeadmCoreDns(undefined);
  }

  /** @internal */
  public readonly _options?: KubeadmCoreDnsOptions;

  private constructor(options: KubeadmCoreDnsOptions | undefined) {
    this._options = options;
  }
}

/** What was chosen about the two programs that kubeadm installs, or what suits the pod network. */
export interface KubeadmAddons {
  readonly coreDns?: KubeadmCoreDns;
  readonly kubeProxy?: boolean;
}

/** True if kubeadm installs kube-proxy. */
export function runsKubeProxy({ kubeProxy }: KubeadmAddons, replaced: boolean | undefined): boolean {
  return kubeProxy ?? !(replaced ?? false);
}

/** Phases of `kubeadm init` that install disabled addons. */
export function skippedAddonPhases(addons: KubeadmAddons, replaced: boolean | undefined): string[] {
  return [
    ...(bringsCoreDns(addons) ? [] : ['addon/coredns']),
    ...(runsKubeProxy(addons, replaced) ? [] : ['addon/kube-proxy']),
  ];
}

/**
 * Annotations that keep Cluster API from upgrading addons that it did not install.
 *
 * Source: kubernetes-sigs/cluster-api docs/book/src/reference/api/labels-and-annotations.md.
 */
export function skippedAddonAnnotations(addons: KubeadmAddons, replaced: boolean | undefined): { [key: string]: string } {
  return {
    ...(!bringsCoreDns(addons) && { 'controlplane.cluster.x-k8s.io/skip-coredns': '' }),
    ...(!runsKubeProxy(addons, replaced) && { 'controlplane.cluster.x-k8s.io/skip-kube-proxy': '' }),
  };
}

/** True if kubeadm installs CoreDNS. */
export function bringsCoreDns({ coreDns }: KubeadmAddons): boolean {
  return coreDns === undefined || coreDns._options !== undefined;
}

/** Checks what was chosen. */
export function checkAddons(addons: KubeadmAddons, replaced: boolean | undefined): Problem[] {
  const { imageRepository, imageTag } = addons.coreDns?._options ?? {};
  return [
    ...checkRepository('controlPlane.coreDns.imageRepository', imageRepository),
    ...checkTag('controlPlane.coreDns.imageTag', imageTag),
    ...checkKubeProxy(addons, replaced),
  ];
}

function checkKubeProxy(addons: KubeadmAddons, replaced: boolean | undefined): Problem[] {
  const runs = runsKubeProxy(addons, replaced);
  if (replaced === undefined || runs !== replaced) return [];
  return [{
    rule: KUBEADM_CONTROL_PLANE_RULES.kubeProxy,
    property: 'controlPlane.kubeProxy',
    message: runs ? 'kube-proxy and the pod network would both lead Services to their pods' : 'nothing leads Services to their pods: kube-proxy is left out, and the pod network does not replace it',
    fix: 'leave kubeProxy out, so that it follows the pod network, or choose a cni that suits it',
  }];
}
