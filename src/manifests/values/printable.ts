// Characters that move the cursor, or color or hide text (ECMA-48, Unicode bidirectional formatting), and what ends a line.
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const LINE = /[\t\n]/;

/** A string of others on one line, with its control characters made visible. */
export function printable(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** A text of lines, with the control characters in them made visible. */
export function printableLines(text: string): string {
  return text.replace(UNSEEN, (character, index: number) => (LINE.test(character) || (character === '\r' && text[index + 1] === '\n') ? character : escaped(character)));
}

/** As JSON writes it: within JSON, the value stays the same. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Breaks a line at its spaces; a word that is longer than the line stays whole.
 *
 * @param line the text, with the indentation of its first line
 * @param columns so many characters may stand on a line
 * @param indent begins all lines but the first
 */
export function wrapped(line: string, columns: number, indent: string): string[] {
  const start = /^ */.exec(line)![0];
  const lines: string[] = [];
  let current = start;
  for (const word of line.slice(start.length).split(' ')) {
    const isFirst = current.trim() === '';
    if (!isFirst && current.length + 1 + word.length > columns) {
      lines.push(current);
      current = `${indent}${word}`;
    } else {
      current = isFirst ? `${current}${word}` : `${current} ${word}`;
    }
  }
  return [...lines, current];
}

/** A command, quoted for a shell. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, '\'\\\'\'')}'`)).join(' ');
}

/** True if a string can be an argument of a command: it is readable, and no option. */
export function isArgument(text: string): boolean {
  return /^[^-\s\u0000-\u001f\u007f][^\s\u0000-\u001f\u007f]*$/.test(text);
}
