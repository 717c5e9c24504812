import { labelsIn, selects } from './label-selectors';
import { ManifestObject } from '../objects/manifest-object';
import { Fields } from '../values/fields';

interface Labelled {
  readonly object: ManifestObject;
  readonly labels: Fields;
}

/** A list of objects, and those of them that have a label. */
interface Sorted {
  readonly all: readonly Labelled[];
  readonly byLabel: ReadonlyMap<string, ReadonlyMap<unknown, readonly Labelled[]>>;
}

/** Lists up to this length are gone through. */
const SHORT = 4;

/** Finds the objects of a list that a selector selects, without a look at each of them: one of its labels has few, most times. */
export class SelectedObjects {
  private readonly lists = new WeakMap<readonly ManifestObject[], Sorted>();

  /** @param labelsOf the labels that an object is selected by */
  public constructor(private readonly labelsOf: (object: ManifestObject) => Fields) {}

  /**
   * The objects that are selected, in their order.
   *
   * @param objects the same list each time, which is sorted once
   * @param selector one that can be read
   */
  public of(objects: readonly ManifestObject[], selector: unknown): ManifestObject[] {
    if (objects.length <= SHORT) return objects.filter((object) => selects(selector, this.labelsOf(object)));
    let sorted = this.lists.get(objects);
    if (!sorted) this.lists.set(objects, sorted = this.sort(objects));
    let candidates = sorted.all;
    for (const [key, value] of labelsIn(selector)) {
      const having = sorted.byLabel.get(key)?.get(value) ?? [];
      if (having.length < candidates.length) candidates = having;
    }
    return candidates.filter(({ labels }) => selects(selector, labels)).map(({ object }) => object);
  }

  private sort(objects: readonly ManifestObject[]): Sorted {
    const all = objects.map((object) => ({ object, labels: this.labelsOf(object) }));
    const byLabel = new Map<string, Map<unknown, Labelled[]>>();
    for (const labelled of all) {
      for (const [key, value] of Object.entries(labelled.labels)) {
        let values = byLabel.get(key);
        if (!values) byLabel.set(key, values = new Map());
        const same = values.get(value);
        if (same) same.push(labelled);
        else values.set(value, [labelled]);
      }
    }
    return { all, byLabel };
  }
}
