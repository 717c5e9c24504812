/** A pattern with more alternatives counts as one that is not known. */
const MOST_ALTERNATIVES = 256;

/**
 * A part of a pattern: any number of items, any number of them that are no separator, or one that a function accepts. The items of a text are
 * characters, those of a path are names.
 */
type Part = '*' | 'run' | ((item: string) => boolean);

/**
 * Reads a pattern as Argo CD does: `*`, `?`, `[a-z]`, `[!a-z]`, `{one,other}`, and `\` before a character that stands for itself.
 *
 * Source: gobwas/glob glob.go (Compile).
 *
 * @param pattern the pattern
 * @param separator a character that neither `*` nor `?` stands for, but `**` does; none by default
 * @returns a function that matches texts without trying each way to split them, or undefined if the pattern is not known
 */
export function globPattern(pattern: string, separator?: string): ((text: string) => boolean) | undefined {
  const alternatives = expanded(pattern)?.map((one) => partsOf(one, separator));
  if (separator === undefined) return alternatives && ((text) => alternatives.some((parts) => matchesParts([...text], parts)));
  return alternatives && ((text) => alternatives.some((parts) => matchesSeparated([...text], parts, separator)));
}

/** The patterns without braces that a pattern stands for. */
function expanded(pattern: string): string[] | undefined {
  let patterns = [pattern];
  while (patterns.length <= MOST_ALTERNATIVES) {
    const next = patterns.flatMap((one) => {
      const [whole, inner] = /\{([^{}]*)\}/.exec(one) ?? [];
      return whole === undefined || inner === undefined ? [one] : inner.split(',').map((part) => one.replace(whole, () => part));
    });
    if (next.length === patterns.length && next.every((one, index) => one === patterns[index])) return next;
    patterns = next;
  }
  return undefined;
}

/**
 * Reads a pattern of paths: each name is a pattern as above, and `**` stands for any number of folders.
 *
 * Source: bmatcuk/doublestar match.go, path.Match of Go.
 *
 * @param pattern the pattern
 * @param passesFolders false if `**` is a name like any other
 * @returns undefined if the pattern is not known
 */
export function pathPattern(pattern: string, passesFolders: boolean): ((path: string) => boolean) | undefined {
  // These are written differently in patterns of names.
  if (/[[\]{}\\]/.test(pattern)) return undefined;
  const parts: Part[] = pattern.replace(/^\.?\//, '').split('/').map((name) => (passesFolders && name === '**' ? '*' : globPattern(name)!));
  return (path) => matchesParts(path.split('/'), parts);
}

function partsOf(pattern: string, separator?: string): Part[] {
  const parts: Part[] = [];
  for (const [token] of pattern.matchAll(/\*+|\\.|\[!?[^\]]+\]|./gsu)) {
    if (token.startsWith('*')) parts.push(separator === undefined || token.length > 1 ? '*' : 'run');
    else if (token === '?') parts.push((character) => character !== separator);
    else if (token.length > 2 && token.startsWith('[')) parts.push(classOf(token));
    else parts.push((character) => character === token.replace(/^\\(?=.)/su, ''));
  }
  return parts;
}

function classOf(token: string): (character: string) => boolean {
  const isNegated = token.startsWith('[!');
  const members = token.slice(isNegated ? 2 : 1, -1);
  const [, from, to] = /^(.)-(.)$/su.exec(members) ?? [];
  return (character) => (from === undefined || to === undefined ? members.includes(character) : from <= character && character <= to) !== isNegated;
}

/** Goes back to the last star only: what the ones before it match cannot matter. */
function matchesParts(text: readonly string[], parts: readonly Part[]): boolean {
  let [at, position, star, resumed] = [0, 0, -1, 0];
  while (at < text.length) {
    const part = parts[position];
    if (part === '*') [star, resumed, position] = [position, at, position + 1];
    else if (typeof part === 'function' && part(text[at])) [at, position] = [at + 1, position + 1];
    else if (star < 0) return false;
    else [resumed, at, position] = [resumed + 1, resumed + 1, star + 1];
  }
  return parts.slice(position).every((part) => part === '*');
}

/** Goes over the text once for each part: with two kinds of stars, it does not do to go back to the last one. */
function matchesSeparated(text: readonly string[], parts: readonly Part[], separator: string): boolean {
  // Places of the text that the parts so far may end at.
  let ends: boolean[] = [true, ...text.map(() => false)];
  for (const part of parts) {
    const next = ends.map(() => false);
    for (let at = 0; at <= text.length; at++) {
      const before = at > 0 ? text[at - 1] : undefined;
      if (typeof part === 'function') next[at] = before !== undefined && ends[at - 1] && part(before);
      else next[at] = ends[at] || (before !== undefined && next[at - 1] && (part === '*' || before !== separator));
    }
    ends = next;
  }
  return ends[text.length];
}
