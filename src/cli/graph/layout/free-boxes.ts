import { boxText } from './box-text';
import { Placed, PlacedBox } from './placed-picture';
import { Box } from '../picture';

const GAP = 16;

/**
 * Lays out boxes that no arrow ties, row by row.
 *
 * @param boxes in their order
 * @param room width that they may take
 */
export function placeFree(boxes: readonly Box[], room: number): Placed {
  const texts = boxes.map(boxText);
  const cell = texts.reduce((widest, { width }) => Math.max(widest, width), 0);
  const perRow = Math.max(1, Math.floor((room + GAP) / (cell + GAP)));
  const placed: PlacedBox[] = [];
  let y = 0;
  for (let start = 0; start < boxes.length; start += perRow) {
    const row = boxes.slice(start, start + perRow);
    const height = texts.slice(start, start + perRow).reduce((tallest, text) => Math.max(tallest, text.height), 0);
    row.forEach((box, index) => placed.push({ box, x: index * (cell + GAP), y, width: cell, height }));
    y += height + GAP;
  }
  return { boxes: placed, arrows: [], width: Math.min(boxes.length, perRow) * (cell + GAP) - GAP, height: y - GAP };
}
