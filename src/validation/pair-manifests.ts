import { groupKind, ManifestObject } from '../manifests/manifest-object';
import { canonicalJson, jsonFault } from '../values/content-hash';
import { stringAt } from '../values/fields';

/** What became of the objects that were written before. */
export interface ManifestPairs {
  /** By an object of now: what it was before. Objects that are new are missing. */
  readonly before: ReadonlyMap<ManifestObject, ManifestObject>;

  /** Objects that are not written any more. */
  readonly gone: readonly ManifestObject[];
}

/**
 * Finds what became of each object, by group, kind, namespace and name, or the start of a generated name. Manifests may hold several
 * objects that share all of them: those that did not change belong together then, and the others in their order.
 *
 * @param old the objects that were written before
 * @param now the objects that are written now
 */
export function pairManifests(old: readonly ManifestObject[], now: readonly ManifestObject[]): ManifestPairs {
  const [oldByName, nowByName] = [byName(old), byName(now)];
  const before = new Map<ManifestObject, ManifestObject>();
  const gone: ManifestObject[] = [];
  for (const [name, olds] of oldByName) {
    const news = nowByName.get(name) ?? [];
    const alone = news.length === 0 || (olds.length === 1 && news.length === 1);
    const [changed, rest] = alone ? [olds, news] : withoutSame(olds, news, before);
    changed.forEach((object, index) => {
      if (index < rest.length) before.set(rest[index], object);
      else gone.push(object);
    });
  }
  return { before, gone };
}

/** Pairs objects that did not change, and gives back the others. */
function withoutSame(olds: readonly ManifestObject[], news: readonly ManifestObject[], before: Map<ManifestObject, ManifestObject>) {
  const byText = new Map<string, ManifestObject[]>();
  for (const object of news) {
    const text = textOf(object);
    const same = byText.get(text);
    if (same) same.push(object);
    else byText.set(text, [object]);
  }
  const changed = olds.filter((object) => {
    const same = byText.get(textOf(object))?.pop();
    if (same) before.set(same, object);
    return !same;
  });
  return [changed, news.filter((object) => !before.has(object))] as const;
}

function byName(objects: readonly ManifestObject[]): ReadonlyMap<string, readonly ManifestObject[]> {
  const found = new Map<string, ManifestObject[]>();
  for (const object of objects) {
    const [name, generated, namespace] = ['name', 'generateName', 'namespace'].map((field) => stringAt(object, 'metadata', field) ?? '');
    const key = JSON.stringify([groupKind(object), namespace, name, name === '' ? generated : '']);
    const same = found.get(key);
    if (same) same.push(object);
    else found.set(key, [object]);
  }
  return found;
}

/** What holds more than JSON is like nothing else. */
function textOf(object: ManifestObject): string {
  return jsonFault(object) === undefined ? canonicalJson(object) : '';
}
