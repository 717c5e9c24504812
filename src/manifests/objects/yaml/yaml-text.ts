import { isPlainObject } from '../../values/fields';

/** Half a character outside the basic plane: UTF-8 cannot encode it, and a writer would replace it. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/** Deeper values are refused; those that contain themselves are. */
const DEEPEST = 500;

const HALF = 'half a character (a surrogate without its other half)';

/** Describes the part of a value that YAML cannot express, with its JSON pointer; undefined if the value is valid. */
function yamlFault(value: unknown, place = '', depth = 0): string | undefined {
  const what = scalarFault(value) ?? (depth > DEEPEST ? `nested deeper than ${DEEPEST} levels, or contains itself` : undefined);
  if (what !== undefined) return `${place === '' ? 'the document' : place} is ${what}`;
  if (typeof value !== 'object' || value === null) return undefined;
  // Gaps of lists are among their entries.
  const entries: Iterable<[number | string, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [name, item] of entries) {
    const key = String(name);
    const inside = `${place}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
    const fault = HALF_CHARACTER.test(key) ? `${inside} is a key with ${HALF}` : yamlFault(item, inside, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function scalarFault(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'string') return HALF_CHARACTER.test(value) ? `a string with ${HALF}` : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `the number ${value}`;
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`;
  return Array.isArray(value) || isPlainObject(value) ? undefined : `an object of class ${value.constructor?.name}`;
}

/**
 * Invisible characters, and characters that readers of YAML change: controls, line separators, marks of direction, the byte order mark. A
 * line feed and a tab are among them.
 *
 * Source: yaml.org/spec/1.2.2 (5.1 Character Set, 5.4 Line Break Characters), yaml.org/spec/1.1 (b-next-line and following).
 */
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufffe\uffff]/;

/** Strings that YAML reads as structure, or not at all, if they are not quoted. */
const STRUCTURE = new RegExp([
  '^$', // Nothing is null.
  '^[ ,[\\]{}#&*!|>\'"%@`]', '^[?-](?: |$)', '^---', '^\\.\\.\\.(?: |$)', // Indicators.
  ': ', ' #', '[ :]$',
  UNSEEN.source,
].join('|'));

/** Words that are no strings in some version of YAML. */
const WORDS: ReadonlySet<string> = new Set([
  ...['null', 'true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n'].flatMap((word) => [word, word[0].toUpperCase() + word.slice(1), word.toUpperCase()]),
  '~', '=', '<<', '.nan', '.NaN', '.NAN',
]);

const LONGEST_WORD = 5;

/** Numbers of any version of YAML: with bases, with exponents, of base 60. Underscores, which go-yaml ignores, are removed before. */
const NUMBER = new RegExp(`^[-+]?(?:${[
  '[0-9]+(?::[0-5]?[0-9])*(?:\\.[0-9]*)?(?:[eE][-+]?[0-9]+)?',
  '\\.[0-9]*(?:[eE][-+]?[0-9]+)?',
  '[eE][-+]?[0-9]+', // Only to eemeli/yaml, with which cdk8s reads.
  '0[xX][0-9a-fA-F]*', '0[oO][0-7]*', '0[bB][01]*',
  '\\.(?:inf|Inf|INF)',
].join('|')})$`);

/** Most strings: names, versions, paths, too long for a word and too regular for anything else. Numbers may begin with an e. */
const SIMPLE = /^[A-DF-Za-df-z/][\w./-]{5,}$/;

/** Days, with or without a time, in the loosest form that go-yaml accepts. */
const TIMESTAMP = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ]|$)/;

/** First characters of numbers and timestamps. */
const NUMBER_START = /^[-+.0-9eE]/;

/** Fast check: true only for strings that need no quotes. */
function isSimple(text: string): boolean {
  return SIMPLE.test(text);
}

/**
 * True if every parser reads a string without quotes as this string: parsers of YAML 1.2, and those of 1.1, to which `no`, `0644`, `12:30`
 * and `2001-01-01` are no strings. In keys and values of block style only: between brackets more has a meaning.
 *
 * Sources: yaml.org/type (1.1: null, bool, int, float, timestamp, merge, value), yaml.org/spec/1.2.2 (10.3.2 Tag Resolution),
 * go-yaml/yaml resolve.go, yaml/pyyaml lib/yaml/resolver.py, nodeca/js-yaml lib/type, eemeli/yaml src/schema/yaml-1.1.
 */
function isPlain(text: string): boolean {
  if (isSimple(text)) return true;
  return !STRUCTURE.test(text) && !(text.length <= LONGEST_WORD && WORDS.has(text)) && !(NUMBER_START.test(text) && isNumberOrTime(text));
}

function isNumberOrTime(text: string): boolean {
  return NUMBER.test(text.includes('_') ? text.replaceAll('_', '') : text) || TIMESTAMP.test(text);
}

const EVERY_UNSEEN = new RegExp(UNSEEN.source, 'g');

/** Number of strings that are cached, and their greatest length. */
const REMEMBERED = 10_000;
const LONGEST_REMEMBERED = 100;

/** Strings as they are written: names, labels and fields of manifests repeat thousands of times. */
const written = new Map<string, string>();

