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
