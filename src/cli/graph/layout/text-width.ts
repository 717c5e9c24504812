// Shares of the font size, those of the widest common fonts: the text must fit with whatever the viewer has.
const NARROW = 0.34;
const MIDDLING = 0.42;
const USUAL = 0.64;
const WIDE = 0.84;
const WIDEST = 1;
const FULL = 1.15;
const BOLD = 1.12;
const LAST_OF_LATIN = 0x24f;

const ELLIPSIS = '…';

/** How wide a text is at most, in the unit of the font size. */
export function textWidth(text: string, size: number, bold = false): number {
  let width = 0;
  for (const character of text) width += share(character);
  return width * size * (bold ? BOLD : 1);
}

/** The text, or its beginning if there is no room for the whole. */
export function fitted(text: string, room: number, size: number, bold = false): string {
  if (textWidth(text, size, bold) <= room) return text;
  let kept = '';
  for (const character of text) {
    if (textWidth(`${kept}${character}${ELLIPSIS}`, size, bold) > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}${ELLIPSIS}`;
}

function share(character: string): number {
  if (/^[ .,:;'|ijlI]$/.test(character)) return NARROW;
  if (/^[frt!()[\]/\\-]$/.test(character)) return MIDDLING;
  if (/^[MWmw@%]$/.test(character)) return WIDEST;
  if (/^[a-z0-9$?*_"`{}]$/.test(character)) return USUAL;
  return character.codePointAt(0)! <= LAST_OF_LATIN ? WIDE : FULL;
}
