/**
 * The lines in which a text differs from a base, for people to read: `-` is a removed line, `+` an added one, and lines with a blank lead
 * there, for instance keys. There are no line numbers, so that a change elsewhere in the base leaves the lines as they are.
 */
export function changedLines(base: readonly string[], text: readonly string[]): string[] {
  const lines: string[] = [];
  let cursor = 0;
  for (const { start, end, added } of hunks(base, text)) {
    lines.push(...leadingLines(base, cursor, start, end).map((at) => ` ${base[at]}`));
    lines.push(...base.slice(start, end).map((line) => `-${line}`), ...added.map((line) => `+${line}`));
    cursor = end;
  }
  return lines;
}

/** The text that has been made of a base by {@link changedLines}: each line stands for its next occurrence. */
export function withChanges(base: readonly string[], lines: readonly string[]): string[] {
  const text: string[] = [];
  let cursor = 0;
  for (const line of lines) {
    const content = line.slice(1);
    if (line.startsWith('+')) {
      text.push(content);
      continue;
    }
    const at = base.indexOf(content, cursor);
    if (at < 0) throw new Error(`the base has no further line ${JSON.stringify(content)}`);
    text.push(...base.slice(cursor, line.startsWith('-') ? at : at + 1));
    cursor = at + 1;
  }
  return [...text, ...base.slice(cursor)];
}

/** Base lines from `start` to before `end` that other lines replace. */
interface Hunk {
  readonly start: number;
  end: number;
  readonly added: string[];
}

function hunks(base: readonly string[], text: readonly string[]): Hunk[] {
  const common = commonLengths(base, text);
  const found: Hunk[] = [];
  let [one, other] = [0, 0];
  while (one < base.length || other < text.length) {
    if (base[one] === text[other] && one < base.length && other < text.length) {
      one++;
      other++;
      continue;
    }
    let hunk = found.at(-1);
    if (hunk?.end !== one) found.push(hunk = { start: one, end: one, added: [] });
    if (other === text.length || (one < base.length && common[one + 1][other] >= common[one][other + 1])) hunk.end = ++one;
    else hunk.added.push(text[other++]);
  }
  return found;
}

/** Lengths of the longest common subsequences of what follows two positions. */
function commonLengths(base: readonly string[], text: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: base.length + 1 }, () => new Uint16Array(text.length + 1));
  for (let one = base.length - 1; one >= 0; one--) {
    const [row, below, line] = [lengths[one], lengths[one + 1], base[one]];
    for (let other = text.length - 1; other >= 0; other--) {
      if (line === text[other]) row[other] = below[other + 1] + 1;
      else row[other] = below[other] > row[other + 1] ? below[other] : row[other + 1];
    }
  }
  return lengths;
}

/** Positions of the lines that lead from a cursor to a hunk: those around it, and as many before it as are needed to find it. */
function leadingLines(base: readonly string[], cursor: number, start: number, end: number): number[] {
  const positions: number[] = [];
  let depth = start < base.length ? indentation(base[start]) : 0;
  for (let at = start - 1; at >= cursor; at--) {
    const isBefore = at === start - 1 && start === end;
    if (indentation(base[at]) < depth || isBefore) positions.unshift(at);
    depth = Math.min(depth, indentation(base[at]));
  }
  const removed = Array.from({ length: end - start }, (_, index) => start + index);
  for (let at = start - 1; at >= cursor && !isFound(base, cursor, [...positions, ...removed]); at--) {
    if (!positions.includes(at)) positions.push(at);
    positions.sort((one, other) => one - other);
  }
  return positions;
}

function isFound(base: readonly string[], cursor: number, positions: readonly number[]): boolean {
  return positions.every((position, index) => base.indexOf(base[position], index === 0 ? cursor : positions[index - 1] + 1) === position);
}

function indentation(line: string): number {
  return line === '' ? Infinity : line.search(/\S|$/);
}
