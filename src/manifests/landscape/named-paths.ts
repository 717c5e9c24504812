import * as path from 'node:path';
import { APPLIED } from './kustomize-lists';
import { ManifestState, partsOf, pathWithin, placesInRepository } from './manifest-state';
import { isFields } from '../values/fields';

/** Paths of several names in a text; a long word is gone through once. */
const LONG = /(?<![\w.@+-])[\w.@+-]*(?:\/[\w.@+-]+)+/g;

/** A path of one name in a text, after the name of a field for paths. */
const SHORT = /(?:path|dir|director(?:y|ie)|folder|chart)s?["']?\s*[:=]\s*(?:\[\s*)?["']?([\w.@+-]+)/gi;

/** A name of fields with paths. */
const FIELD = /(?:path|dir|director(?:y|ie)|folder|chart)s?$/i;

/**
 * The paths that the manifests of a state name anywhere, also in texts of other tools, as they may stand below what was read: what is there may be
 * applied in a way that is not known. Those that kustomizations list are known.
 *
 * @param state the state
 */
export function namedPaths(state: ManifestState): ReadonlySet<string> {
  const found = new Set<string>();
  const places = placesInRepository(state);
  const add = (text: string, folder: string) => {
    for (const named of [path.posix.join('/', text), path.posix.join('/', folder, text)]) {
      const parts = partsOf(named);
      found.add(parts.join('/'));
      for (const place of places) if (place.every((part, index) => part === parts[index])) found.add(parts.slice(place.length).join('/'));
    }
  };
  const folderOf = (file: string) => path.posix.dirname(pathWithin(state, file));
  for (const { object, place } of state.objects) pathsIn(object, (text) => add(text, folderOf(place.file)));
  for (const { value, file } of state.unread ?? []) pathsIn(applyingNothing(value), (text) => add(text, folderOf(file)));
  for (const { value, file } of state.kustomizations ?? []) pathsIn(applyingNothing(value), (text) => add(text, folderOf(file)));
  for (const [file, text] of [...state.inputs ?? [], ...state.otherTexts?.() ?? []]) pathsIn(text, (one) => add(one, path.posix.dirname(file)));
  return found;
}

/** A value without lists of kustomize. */
function applyingNothing(value: unknown): unknown {
  return isFields(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !APPLIED.includes(name))) : value;
}

function pathsIn(value: unknown, add: (text: string) => void, field = ''): void {
  if (typeof value === 'string') {
    if (FIELD.test(field)) add(value);
    if (value.includes('/')) for (const [text] of value.matchAll(LONG)) add(text);
    for (const [, text] of value.matchAll(SHORT)) add(text);
  } else if (Array.isArray(value)) {
    for (const item of value) pathsIn(item, add, field);
  } else if (isFields(value)) {
    for (const [name, inner] of Object.entries(value)) pathsIn(inner, add, name);
  }
}
