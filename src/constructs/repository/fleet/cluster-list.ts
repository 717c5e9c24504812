import * as fs from 'node:fs';
import * as path from 'node:path';
import { CsvCell, CsvTable, readCsv } from './csv-text';
import { COLUMN_RULE, flatValues, LABELS, ListedCluster, ListedValue, Place, ReadList } from './listed-cluster';
import { decode, readText } from '../../../manifests/objects/manifest-text';
import { FieldPath, isPlainObject } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';
import { Hibernation } from '../../contracts/cluster-context';

/** One cluster of a list. A file has the same fields as columns or keys. */
export interface ClusterEntry {
  /**
   * Name of the cluster, a DNS label that starts with a letter. It must be unique in its namespace.
   *
   * Rules: `TC-CLUSTER-NAME`, `TC-FLEET-CLUSTER-TAKEN`.
   */
  readonly name: string;

  /**
   * Namespace in the management cluster (`TC-CLUSTER-NAMESPACE`).
   *
   * @default - `tenant-` and the name
   */
  readonly namespace?: string;

  /**
   * Name of the profile that creates the cluster (`TC-FLEET-PROFILE`).
   *
   * @default - the only profile of the fleet
   */
  readonly profile?: string;

  /**
   * Name of the ring of the cluster (`TC-FLEET-RING`).
   *
   * @default - the last ring
   */
  readonly ring?: string;

  /**
   * Region of the cluster, under a name that you choose.
   *
   * @default - none
   */
  readonly region?: string;

  /**
   * Network that routes the pods and Services of several clusters, under a name that you choose. Clusters of one network must not share
   * addresses (`TC-FLEET-RANGE-OVERLAP`).
   *
   * @default - other clusters do not reach its pods, and its ranges may overlap with theirs
   */
  readonly network?: string;

  /**
   * Kubernetes version, to hold a cluster back. It must not be newer than the version of the first ring, unless the cluster is in the
   * first ring.
   *
   * Rules: `TC-CLUSTER-VERSION`, `TC-FLEET-RING-ORDER`.
   *
   * @default - the version of the ring (`TC-FLEET-VERSION`)
   */
  readonly kubernetesVersion?: string;

  /**
   * The catalog of versions of charts, images and controllers, such as `2026.08`, to hold a cluster back. In a YAML file it needs quotes.
   *
   * Rule: `TC-CLUSTER-CATALOG`.
   *
   * @default - that of the profile, else of the ring, else of the fleet
   */
  readonly versions?: string;

  /**
   * True if the cluster is decommissioned: the first of the two commits that remove it. See `decommission` of a `TenantCluster`.
   *
   * @default false
   */
  readonly decommission?: boolean;

  /**
   * Hibernation of the cluster, in a file `pools` or `full`. See `hibernation` of a `TenantCluster`.
   *
   * @default - that of the profile
   */
  readonly hibernation?: Hibernation;

  /**
   * Labels that every object of the cluster in the management cluster gets (`TC-CLUSTER-LABEL`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Further values for profiles, by key: strings, numbers, booleans, lists of strings, and objects of these.
   *
   * @default - none
   */
  readonly values?: { [key: string]: any };
}

const READERS: { readonly [extension: string]: (file: string, text: string) => ReadList } = {
  '.csv': readTable,
  '.yaml': readDocuments,
  '.yml': readDocuments,
  '.json': readDocuments,
};

const FILE_RULE: Rule = {
  id: 'TC-FLEET-FILE',
  title: 'A list of clusters must be a CSV file with a header, or a YAML or JSON file with a list of objects.',
  source: 'RFC 4180, yaml.org/spec/1.2.2',
};

/**
 * A list of clusters for a `Fleet`. Each entry has the fields of `ClusterEntry`; every other column or key is a value for profiles.
 *
 * Problems of a list are reported at synthesis, with file and line.
 *
 * @example
 * const clusters = ClusterList.concat(ClusterList.fromFile('clusters.csv'), ClusterList.of([{ name: 'acme', profile: 'standard', ring:
 * 'main' }]));
 */
export class ClusterList {
  /**
   * Reads a UTF-8 file (`TC-FLEET-FILE`):
   *
   * - `.csv`: a header with the column names, which must include `name`, then a row for each cluster (RFC 4180). Each label has its own
   *   column, `labels.<key>`. An empty cell is an unset value.
   * - `.yaml`, `.yml`, `.json`: a list of objects, one for each cluster. A nested object equals columns with dots: `pool: {size: 3}` and
   *   `pool.size`. YAML reads unquoted digits as a number: quote versions and codes.
   *
   * @param file path of the file, relative to the working directory
   */
  public static fromFile(file: string): ClusterList {
    return new ClusterList(readFile(file));
  }

