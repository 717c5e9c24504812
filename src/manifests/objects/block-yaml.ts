import { plainValue } from './yaml-scalars';

/** A document of a text. */
export interface BlockDocument {
  /** Line that it starts in, counted from 1. */
  readonly line: number;
  readonly value: unknown;

  /** The part of the text that it is. */
  readonly start: number;
  readonly end: number;
}

/** Characters that have a meaning of their own, or that YAML does not have. */
const STRANGE = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff]/;

const [SPACE, QUOTE, HASH, APOSTROPHE, DASH, COLON] = [' ', '"', '#', '\'', '-', ':'].map((character) => character.charCodeAt(0));
const BACKSLASH = '\\';

/** Characters that a plain scalar does not begin with, or does in few cases only. */
const INDICATORS = new Set([...'&*!|>%@`#,[]{}?:="\''].map((character) => character.charCodeAt(0)));

/** Lines with which documents begin and end. */
const SEPARATOR = '---';
const END = '...';

/** Most levels, and characters of a key, that are read. */
const DEEPEST = 100;
const LONGEST_KEY = 200;

/** Most keys that are kept: objects share most of theirs. */
const MOST_KEYS = 10_000;
const KEYS = new Map<string, string>();

/** Keys of objects that are not made by assignment, or not read by themselves. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['__proto__', '<<', '[object Object]']);

/** Says that the text has something else. */
class OtherStyle extends Error {}

const OTHER_STYLE = new OtherStyle();

/**
 * The documents of a text in block style, as programs write manifests: maps and lists by indentation, keys and scalars of one line, literal blocks, and
 * empty maps and lists. The values are those that the reader of all YAML gives.
 *
 * @param text the text
 * @param hold what holds a string that is a part of the text; by default, the text itself does
 * @returns the documents, without empty ones; undefined for a text that has anything else, which the reader of all YAML must read
 */
export function blockDocuments(text: string, hold: (part: string) => string = (part) => part): readonly BlockDocument[] | undefined {
  if (STRANGE.test(text)) return undefined;
  try {
    return new BlockReader(text, hold).documents();
  } catch (error) {
    if (error === OTHER_STYLE) return undefined;
    throw error;
  }
}

class BlockReader {
  /** The line that is looked at, from 1; where it begins, and where it ends. */
  private line = 0;
  private start = 0;
  private end = -1;

  /** Beginning of the line's content, in the text and in the line; the latter is -1 at the end of a document. */
  private content = 0;
  private indent = 0;

  /** Number of collections around the place. */
  private depth = 0;

  public constructor(private readonly text: string, private readonly hold: (part: string) => string) {}

  public documents(): BlockDocument[] {
    const found: BlockDocument[] = [];
    this.advance();
    for (;;) {
      if (this.indent === 0) {
        const { line, start } = this;
        const value = this.node();
        if (this.indent >= 0) throw OTHER_STYLE;
        found.push({ line, value, start, end: this.start });
      } else if (this.indent > 0) {
        throw OTHER_STYLE;
      }
      if (this.start >= this.text.length) return found;
      this.advance();
    }
  }

  /** Goes to the next line with content. */
  private advance(): void {
    const { text } = this;
    for (;;) {
      this.start = this.end + 1;
      if (this.start >= text.length) {
        this.start = this.content = this.end = text.length;
        this.indent = -1;
        return;
      }
      this.line++;
      const end = text.indexOf('\n', this.start);
      this.end = end < 0 ? text.length : end;
      let at = this.start;
      while (text.charCodeAt(at) === SPACE) at++;
      if (at === this.end || text.charCodeAt(at) === HASH) continue;
      this.content = at;
      this.indent = at - this.start;
      if (at === this.start && (text.startsWith(SEPARATOR, at) || text.startsWith(END, at))) {
        if (this.end - at !== SEPARATOR.length || !text.startsWith(SEPARATOR, at)) throw OTHER_STYLE;
        this.indent = -1;
      }
      return;
    }
  }

  /** The map or list that begins at the content of the line. */
  private node(): unknown {
    if (++this.depth > DEEPEST) throw OTHER_STYLE;
    const value = this.isEntry(this.content) ? this.list(this.indent) : this.map(this.indent);
    this.depth--;
    return value;
  }

  /** True if an entry of a list begins at a place. */
  private isEntry(at: number): boolean {
    return this.text.charCodeAt(at) === DASH && (at + 1 === this.end || this.text.charCodeAt(at + 1) === SPACE);
  }

  private map(indent: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    while (this.indent === indent) {
      const at = this.keyEnd(this.content);
      if (at < 0 || this.isEntry(this.content)) throw OTHER_STYLE;
      const key = this.key(this.content, at);
      if (Object.hasOwn(map, key)) throw OTHER_STYLE;
      map[key] = this.valueFrom(at + 1, indent);
    }
    if (this.indent > indent) throw OTHER_STYLE;
    return map;
  }

  private list(indent: number): unknown[] {
    const list: unknown[] = [];
    while (this.indent === indent && this.isEntry(this.content)) {
      let at = this.content + 1;
      while (this.text.charCodeAt(at) === SPACE) at++;
      // The reader of all YAML takes what follows an empty entry in a list of a list for a part of that.
      if (at >= this.end || this.isEntry(at)) throw OTHER_STYLE;
      if (this.keyEnd(at) >= 0) {
        this.indent = at - this.start;
        this.content = at;
        list.push(this.node());
      } else {
        list.push(this.scalar(at, indent));
      }
    }
    if (this.indent > indent) throw OTHER_STYLE;
    return list;
  }

