import * as fc from 'fast-check';
import { readCsv } from '../../../../src/constructs/repository/fleet/csv-text';

/** The texts of the cells. */
function cells(text: string): string[][] {
  return readCsv(text).records.map((record) => record.map((cell) => cell.text));
}

function faults(text: string): string[] {
  return readCsv(text).faults.map(({ line, message }) => `${line}: ${message}`);
}

test.each<[string, string, string[][]]>([
  ['cells and records', 'a,b\nc,d\n', [['a', 'b'], ['c', 'd']]],
  ['no line break at the end', 'a,b\nc,d', [['a', 'b'], ['c', 'd']]],
  ['lines of any system', 'a\r\nb\rc\nd', [['a'], ['b'], ['c'], ['d']]],
  ['commas, line breaks and quotes in quotes', '"a,b","c\r\nd","e""f"\n', [['a,b', 'c\r\nd', 'e"f']]],
  ['empty cells', ',a,\n,\n""\n', [['', 'a', ''], ['', ''], ['']]],
  ['a comma at the very end', 'a,', [['a', '']]],
  ['blanks as they are', ' a , b\n', [[' a ', ' b']]],
  ['nothing of empty lines', '\n\na\n\n\r\nb\n', [['a'], ['b']]],
  ['nothing of nothing', '', []],
])('reads %s', (_what, text, expected) => {
  expect(cells(text)).toEqual(expected);
  expect(faults(text)).toEqual([]);
});

test('each cell knows its line', () => {
  const { records } = readCsv('a,"b\n\nc",d\n\n"e\r\nf",g\n');
  expect(records.map((record) => record.map(({ line }) => line))).toEqual([[1, 1, 3], [5, 6]]);
});

test.each<[string, string, string]>([
  ['a quote that nothing closes', 'a\nb,"c\nd\n', '2: the closing double quote of a cell is missing'],
  ['text behind a closing quote', 'a\n"b"c,d\n', '2: "c" follows the closing quote of a cell'],
  ['a quote inside a cell', 'a\nb 3" disk,d\n', '2: "b 3\\" disk" contains a double quote, but does not start with one'],
])('refuses %s', (_what, text, expected) => {
  expect(faults(text)).toEqual([expected]);
});

const cellText = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', '"', '\n', '\r', 'ä', '😀'), maxLength: 6 });

/** A cell as some program may write it. */
const written = fc.tuple(cellText, fc.boolean()).map(([text, always]) => {
  const quoted = always || /[",\r\n]/.test(text);
  return { text, csv: quoted ? `"${text.replace(/"/g, '""')}"` : text };
});
const record = fc.array(written, { minLength: 1, maxLength: 4 }).filter((row) => row.length > 1 || row[0].csv !== '');
const table = fc.tuple(fc.array(record, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'), fc.boolean());

test('what was written is read, whoever quotes however much', () => {
  fc.assert(fc.property(table, ([rows, lineBreak, isClosed]) => {
    const text = rows.map((row) => row.map(({ csv }) => csv).join(',')).join(lineBreak) + (isClosed && rows.length > 0 ? lineBreak : '');
    expect(cells(text)).toEqual(rows.map((row) => row.map((cell) => cell.text)));
    expect(faults(text)).toEqual([]);
  }));
});

/** The same grammar once more, a character at a time; undefined for what is no CSV. */
function readSlowly(text: string): string[][] | undefined {
  const records: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  const endCell = () => {
    row.push(cell);
    cell = '';
  };
  const endRecord = () => {
    const isEmptyLine = state === 'start' && row.length === 0;
    if (!isEmptyLine) {
      endCell();
      records.push(row);
    }
    row = [];
    state = 'start';
  };
  const characters = [...text.replace(/\r\n/g, '\n').replace(/\r/g, '\n')];
  for (const character of characters) {
    if (state === 'quoted') {
      if (character === '"') state = 'closed';
      else cell += character;
    } else if (character === ',') {
      endCell();
      state = 'start';
    } else if (character === '\n') {
      endRecord();
    } else if (character === '"') {
      if (state === 'plain') return undefined;
      if (state === 'closed') cell += '"';
      state = 'quoted';
    } else if (state === 'closed') {
      return undefined;
    } else {
      cell += character;
      state = 'plain';
    }
  }
  if (state === 'quoted') return undefined;
  if (state !== 'start' || row.length > 0) endRecord();
  return records;
}

test('any text is read, or refused, as a second reader does it', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '"', '\n', '\r'), maxLength: 14 });
  fc.assert(fc.property(texts, (text) => {
    const expected = readSlowly(text);
    const { records, faults: found } = readCsv(text);
    expect(found.length === 0).toBe(expected !== undefined);
    if (expected) expect(records.map((row) => row.map((cell) => cell.text.replace(/\r\n?/g, '\n')))).toEqual(expected);
  }), { numRuns: 2000 });
});
