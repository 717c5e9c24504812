/** A document, and where it stands. */
export interface PlainDocument {
  readonly value: unknown;

  /** Line that its content begins in, counted from 1. */
  readonly line: number;

  /** Its text, from that line on. */
  readonly text: () => string;
}

// Whatever is not read here is read by the parser of all YAML, so that everything that is rare, or has two meanings, is none of it.
const DEEPEST = 100;
const LONGEST_KEY = 256;
const ODD_CHARACTER = /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u2028\u2029\ufeff]/;
const PLAIN_KEY = /^([A-Za-z_/$][\w./$-]*):(?: +|$)/;
const QUOTED_KEY = /^("(?:[^"\\])*"|'[^']*'):(?: +|$)/;
const DOUBLE_QUOTED = /^"(?:[^"\\]|\\["\\bfnrt])*"$/;
const SINGLE_QUOTED = /^'(?:[^']|'')*'$/;
const INTEGER = /^(?:0|-?[1-9][0-9]{0,14})$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]{0,7})\.[0-9]{1,7}$/;
/** Begins like nothing that YAML means something by: letters, paths, options of programs. */
const TEXT_START = /^(?:[A-Za-z_/$(^]|--?[A-Za-z]|\.\/|[\u00a1-\ud7ff])/;
/** What begins with a digit and may be a number: digits, fractions, powers, other bases, and times with their colons. */
const NUMBER_LIKE = /^[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?$|^0[xob]|:/i;
/** What YAML 1.1 takes for no text, in any case. */
const WORD = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([['true', true], ['false', false], ['null', null]]);

/**
 * Reads YAML of the plain style that programs write: maps and lists in blocks, texts on one line or as literal blocks. That is many times
 * faster than to read all that YAML can be.
 *
 * @returns the documents that are not empty; undefined for a text of any other style, or one that is wrong
 */
export function readPlainYaml(text: string): PlainDocument[] | undefined {
  if (ODD_CHARACTER.test(text) || !text.endsWith('\n')) return undefined;
  try {
    return new PlainReader(text.split('\n')).documents();
  } catch (error) {
    if (error instanceof OtherStyle) return undefined;
    throw error;
  }
}

class OtherStyle extends Error {}

/** Reads line by line; stands at a line that says something, or at the end of a document. */
class PlainReader {
  private at = 0;

  /** Columns before the content of the line. */
  private indent = 0;

  /** The line without indentation; undefined at the end of a document. */
  private content: string | undefined;

  public constructor(private readonly lines: readonly string[]) {}

  public documents(): PlainDocument[] {
    const documents: PlainDocument[] = [];
    const { lines } = this;
    // The last one is what follows the last line break.
    while (this.at < lines.length - 1) {
      if (lines[this.at] === '---') this.at++;
      this.settle();
      if (this.content === undefined) continue;
      const first = this.at;
      const value = this.block(0);
      if (this.content !== undefined) throw new OtherStyle();
      const end = this.at;
      documents.push({ value, line: first + 1, text: () => `${lines.slice(first, end).join('\n')}\n` });
    }
    return documents;
  }

  /** Goes on to the next line that says something. */
  private next(): void {
    this.at++;
    this.settle();
  }

  private settle(): void {
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at];
      let indent = 0;
      while (line.charCodeAt(indent) === SPACE) indent++;
      if (indent === line.length) continue;
      if (line.includes('\t')) throw new OtherStyle();
      const first = line.charCodeAt(indent);
      if (first === HASH) continue;
      if (indent === 0 && line === '---') break;
      if (indent === 0 && (line.startsWith('---') || line.startsWith('...') || first === PERCENT)) throw new OtherStyle();
      this.indent = indent;
      this.content = line.slice(indent).trimEnd();
      return;
    }
    this.content = undefined;
  }

  /** The map or list that begins here. */
  private block(depth: number): unknown {
    if (depth > DEEPEST) throw new OtherStyle();
    return isItem(this.content!) ? this.list(this.indent, depth) : this.map(this.indent, depth);
  }

  private map(indent: number, depth: number): unknown {
    const map: Record<string, unknown> = {};
    while (this.content !== undefined && this.indent === indent && !isItem(this.content)) {
      const [, key] = PLAIN_KEY.exec(this.content) ?? QUOTED_KEY.exec(this.content) ?? [];
      if (key === undefined || key.length > LONGEST_KEY || WORD.test(key)) throw new OtherStyle();
      const name = key.startsWith('"') || key.startsWith("'") ? key.slice(1, -1) : key;
      if (name === '__proto__' || name === '<<' || Object.hasOwn(map, name)) throw new OtherStyle();
      map[name] = this.value(this.content.slice(key.length + 1).trimStart(), indent, indent, depth);
    }
    return map;
  }

  private list(indent: number, depth: number): unknown[] {
    const list: unknown[] = [];
    while (this.content !== undefined && this.indent === indent && isItem(this.content)) {
      const rest = this.content.slice(1).trimStart();
      if (isItem(rest) || PLAIN_KEY.test(rest) || QUOTED_KEY.test(rest)) {
        // A block that begins on the line of its item.
        this.indent += this.content.length - rest.length;
        this.content = rest;
        list.push(this.block(depth + 1));
      } else {
        list.push(this.value(rest, indent, indent + 1, depth));
      }
    }
    return list;
  }

  /**
   * What follows a key, or the mark of an item.
   *
   * @param rest what stands on the line itself
   * @param indent columns before the key or mark
   * @param itemIndent columns that a list needs at least to be the value
   * @param depth how deep this is nested
   */
  private value(rest: string, indent: number, itemIndent: number, depth: number): unknown {
    if (rest.startsWith('|')) return this.literal(rest, indent);
    this.next();
    const isInside = this.content !== undefined && (this.indent > indent || (this.indent >= itemIndent && isItem(this.content)));
    if (rest === '') return isInside ? this.block(depth + 1) : null;
    // A text of several lines.
    if (isInside) throw new OtherStyle();
    return scalar(rest);
  }

  private literal(header: string, indent: number): string {
    if (!/^\|[+-]?$/.test(header)) throw new OtherStyle();
    const { lines } = this;
    const start = this.at + 1;
    let first = start;
    while (lines[first] === '' && first < lines.length - 1) first++;
    const inner = /^ */.exec(lines[first])![0].length;
    if (inner <= indent || lines[first].length === inner || lines[first][inner] === '\t') throw new OtherStyle();

    let end = first;
    const prefix = ' '.repeat(inner);
    while (end < lines.length - 1 && (lines[end] === '' || lines[end].startsWith(prefix))) end++;
    const texts = lines.slice(start, end).map((line) => line.slice(inner));
    let last = texts.length;
    while (texts[last - 1] === '') last--;
    // Lines of blanks alone count in some places and not in others.
    if (lines.slice(start, end).some((line) => line !== '' && line.trim() === '')) throw new OtherStyle();

    this.at = end;
    if (/^ *(#|$)/.test(lines[end]) && end < lines.length - 1) throw new OtherStyle();
    this.settle();
    const body = texts.slice(0, last).join('\n');
    if (header === '|-') return body;
    return header === '|+' ? `${body}${'\n'.repeat(texts.length - last + 1)}` : `${body}\n`;
  }
}

const [SPACE, HASH, PERCENT] = [...' #%'].map((character) => character.charCodeAt(0));

function isItem(content: string): boolean {
  return content.startsWith('- ') || content === '-';
}

function scalar(text: string): unknown {
  if (text.startsWith('"')) return DOUBLE_QUOTED.test(text) ? JSON.parse(text) as unknown : other();
  if (text.startsWith("'")) return SINGLE_QUOTED.test(text) ? text.slice(1, -1).replaceAll("''", "'") : other();
  if (INTEGER.test(text) || DECIMAL.test(text)) return Number(text);
  if (WORD.test(text)) return WORDS.has(text) ? WORDS.get(text) : other();
  if (text === '{}') return {};
  if (text === '[]') return [];
  if (!TEXT_START.test(text) && (!/^[0-9]/.test(text) || NUMBER_LIKE.test(text))) return other();
  return text.includes(': ') || text.includes(' #') || text.endsWith(':') ? other() : text;
}

function other(): never {
  throw new OtherStyle();
}
