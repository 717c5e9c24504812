import { printable, wrapped } from '../manifests/values/printable';

const GAP = '  ';
const UNKNOWN = '-';

const CUT = '…';
const NARROWEST = 8;

/** So much of a name, and of anything else, can still be read: before columns get narrower, others are left out. */
const LEGIBLE = { name: 18, other: 12 };

/** A column of a table. */
export interface Column {
  readonly head: string;

  /** True if both ends of its cells tell rows apart, so that they are cut in the middle. */
  readonly isName?: boolean;

  /**
   * The rank among the columns that a narrow terminal goes without: the lowest is left out first.
   *
   * @default - it is always shown
   */
  readonly leftOut?: number;
}

/**
 * Columns with headers, aligned; nothing if there are no rows.
 *
 * @param heads the columns; one without properties is always shown, and cut at its end
 * @param columns the width of the terminal: from a wider table, columns are left out first, then the widest are cut. The first column stays whole,
 *   unless it is a name. Undefined for no limit
 */
export function table(heads: readonly (string | Column)[], texts: readonly (readonly string[])[], columns = Infinity): string {
  if (texts.length === 0) return '';
  const rows = texts.map((row) => row.map((cell) => (cell === '' ? UNKNOWN : printable(cell))));
  const all = heads.map((head, index) => {
    const column: Column = typeof head === 'string' ? { head } : head;
    return { ...column, index, width: rows.reduce((width, row) => Math.max(width, row[index].length), column.head.length) };
  });
  const leavable = all.filter(({ leftOut }) => leftOut !== undefined).sort((one, other) => one.leftOut! - other.leftOut!);
  let shown = all;
  while (leavable.length > 0 && legibleWidth(shown) > columns) {
    const { index } = leavable.shift()!;
    shown = shown.filter((column) => column.index !== index);
  }
  const widths = fitted(shown, columns);
  const line = (cells: readonly string[]) => `${cells.map((cell, at) => cut(cell, widths[at], shown[at].isName).padEnd(widths[at])).join(GAP).trimEnd()}\n`;
  const missing = all.filter((column) => !shown.includes(column)).map(({ head }) => head);
  return [
    line(shown.map(({ head }) => head)),
    ...rows.map((row) => line(shown.map(({ index }) => row[index]))),
    ...missing.length === 0 ? [] : wrapped(`(no room for ${missing.join(', ')})`, columns, ' ').map((text) => `${text}\n`),
  ].join('');
}

type Measured = Column & { readonly index: number; readonly width: number };

function legibleWidth(shown: readonly Measured[]): number {
  const widths = shown.map(({ width, isName, index }) => (
    index === 0 && !isName ? width : Math.min(width, isName ? LEGIBLE.name : LEGIBLE.other)));
  return widths.reduce((sum, width) => sum + width, GAP.length * (shown.length - 1));
}

/** Widths that fit the terminal. */
function fitted(shown: readonly Measured[], columns: number): readonly number[] {
  const isWhole = ({ index, isName }: Measured) => index === 0 && !isName;
  const widthsAt = (limit: number) => shown.map((column) => (isWhole(column) ? column.width : Math.min(column.width, limit)));
  let limit = Math.max(0, ...shown.filter((column) => !isWhole(column)).map(({ width }) => width));
  const total = () => widthsAt(limit).reduce((sum, width) => sum + width, GAP.length * (shown.length - 1));
  while (limit > NARROWEST && total() > columns) limit--;
  return widthsAt(limit);
}

function cut(cell: string, width: number, inMiddle = false): string {
  if (cell.length <= width) return cell;
  const end = inMiddle ? Math.floor((width - CUT.length) / 2) : 0;
  return `${cell.slice(0, width - CUT.length - end)}${CUT}${cell.slice(cell.length - end)}`;
}
