import { ImageName, isRegistry, parseImageName, tagAndDigest } from './image-lock-file';
import { checkRepository, plainAddress } from '../values/repository-address';

/** Sources of images and charts. Malformed values are ignored: `ImageSources` reports them. */
export interface ResolverOptions {
  /** Registry of all images. */
  readonly imageRegistry?: string;

  /** Replacements for single images, by their names. */
  readonly overrides?: Readonly<Record<string, string>>;

  /** Mirrors of chart repositories, by the address of the original. */
  readonly chartRepositories?: Readonly<Record<string, string>>;

  /** The repository of all other charts. */
  readonly chartRegistry?: string;

  /** The digest of an image by its name in the long form and its tag. */
  readonly digestOf?: (name: string, tag: string) => string | undefined;
}

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

const SCHEMES = ['https', 'http', 'oci'];

/** Resolves the sources of images and charts. */
export class ImageResolver {
  /** Registry of all images. */
  public readonly imageRegistry?: string;
  private readonly chartRegistry?: string;
  private readonly overrides: ReadonlyMap<string, Override>;
  private readonly mirrors: ReadonlyMap<string, { readonly key: string; readonly instead: string }>;
  private readonly digestOf: (name: string, tag: string) => string | undefined;

  /** @param options the sources */
  public constructor({ imageRegistry, chartRegistry, overrides = {}, chartRepositories = {}, digestOf = () => undefined }: ResolverOptions) {
    this.imageRegistry = imageRegistry !== undefined && isRegistry(imageRegistry) ? imageRegistry : undefined;
    this.chartRegistry = chartRegistry !== undefined && repositoryFault(chartRegistry) === undefined ? chartRegistry : undefined;
    this.overrides = new Map(Object.entries(overrides).flatMap(([key, value]) => {
      const [image, instead] = [parseImageName(key), parseImageName(value)];
      return image && instead ? [[`${image.name}${tagAndDigest(image)}`, { key, instead }] as const] : [];
    }));
    this.mirrors = new Map(Object.entries(chartRepositories).filter((pair) => pair.every((address) => repositoryFault(address) === undefined))
      .map(([key, value]) => [plainAddress(key), { key, instead: plainAddress(value) }]));
    this.digestOf = digestOf;
  }

  /** Keys of the overrides. */
  public get overrideKeys(): string[] {
    return [...this.overrides.values()].map(({ key }) => key);
  }

  /** Keys of the mirrors of chart repositories. */
  public get mirrorKeys(): string[] {
    return [...this.mirrors.values()].map(({ key }) => key);
  }

  /**
   * Resolves the name of an image. Any other string stays unchanged.
   *
   * @param text name of the image
   */
  public resolve(text: string): ResolvedImage {
    const image = parseImageName(text);
    if (!image) return { image: text, changed: false };
    const full = `${image.name}${tagAndDigest(image)}`;
    const override = this.overrideOf(image);
    const moved = override ? overridden(image, override.instead) : { name: this.inRegistry(image), ...pinOf(image) };
    const digest = moved.digest ?? this.lockedDigest(image, moved);
    const result = `${moved.name}${tagAndDigest({ tag: moved.tag, digest })}`;
    // An unchanged image keeps its spelling.
    return { image: result === full ? text : result, changed: result !== full, override: override?.key };
  }

  /**
   * Resolves a registry, with or without a path, that image names are appended to. Any other string stays unchanged.
   *
   * @param text the registry
   */
  public registryFor(text: string): string {
    const behind = '/some/image';
    const image = parseImageName(`${text}${behind}`);
    return image ? this.inRegistry(image).slice(0, -behind.length) : text;
  }

  /**
   * Resolves the repository of a chart. A chart that is built from a Git repository only has mirrors of its own.
   *
   * @param repository address of the repository
   * @param git true for a Git repository
   */
  public chartRepository(repository: string, git = false): { readonly repository: string; readonly mirror?: string } {
    const mirror = this.mirrors.get(plainAddress(repository));
    if (mirror) return { repository: mirror.instead, mirror: mirror.key };
    const mirrored = [...this.mirrors.values()].some(({ instead }) => instead === plainAddress(repository));
    return { repository: mirrored || git ? repository : this.chartRegistry ?? repository };
  }

  private inRegistry({ name, host, path }: ImageName): string {
    const registry = this.imageRegistry;
    return registry === undefined || host === registry.split('/', 1)[0] ? name : `${registry}/${path}`;
  }

  /** The most exact override takes precedence. */
  private overrideOf({ name, tag, digest }: ImageName): Override | undefined {
    return [{ tag, digest }, { digest }, { tag }, {}].map((pin) => this.overrides.get(`${name}${tagAndDigest(pin)}`)).find((found) => found !== undefined);
  }

  /** The name without a mirror takes precedence; an override with a tag of its own is another image. */
  private lockedDigest(image: ImageName, moved: Pick<ImageName, 'name' | 'tag'>): string | undefined {
    if (moved.tag === undefined) return undefined;
    return (moved.tag === image.tag ? this.digestOf(image.name, moved.tag) : undefined) ?? this.digestOf(moved.name, moved.tag);
  }
}

/** Checks the address of a repository of charts. */
export function repositoryFault(address: string): string | undefined {
  return checkRepository(address, SCHEMES);
}

function pinOf({ tag, digest }: ImageName): Pick<ImageName, 'tag' | 'digest'> {
  return { tag, digest };
}

function overridden(image: ImageName, instead: ImageName): Pick<ImageName, 'name' | 'tag' | 'digest'> {
  return { name: instead.name, ...pinOf(instead.tag === undefined && instead.digest === undefined ? image : instead) };
}
