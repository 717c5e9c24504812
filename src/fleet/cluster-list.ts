import * as fs from 'node:fs';
import * as path from 'node:path';
import { readDocuments } from './cluster-documents';
import { ClusterEntry } from './cluster-entry';
import { readTable } from './cluster-table';
import { ListedCluster, ReadList } from './listed-cluster';
import { flatValues } from './nested-values';
import { FLEET_RULES } from './rules';
import { decode } from '../manifests/manifest-text';
import { Problem } from '../validation/problem';

const READERS: { readonly [extension: string]: (file: string, text: string) => ReadList } = {
  '.csv': readTable,
  '.yaml': readDocuments,
  '.yml': readDocuments,
  '.json': readDocuments,
};

/**
 * A list of clusters, for a `Fleet`. Each entry has the fields of `ClusterEntry`; every other column or key is a value that profiles read.
 *
 * What is wrong with a list is reported when the app is synthesized, with file and line, along with everything else.
 */
export class ClusterList {
  /**
   * Reads a file, in UTF-8 (`TC-FLEET-FILE`):
   *
   * - `.csv`: a header with the names of the columns, `name` among them, then a row for each cluster (RFC 4180: commas, cells in double
   *   quotes where they hold one). Each label has a column, `labels.<key>`. An empty cell says nothing.
   * - `.yaml`, `.yml`, `.json`: a list of maps, one for each cluster. A map inside it is the same as columns with dots: `pool: {size: 3}` and
   *   `pool.size`. What reads like a number is one: write versions and codes in quotes.
   *
   * @param file path of the file, from the folder that the program is run in
   */
  public static fromFile(file: string): ClusterList {
    return new ClusterList(readFile(file));
  }

  /**
   * A list that the program itself has, of maps (`TC-FLEET-FILE`).
   *
   * @param clusters the clusters
   */
  public static of(clusters: ClusterEntry[]): ClusterList {
    const read = clusters.map((entry: unknown, index) => {
      const place = (): string => `clusters[${index}]`;
      if (!isEntry(entry)) return { problems: [{ rule: FLEET_RULES.file, property: place(), message: 'the entry is no map', fix: 'write { name: \'acme\' }, or leave it out' }] };
      const { values = {}, ...fields } = entry;
      const flat = flatValues({ ...values, ...fields }, () => place);
      return { cluster: { place, values: flat.values }, problems: flat.problems };
    });
    return new ClusterList({ clusters: read.flatMap(({ cluster }) => cluster ?? []), problems: read.flatMap(({ problems }) => problems) });
  }

  /**
   * Several lists as one, such as a file for each region.
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
    clusters: [], problems: [{ rule: FLEET_RULES.file, property: shown, message, fix }],
  });
  const read = READERS[path.extname(file).toLowerCase()];
  if (!read) {
    return refuse(`"${path.basename(file)}" does not end as a list does`, `name the file with one of ${Object.keys(READERS).join(', ')}, and let it be what it says`);
  }
  let bytes: Uint8Array;
  try {
    bytes = fs.readFileSync(file);
  } catch (error) {
    return refuse(`the file cannot be read: ${(error as Error).message}`, 'correct the path, which begins in the folder that the program is run in, or use __dirname');
  }
  const decoded = decode(bytes);
  return 'fault' in decoded ? refuse(`the file ${decoded.fault}`, 'save it as UTF-8') : read(shown, decoded.text);
}

/** As short as one can click on it. */
function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative === '' || relative.startsWith('..') ? file : relative;
}
