import { isPlain, UNSEEN } from './plain-text';
import { HALF_CHARACTER } from './yaml-fault';

const EVERY_UNSEEN = new RegExp(UNSEEN.source, 'g');

/** How many strings are cached, and how long they may be. */
const REMEMBERED = 10_000;
const LONGEST_REMEMBERED = 100;

/** Strings as they are written: names, labels and fields of manifests repeat thousands of times. */
const written = new Map<string, string>();

/** Writes a string on one line, in quotes if some parser would read it as anything else; undefined if UTF-8 cannot encode it. */
export function textOnOneLine(text: string): string | undefined {
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
export function isLiteral(text: string): boolean {
  return text.includes('\n') && !NOT_LITERAL.test(text);
}

/**
 * Writes a string as a literal block, without the line break at its end.
 *
 * @param text a string for which `isLiteral` is true
 * @param indent line break and blanks before each line, two more than the collection around it has
 */
export function literalText(text: string, indent: string): string {
  // The blanks of the first line are no indentation. To libyaml and go-yaml, a tab there is a mistake unless the indentation is known.
  const indicator = /^\n*[ \t]/.test(text) ? '2' : '';
  const chomping = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).replace(/\n(?!\n|$)/g, indent);
  return `|${indicator}${chomping}${text.startsWith('\n') ? '\n' : indent}${lines}`;
}
