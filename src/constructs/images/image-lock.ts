import { LOCK_VERSION, LockedDigests, readLock, readLockFile } from '../../manifests/images/image-lock-file';
import { Problem, Rule } from '../../manifests/values/problem';

const FIX = 'write it anew with: npx cdk8s-cluster-api images lock';

const IMAGE_LOCK_RULE: Rule = {
  id: 'TC-IMAGE-LOCK',
  title: 'A lock of images must have a digest for each image, which must be named with its tag.',
};

/**
 * Digests of images, so that a tag always means the same image. `npx cdk8s-cluster-api images lock` asks the registries and writes such a
 * file; keep it in the repository.
 *
 * The lock uses the names of images without a mirror, e.g. `quay.io/cilium/cilium:v1.20.0`. If such an entry is missing, the name in the
 * mirror is looked up.
 *
 * @example
 * const images = new ImageSources({ lock: ImageLock.fromFile('images.lock.json') });
 */
export class ImageLock {
  /**
   * Reads a lock: a JSON file `{ "version": 1, "images": { "<name>:<tag>": "sha256:…" } }`. The field `charts` is for other programs.
   *
   * Rule: `TC-IMAGE-LOCK`.
   *
   * @param path path of the file, on the machine that synthesizes
   */
  public static fromFile(path: string): ImageLock {
    return new ImageLock(readLockFile(path));
  }

  /**
   * A lock of these images (`TC-IMAGE-LOCK`).
   *
   * @param images digests by the names of the images, each with its tag
   */
  public static of(images: { [image: string]: string }): ImageLock {
    return new ImageLock(readLock({ version: LOCK_VERSION, images }, 'the lock'));
  }

  private constructor(private readonly content: LockedDigests) {}

  /**
   * The digest of an image.
   *
   * @param name repository in its long form
   * @param tag the tag
   *
   * @internal
   */
  public _digestOf(name: string, tag: string): string | undefined {
    return this.content.digests.get(`${name}:${tag}`);
  }

  /** @internal */
  public _check(property: string): Problem[] {
    return this.content.faults.map((message) => ({ rule: IMAGE_LOCK_RULE, property, message, fix: FIX }));
  }
}
