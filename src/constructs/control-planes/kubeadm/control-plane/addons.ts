import { parseImageReference } from '../../../../manifests/values/image-reference';
import { Problem, Rule } from '../../../../manifests/values/problem';

/** Source of the image of CoreDNS. */
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
   * @param options source of the image
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

/** Options of the two programs that kubeadm installs. */
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

/** Checks the options of CoreDNS and kube-proxy. */
export function checkAddons(addons: KubeadmAddons, replaced: boolean | undefined): Problem[] {
  const { imageRepository, imageTag } = addons.coreDns?._options ?? {};
  return [
    ...checkRepository('controlPlane.coreDns.imageRepository', imageRepository),
    ...checkTag('controlPlane.coreDns.imageTag', imageTag),
    ...checkKubeProxy(addons, replaced),
  ];
}

const KUBE_PROXY_RULE: Rule = {
  id: 'TC-KUBEADM-CP-KUBE-PROXY',
  title: 'Exactly one of kube-proxy and the pod network must implement Services.',
  source: 'kubernetes-sigs/cluster-api-provider-kubevirt templates/cluster-template-lb-kube-proxy-free.yaml',
};

function checkKubeProxy(addons: KubeadmAddons, replaced: boolean | undefined): Problem[] {
  const runs = runsKubeProxy(addons, replaced);
  if (replaced === undefined || runs !== replaced) return [];
  return [{
    rule: KUBE_PROXY_RULE,
    property: 'controlPlane.kubeProxy',
    message: runs ? 'kube-proxy and the pod network would both lead Services to their pods' : 'nothing leads Services to their pods: kube-proxy is left out, and the pod network does not replace it',
    fix: 'leave kubeProxy out, so that it follows the pod network, or choose a cni that suits it',
  }];
}

const IMAGE_RULE: Rule = {
  id: 'TC-KUBEADM-CP-IMAGE',
  title: 'Image repositories must have no tag, and tags must be valid.',
  source: 'kubernetes-sigs/cluster-api controlplane/kubeadm/webhooks/admission/kubeadmcontrolplane.go',
};

/** Checks a registry, with or without a path, that kubeadm appends the name of the image to. */
export function checkRepository(property: string, repository: string | undefined): Problem[] {
  const reference = repository === undefined ? undefined : parseImageReference(`${repository}/image`);
  return repository === undefined || (reference && repository !== '') ? [] : [{
    rule: IMAGE_RULE,
    property,
    message: `"${repository}" is not a place to pull images from`,
    accepted: 'a host with or without a path, such as "registry.example.com:5000/mirror"',
    fix: 'leave out the scheme, the slash at the end, and the name of the image, which is appended',
  }];
}

/** Checks the tag of an image. */
export function checkTag(property: string, tag: string | undefined): Problem[] {
  return tag === undefined || parseImageReference(`image:${tag}`)?.tag === tag ? [] : [{
    rule: IMAGE_RULE,
    property,
    message: `"${tag}" is not the tag of an image`,
    accepted: 'up to 128 letters, digits, "_", "." and "-", such as "3.5.21-0"',
    fix: 'write the tag as the registry has it; digests are not possible here',
  }];
}