  /**
   * Creates a list from objects in code (`TC-FLEET-FILE`).
   *
   * @param clusters the clusters
   */
  public static of(clusters: ClusterEntry[]): ClusterList {
    const read = clusters.map((entry: unknown, index) => {
      const place = (): string => `clusters[${index}]`;
      if (!isEntry(entry)) return { problems: [{ rule: FILE_RULE, property: place(), message: 'the entry is not an object', fix: 'write { name: \'acme\' }, or remove the entry' }] };
      const { values = {}, ...fields } = entry;
      const flat = flatValues({ ...values, ...fields }, () => place);
      return { cluster: { place, values: flat.values }, problems: flat.problems };
    });
    return new ClusterList({ clusters: read.flatMap(({ cluster }) => cluster ?? []), problems: read.flatMap(({ problems }) => problems) });
  }

  /**
   * Joins several lists, such as a file for each region.
   *
   * @param lists the lists
   */
  public static concat(...lists: ClusterList[]): ClusterList {
    return new ClusterList({ clusters: lists.flatMap(({ _clusters }) => _clusters), problems: lists.flatMap(({ _problems }) => _problems) });
  }

  /** @internal */
  public readonly _clusters: readonly ListedCluster[];

  /** @internal */
  public readonly _problems: readonly Problem[];

  private constructor({ clusters, problems }: ReadList) {
    this._clusters = clusters;
    this._problems = problems;
  }
}

function isEntry(entry: unknown): entry is ClusterEntry {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry);
}

function readFile(file: string): ReadList {
  const shown = shownPath(file);
  const refuse = (message: string, fix: string): ReadList => ({
    clusters: [], problems: [{ rule: FILE_RULE, property: shown, message, fix }],
  });
  const read = READERS[path.extname(file).toLowerCase()];
  if (!read) {
    return refuse(`"${path.basename(file)}" has no extension of a list`, `use a file with the extension ${Object.keys(READERS).join(', ')} in that format`);
  }
  let bytes: Uint8Array;
  try {
    bytes = fs.readFileSync(file);
  } catch (error) {
    return refuse(`the file cannot be read: ${(error as Error).message}`, 'correct the path, which is relative to the working directory, or use __dirname');
  }
  const decoded = decode(bytes);
  return 'fault' in decoded ? refuse(`the file ${decoded.fault}`, 'save it as UTF-8') : read(shown, decoded.text);
}

/** The shortest path that a terminal can open. */
function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative === '' || relative.startsWith('..') ? file : relative;
}

const EXAMPLE = 'begin the file with "- name: acme"';

/**
 * Reads a list of objects from YAML or JSON.
 *
 * @param file path of the file for messages
 * @param text content of the file
 */
function readDocuments(file: string, text: string): ReadList {
  const { documents, faults } = readText(text);
  const refuse = (message: string, fix: string, line?: number): Problem => ({
    rule: FILE_RULE, property: line === undefined ? file : `${file}:${line}`, message, fix,
  });
  if (faults.length > 0) return { clusters: [], problems: faults.map(({ line, message }) => refuse(`the file ${message}`, 'correct the syntax', line)) };
  const [document, second] = documents;
  if (document === undefined) return { clusters: [], problems: [refuse('the file is empty', `${EXAMPLE}, or write [] for no cluster`)] };
  if (second !== undefined) return { clusters: [], problems: [refuse('the file has a second document', 'remove the line "---"', second.line)] };
  const { value: list, lineOf } = document;
  if (!Array.isArray(list)) return { clusters: [], problems: [refuse('the document is not a list', `${EXAMPLE}, and start each cluster with "- "`, document.line)] };

  const clusters: ListedCluster[] = [];
  const problems: Problem[] = [];
  list.forEach((entry: unknown, index) => {
    const placeOf = (at: FieldPath): Place => () => `${file}:${lineOf([index, ...at])}`;
    if (!isPlainObject(entry)) {
      problems.push({ rule: FILE_RULE, property: placeOf([])(), message: `entry ${index + 1} is not an object`, fix: 'write the fields of the cluster as "name: acme"' });
      return;
    }
    const flat = flatValues(entry, placeOf);
    problems.push(...flat.problems);
    clusters.push({ place: placeOf([]), values: flat.values });
  });
  return { clusters, problems };
}

/**
 * Reads a table of clusters: a header, and a row for each cluster. Blanks around a cell are trimmed. Empty cells, and rows of empty cells,
 * are skipped.
 *
 * @param file path of the file for messages
 * @param text content of the file
 */
function readTable(file: string, text: string): ReadList {
  const { records, faults } = readCsv(text);
  const broken = faults.map(({ line, message }): Problem => ({
    rule: FILE_RULE, property: `${file}:${line}`, message, fix: 'put the whole cell into double quotes, and double each one inside it',
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
  return [{ rule: FILE_RULE, property: file, message: 'the file is empty', fix: 'begin with a header, such as "name,profile,ring"' }];
}

function checkHeader(file: string, header: CsvTable['records'][number], names: readonly string[]): Problem[] {
  const at = (cell: CsvCell) => ({ rule: COLUMN_RULE, property: `${file}:${cell.line}` });
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
    rule: COLUMN_RULE,
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
