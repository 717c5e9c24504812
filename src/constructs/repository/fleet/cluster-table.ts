import { CsvCell, CsvTable, readCsv } from './csv-text';
import { LABELS, ListedCluster, ListedValue, ReadList } from './listed-cluster';
import { FLEET_RULES } from './rules';
import { Problem } from '../../../manifests/values/problem';

/**
 * Reads a table of clusters: a header, and a row for each cluster. Blanks around a cell are trimmed. Empty cells, and rows of empty cells,
 * are skipped.
 *
 * @param file path of the file for messages
 * @param text content of the file
 */
export function readTable(file: string, text: string): ReadList {
  const { records, faults } = readCsv(text);
  const broken = faults.map(({ line, message }): Problem => ({
    rule: FLEET_RULES.file, property: `${file}:${line}`, message, fix: 'put the whole cell into double quotes, and double each one inside it',
  }));
  const [header, ...rows] = records.filter((record) => record.some((cell) => cell.text.trim() !== ''));
  if (header === undefined) return { clusters: [], problems: [...broken, ...empty(file)] };
  const names = header.map(({ text: name }) => name.trim());
  const wrong = checkHeader(file, header, names);
  // With a faulty header or quote, cells would get the wrong names.
  if (broken.length > 0 || wrong.length > 0) return { clusters: [], problems: [...broken, ...wrong] };
  const fitting = rows.filter((row) => row.length === names.length);
  return {
    clusters: fitting.map((row) => readRow(file, names, row)),
    problems: rows.filter((row) => row.length !== names.length).map((row) => misfit(file, row, names)),
  };
}

function empty(file: string): Problem[] {
  return [{ rule: FLEET_RULES.file, property: file, message: 'the file is empty', fix: 'begin with a header, such as "name,profile,ring"' }];
}

function checkHeader(file: string, header: CsvTable['records'][number], names: readonly string[]): Problem[] {
  const at = (cell: CsvCell) => ({ rule: FLEET_RULES.column, property: `${file}:${cell.line}` });
  const problems = header.flatMap((cell, index): Problem[] => {
    const name = names[index];
    if (name === '') return [{ ...at(cell), message: `column ${index + 1} has no name`, fix: 'name it, or remove it' }];
    if (names.indexOf(name) < index) return [{ ...at(cell), message: `"${name}" is the name of columns ${names.indexOf(name) + 1} and ${index + 1}`, fix: 'remove or rename one of them' }];
    if (name === 'labels') return [{ ...at(cell), message: 'labels cannot share a column', accepted: `a column for each, such as "${LABELS}tier"`, fix: 'name the column after one label' }];
    return [];
  });
  if (names.includes('name')) return problems;
  const separator = [';', '\t', '|'].find((character) => header.length === 1 && names[0].split(character).length > 1);
  return [...problems, separator === undefined ? {
    ...at(header[0]), message: `column "name" is missing; the columns are ${names.map((name) => `"${name}"`).join(', ')}`, fix: 'begin the file with a line of column names, "name" among them',
  } : {
    ...at(header[0]), message: `the columns are separated by ${JSON.stringify(separator)}`, accepted: 'commas', fix: 'save the file with commas between the columns',
  }];
}

function misfit(file: string, row: readonly CsvCell[], names: readonly string[]): Problem {
  return {
    rule: FLEET_RULES.column,
    property: `${file}:${row[0].line}`,
    message: `the row has ${row.length} ${row.length === 1 ? 'cell' : 'cells'}, the header has ${names.length}`,
    fix: row.length > names.length ? 'put cells that hold commas into double quotes' : 'add the commas of empty cells',
  };
}

function readRow(file: string, names: readonly string[], row: readonly CsvCell[]): ListedCluster {
  const values = new Map<string, ListedValue>();
  row.forEach(({ text, line }, index) => {
    const value = text.trim();
    if (value !== '') values.set(names[index], { value, place: () => `${file}:${line}` });
  });
  return { place: () => `${file}:${row[0].line}`, values };
}
