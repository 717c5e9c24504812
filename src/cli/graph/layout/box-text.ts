import { fitted, textWidth } from './text-width';
import { Box, BoxRole } from '../picture';

export const TITLE_SIZE = 13;
export const LINE_SIZE = 11;
export const PADDING = 14;

/** From one line to the next. */
export const LINE_STEP = 16;

/** From the upper side of a box to the base of its title. */
export const TITLE_BASE = 21;

const LARGEST_WIDTH = 300;
const LEAST_WIDTH = 120;
const BELOW_TEXT = 10;

/** The text of a box, cut to what has room, and how large the box is with it. */
export interface BoxText {
  readonly title: string;
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** Measures a box. */
export function boxText({ title, lines, role }: Box): BoxText {
  const room = LARGEST_WIDTH - 2 * PADDING;
  const shown = { title: fitted(title, room, TITLE_SIZE, true), lines: lines.map((line) => fitted(line, room, LINE_SIZE)) };
  const widths = [textWidth(shown.title, TITLE_SIZE, true), ...shown.lines.map((line) => textWidth(line, LINE_SIZE))];
  const least = role === BoxRole.WAVE ? 0 : LEAST_WIDTH;
  return {
    ...shown,
    width: Math.min(LARGEST_WIDTH, Math.max(least, Math.ceil(Math.max(...widths)) + 2 * PADDING)),
    height: TITLE_BASE + lines.length * LINE_STEP + BELOW_TEXT,
  };
}
