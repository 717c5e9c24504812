import { ApiObject } from 'cdk8s';

/** How the objects of a part, e.g. of a node pool, are put into files. */
export enum FileLayout {
  /** One file for each part: the control plane, each node pool, each controller, each addon. */
  FILE_PER_PART = 'file-per-part',

  /** One file for each object, in a folder for each part. */
  FILE_PER_OBJECT = 'file-per-object',
}

const EXTENSION = '.yaml';

/**
 * Distributes the objects of one part over files.
 *
 * @param layout how
 * @param part path of the part, without extension
 * @param objects the objects, in their order
 * @returns the objects of each file, by path
 */
export function layOut(layout: FileLayout, part: string, objects: readonly ApiObject[]): Map<string, readonly ApiObject[]> {
  if (layout === FileLayout.FILE_PER_PART) return new Map([[`${part}${EXTENSION}`, objects]]);
  const files = new Map<string, readonly ApiObject[]>();
  for (const same of groupBy(objects, shortName)) {
    // Equal names in two namespaces, or of two groups, are rare: only these have longer names.
    const nameOf = same.length === 1 ? shortName : longName;
    for (const group of groupBy(same, nameOf)) files.set(`${part}/${nameOf(group[0])}${EXTENSION}`, group);
  }
  return files;
}

function shortName({ kind, name }: ApiObject): string {
  return fileName(kind, name);
}

function longName({ kind, apiGroup, name, metadata }: ApiObject): string {
  return fileName(kind, apiGroup, metadata.namespace ?? '', name);
}

/** Names of roles may hold what names of files may not. */
function fileName(...parts: string[]): string {
  return parts.filter((part) => part !== '').map((part) => part.toLowerCase().replace(/[^a-z0-9.-]+/g, '-')).join('-');
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return [...groups.values()];
}
