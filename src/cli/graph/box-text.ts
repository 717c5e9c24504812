import { Box, CHANGE_SIGNS } from './picture';

export const TITLE_SIZE = 13;
export const LINE_SIZE = 11;
export const PADDING = 14;

/** From one line to the next. */
export const LINE_STEP = 16;

/** From the upper side of a box to the base of its title. */
export const TITLE_BASE = 21;

/** Indentation of the second and later lines of a text. */
export const INDENT = 10;

const LARGEST_WIDTH = 300;
const MOST_TITLE_LINES = 2;
const MOST_LINES = 4;
const MOST_PLAN_LINES = 10;
const BELOW_TEXT = 10;
export const ELLIPSIS = '…';

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

/** A line of a box. */
export interface BoxLine {
  readonly text: string;

  /** True if it goes on with the line above, and is indented. */
  readonly isContinued: boolean;
}

/** The text of a box, broken at the largest width, and the size of the box that holds it. */
export interface BoxText {
  readonly titles: readonly string[];
  readonly lines: readonly BoxLine[];

  /** Of the lines, the last ones that come from the plan. */
  readonly planned: number;
  readonly width: number;
  readonly height: number;
}

/** Measures a box. */
export function boxText(box: Box): BoxText {
  const room = LARGEST_WIDTH - 2 * PADDING;
  const titles = broken(titleOf(box), room, MOST_TITLE_LINES, TITLE_SIZE, true);
  const linesOf = (texts: readonly string[], most: number) => (
    texts.flatMap((text) => broken(text, room - INDENT, most, LINE_SIZE).map((line, index) => ({ text: line, isContinued: index > 0 }))));
  const planned = linesOf(box.planned?.lines ?? [], MOST_PLAN_LINES);
  const lines = [...linesOf(box.lines, MOST_LINES), ...planned];
  const widest = Math.max(
    ...titles.map((title) => textWidth(title, TITLE_SIZE, true)),
    ...lines.map(({ text, isContinued }) => textWidth(text, LINE_SIZE) + (isContinued ? INDENT : 0)),
  );
  return {
    titles,
    lines,
    planned: planned.length,
    width: Math.ceil(widest) + 2 * PADDING,
    height: TITLE_BASE + (titles.length - 1 + lines.length) * LINE_STEP + BELOW_TEXT,
  };
}

/** The title of a box, with the sign of what becomes of it. */
export function titleOf({ title, planned }: Box): string {
  const sign = planned && CHANGE_SIGNS[planned.change];
  return sign ? `${sign} ${title}` : title;
}

const shares = new Map<string, number>();

/** The largest width of a text, in the unit of the font size. */
export function textWidth(text: string, size: number, bold = false): number {
  let width = 0;
  for (const character of text) width += shareOf(character);
  return width * size * (bold ? BOLD : 1);
}

function shareOf(character: string): number {
  const known = shares.get(character);
  if (known !== undefined) return known;
  const share = SHARES.find(([characters]) => characters.test(character))?.[1] ?? FULL_SHARE;
  shares.set(character, share);
  return share;
}

/** The text, or its beginning and an ellipsis if it is wider than the room. */
export function fitted(text: string, room: number, size: number, bold = false): string {
  if (textWidth(text, size, bold) <= room) return text;
  return `${beginning(text, room - textWidth(ELLIPSIS, size, bold), size, bold).trimEnd()}${ELLIPSIS}`;
}

/**
 * Breaks a text into lines: at spaces, else behind the parts of names, else anywhere.
 *
 * @param most number of lines; the last one is cut
 */
export function broken(text: string, room: number, most: number, size: number, bold = false): string[] {
  const lines: string[] = [];
  let rest = text;
  while (lines.length < most - 1 && textWidth(rest, size, bold) > room) {
    const start = beginning(rest, room, size, bold) || [...rest][0];
    const space = rest[start.length] === ' ' ? start.length : start.lastIndexOf(' ');
    const line = space > 0 ? rest.slice(0, space) : /^.*[-./:,=@]/s.exec(start)?.[0] ?? start;
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return [...lines, fitted(rest, room, size, bold)];
}

/** As many characters as there is room for. */
function beginning(text: string, room: number, size: number, bold: boolean): string {
  let [kept, width] = ['', 0];
  for (const character of text) {
    width += textWidth(character, size, bold);
    if (width > room) break;
    kept += character;
  }
  return kept;
}
