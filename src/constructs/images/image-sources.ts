import { ImageLock } from './image-lock';
import { ImageName, isRegistry, parseImageName, tagAndDigest } from '../../manifests/images/image-name';
import { IMAGE_RULES } from './rules';
import { checkRepository, plainAddress } from '../../manifests/values/repository-address';
import { Problem } from '../../manifests/values/problem';
import { parseImageReference } from '../../manifests/values/image-reference';

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

const SCHEMES = ['https', 'http', 'oci'];

/** The result of resolving an image. */
export interface ResolvedImage {
  /** The name to write. */
  readonly image: string;

  /** True if it differs from the original name. */
  readonly changed: boolean;

  /** Key of the override that it matches. */
  readonly override?: string;
}

interface Override {
  readonly key: string;
  readonly instead: ImageName;
}

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
  private readonly overrides: ReadonlyMap<string, Override>;
  private readonly mirrors: ReadonlyMap<string, { key: string; instead: string }>;
  private readonly registry?: string;
  private readonly chartRegistry?: string;

  public constructor(private readonly props: ImageSourcesProps) {
    const { imageRegistry, chartRegistry } = props;
    // Malformed values are reported once, and then ignored.
    this.registry = imageRegistry !== undefined && isRegistry(imageRegistry) ? imageRegistry : undefined;
    this.chartRegistry = chartRegistry !== undefined && isRepository(chartRegistry) ? chartRegistry : undefined;
    this.overrides = new Map(Object.entries(props.overrides ?? {}).flatMap(([key, value]) => {
      const [image, instead] = [parseImageName(key), parseImageName(value)];
      return image && instead ? [[`${image.name}${tagAndDigest(image)}`, { key, instead }] as const] : [];
    }));
    this.mirrors = new Map(Object.entries(props.chartRepositories ?? {}).filter((pair) => pair.every(isRepository))
      .map(([key, value]) => [plainAddress(key), { key, instead: plainAddress(value) }]));
  }

  /** @internal */
  public get _requireDigests(): boolean {
    return this.props.requireDigests ?? false;
  }

  /** @internal */
  public get _imageRegistry(): string | undefined {
    return this.registry;
  }

  /**
   * True if images may change, so that the images of charts must be known.
   *
   * @internal
   */
  public get _needsAllImages(): boolean {
    return this.registry !== undefined || this._requireDigests;
  }

  /** @internal */
  public get _overrideKeys(): string[] {
    return [...this.overrides.values()].map(({ key }) => key);
  }

  /** @internal */
  public get _mirrorKeys(): string[] {
    return [...this.mirrors.values()].map(({ key }) => key);
  }

  /**
   * Where an image comes from. A text that is no image's name stays as it is.
   *
   * @param text name of the image
   *
   * @internal
   */
  public _resolve(text: string): ResolvedImage {
    const image = parseImageName(text);
    if (!image) return { image: text, changed: false };
    const full = `${image.name}${tagAndDigest(image)}`;
    const override = this.overrideOf(image);
    const moved = override ? overridden(image, override.instead) : { name: this._inRegistry(image), ...pinOf(image) };
    const digest = moved.digest ?? this.lockedDigest(image, moved);
    const result = `${moved.name}${tagAndDigest({ tag: moved.tag, digest })}`;
    // What stays where it is keeps the spelling that it was given.
    return { image: result === full ? text : result, changed: result !== full, override: override?.key };
  }

  /**
   * The name of an image, without tag and digest, in the registry that every image is pulled from.
   *
   * @internal
   */
  public _inRegistry({ name, host, path }: ImageName): string {
    return this.registry === undefined || host === hostOf(this.registry) ? name : `${this.registry}/${path}`;
  }

  /**
   * What takes the place of a registry, with or without a path, that images are put behind. A text that is none stays as it is.
   *
   * @param text the registry
   *
   * @internal
   */
  public _registryFor(text: string): string {
    const behind = '/some/image';
    const image = parseImageName(`${text}${behind}`);
    return image ? this._inRegistry(image).slice(0, -behind.length) : text;
  }

  /**
   * Where a chart comes from. One that is built from a Git repository only has mirrors of its own.
   *
   * @param repository address of the repository
   * @param git whether it is a Git repository
   *
   * @internal
   */
  public _chartRepository(repository: string, git = false): { readonly repository: string; readonly mirror?: string } {
    const mirror = this.mirrors.get(plainAddress(repository));
    if (mirror) return { repository: mirror.instead, mirror: mirror.key };
    const mirrored = [...this.mirrors.values()].some(({ instead }) => instead === plainAddress(repository));
    return { repository: mirrored || git ? repository : this.chartRegistry ?? repository };
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
        rule: IMAGE_RULES.registry,
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

  /** The most exact one goes first. */
  private overrideOf({ name, tag, digest }: ImageName): Override | undefined {
    return [{ tag, digest }, { digest }, { tag }, {}].map((pin) => this.overrides.get(`${name}${tagAndDigest(pin)}`)).find((found) => found !== undefined);
  }

  /** The name that the image has without a mirror goes first; an override with a tag of its own is another image. */
  private lockedDigest(image: ImageName, moved: Pick<ImageName, 'name' | 'tag'>): string | undefined {
    const { lock } = this.props;
    if (!lock || moved.tag === undefined) return undefined;
    return (moved.tag === image.tag ? lock._digestOf(image.name, moved.tag) : undefined) ?? lock._digestOf(moved.name, moved.tag);
  }
}

function hostOf(registry: string): string {
  return registry.split('/', 1)[0];
}

function pinOf({ tag, digest }: ImageName): Pick<ImageName, 'tag' | 'digest'> {
  return { tag, digest };
}

function overridden(image: ImageName, instead: ImageName): Pick<ImageName, 'name' | 'tag' | 'digest'> {
  return { name: instead.name, ...pinOf(instead.tag === undefined && instead.digest === undefined ? image : instead) };
}

function checkOverride(property: string, key: string, value: string): Problem[] {
  return [key, value].filter((text) => !parseImageReference(text)).map((text) => ({
    rule: IMAGE_RULES.override,
    property,
    message: `"${text}" is not the name of an image`,
    accepted: '"registry.example.com/team/image", with ":" and a tag, "@sha256:" and 64 hex digits, or both behind it',
    fix: 'write the registry and the repository in lower case, without scheme',
  }));
}

function isRepository(address: string): boolean {
  return checkRepository(address, SCHEMES) === undefined;
}

function checkMirror(property: string, address: string): Problem[] {
  const message = checkRepository(address, SCHEMES);
  return message === undefined ? [] : [{
    rule: IMAGE_RULES.mirror,
    property,
    message,
    fix: 'write the address of the repository, e.g. "https://charts.jetstack.io" or "oci://registry.example.com/charts"',
  }];
}
