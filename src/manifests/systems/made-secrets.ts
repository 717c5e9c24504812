import { providers } from './providers';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { MadeSecret } from '../rules/made-secrets';
import { ManifestIndex } from '../rules/manifest-index';

/** The Secrets that controllers make of an object, in its namespace. */
export function secretsMadeOf(object: ManifestObject): readonly MadeSecret[] {
  const kind = groupKind(object);
  return providers().flatMap(({ makesSecrets }) => makesSecrets?.[kind]?.(object) ?? []);
}

/** True if a controller makes a Secret of an object of a namespace. */
export function isSecretMade(index: ManifestIndex, namespace: string | undefined, name: string): boolean {
  return secretMakerKinds().flatMap((kind) => index.allIn(kind, namespace)).some((maker) => secretsMadeOf(maker).some((made) => made.name === name));
}

/** Kinds of objects that controllers make Secrets of. */
export function secretMakerKinds(): readonly string[] {
  return [...new Set(providers().flatMap(({ makesSecrets = {} }) => Object.keys(makesSecrets)))];
}
