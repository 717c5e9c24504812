import { Box } from './picture';

export const TITLE_SIZE = 13;
export const LINE_SIZE = 11;
export const PADDING = 14;

/** From one line to the next. */
export const LINE_STEP = 16;

/** From the upper side of a box to the base of its title. */
export const TITLE_BASE = 21;

const LARGEST_WIDTH = 300;
const BELOW_TEXT = 10;
const ELLIPSIS = '…';

// Shares of the font size in the widest common fonts: the text must fit with any font of the viewer.
const SHARES: readonly (readonly [characters: RegExp, share: number])[] = [
  [/^[ .,:;'|ijlI]$/, 0.34],
  [/^[frt!()[\]/\\-]$/, 0.42],
  [/^[MWmw@%]$/, 1],
  [/^[a-z0-9$?*_"`{}]$/, 0.64],
  [/^[ -\u024f]$/, 0.84],
];
const FULL_SHARE = 1.15;
const BOLD = 1.12;

/** The text of a box, cut to the largest width, and the size of the box that holds it. */
export interface BoxText {
  readonly title: string;
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** Measures a box. */
export function boxText(box: Box): BoxText {
  const room = LARGEST_WIDTH - 2 * PADDING;
  const title = fitted(box.title, room, TITLE_SIZE, true);
  const lines = box.lines.map((line) => fitted(line, room, LINE_SIZE));
  const widest = Math.max(textWidth(title, TITLE_SIZE, true), ...lines.map((line) => textWidth(line, LINE_SIZE)));
  return { title, lines, width: Math.ceil(widest) + 2 * PADDING, height: TITLE_BASE + lines.length * LINE_STEP + BELOW_TEXT };
}

/** The largest width of a text, in the unit of the font size. */
export function textWidth(text: string, size: number, bold = false): number {
  let width = 0;
  for (const character of text) width += SHARES.find(([characters]) => characters.test(character))?.[1] ?? FULL_SHARE;
  return width * size * (bold ? BOLD : 1);
}

/** The text, or its beginning and an ellipsis if it is wider than the room. */
export function fitted(text: string, room: number, size: number, bold = false): string {
  if (textWidth(text, size, bold) <= room) return text;
  let kept = '';
  for (const character of text) {
    if (textWidth(`${kept}${character}${ELLIPSIS}`, size, bold) > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}${ELLIPSIS}`;
}
