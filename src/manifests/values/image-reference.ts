const DOMAIN_LABEL = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = `(?:${DOMAIN_LABEL}(?:\\.${DOMAIN_LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const PATH_PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const REFERENCE = new RegExp(
  `^((?:${HOST}/)?${PATH_PART}(?:/${PATH_PART})*)(?::([\\w][\\w.-]{0,127}))?(?:@(sha256:[a-f0-9]{64}|sha512:[a-f0-9]{128}))?$`,
);
const MAX_NAME_LENGTH = 255;
const DOCKER_HUB = 'docker.io';
const OLD_DOCKER_HUB = 'index.docker.io';

/** The parts of an image's name. */
export interface ImageReference {
  /** Registry and repository. */
  readonly name: string;
  /** String behind the colon. */
  readonly tag?: string;
  /** String behind the at sign. */
  readonly digest?: string;
}

/**
 * Reads the name of an image as container runtimes do (distribution/reference regexp.go).
 *
 * @returns its parts, or undefined if the text is no image's name
 */
export function parseImageReference(text: string): ImageReference | undefined {
  const match = REFERENCE.exec(text);
  if (!match || match[1].length > MAX_NAME_LENGTH) return undefined;
  return { name: match[1], tag: match[2], digest: match[3] };
}

/** The release in the tag of an image, e.g. `0.6` for `v0.6.0`; undefined without such a tag. */
export function releaseOf(image: string): string | undefined {
  return /^v?(\d+\.\d+)(?:\.|$)/.exec(parseImageReference(image)?.tag ?? '')?.[1];
}

/**
 * Splits the name of an image, without tag and digest, into the registry's host and the path there, and completes names that Docker Hub is
 * meant by.
 */
export function hostAndPath(name: string): { host: string; path: string } {
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  const [host, path] = isHost(first) ? [first, name.slice(slash + 1)] : [DOCKER_HUB, name];
  if (host !== DOCKER_HUB && host !== OLD_DOCKER_HUB) return { host, path };
  return { host: DOCKER_HUB, path: path.includes('/') ? path : `library/${path}` };
}

/** The host of a registry in the form in which hosts are compared: lower case, without the default port, Docker Hub by its present name. */
export function plainRegistryHost(host: string): string {
  const plain = host.toLowerCase().replace(/:443$/, '');
  return plain === OLD_DOCKER_HUB ? DOCKER_HUB : plain;
}

/** True if the first part of a name is a registry's host: nothing else has a dot, a port or an upper-case letter. */
export function isHost(text: string): boolean {
  return text === 'localhost' || /[.:]/.test(text) || text !== text.toLowerCase();
}

/** True if a name stands for one image forever: it has a digest, or a tag other than latest. */
export function isPinned({ tag, digest }: ImageReference): boolean {
  return digest !== undefined || (tag !== undefined && tag !== 'latest');
}

/**
 * Checks that a name stands for one image.
 *
 * @param text the name
 * @param image its parts
 * @returns the message and the fix; undefined if the image is pinned
 */
export function checkPinned(text: string, image: ImageReference): { readonly message: string; readonly fix: string } | undefined {
  return isPinned(image) ? undefined : {
    message: `"${text}" has ${image.tag === undefined ? 'neither tag nor digest' : 'the tag "latest" and no digest'}`,
    fix: pinAdvice(image.name),
  };
}

/** Advice for an image without a version. It names no tag, since upstream may not have it. */
function pinAdvice(name: string): string {
  return `name the tag of a release, if there is one, or the digest of the image that you have tried: "${name}@sha256:…"`;
}
