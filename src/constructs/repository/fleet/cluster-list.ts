import * as fs from 'node:fs';
import * as path from 'node:path';
import { readDocuments } from './cluster-documents';
import { ClusterEntry } from './cluster-entry';
import { readTable } from './cluster-table';
import { ListedCluster, ReadList } from './listed-cluster';
import { flatValues } from './nested-values';
import { FLEET_RULES } from './rules';
import { decode } from '../../../manifests/objects/manifest-text';
import { Problem } from '../../../manifests/values/problem';

const READERS: { readonly [extension: string]: (file: string, text: string) => ReadList } = {
  '.csv': readTable,
  '.yaml': readDocuments,
  '.yml': readDocuments,
  '.json': readDocuments,
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
      if (!isEntry(entry)) return { problems: [{ rule: FLEET_RULES.file, property: place(), message: 'the entry is not an object', fix: 'write { name: \'acme\' }, or remove the entry' }] };
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
    clusters: [], problems: [{ rule: FLEET_RULES.file, property: shown, message, fix }],
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
