import { RegistryClient } from './registry-client';
import { RegistryError } from './registry-error';

/** An image to resolve. */
export interface DigestRequest {
  /** What the result is called. */
  readonly key: string;

  /** Name of the image, with its tag, where it is asked for. */
  readonly image: string;

  /** The digest that it had before. */
  readonly known?: string;
}

/** What became of a request: a digest, or why there is none. */
export interface DigestResult {
  readonly key: string;
  readonly digest?: string;
  readonly error?: RegistryError;
}

/** So many requests at once are no burden to a registry, and hide most of the waiting. */
const AT_ONCE = 4;

/** Asks for the digests of images, a few at once. The results are in the order of the requests; a failure does not stop the others. */
export async function resolveDigests(requests: readonly DigestRequest[], client: RegistryClient): Promise<DigestResult[]> {
  const results: DigestResult[] = [];
  const waiting = requests.entries();
  const work = async () => {
    for (const [index, { key, image, known }] of waiting) {
      try {
        results[index] = { key, digest: await client.digestOf(image, known) };
      } catch (error) {
        if (!(error instanceof RegistryError)) throw error;
        results[index] = { key, error };
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
