import { ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { ServiceAccountSecret } from '../rules/cluster-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { providers } from '../systems/providers';
import { fieldAt, FieldPath, objectsAt, stringAt } from '../values/fields';

/** The kind of the object that makes a Secret from an external store. */
export const EXTERNAL_SECRET = 'external-secrets.io/ExternalSecret';

/** Names the key that all tokens in use were signed with, so that other keys can go. */
export const SIGNED_ANNOTATION = 'cdk8s-cluster-api/tokens-signed-with';

/** A key for tokens of ServiceAccounts. */
export interface ServiceAccountKey {
  /** Its entry in the store, by which it is known. */
  readonly entry: string;

  /** Its name in words. */
  readonly name: string;
}

/** The keys for tokens of ServiceAccounts that an ExternalSecret writes. */
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

const TEMPLATE: FieldPath = ['spec', 'target', 'template', 'data'];

/** References of a template to values of the store: `{{ index . "2026.pub" | trim }}`, `{{ .key }}`. */
const REFERENCE = /\{\{-?\s*(?:index\s+\.\s+"([^"]{1,253})"|\.([A-Za-z0-9_]{1,253}))/g;

/**
 * The keys that an ExternalSecret writes into the Secret of a control plane; undefined of any other one.
 *
 * @param object the ExternalSecret
 * @param index the objects beside it
 */
export function serviceAccountKeys(object: ManifestObject, index: ManifestIndex): ServiceAccountKeys | undefined {
  const name = stringAt(object, 'spec', 'target', 'name') ?? nameOf(object);
  const found = secretsOfControlPlanes(object, index).find(({ secret }) => secret.name === name);
  if (!found) return undefined;
  const { secret } = found;
  const known = keysIn(object, secret.publicKeys);
  const [signed] = keysIn(object, secret.privateKey);
  const signer = known.find(({ entry }) => entry === signed?.entry) ?? known[0];
  return signer && { ...found, path: [...TEMPLATE, secret.publicKeys], known, signer };
}

function secretsOfControlPlanes(object: ManifestObject, index: ManifestIndex) {
  const namespace = namespaceOf(object);
  return providers().flatMap((provider) => Object.entries(provider.serviceAccountKeys ?? {})).flatMap(([kind, secretOf]) => (
    index.allIn(kind, namespace).flatMap((controlPlane) => {
      const secret = secretOf(controlPlane, index);
      return secret ? [{ secret, controlPlane: nameOf(controlPlane) ?? '' }] : [];
    })));
}

function keysIn(object: ManifestObject, field: string): ServiceAccountKey[] {
  const entries = new Map(objectsAt(object, 'spec', 'data').map(([entry]) => [stringAt(entry, 'secretKey'), stringAt(entry, 'remoteRef', 'key')]));
  const text = fieldAt(object, ...TEMPLATE, field);
  if (typeof text !== 'string') return [];
  return [...text.matchAll(REFERENCE)].map(([, quoted, plain]) => quoted ?? plain)
    .map((key) => ({ entry: entries.get(key) ?? key, name: key.replace(/[._](pub|key|crt)$/, '') }));
}

/** True if a key is in a list. */
export function hasKey(keys: readonly ServiceAccountKey[], { entry }: ServiceAccountKey): boolean {
  return keys.some((other) => other.entry === entry);
}
