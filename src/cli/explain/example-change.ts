const SEPARATOR = '---';

/** A change of manifests. */
export interface ShownChange {
  /** The documents that change, line by line: `+` before what is added, `-` before what is removed. */
  readonly lines: readonly string[];

  /** Number of documents that stay as they are. */
  readonly unchanged: number;
}

/** The difference of two texts of YAML, without the documents that stay as they are. */
export function shownChange(before: string, after: string): ShownChange {
  const documents = documentsOf(difference(before.trim().split('\n'), after.trim().split('\n')));
  const changed = documents.filter((lines) => lines.some((line) => !line.startsWith(' ')));
  return { lines: changed.flatMap((lines, index) => (index === 0 ? lines : [`  ${SEPARATOR}`, ...lines])), unchanged: documents.length - changed.length };
}

function documentsOf(lines: readonly string[]): string[][] {
  const documents: string[][] = [[]];
  for (const line of lines) {
    if (line.slice(2) === SEPARATOR) documents.push([]);
    else documents.at(-1)!.push(line);
  }
  return documents.filter((document) => document.length > 0);
}

/** The lines of both texts, with those that are in both once: a longest common subsequence. */
function difference(before: readonly string[], after: readonly string[]): string[] {
  const common = before.map(() => after.map(() => 0));
  const length = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i][j] = before[i] === after[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      lines.push(`  ${before[i]}`);
      [i, j] = [i + 1, j + 1];
    } else if (j === after.length || (i < before.length && length(i + 1, j) >= length(i, j + 1))) {
      lines.push(`- ${before[i++]}`);
    } else {
      lines.push(`+ ${after[j++]}`);
    }
  }
  return lines;
}
