import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ServiceAccountSecret } from '../rules/cluster-facts';
import { MadeSecret } from '../rules/made-secrets';
import { ManifestIndex } from '../rules/manifest-index';
import { secretsMadeOf } from '../systems/made-secrets';
import { providers } from '../systems/providers';
import { fieldAt, FieldPath } from '../values/fields';

/** Names the key that all tokens in use were signed with, so that other keys can go. */
export const SIGNED_ANNOTATION = 'cdk8s-cluster-api/tokens-signed-with';

/** A key for tokens of ServiceAccounts. */
export interface ServiceAccountKey {
  /** Its entry in the store, by which it is known. */
  readonly entry: string;

  /** Its name in words. */
  readonly name: string;
}

/** The keys for tokens of ServiceAccounts that an object with templates of a Secret writes. */
export interface ServiceAccountKeys {
  readonly secret: ServiceAccountSecret;

  /** Name of the control plane. */
  readonly controlPlane: string;

  /** The field with the public keys. */
  readonly path: FieldPath;

  /** Keys that tokens are verified with. */
  readonly known: readonly ServiceAccountKey[];

  /** The one that signs. */
  readonly signer: ServiceAccountKey;
}

/** References of a template to values of the store: `{{ index . "2026.pub" | trim }}`, `{{ .key }}`. */
const REFERENCE = /\{\{-?\s*(?:index\s+\.\s+"([^"]{1,253})"|\.([A-Za-z0-9_]{1,253}))/g;

/**
 * The keys that an object writes into the Secret of a control plane by templates; undefined of any other one.
 *
 * @param object the object that makes the Secret, such as an ExternalSecret
 * @param index the objects beside it
 */
export function serviceAccountKeys(object: ManifestObject, index: ManifestIndex): ServiceAccountKeys | undefined {
  const written = secretsMadeOf(object).filter(({ templates }) => templates !== undefined);
  if (written.length === 0) return undefined;
  const [found] = secretsOfControlPlanes(object, index)
    .flatMap((one) => written.filter(({ name }) => name === one.secret.name).map((made) => ({ ...one, made })));
  if (!found) return undefined;
  const { made, ...rest } = found;
  const { secret } = found;
  const known = keysIn(object, made, secret.publicKeys);
  const [signed] = keysIn(object, made, secret.privateKey);
  const signer = known.find(({ entry }) => entry === signed?.entry) ?? known[0];
  return signer && { ...rest, path: [...made.templates!, secret.publicKeys], known, signer };
}

function secretsOfControlPlanes(object: ManifestObject, index: ManifestIndex) {
  const namespace = namespaceOf(object);
  return providers().flatMap((provider) => Object.entries(provider.serviceAccountKeys ?? {})).flatMap(([kind, secretOf]) => (
    index.allIn(kind, namespace).flatMap((controlPlane) => {
      const secret = secretOf(controlPlane, index);
      return secret ? [{ secret, controlPlane: nameOf(controlPlane) ?? '' }] : [];
    })));
}

function keysIn(object: ManifestObject, { templates = [], entries }: MadeSecret, field: string): ServiceAccountKey[] {
  const text = fieldAt(object, ...templates, field);
  if (typeof text !== 'string') return [];
  return [...text.matchAll(REFERENCE)].map(([, quoted, plain]) => quoted ?? plain)
    .map((key) => ({ entry: entries?.get(key) ?? key, name: key.replace(/[._](pub|key|crt)$/, '') }));
}

/** True if a key is in a list. */
export function hasKey(keys: readonly ServiceAccountKey[], { entry }: ServiceAccountKey): boolean {
  return keys.some((other) => other.entry === entry);
}
