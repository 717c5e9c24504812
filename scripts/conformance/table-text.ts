/** A table for a terminal: the first column to the left, numbers to the right. */
export function tableText(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => String(row[column]).length)));
  const line = (cells: readonly (string | number)[]) => cells.map((cell, column) => (
    column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column]))).join('  ');
  return `${[line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')}\n`;
}
