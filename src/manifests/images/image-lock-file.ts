import * as fs from 'node:fs';
import { isFields } from '../values/fields';
import { hostAndPath, ImageReference, isHost, parseImageReference } from '../values/image-reference';

/** The name of an image in its long form: host, path, and optional tag and digest. */
export interface ImageName extends ImageReference {
  /** Registry that the image is in, with its port. */
  readonly host: string;

  /** The path after the host, e.g. `library/busybox`. */
  readonly path: string;
}

/**
 * Reads the name of an image, and completes names that Docker Hub is meant by: `busybox` is `docker.io/library/busybox`, `velero/velero` is
 * `docker.io/velero/velero` (distribution/reference normalize.go).
 *
 * @returns undefined if the string is not the name of an image
 */
export function parseImageName(text: string): ImageName | undefined {
  const reference = parseImageReference(text);
  if (!reference) return undefined;
  const { host, path } = hostAndPath(reference.name);
  return { ...reference, name: `${host}/${path}`, host, path };
}

/** The tag and digest of an image as they are appended to its name. */
export function tagAndDigest({ tag, digest }: Pick<ImageReference, 'tag' | 'digest'>): string {
  return `${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`;
}

/** True if the string is a registry with an optional path: a prefix of images. */
export function isRegistry(text: string): boolean {
  const [host] = text.split('/', 1);
  return isHost(host) && parseImageReference(`${text}/image`)?.name === `${text}/image`;
}

/** Version of the format of a lock. */
export const LOCK_VERSION = 1;

const DIGEST = /^(sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128})$/;
const FIELDS = ['version', 'images', 'charts'];

/** The content of a lock. */
export interface LockedDigests {
  /** Digests by the names of images in their long form, with their tags. */
  readonly digests: ReadonlyMap<string, string>;

  /** Faults of the lock. */
  readonly faults: readonly string[];
}

/** Reads a lock from a file. */
export function readLockFile(path: string): LockedDigests {
  const unread = (reason: string): LockedDigests => ({ digests: new Map(), faults: [`"${path}" cannot be read: ${reason}`] });
  try {
    // A link of a repository may lead to a pipe or a device, which does not end.
    if (!fs.statSync(path).isFile()) return unread('it is not a regular file');
    return readLock(JSON.parse(fs.readFileSync(path, 'utf8')), `"${path}"`);
  } catch (error) {
    // The message of a syntax error quotes the file, which may be another one that has secrets.
    return unread(error instanceof SyntaxError ? 'it is not JSON' : error instanceof Error ? error.message : String(error));
  }
}

/**
 * Reads the content of a lock.
 *
 * @param content the content
 * @param what its name, for messages
 */
export function readLock(content: unknown, what: string): LockedDigests {
  const digests = new Map<string, string>();
  return { faults: readInto(digests, content, what), digests };
}

function readInto(digests: Map<string, string>, content: unknown, what: string): string[] {
  if (!isFields(content)) return [`${what} holds no JSON object`];
  const { version, images, charts = {} } = content;
  return [
    ...(version === LOCK_VERSION ? [] : [`${what} has version ${JSON.stringify(version)}, and only version ${LOCK_VERSION} is known`]),
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