  /** The value after a key. */
  private valueFrom(from: number, indent: number): unknown {
    let at = from;
    while (this.text.charCodeAt(at) === SPACE) at++;
    if (at < this.end) return this.scalar(at, indent);
    this.advance();
    if (this.indent > indent) return this.node();
    // The entries of a list may stand below the key itself.
    return this.indent === indent && this.isEntry(this.content) ? this.listBelowKey(indent) : null;
  }

  private listBelowKey(indent: number): unknown[] {
    if (++this.depth > DEEPEST) throw OTHER_STYLE;
    const list = this.list(indent);
    this.depth--;
    return list;
  }

  /** The place of the colon after a key; -1 if there is no key. */
  private keyEnd(from: number): number {
    const { text, end } = this;
    const first = text.charCodeAt(from);
    if (first === QUOTE || first === APOSTROPHE) {
      const close = text.indexOf(text.charAt(from), from + 1);
      const isKey = close > 0 && close < end && text.charCodeAt(close + 1) === COLON;
      return isKey && (close + 2 === end || text.charCodeAt(close + 2) === SPACE) ? close + 1 : -1;
    }
    if (INDICATORS.has(first)) return -1;
    // A search by `indexOf` would go on to the end of the text from each line without a colon.
    for (let at = from; at < end; at++) {
      if (text.charCodeAt(at) === COLON && (at + 1 === end || text.charCodeAt(at + 1) === SPACE)) return at;
    }
    return -1;
  }

  private key(from: number, to: number): string {
    const given = this.text.slice(from, to);
    const known = KEYS.get(given);
    if (known !== undefined) return known;
    const first = given.charCodeAt(0);
    const isQuoted = first === QUOTE || first === APOSTROPHE;
    const key = isQuoted ? given.slice(1, -1) : given;
    const isOther = given.length > LONGEST_KEY || OTHER_KEYS.has(key)
      || (isQuoted ? key.includes(BACKSLASH) : typeof plainValue(key) !== 'string' || key.endsWith(' ') || key.includes(' #'));
    if (isOther) throw OTHER_STYLE;
    if (KEYS.size === MOST_KEYS) KEYS.clear();
    const own = ownText(key);
    KEYS.set(isQuoted ? ownText(given) : own, own);
    return own;
  }

  /** The scalar at a place, or an empty collection. The next line is not one of it. */
  private scalar(at: number, indent: number): unknown {
    const { text } = this;
    let end = this.end;
    while (text.charCodeAt(end - 1) === SPACE) end--;
    const first = text.charCodeAt(at);
    if (first === QUOTE) return this.last(this.hold(doubleQuoted(text, at, end)), indent);
    if (first === APOSTROPHE) return this.last(this.hold(singleQuoted(text, at, end)), indent);
    const part = text.slice(at, end);
    if (INDICATORS.has(first)) {
      switch (part) {
        case '{}': return this.last({}, indent);
        case '[]': return this.last([], indent);
        case '|': return this.block(indent, '\n');
        case '|-': return this.block(indent, '');
        default: throw OTHER_STYLE;
      }
    }
    if (first === DASH && (end === at + 1 || text.charCodeAt(at + 1) === SPACE)) throw OTHER_STYLE;
    if (part.includes(' #') || part.includes(': ') || text.charCodeAt(end - 1) === COLON) throw OTHER_STYLE;
    const value = plainValue(part);
    return this.last(typeof value === 'string' ? this.hold(value) : value, indent);
  }

  /** A value that ends in its line: one that goes on is indented. */
  private last(value: unknown, indent: number): unknown {
    this.advance();
    if (this.indent > indent) throw OTHER_STYLE;
    return value;
  }

  /** The text of a literal block below a line with an indentation. */
  private block(around: number, ending: string): string {
    const { text } = this;
    const lines: string[] = [];
    let indent = -1;
    let filled = 0;
    while (this.end + 1 < text.length) {
      const start = this.end + 1;
      const found = text.indexOf('\n', start);
      const end = found < 0 ? text.length : found;
      let at = start;
      while (text.charCodeAt(at) === SPACE && (indent < 0 || at < start + indent)) at++;
      if (at === end) {
        // Before the first line, spaces count for its indentation.
        if (indent < 0 && at > start) throw OTHER_STYLE;
        lines.push('');
      } else {
        if (indent < 0 && at - start > around) indent = at - start;
        if (indent < 0 || at - start < indent) break;
        lines.push(text.slice(at, end));
        filled = lines.length;
      }
      this.line++;
      this.end = end;
    }
    this.advance();
    if (this.indent > around) throw OTHER_STYLE;
    lines.length = filled;
    return filled === 0 ? '' : this.hold(lines.join('\n') + ending);
  }
}

/** A text that is no part of another one, which it would hold in memory. */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

function doubleQuoted(text: string, at: number, end: number): string {
  const part = text.slice(at + 1, end - 1);
  if (end < at + 2 || text.charCodeAt(end - 1) !== QUOTE) throw OTHER_STYLE;
  if (!part.includes(BACKSLASH)) {
    if (part.includes('"')) throw OTHER_STYLE;
    return part;
  }
  try {
    // The escapes of JSON are those of YAML.
    return JSON.parse(text.slice(at, end)) as string;
  } catch {
    throw OTHER_STYLE;
  }
}

function singleQuoted(text: string, at: number, end: number): string {
  const part = text.slice(at + 1, end - 1);
  if (end < at + 2 || text.charCodeAt(end - 1) !== APOSTROPHE) throw OTHER_STYLE;
  if (!part.includes('\'')) return part;
  const plain = part.replaceAll('\'\'', '');
  if (plain.includes('\'')) throw OTHER_STYLE;
  return part.replaceAll('\'\'', '\'');
}
