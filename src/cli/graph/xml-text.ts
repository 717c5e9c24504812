import { printable } from '../images/printable';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' };

// Halves of characters, and what XML has no way to write.
const NO_CHARACTER = /[\ud800-\udfff\ufffe\uffff]/gu;

/** A text as it stands in XML and HTML, inside and outside of quotes. */
export function xmlText(text: string): string {
  return printable(text).replace(NO_CHARACTER, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
