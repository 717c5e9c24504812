/**
 * Breaks a line at its spaces; a word that is longer than the line stays whole.
 *
 * @param line the text, with the indentation of its first line
 * @param columns so many characters may stand on a line
 * @param indent begins all lines but the first
 */
export function wrapped(line: string, columns: number, indent: string): string[] {
  const start = /^ */.exec(line)![0];
  const lines: string[] = [];
  let current = start;
  for (const word of line.slice(start.length).split(' ')) {
    const isFirst = current.trim() === '';
    if (!isFirst && current.length + 1 + word.length > columns) {
      lines.push(current);
      current = `${indent}${word}`;
    } else {
      current = isFirst ? `${current}${word}` : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
