import { groupKind, ManifestObject } from '../objects/manifest-object';
import { groupedBy } from '../rules/manifest-index';
import { canonicalJson, jsonFault } from '../values/content-hash';
import { stringAt } from '../values/fields';

/** States of the objects that were written before. */
export interface ManifestPairs {
  /** By an object of now: what it was before. Objects that are new are missing. */
  readonly before: ReadonlyMap<ManifestObject, ManifestObject>;

  /** Objects that are not written any more. */
  readonly gone: readonly ManifestObject[];
}

/**
 * Finds what became of each object, by group, kind, namespace and name, or the start of a generated name. Manifests may hold several
 * objects that share all of them: those of one place belong together then, those that did not change, and the others in their order.
 *
 * @param old the objects that were written before
 * @param now the objects that are written now
 * @param placeOf where an object stands; without it, places do not matter
 */
export function pairManifests(
  old: readonly ManifestObject[], now: readonly ManifestObject[], placeOf: (object: ManifestObject) => string = () => '',
): ManifestPairs {
  const [oldByName, nowByName] = [byName(old), byName(now)];
  const before = new Map<ManifestObject, ManifestObject>();
  const gone: ManifestObject[] = [];
  for (const [name, olds] of oldByName) {
    const news = nowByName.get(name) ?? [];
    const isAlone = news.length === 0 || (olds.length === 1 && news.length === 1);
    gone.push(...isAlone ? pairInOrder(olds, news, before) : pairByPlace(olds, news, placeOf, before));
  }
  return { before, gone };
}

/** Pairs objects of one place first, then those that moved, and gives back those that have no counterpart. */
function pairByPlace(
  olds: readonly ManifestObject[], news: readonly ManifestObject[], placeOf: (object: ManifestObject) => string,
  before: Map<ManifestObject, ManifestObject>,
): readonly ManifestObject[] {
  const [oldPlaces, newPlaces] = [olds, news].map((list) => groupedBy(list, placeOf));
  const left = [...oldPlaces].flatMap(([place, list]) => pairInOrder(...withoutSame(list, newPlaces.get(place) ?? [], before), before));
  return pairInOrder(...withoutSame(left, news.filter((object) => !before.has(object)), before), before);
}

/** Pairs objects in their order, and gives back those that have no counterpart. */
function pairInOrder(
  olds: readonly ManifestObject[], news: readonly ManifestObject[], before: Map<ManifestObject, ManifestObject>,
): readonly ManifestObject[] {
  olds.slice(0, news.length).forEach((object, index) => before.set(news[index], object));
  return olds.slice(news.length);
}

/** Pairs objects that did not change, and gives back the others. */
function withoutSame(olds: readonly ManifestObject[], news: readonly ManifestObject[], before: Map<ManifestObject, ManifestObject>) {
  const byText = new Map([...groupedBy(news, textOf)].map(([text, list]) => [text, [...list]]));
  const changed = olds.filter((object) => {
    const same = byText.get(textOf(object))?.pop();
    if (same) before.set(same, object);
    return !same;
  });
  return [changed, news.filter((object) => !before.has(object))] as const;
}

function byName(objects: readonly ManifestObject[]): ReadonlyMap<string, readonly ManifestObject[]> {
  return groupedBy(objects, (object) => {
    const [name, generated, namespace] = ['name', 'generateName', 'namespace'].map((field) => stringAt(object, 'metadata', field) ?? '');
    return JSON.stringify([groupKind(object), namespace, name, name === '' ? generated : '']);
  });
}

/** Objects with more than JSON have no equals. */
function textOf(object: ManifestObject): string {
  return jsonFault(object) === undefined ? canonicalJson(object) : '';
}
