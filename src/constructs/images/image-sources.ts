import { ImageLock } from './image-lock';
import { isRegistry } from '../../manifests/images/image-lock-file';
import { ImageResolver, repositoryFault } from '../../manifests/images/image-resolver';
import { parseImageReference } from '../../manifests/values/image-reference';
import { Problem, Rule } from '../../manifests/values/problem';

/** Sources of images and charts. */
export interface ImageSourcesProps {
  /**
   * Registry of all images, without scheme, with an optional path: `registry.internal:5000/mirror`. It replaces the host of an image, and
   * the path stays: `quay.io/cilium/cilium` becomes `registry.internal:5000/mirror/cilium/cilium`. Short names belong to Docker Hub:
   * `busybox` becomes `registry.internal:5000/mirror/library/busybox`. Images that are already on that host, and those with an override,
   * stay unchanged. Images in values of charts move as well.
   *
   * Some images cannot be moved: those in unknown fields, environment variables and flags, in static pods of machines, and in charts that
   * your own objects install. Write their final names yourself.
   *
   * Rules: `TC-IMAGE-REGISTRY`, `TC-IMAGE-UNMOVED`.
   *
   * @default - the registries of the projects
   */
  readonly imageRegistry?: string;

  /**
   * Replacements for single images. A key is a repository (`quay.io/kubevirt/virt-api`), or an image with tag, digest or both, which takes
   * precedence. A value is a repository, which keeps tag and digest, or an image with its own tag or digest. An override without a
   * matching image is probably misspelled.
   *
   * Rules: `TC-IMAGE-OVERRIDE`, `TC-IMAGE-OVERRIDE-UNUSED`.
   *
   * @default - none
   */
  readonly overrides?: { [image: string]: string };

  /**
   * Mirrors of chart repositories, by the address of the original repository: a Helm repository, or an OCI repository without the chart's
   * name (`TC-IMAGE-MIRROR`, `TC-IMAGE-MIRROR-UNUSED`).
   *
   * @default - none
   */
  readonly chartRepositories?: { [repository: string]: string };

  /**
   * The repository of all other charts: a Helm repository, or an OCI repository without the chart's name (`TC-IMAGE-MIRROR`).
   *
   * @default - the repositories of the projects
   */
  readonly chartRegistry?: string;

  /**
   * Digests of images by name and tag, for images without a digest.
   *
   * @default - none
   */
  readonly lock?: ImageLock;

  /**
   * True if an image without digest is an error, after the lock has been applied. Exempt are images whose name a controller builds from a
   * registry and a version: the control planes of Kamaji and kubeadm, their DNS and kube-proxy, and konnectivity.
   *
   * Rule: `TC-IMAGE-DIGEST`.
   *
   * @default false
   */
  readonly requireDigests?: boolean;
}

const IMAGE_REGISTRY_RULE: Rule = {
  id: 'TC-IMAGE-REGISTRY',
  title: 'A registry must be a host without scheme, with an optional port and path.',
  source: 'distribution/reference regexp.go',
};

/**
 * Decides the sources of all images and charts of a cluster: those of its objects, including objects of other libraries, and those in
 * values of Helm charts.
 *
 * An instance is plain data: clusters can share it.
 *
 * @example
 * new ImageSources({
 *   imageRegistry: 'registry.example.com',
 *   lock: ImageLock.fromFile('images.lock.json'),
 * });
 */
export class ImageSources {
  /** @internal */
  public readonly _resolver: ImageResolver;

  public constructor(private readonly props: ImageSourcesProps) {
    this._resolver = new ImageResolver({ ...props, digestOf: (name, tag) => props.lock?._digestOf(name, tag) });
  }

  /** @internal */
  public get _requireDigests(): boolean {
    return this.props.requireDigests ?? false;
  }

  /**
   * True if images may change, so that the images of charts must be known.
   *
   * @internal
   */
  public get _needsAllImages(): boolean {
    return this._resolver.imageRegistry !== undefined || this._requireDigests;
  }

  /**
   * Checks the properties themselves.
   *
   * @param property the property that the sources were given in
   *
   * @internal
   */
  public _check(property: string): Problem[] {
    const { imageRegistry, overrides = {}, chartRepositories = {}, chartRegistry, lock } = this.props;
    return [
      ...(imageRegistry === undefined || isRegistry(imageRegistry) ? [] : [{
        rule: IMAGE_REGISTRY_RULE,
        property: `${property}.imageRegistry`,
        message: `"${imageRegistry}" is not a registry`,
        accepted: 'a host with a dot or a port, with or without a path, such as "registry.example.com:5000/mirror"',
        fix: 'leave out the scheme and the slash at the end',
      }]),
      ...Object.entries(overrides).flatMap(([key, value]) => checkOverride(`${property}.overrides["${key}"]`, key, value)),
      ...Object.entries(chartRepositories).flatMap(([key, value]) => [
        ...checkMirror(`${property}.chartRepositories["${key}"]`, key), ...checkMirror(`${property}.chartRepositories["${key}"]`, value),
      ]),
      ...(chartRegistry === undefined ? [] : checkMirror(`${property}.chartRegistry`, chartRegistry)),
      ...lock?._check(`${property}.lock`) ?? [],
    ];
  }
}

const IMAGE_OVERRIDE_RULE: Rule = {
  id: 'TC-IMAGE-OVERRIDE',
  title: 'An override must name an image, by its repository or exactly, and its replacement.',
  source: 'distribution/reference regexp.go',
};

function checkOverride(property: string, key: string, value: string): Problem[] {
  return [key, value].filter((text) => !parseImageReference(text)).map((text) => ({
    rule: IMAGE_OVERRIDE_RULE,
    property,
    message: `"${text}" is not the name of an image`,
    accepted: '"registry.example.com/team/image", with ":" and a tag, "@sha256:" and 64 hex digits, or both behind it',
    fix: 'write the registry and the repository in lower case, without scheme',
  }));
}

const IMAGE_MIRROR_RULE: Rule = {
  id: 'TC-IMAGE-MIRROR',
  title: 'A mirror of charts must be the address of a Helm repository, or of an OCI repository without the chart\'s name.',
};

function checkMirror(property: string, address: string): Problem[] {
  const message = repositoryFault(address);
  return message === undefined ? [] : [{
    rule: IMAGE_MIRROR_RULE,
    property,
    message,
    fix: 'write the address of the repository, e.g. "https://charts.jetstack.io" or "oci://registry.example.com/charts"',
  }];
}
