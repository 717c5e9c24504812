/**
 * Invisible characters, and characters that readers of YAML change: controls, line separators, marks of direction, the byte order mark. A
 * line feed and a tab are among them.
 *
 * Source: yaml.org/spec/1.2.2 (5.1 Character Set, 5.4 Line Break Characters), yaml.org/spec/1.1 (b-next-line and following).
 */
// eslint-disable-next-line no-control-regex
export const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufffe\uffff]/;

/** What would be read as structure, or not at all, if it stood there without quotes. */
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

/** What numbers and timestamps begin with. */
const NUMBER_START = /^[-+.0-9eE]/;

/** Fast check: true only for strings that need no quotes. */
export function isSimple(text: string): boolean {
  return SIMPLE.test(text);
}

/**
 * True if every parser reads a string without quotes as this string: parsers of YAML 1.2, and those of 1.1, to which `no`, `0644`, `12:30`
 * and `2001-01-01` are no strings. In keys and values of block style only: between brackets more has a meaning.
 *
 * Sources: yaml.org/type (1.1: null, bool, int, float, timestamp, merge, value), yaml.org/spec/1.2.2 (10.3.2 Tag Resolution),
 * go-yaml/yaml resolve.go, yaml/pyyaml lib/yaml/resolver.py, nodeca/js-yaml lib/type, eemeli/yaml src/schema/yaml-1.1.
 */
export function isPlain(text: string): boolean {
  if (isSimple(text)) return true;
  return !STRUCTURE.test(text) && !(text.length <= LONGEST_WORD && WORDS.has(text)) && !(NUMBER_START.test(text) && isNumberOrTime(text));
}

function isNumberOrTime(text: string): boolean {
  return NUMBER.test(text.includes('_') ? text.replaceAll('_', '') : text) || TIMESTAMP.test(text);
}