/** Writes a string on one line, in quotes if some parser would read it as anything else; undefined if UTF-8 cannot encode it. */
function textOnOneLine(text: string): string | undefined {
  const known = written.get(text);
  if (known !== undefined) return known;
  if (HALF_CHARACTER.test(text)) return undefined;
  const result = isPlain(text) ? text : quoted(text);
  if (text.length <= LONGEST_REMEMBERED) {
    if (written.size >= REMEMBERED) written.clear();
    written.set(text, result);
  }
  return result;
}

/** Double quotes, as cdk8s sets them; single ones where double ones would have to escape what can be seen. */
function quoted(text: string): string {
  if (/["\\]/.test(text) && !text.includes('\'') && !UNSEEN.test(text)) return `'${text}'`;
  // Strings of JSON are strings of YAML. JSON escapes fewer characters.
  return JSON.stringify(text).replace(EVERY_UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Characters that a literal block cannot express, or that would be invisible in it: all but line feeds and tabs, and blanks at the end. */
// eslint-disable-next-line no-control-regex
const NOT_LITERAL = new RegExp(`^[ \\t\\n]*$|\\n[ \\t]+$|(?![\\n\\t])${UNSEEN.source}`);

/** True if a string is written as a literal block, line by line. */
function isLiteral(text: string): boolean {
  return text.includes('\n') && !NOT_LITERAL.test(text);
}

/**
 * Writes a string as a literal block, without the line break at its end.
 *
 * @param text a string for which `isLiteral` is true
 * @param indent line break and blanks before each line, two more than the collection around it has
 */
function literalText(text: string, indent: string): string {
  // The blanks of the first line are no indentation. To libyaml and go-yaml, a tab there is a mistake unless the indentation is known.
  const indicator = /^\n*[ \t]/.test(text) ? '2' : '';
  const chomping = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).replace(/\n(?!\n|$)/g, indent);
  return `|${indicator}${chomping}${text.startsWith('\n') ? '\n' : indent}${lines}`;
}

/** Readers look for the colon of a key within 1024 characters. */
const LONGEST_KEY = 1000;

/** A line break and the blanks of each depth. */
const LINES = Array.from({ length: DEEPEST + 2 }, (_, depth) => `\n${'  '.repeat(depth)}`);

/**
 * Writes a value as one YAML document, with a line break at its end.
 *
 * The same bytes for the same value: keys in their order, two blanks for each level, items of lists inside their field as cdk8s writes
 * them, strings of several lines as literal blocks, long lines never folded, nothing shared by anchors. Parsers of YAML 1.1 and 1.2 read
 * the values that JSON would have, so minus zero is zero.
 *
 * @param value plain data
 * @throws for what is no plain data, with the place of it
 */
export function yamlText(value: unknown): string {
  return new YamlWriter(value).text;
}

class YamlWriter {
  /** The document. */
  public readonly text: string;

  private out = '';

  public constructor(private readonly root: unknown) {
    // A document that is a string is on one line: parsers disagree on how far its block is indented.
    if (typeof root === 'string') this.out = ` ${this.onOneLine(root)}`;
    else this.value(root, '', -1);
    this.text = `${isFilled(root) ? this.out : this.out.slice(1)}\n`;
  }

  /**
   * Writes what follows the dash of an item or the colon of a field.
   *
   * @param value what to write
   * @param lead what comes before it when it is a list or map with something in it
   * @param depth how deep the item or field is
   */
  private value(value: unknown, lead: string, depth: number): void {
    if (typeof value === 'string') {
      this.out += ` ${isSimple(value) ? value : isLiteral(value) ? this.literal(value, depth) : this.onOneLine(value)}`;
    } else if (typeof value !== 'object' || value === null) {
      this.out += ` ${this.scalar(value)}`;
    } else if (depth > DEEPEST) {
      throw this.fault();
    } else if (Array.isArray(value)) {
      this.list(value, lead, depth + 1);
    } else if (isPlainObject(value)) {
      this.map(value, lead, depth + 1);
    } else {
      throw this.fault();
    }
  }

  private list(list: readonly unknown[], lead: string, depth: number): void {
    if (list.length === 0) this.out += ' []';
    let before = lead;
    for (const item of list) {
      this.out += `${before}-`;
      this.value(item, ' ', depth);
      before = LINES[depth];
    }
  }

  private map(map: Readonly<Record<string, unknown>>, lead: string, depth: number): void {
    const keys = Object.keys(map);
    if (keys.length === 0) this.out += ' {}';
    let before = lead;
    for (const key of keys) {
      const name = this.onOneLine(key);
      this.out += name.length > LONGEST_KEY ? `${before}? ${name}${LINES[depth]}:` : `${before}${name}:`;
      this.value(map[key], LINES[depth + 1], depth);
      before = LINES[depth];
    }
  }

  private literal(text: string, depth: number): string {
    if (HALF_CHARACTER.test(text)) throw this.fault();
    return literalText(text, LINES[depth + 1]);
  }

  private onOneLine(text: string): string {
    const line = textOnOneLine(text);
    if (line === undefined) throw this.fault();
    return line;
  }

  private scalar(value: unknown): string {
    if (value === null || typeof value === 'boolean') return String(value);
    if (typeof value === 'number' && Number.isFinite(value)) return numberText(value);
    throw this.fault();
  }

  private fault(): Error {
    return new TypeError(`YAML cannot be written: ${yamlFault(this.root)}`);
  }
}

/** True if a value is a list or map with something in it, which begins at the start of a line. */
function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Numbers with an exponent have a point: without one, they are strings to parsers of YAML 1.1. */
function numberText(value: number): string {
  const text = String(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}
