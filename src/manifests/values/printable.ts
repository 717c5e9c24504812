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
