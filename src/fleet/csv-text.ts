/** A cell of a table. */
export interface CsvCell {
  readonly text: string;

  /** Line that it begins in, counted from 1. */
  readonly line: number;
}

/** What makes a text no table. */
export interface CsvFault {
  readonly line: number;
  readonly message: string;
}

/** What a CSV text holds. */
export interface CsvTable {
  /** The cells of each record, the header among them; lines with nothing in them are left out. */
  readonly records: readonly (readonly CsvCell[])[];
  readonly faults: readonly CsvFault[];
}

const QUOTED = /"([^"]*(?:""[^"]*)*)"/y;
const UNQUOTED = /[^",\r\n]*/y;
const TO_END_OF_CELL = /[^,\r\n]*/y;
const LINE_BREAK = /\r\n?|\n/y;

/**
 * Reads CSV as RFC 4180 has it: cells between commas, in double quotes where they hold commas, line breaks or, doubled, double quotes. Lines
 * end as on any system. Blanks belong to their cell.
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
      faults.push({ line, message: 'a cell begins with a double quote, and no double quote ends it' });
      return { records, faults };
    }
    record.push({ text: isQuoted ? match[1].replaceAll('""', '"') : match[0], line });
    line += match[0].match(/\r\n?|\n/g)?.length ?? 0;

    const behind = take(TO_END_OF_CELL)![0];
    if (behind !== '') {
      faults.push({
        line,
        message: isQuoted ? `behind the closing quote of a cell there is ${JSON.stringify(behind)}` : `${JSON.stringify(text.slice(start, at))} has a double quote, and does not begin with one`,
      });
    }

    const isLast = !(text[at] === ',');
    if (!isLast) {
      at++;
      // A comma at the very end has an empty cell behind it.
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
