/** So many names are compared at most: there may be as many of them as of slips. */
const MOST_COMPARED = 200;

/** Longer texts are no names: to compare two of them would take minutes. */
const LONGEST_NAME = 253;

/**
 * The name that the user most likely meant: the one with the fewest inserted, removed, replaced or swapped characters, if they are
 * few enough for a slip of the hand (a third of the text at most). Of equally near ones, the first.
 *
 * @param most so many characters may differ at most
 */
export function nearestName(text: string, names: Iterable<string>, most = Infinity): string | undefined {
  return near(text, names, most)[0];
}

/** So many characters differ at most in a slip of the hand. */
const SLIP = 2;

/**
 * The name of which the text is a slip of the hand, rather than a name of its own that is alike: one with a word more or less, or another number.
 */
export function misspelledName(text: string, names: Iterable<string>): string | undefined {
  const found = nearestName(text, names, SLIP);
  if (found === undefined || withoutDigits(found) === withoutDigits(text)) return undefined;
  const [short, long] = [text, found].sort((one, other) => one.length - other.length);
  return long.startsWith(short) && /^(?:[A-Z]|[^A-Za-z])/.test(long.slice(short.length)) ? undefined : found;
}

function withoutDigits(text: string): string {
  return text.replace(/\d/g, '');
}

/**
 * The names that the user may have meant, the nearest first.
 *
 * @param count so many at most
 */
export function nearNames(text: string, names: Iterable<string>, count: number): string[] {
  return near(text, names, Infinity).slice(0, count);
}

function near(text: string, names: Iterable<string>, most: number): string[] {
  if (text.length > LONGEST_NAME) return [];
  const limit = Math.min(most, Math.max(1, Math.floor(text.length / 3)));
  return [...names].filter((name) => Math.abs(name.length - text.length) <= limit).slice(0, MOST_COMPARED)
    .map((name) => ({ name, distance: editDistance(text.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance)
    .map(({ name }) => name);
}

function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      let distance = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1));
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        distance = Math.min(distance, beforeLast[column - 2] + 1);
      }
      current.push(distance);
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length];
}

/**
 * The name that differs by parts that tools add or remove, such as the prefix `shop-` of `shop-manager-role`; undefined if several do.
 *
 * @param text the name that was written
 * @param names names that exist
 */
export function affixedName(text: string, names: Iterable<string>): string | undefined {
  const parts = text.split('-');
  const found = [...names].filter((name) => {
    const others = name.split('-');
    return others.length !== parts.length && (isContained(parts, others) || isContained(others, parts));
  });
  return found.length === 1 ? found[0] : undefined;
}

/** True if all parts are in a longer list, in their order. */
function isContained(parts: readonly string[], longer: readonly string[]): boolean {
  let at = 0;
  for (const part of longer) if (part === parts[at]) at++;
  return at === parts.length;
}
