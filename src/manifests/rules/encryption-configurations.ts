import { secretTexts } from './secret-texts';
import { ManifestObject } from '../objects/manifest-object';
import { valuesIn } from '../objects/manifest-text';
import { FieldPath, Fields, fieldAt, isFields, objectsAt, stringAt, stringsAt } from '../values/fields';

/** The kinds of objects that a configuration of encryption at rest is written in. */
export const ENCRYPTION_HOLDERS: readonly string[] = ['/Secret', 'external-secrets.io/ExternalSecret'];

const KIND = 'EncryptionConfiguration';

/** The providers whose keys stand in the configuration. */
export const KEY_PROVIDERS: readonly string[] = ['secretbox', 'aescbc', 'aesgcm'];

/** A configuration of encryption at rest, and the field that has its text. */
export interface EncryptionConfiguration {
  readonly path: FieldPath;
  readonly value: Fields;
}

/** A way to write and to read objects: a key of a provider, a key service, or no encryption. */
export interface EncryptionKey {
  readonly provider: string;

  /** Name of the key, or of the key service; empty without encryption. */
  readonly name: string;
}

/** The beginning of a value that a template fills in without quotes around it. */
const FILLED_IN = 'filled-in-';

/** True of a value that a tool fills in later. */
export function isFilledIn(value: string): boolean {
  return /\{\{|\$\{|^ENC\[/.test(value) || value.startsWith(FILLED_IN);
}

/**
 * The configurations of encryption at rest in an object: texts of a Secret, and templates of an ExternalSecret. A text that is encrypted, or
 * whose structure a template fills in, has none.
 */
export function encryptionConfigurations(object: ManifestObject): EncryptionConfiguration[] {
  return secretTexts(object).flatMap(([path, text]) => (text.includes(KIND) ? configurationsIn(text).map((value) => ({ path, value })) : []));
}

function configurationsIn(text: string): Fields[] {
  const [found, ...others] = [text, text.replace(/\{\{([^{}]*)\}\}/g, (_, inner: string) => `${FILLED_IN}${inner.replace(/[^A-Za-z0-9]+/g, '-')}`)]
    .map((one) => valuesIn(one).filter(isFields).filter(({ kind }) => kind === KIND));
  return found.length > 0 ? found : others.flat();
}

/** The keys for each resource, in their order: the first one writes, all of them read. */
export function keysByResource({ value }: EncryptionConfiguration): Map<string, readonly EncryptionKey[]> {
  const keys = new Map<string, readonly EncryptionKey[]>();
  for (const [entry] of objectsAt(value, 'resources')) {
    const own = objectsAt(entry, 'providers').flatMap(([provider]) => keysOf(provider));
    // A resource gets the first entry that names it.
    for (const [resource] of stringsAt(entry, 'resources')) if (!keys.has(resource)) keys.set(resource, own);
  }
  return keys;
}

/** The keys for a resource: its own, those of all of its group, or those of all groups, as the API server looks them up. */
export function keysFor<T>(byResource: ReadonlyMap<string, T>, resource: string): T | undefined {
  const group = resource.slice(`${resource}.`.indexOf('.') + 1);
  return byResource.get(resource) ?? byResource.get(`*.${group}`) ?? byResource.get('*.*');
}

function keysOf(provider: Fields): EncryptionKey[] {
  const named = KEY_PROVIDERS.flatMap((kind) => objectsAt(provider, kind, 'keys').map(([key]) => ({ provider: kind, name: stringAt(key, 'name') ?? '' })));
  const service = fieldAt(provider, 'kms');
  if (isFields(service)) named.push({ provider: 'kms', name: stringAt(service, 'name') ?? '' });
  return isFields(fieldAt(provider, 'identity')) ? [...named, { provider: 'identity', name: '' }] : named;
}
