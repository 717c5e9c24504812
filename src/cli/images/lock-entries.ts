import { hostAndPath } from '../../manifests/values/image-reference';

/** An image that manifests name with a digest. */
export interface PinnedImage {
  /** Repository with its registry. */
  readonly name: string;
  readonly tag: string;
  readonly digest: string;
}

/** The entry of a lock that a pinned image has its digest from. */
export interface FoundEntry {
  /** Name and tag, as the lock has them. */
  readonly key: string;

  /** True if the lock has another digest now. */
  readonly differs: boolean;
}

/**
 * Finds the entries that manifests were written with. A lock speaks of images by the names that they have without a mirror, and manifests
 * by those that they are pulled by: a registry for all images keeps the path, an override need not keep anything but the tag.
 */
export class LockEntries {
  private readonly byTag = new Map<string, { readonly key: string; readonly path: string; readonly digest: string }[]>();

  /**
   * @param images digests by the names of images in their long form, with their tags
   */
  public constructor(private readonly images: ReadonlyMap<string, string>) {
    for (const [key, digest] of images) {
      const colon = key.lastIndexOf(':');
      const tag = key.slice(colon + 1);
      this.byTag.set(tag, [...this.byTag.get(tag) ?? [], { key, path: hostAndPath(key.slice(0, colon)).path, digest }]);
    }
  }

  /** The entries that may have given an image its digest; none if it is not from the lock. */
  public of({ name, tag, digest }: PinnedImage): FoundEntry[] {
    const own = this.images.get(`${name}:${tag}`);
    if (own !== undefined) return [{ key: `${name}:${tag}`, differs: own !== digest }];
    const sameTag = this.byTag.get(tag) ?? [];
    const samePath = sameTag.filter(({ path }) => name.endsWith(`/${path}`));
    const candidates = samePath.length > 0 ? samePath : sameTag.filter((entry) => entry.digest === digest);
    // Images of several registries may have the same path.
    const same = candidates.filter((entry) => entry.digest === digest);
    return (same.length > 0 ? same : candidates).map((entry) => ({ key: entry.key, differs: entry.digest !== digest }));
  }
}
