
import { printable } from '../values/printable';

const GAP = '  ';
const UNKNOWN = '-';

const CUT = '…';
const NARROWEST = 8;

/**
 * Columns with headers, aligned; nothing if there are no rows.
 *
 * @param columns the width of the terminal: in a wider table, the widest columns after the first are cut. Undefined for no limit
 */
export function table(heads: readonly string[], texts: readonly (readonly string[])[], columns?: number): string {
  if (texts.length === 0) return '';
  const rows = texts.map((row) => row.map((cell) => (cell === '' ? UNKNOWN : printable(cell))));
  const widths = fitted(heads.map((head, column) => rows.reduce((width, row) => Math.max(width, row[column].length), head.length)), columns);
  return [heads, ...rows].map((row) => `${row.map((cell, column) => cut(cell, widths[column]).padEnd(widths[column])).join(GAP).trimEnd()}\n`).join('');
}

/** Widths that fit the terminal. The first column names what the row is about, and stays whole. */
function fitted([first, ...others]: readonly number[], columns = Infinity): readonly number[] {
  const room = columns - first - GAP.length * others.length;
  let limit = Math.max(0, ...others);
  while (limit > NARROWEST && others.reduce((sum, width) => sum + Math.min(width, limit), 0) > room) limit--;
  return [first, ...others.map((width) => Math.min(width, limit))];
}

function cut(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, width - CUT.length)}${CUT}` : cell;
}
