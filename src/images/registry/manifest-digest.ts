import { createHash } from 'node:crypto';
import { HttpAnswer } from './http-client';
import { quoted, RegistryError } from './registry-error';

const DIGEST = /^sha256:[a-f0-9]{64}$/;

/** What an image may be: an index over platforms, or the manifest of one. */
export const MANIFEST_TYPES: readonly string[] = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

/** The digest that a registry claims for a manifest, or undefined if it claims none by SHA-256. */
export function claimedDigest({ headers }: HttpAnswer): string | undefined {
  const claimed = headers.get('docker-content-digest');
  return claimed !== null && DIGEST.test(claimed) ? claimed : undefined;
}

/** The digest of a manifest, computed from its bytes. Throws if these are no manifest, or not the one that the registry says they are. */
export function computedDigest(answer: HttpAnswer, image: string): string {
  checkManifest(answer, image);
  const digest = `sha256:${createHash('sha256').update(answer.body).digest('hex')}`;
  const claimed = claimedDigest(answer);
  if (claimed === undefined || claimed === digest) return digest;
  throw new RegistryError(`${answer.url.host} says that ${image} has digest ${claimed}, but what it sends has ${digest}`,
    'do not use this image; look at what is between you and the registry, such as a proxy or a cache');
}

function checkManifest({ body, headers, url }: HttpAnswer, image: string): void {
  const type = quoted(headers.get('content-type') ?? 'no type');
  let manifest: { schemaVersion?: unknown; manifests?: unknown; layers?: unknown } | null;
  try {
    manifest = JSON.parse(body.toString('utf8')) as typeof manifest;
  } catch {
    manifest = null;
  }
  if (manifest?.schemaVersion === 1) {
    throw new RegistryError(`${image} is stored in the format of before 2016 (${type}), whose digest changes when it is copied`, 'build and push it anew');
  }
  if (manifest?.schemaVersion === 2 && (Array.isArray(manifest.manifests) || Array.isArray(manifest.layers))) return;
  throw new RegistryError(`${url.host} answers for ${image} with something that is no manifest of an image (${type})`,
    'check that it is a registry; a proxy or a login page may answer in its place');
}
