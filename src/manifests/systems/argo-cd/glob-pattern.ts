/** A pattern with more alternatives counts as one that is not known. */
const MOST_ALTERNATIVES = 256;

/** A part of a pattern: any number of items, or one that a function accepts. The items of a text are characters, those of a path are names. */
type Part = '*' | ((item: string) => boolean);

/**
 * Reads a pattern as Argo CD does: `*`, `?`, `[a-z]`, `[!a-z]`, `{one,other}`, and `\` before a character that stands for itself.
 *
 * Source: gobwas/glob glob.go (Compile).
 *
 * @returns a function that matches texts without trying each way to split them, or undefined if the pattern is not known
 */
export function globPattern(pattern: string): ((text: string) => boolean) | undefined {
  const alternatives = expanded(pattern)?.map(partsOf);
  return alternatives && ((text) => alternatives.some((parts) => matchesParts([...text], parts)));
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

function partsOf(pattern: string): Part[] {
  const parts: Part[] = [];
  for (const [token] of pattern.matchAll(/\*+|\\.|\[!?[^\]]+\]|./gsu)) {
    if (token.startsWith('*')) parts.push('*');
    else if (token === '?') parts.push(() => true);
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
    else if (part?.(text[at])) [at, position] = [at + 1, position + 1];
    else if (star < 0) return false;
    else [resumed, at, position] = [resumed + 1, resumed + 1, star + 1];
  }
  return parts.slice(position).every((part) => part === '*');
}
