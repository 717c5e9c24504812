import { RE2JS, RE2JSSyntaxException } from 're2js';

/** Larger expressions are not compiled: their matching takes a step for each instruction and character. */
const LARGEST_PROGRAM = 10_000;

/** Longer texts are not matched. */
const LONGEST_TEXT = 65_536;

/** So many compiled expressions are kept. */
const MOST_KEPT = 1000;

const COMPILED = new Map<string, RE2JS | RE2JSSyntaxException | undefined>();

/**
 * Returns why the API server refuses a regular expression; undefined for one that it accepts or that is too large to be compiled here.
 *
 * @param pattern the expression in the syntax of Go (RE2)
 */
export function patternFault(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return compiled instanceof RE2JSSyntaxException ? compiled.message.replace(/^error parsing regexp: /, '') : undefined;
}

/**
 * Returns whether a text has a match, as the API server does, in time that is linear in the text. Expressions and texts are those of manifests, and
 * backtracking, as JavaScript does it, takes exponential time for some of them.
 *
 * @param pattern the expression in the syntax of Go (RE2)
 * @param text the text
 * @returns undefined if the expression is refused, or if it or the text is too large to be matched here
 */
export function matchesGoPattern(pattern: string, text: string): boolean | undefined {
  const compiled = compile(pattern);
  return compiled instanceof RE2JS && text.length <= LONGEST_TEXT ? compiled.test(text) : undefined;
}

function compile(pattern: string): RE2JS | RE2JSSyntaxException | undefined {
  if (COMPILED.has(pattern)) return COMPILED.get(pattern);
  if (COMPILED.size >= MOST_KEPT) COMPILED.clear();
  const compiled = pattern.length <= LARGEST_PROGRAM && programSize(pattern) <= LARGEST_PROGRAM ? compiledOrFault(pattern) : undefined;
  COMPILED.set(pattern, compiled);
  return compiled;
}

function compiledOrFault(pattern: string): RE2JS | RE2JSSyntaxException | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // Newer releases of Go know more names of character classes.
    return CLASS_NAME.test(error.message) ? undefined : error;
  }
}

const CLASS_NAME = /invalid character class range: `\\p/i;

const TOKENS = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]\\])*\]|[()]|\{(\d+)(?:,(\d*))?\}|[^]/g;

/** About how many instructions an expression has: repetitions with a count are written out. */
function programSize(pattern: string): number {
  const groups = [0];
  let last = 0;
  for (const [token, least, most] of pattern.matchAll(TOKENS)) {
    if (token === '(') {
      groups.push(0);
      continue;
    }
    const added = least === undefined ? 0 : last * Math.max(Number(least), Number(most ?? 0)) - last;
    if (token === ')' && groups.length > 1) last = groups.pop()!;
    else last = least === undefined ? token.length : last + added;
    groups[groups.length - 1] += token === ')' || least === undefined ? last : added;
  }
  return groups.reduce((sum, size) => sum + size, 0);
}
