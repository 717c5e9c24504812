import { ManifestObject } from '../../objects/manifest-object';
import { ManifestIndex } from '../manifest-index';

/** Finds objects by something that they say. What each index holds is gone through once. */
export class Lookup {
  private readonly found = new WeakMap<ManifestIndex, ReadonlyMap<string, readonly ManifestObject[]>>();

  /**
   * @param kinds kinds of the objects, as `group/Kind`, or what lists them when they are first looked for
   * @param keysOf what an object is found by
   */
  public constructor(
    private readonly kinds: readonly string[] | (() => readonly string[]),
    private readonly keysOf: (object: ManifestObject) => readonly (string | undefined)[],
  ) {}

  /**
   * The objects that say this, in the order of their kinds.
   *
   * @param index where to look
   * @param key what they are found by
   */
  public find(index: ManifestIndex, ...key: readonly (string | undefined)[]): readonly ManifestObject[] {
    let all = this.found.get(index);
    if (!all) this.found.set(index, all = this.collect(index));
    return all.get(JSON.stringify(key)) ?? [];
  }

  private collect(index: ManifestIndex): ReadonlyMap<string, readonly ManifestObject[]> {
    const all = new Map<string, ManifestObject[]>();
    const kinds = typeof this.kinds === 'function' ? this.kinds() : this.kinds;
    for (const object of kinds.flatMap((kind) => index.all(kind))) {
      const key = JSON.stringify(this.keysOf(object));
      const same = all.get(key);
      if (same) same.push(object);
      else all.set(key, [object]);
    }
    return all;
  }
}
