import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { readText } from '../../../src/manifests/objects/manifest-text';
import { fieldChanges } from '../../../src/manifests/rules/changes/field-changes';
import { storedPair } from '../../../src/manifests/stored/stored-objects';
import { fieldText } from '../../../src/manifests/values/fields';

/** An object with a spec that is written in YAML. */
export function object(kind: string, apiVersion: string, spec: string): ManifestObject {
  const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: acme, namespace: t}\nspec:\n${spec.replace(/^(?=.)/gm, '  ')}`;
  return readText(text).documents[0].value as ManifestObject;
}

/** Differences between two states as they are stored. */
export function differences(before: ManifestObject, after: ManifestObject): string[] {
  const pair = storedPair(before, after);
  return fieldChanges(pair.before, pair.after).map(({ path, before: old, after: now }) => `${fieldText(path)} ${JSON.stringify(old)} -> ${JSON.stringify(now)}`);
}
