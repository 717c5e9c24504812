import { parseImageName } from '../image-name';

/** Where an image is asked for. */
export interface ImageLocation {
  /** Host, maybe with a port, whose API has the image. */
  readonly host: string;

  /** Repository within that registry. */
  readonly repository: string;

  /** Tag, or digest, of the manifest. */
  readonly reference: string;
}

const DOCKER_HUB = 'docker.io';

/** Host of Docker Hub's API, which is not where its images are named (moby/moby registry/config.go). */
export const DOCKER_HUB_HOST = 'registry-1.docker.io';

/**
 * Where an image is, by the rules of container runtimes.
 *
 * @param image name of an image, with a tag or a digest; the digest counts where there are both
 * @returns where it is, or undefined if the text is no image's name or has neither tag nor digest
 */
export function locateImage(image: string): ImageLocation | undefined {
  const parsed = parseImageName(image);
  const reference = parsed?.digest ?? parsed?.tag;
  if (parsed === undefined || reference === undefined) return undefined;
  return { host: parsed.host === DOCKER_HUB ? DOCKER_HUB_HOST : parsed.host, repository: parsed.path, reference };
}

/** The command that gets credentials for a registry. */
export function loginCommand(host: string): string {
  return host === DOCKER_HUB_HOST ? 'docker login' : `docker login ${host}`;
}
