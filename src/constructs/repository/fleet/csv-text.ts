/** A cell of a table. */
export interface CsvCell {
  readonly text: string;

  /** Line on which the cell starts, counted from 1. */
  readonly line: number;
}

/** A syntax error. */
export interface CsvFault {
  readonly line: number;
  readonly message: string;
}

/** The content of a CSV file. */
export interface CsvTable {
  /** The cells of each record, including the header. Empty lines are skipped. */
  readonly records: readonly (readonly CsvCell[])[];
  readonly faults: readonly CsvFault[];
}

const QUOTED = /"([^"]*(?:""[^"]*)*)"/y;
const UNQUOTED = /[^",\r\n]*/y;
const TO_END_OF_CELL = /[^,\r\n]*/y;
const LINE_BREAK = /\r\n?|\n/y;

/**
 * Reads CSV as RFC 4180 defines it. Lines may end as on any operating system. Blanks belong to their cell.
 */
export function readCsv(text: string): CsvTable {
  const records: CsvCell[][] = [];
  const faults: CsvFault[] = [];
  let record: CsvCell[] = [];
  let line = 1;
  let at = 0;

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };

  while (at < text.length) {
    const start = at;
    const isQuoted = text[at] === '"';
    const match = take(isQuoted ? QUOTED : UNQUOTED);
    if (!match) {
      faults.push({ line, message: 'the closing double quote of a cell is missing' });
      return { records, faults };
    }
    record.push({ text: isQuoted ? match[1].replaceAll('""', '"') : match[0], line });
    line += match[0].match(/\r\n?|\n/g)?.length ?? 0;

    const behind = take(TO_END_OF_CELL)![0];
    if (behind !== '') {
      faults.push({
        line,
        message: isQuoted ? `${JSON.stringify(behind)} follows the closing quote of a cell` : `${JSON.stringify(text.slice(start, at))} contains a double quote, but does not start with one`,
      });
    }

    const isLast = !(text[at] === ',');
    if (!isLast) {
      at++;
      // A trailing comma is followed by an empty cell.
      if (at === text.length) record.push({ text: '', line });
    }
    if (isLast || at === text.length) {
      if (record.length > 1 || record[0].text !== '' || isQuoted) records.push(record);
      record = [];
    }
    if (isLast && take(LINE_BREAK)) line++;
  }
  return { records, faults };
}
