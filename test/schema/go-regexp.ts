const cache = new Map<string, RegExp>();

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** A token that Go's RE2 reads in another way than JavaScript, or that ends or begins a character class. */
const TOKEN = /\[:(\^?)([a-z]+):\]|\\([\s\S])|\(\?([=!]|<[=!])|\(\?P<|[[\].]/g;

/** What an escape of RE2 is in JavaScript, where the two differ. */
const ESCAPES: Readonly<Record<string, string>> = { A: '^', z: '$', a: '\\x07', s: '\\t\\n\\f\\r ', S: '^\\t\\n\\f\\r ' };

/** The pattern of a schema (Go RE2 syntax) as a JavaScript regular expression; throws when RE2 would refuse it. */
export function goRegExp(pattern: string): RegExp {
  const known = cache.get(pattern);
  if (known) return known;

  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const dotMatchesNewline = flags?.[1].includes('s') ?? false;
  let insideClass = false;
  const source = pattern.slice(flags?.[0].length ?? 0).replace(TOKEN, (token, negated, posix, escaped, look) => {
    if (posix) {
      if (!insideClass || negated || !(posix in POSIX_CLASSES)) throw new Error(`pattern ${pattern}: ${token} is not supported`);
      return POSIX_CLASSES[posix];
    }
    if (look || /^[1-9]$/.test(escaped ?? '')) throw new Error(`pattern ${pattern}: RE2 has no ${look ? 'lookaround' : 'backreference'}`);
    if (escaped) return escape(token, escaped, insideClass);
    if (token === '(?P<') return '(?<';
    if (token === '[') {
      const literal = insideClass;
      insideClass = true;
      return literal ? '\\[' : '[';
    }
    if (token === ']') {
      const closes = insideClass;
      insideClass = false;
      return closes ? ']' : '\\]';
    }
    if (insideClass || dotMatchesNewline) return insideClass ? '.' : '[\\s\\S]';
    return '[^\\n]';
  });

  const compiled = new RegExp(source, `u${(flags?.[1] ?? '').replace('s', '')}`);
  cache.set(pattern, compiled);
  return compiled;
}

function escape(token: string, escaped: string, insideClass: boolean): string {
  if (escaped in ESCAPES) {
    if (escaped === 's' || escaped === 'S') {
      if (insideClass && escaped === 'S') throw new Error('\\S inside a character class is not supported');
      return insideClass ? ESCAPES.s : `[${ESCAPES[escaped]}]`;
    }
    return ESCAPES[escaped];
  }
  // RE2 lets any punctuation be escaped, JavaScript with the flag `u` only the characters of its syntax.
  if (/[^A-Za-z0-9^$\\.*+?()[\]{}|/-]/.test(escaped)) return escaped;
  if (escaped === '-' && !insideClass) return '-';
  return token;
}
