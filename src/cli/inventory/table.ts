import { NOT_KNOWN } from './cells';
import { printable } from '../../values/printable';

const GAP = '  ';

/** Columns with heads, aligned; nothing if there are no rows. */
export function table(heads: readonly string[], texts: readonly (readonly string[])[]): string {
  if (texts.length === 0) return '';
  const rows = texts.map((row) => row.map((cell) => (cell === '' ? NOT_KNOWN : printable(cell))));
  const widths = heads.map((head, column) => rows.reduce((width, row) => Math.max(width, row[column].length), head.length));
  return [heads, ...rows].map((row) => `${row.map((cell, column) => cell.padEnd(widths[column])).join(GAP).trimEnd()}\n`).join('');
}
