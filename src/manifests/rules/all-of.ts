const NOTHING: readonly never[] = Object.freeze([]);

/** What several checks found, in their order. Nearly always that is nothing, of which no list is made. */
export function allOf<T>(...found: readonly (readonly T[])[]): readonly T[] {
  let all: readonly T[] = NOTHING;
  for (let index = 0; index < found.length; index++) {
    if (found[index].length > 0) all = all.length === 0 ? found[index] : [...all, ...found[index]];
  }
  return all;
}
