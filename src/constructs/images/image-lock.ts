import * as fs from 'node:fs';
import { parseImageName, tagAndDigest } from '../../manifests/images/image-name';
import { IMAGE_RULES } from './rules';
import { Problem } from '../../manifests/values/problem';
import { isFields } from '../../manifests/values/fields';

const VERSION = 1;
const DIGEST = /^(sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128})$/;
const FIELDS = ['version', 'images', 'charts'];
const FIX = 'write it anew with: npx cdk8s-cluster-api images lock';

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
    try {
      return ImageLock.read(JSON.parse(fs.readFileSync(path, 'utf8')), `"${path}"`);
    } catch (error) {
      return new ImageLock(new Map(), [`"${path}" cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
    }
  }

  /**
   * A lock of these images (`TC-IMAGE-LOCK`).
   *
   * @param images digests by the names of the images, each with its tag
   */
  public static of(images: { [image: string]: string }): ImageLock {
    return ImageLock.read({ version: VERSION, images }, 'the lock');
  }

  private static read(content: unknown, what: string): ImageLock {
    const digests = new Map<string, string>();
    const faults = readInto(digests, content, what);
    return new ImageLock(digests, faults);
  }

  private constructor(private readonly digests: ReadonlyMap<string, string>, private readonly faults: readonly string[]) {}

  /**
   * The digest of an image.
   *
   * @param name repository in its long form
   * @param tag the tag
   *
   * @internal
   */
  public _digestOf(name: string, tag: string): string | undefined {
    return this.digests.get(`${name}:${tag}`);
  }

  /** @internal */
  public _check(property: string): Problem[] {
    return this.faults.map((message) => ({ rule: IMAGE_RULES.lock, property, message, fix: FIX }));
  }
}

function readInto(digests: Map<string, string>, content: unknown, what: string): string[] {
  if (!isFields(content)) return [`${what} holds no JSON object`];
  const { version, images, charts = {} } = content;
  return [
    ...(version === VERSION ? [] : [`${what} has version ${JSON.stringify(version)}, and only version ${VERSION} is known`]),
    ...Object.keys(content).filter((key) => !FIELDS.includes(key)).map((key) => `${what} has a field "${key}" that is not known`),
    ...(isFields(images) ? [] : [`${what} has no "images"`]),
    ...(isFields(charts) ? [] : [`"charts" of ${what} are not digests by name`]),
    ...Object.entries(isFields(images) ? images : {}).flatMap(([key, digest]) => addTo(digests, key, digest, what)),
  ];
}

function addTo(digests: Map<string, string>, key: string, digest: unknown, what: string): string[] {
  const image = parseImageName(key);
  if (!image) return [`"${key}" in ${what} is not the name of an image`];
  if (image.tag === undefined || image.digest !== undefined) return [`"${key}" in ${what} is not a name with a tag and nothing behind it`];
  if (typeof digest !== 'string' || !DIGEST.test(digest)) return [`the digest of "${key}" in ${what} is ${JSON.stringify(digest)}, not "sha256:" and 64 hex digits`];
  const name = `${image.name}${tagAndDigest(image)}`;
  const known = digests.get(name);
  digests.set(name, digest);
  return known === undefined || known === digest ? [] : [`"${name}" is in ${what} twice, with different digests`];
}
