/** What came of a regular expression in the syntax of Go (RE2). */
export interface GoPattern {
  /** Why the API server refuses it. */
  readonly fault?: string;

  /** What it means in JavaScript; absent for what only Go can read. */
  readonly regexp?: RegExp;
}

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** Sets of characters, as they stand inside brackets. */
const SETS: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\n\\f\\r ', w: '0-9A-Za-z_' };

const CONTROLS: Readonly<Record<string, string>> = { a: '\\x07', f: '\\f', n: '\\n', r: '\\r', t: '\\t', v: '\\v' };

const LARGEST_REPEAT = 1000;

/** Thrown for what Go reads and JavaScript does not. */
class Unreadable extends Error {}

/**
 * Reads a regular expression as the API server does (google/re2 doc/syntax.txt; Go `regexp/syntax`).
 *
 * @param pattern the expression
 */
export function readGoPattern(pattern: string): GoPattern {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  try {
    const source = new Translation(pattern.slice(flags?.[0].length ?? 0), flags?.[1].includes('s') ?? false).source();
    return { regexp: new RegExp(source, `u${(flags?.[1] ?? '').replace('s', '')}`) };
  } catch (error) {
    if (error instanceof Unreadable) return {};
    return { fault: (error as Error).message.replace(/^Invalid regular expression: .*: /, '').toLowerCase() };
  }
}

/** One expression on its way from Go to JavaScript. */
class Translation {
  private at = 0;
  private result = '';
  private afterAssertion = false;

  public constructor(private readonly pattern: string, private readonly dotIsAll: boolean) {}

  public source(): string {
    while (this.at < this.pattern.length) this.step();
    return this.result;
  }

  private step(): void {
    const rest = this.pattern.slice(this.at);
    const assertion = /^(?:[\^$]|\\[AzbB])/.test(rest);
    const repeat = /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
    if (repeat || /^[*+?]/.test(rest)) {
      if (this.afterAssertion) throw new Unreadable();
      if (repeat && [repeat[1], repeat[2] ?? ''].some((count) => Number(count) > LARGEST_REPEAT)) throw new Error(`more than ${LARGEST_REPEAT} repetitions`);
      this.take(repeat?.[0].length ?? 1, repeat?.[0] ?? rest[0]);
    } else if (rest.startsWith('(')) {
      this.group(rest);
    } else if (rest.startsWith('[')) {
      this.set();
    } else if (rest.startsWith('\\')) {
      this.escape(rest);
    } else if (rest.startsWith('.')) {
      this.take(1, this.dotIsAll ? '[^]' : '[^\\n]');
    } else {
      const [character] = rest;
      this.take(character.length, /[\]{}]/.test(character) ? `\\${character}` : character);
    }
    this.afterAssertion = assertion;
  }

  private group(rest: string): void {
    const [look] = /^\(\?(?:<?[=!])/.exec(rest) ?? [];
    if (look) throw new Error(`"${look}" looks around, which RE2 cannot`);
    const [named, name] = /^\(\?P?<(\w+)>/.exec(rest) ?? [];
    if (named) this.take(named.length, `(?<${name}>`);
    else if (rest.startsWith('(?:')) this.take(3, '(?:');
    else if (/^\(\?[imsU-]+[:)]/.test(rest)) throw new Unreadable();
    else this.take(1, '(');
  }

  private escape(rest: string): void {
    const [unicode, negated, letter, long] = /^\\([pP])(?:([A-Z])|\{(\^?[A-Za-z_]+)\})/.exec(rest) ?? [];
    if (unicode && long?.length !== 1 && !letter) throw new Unreadable();
    if (unicode) return this.take(unicode.length, `\\${negated}{${letter ?? long}}`);
    const character = String.fromCodePoint(rest.codePointAt(1) ?? 0x5c);
    if ('QEC'.includes(character)) throw new Unreadable();
    if (character === 'A' || character === 'z') return this.take(2, character === 'A' ? '^' : '$');
    if (character === 'b' || character === 'B') return this.take(2, `\\${character}`);
    if (/[dswDSW]/.test(character)) {
      const inner = SETS[character.toLowerCase()];
      return this.take(2, character === character.toLowerCase() ? `[${inner}]` : `[^${inner}]`);
    }
    this.character();
  }

  /** One character that stands for itself, escaped or not. */
  private character(): void {
    const rest = this.pattern.slice(this.at);
    const [code, hex] = /^\\x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\})/.exec(rest)?.filter((part) => part !== undefined) ?? [];
    if (code) return this.take(code.length, `\\u{${hex}}`);
    const [escaped, character] = /^\\(.)/su.exec(rest) ?? [];
    if (rest === '\\') throw new Error('a backslash stands at the end');
    if (!escaped) return this.take(rest.codePointAt(0)! > 0xffff ? 2 : 1, literal(String.fromCodePoint(rest.codePointAt(0)!)));
    if (Object.hasOwn(CONTROLS, character)) return this.take(2, CONTROLS[character]);
    if (/^\\[0-7]{2,3}/.test(rest) || character === '0') throw new Unreadable();
    if (/[0-9]/.test(character)) throw new Error(`"${escaped}" refers back, which RE2 cannot`);
    if (/[A-Za-z]/.test(character)) throw new Error(`"${escaped}" is no escape of RE2`);
    this.take(escaped.length, literal(character));
  }

  private set(): void {
    const [open] = /^\[\^?/.exec(this.pattern.slice(this.at))!;
    this.take(open.length, open);
    for (let first = true; first || this.pattern[this.at] !== ']'; first = false) {
      if (this.at >= this.pattern.length) throw new Error('a set of characters has no end');
      this.member();
    }
    this.take(1, ']');
  }

  private member(): void {
    const rest = this.pattern.slice(this.at);
    const [posix, negated, name] = /^\[:(\^?)([a-z]+):\]/.exec(rest) ?? [];
    if (posix) {
      if (!Object.hasOwn(POSIX, name)) throw new Error(`"${posix}" is no set of characters`);
      if (negated) throw new Unreadable();
      return this.take(posix.length, POSIX[name]);
    }
    if (/^\\[pPDSW]/.test(rest)) throw new Unreadable();
    const [set, letter] = /^\\([dsw])/.exec(rest) ?? [];
    if (set) return this.take(2, SETS[letter]);
    this.character();
    // A hyphen is a range only between two characters; elsewhere it stands for itself.
    if (/^-[^\]]/s.test(this.pattern.slice(this.at)) && !/^-(\\[dswDSWpP]|\[:)/.test(this.pattern.slice(this.at))) {
      this.take(1, '-');
      this.character();
    }
  }

  private take(length: number, written: string): void {
    this.at += length;
    this.result += written;
  }
}

function literal(character: string): string {
  // A hyphen may be escaped by a backslash inside brackets only.
  if (character === '-') return '\\x2d';
  return /[$()*+./?[\\\]^{|}]/.test(character) ? `\\${character}` : character;
}
