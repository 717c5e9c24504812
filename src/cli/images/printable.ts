// Characters that move the cursor, or color or hide text (ECMA-48, Unicode bidirectional formatting), and what ends a line.
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** A string from manifests for a terminal: on one line, and without control characters. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
