import { providers } from './providers';
import { groupKind, ManifestObject, namespaceOf } from '../objects/manifest-object';
import { MadeSecret } from '../rules/made-secrets';
import { ManifestIndex, namespacesFor } from '../rules/manifest-index';

/** The Secrets that controllers make of an object, in its namespace. */
export function secretsMadeOf(object: ManifestObject): readonly MadeSecret[] {
  const kind = groupKind(object);
  return providers().flatMap(({ makesSecrets }) => makesSecrets?.[kind]?.(object) ?? []);
}

/** Names of the Secrets that controllers make, by their namespaces. */
const NAMES = new WeakMap<ManifestIndex, ReadonlyMap<string | undefined, ReadonlySet<string>>>();

/** True if a controller makes a Secret of an object of a namespace. */
export function isSecretMade(index: ManifestIndex, namespace: string | undefined, name: string): boolean {
  let names = NAMES.get(index);
  if (!names) NAMES.set(index, names = madeNames(index));
  return namespacesFor(namespace).some((one) => names.get(one)?.has(name));
}

function madeNames(index: ManifestIndex): ReadonlyMap<string | undefined, ReadonlySet<string>> {
  const found = new Map<string | undefined, Set<string>>();
  for (const maker of secretMakerKinds().flatMap((kind) => index.all(kind))) {
    const names = found.get(namespaceOf(maker)) ?? new Set();
    for (const { name } of secretsMadeOf(maker)) names.add(name);
    found.set(namespaceOf(maker), names);
  }
  return found;
}

/** Kinds of objects that controllers make Secrets of. */
export function secretMakerKinds(): readonly string[] {
  return [...new Set(providers().flatMap(({ makesSecrets = {} }) => Object.keys(makesSecrets)))];
}
