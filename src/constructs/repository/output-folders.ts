import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { nearestName } from '../../manifests/values/nearest-name';
import { Problem, Rule } from '../../manifests/values/problem';
import { inDependencyOrder } from '../app/synth/dependency-order';
import { clusterOf, inTree, OutputFolder, placeOf, writesTrees } from '../app/synth/output-place';
import { answered, constructsIn } from '../app/synth/synthesis';

/** Distribution of the objects of a part, e.g. of a node pool, over files. */
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
 * @param layout the distribution
 * @param part path of the part, without extension
 * @param objects the objects, in their order
 * @returns the objects of each file, by path
 */
export function layOut(layout: FileLayout, part: string, objects: readonly ApiObject[]): Map<string, readonly ApiObject[]> {
  if (layout === FileLayout.FILE_PER_PART) return new Map([[`${part}${EXTENSION}`, objects]]);
  const files = new Map<string, readonly ApiObject[]>();
  for (const same of groupBy(objects, shortName)) {
    // Only equal names in two namespaces, or of two groups, have longer names.
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

/** A file name of parts, which may have other characters, such as the names of roles. */
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

/** The name in `only` of the files that belong to no cluster. */
const SHARED = 'shared';

/** A folder of the output with its objects. */
export interface FilledFolder {
  readonly folder: OutputFolder;

  /** The objects of each file, by the file's path below the app's output. */
  readonly files: ReadonlyMap<string, readonly ApiObject[]>;

  /** Paths of the folders that something in this one depends on. */
  readonly before: readonly string[];
}

/**
 * Sorts the objects of an app into folders and files, independent of the order and the number of charts.
 *
 * @param app the app
 * @param layout distribution of objects over files
 */
export function outputFolders(app: IConstruct, layout: FileLayout): FilledFolder[] {
  const folders = new Map<string, { readonly folder: OutputFolder; readonly parts: Map<string, ApiObject[]> }>();
  for (const object of inDependencyOrder(app)) {
    if (!ApiObject.isApiObject(object)) continue;
    const { folder, file } = placeOf(object);
    const entry = folders.get(folder.path) ?? { folder, parts: new Map<string, ApiObject[]>() };
    folders.set(folder.path, entry);
    const part = entry.parts.get(file);
    if (part) part.push(object);
    else entry.parts.set(file, [object]);
  }
  const before = foldersBefore(app);
  return inOrder([...folders.values()].map(({ folder, parts }) => ({
    folder,
    before: [...before.get(folder.path) ?? []].sort(),
    files: new Map(inOrder([...parts], ([file]) => file).flatMap(([file, objects]) => [...layOut(layout, `${folder.path}/${file}`, objects)])),
  })), ({ folder }) => folder.path);
}

const FOLDER_RULE: Rule = {
  id: 'TC-GITOPS-FOLDER',
  title: 'Two charts must not be written to one folder.',
};

/** Checks that charts without a place of their own are not in one folder: paths lose characters of ids. */
export function checkFolders(app: IConstruct): Problem[] {
  const owners = new Map<string, Chart>();
  const charts = constructsIn(app).filter((construct): construct is Chart => Chart.isChart(construct));
  return charts.flatMap((chart) => {
    const { path } = placeOf(chart).folder;
    const owner = owners.get(path);
    owners.set(path, owner ?? chart);
    // Charts inside one that has a place are part of it.
    if (owner === undefined || chart.node.scopes.includes(owner)) return [];
    return [{
      rule: FOLDER_RULE,
      message: `the charts "${owner.node.path}" and "${chart.node.path}" are both written to ${path}`,
      fix: 'give one of them another id',
    }];
  });
}

/** True if a selection has the files of a list, which is named after a folder, in an app with some folders. */
export function isSelected(only: readonly string[], list: string, folders: ReadonlySet<string>): boolean {
  return only.includes((folders.has(list) ? selectedName(list) : undefined) ?? SHARED);
}

/** The name of a cluster's folder in `only`: `<namespace>/<name>`, after the management cluster if each has a tree; undefined for others. */
function selectedName(path: string): string | undefined {
  const cluster = clusterOf(path);
  return cluster && inTree(cluster.tree, `${cluster.namespace}/${cluster.name}`);
}

const ONLY_RULE: Rule = {
  id: 'TC-GITOPS-ONLY',
  title: 'A selection in only must name clusters of the app, or "shared".',
};

/** Checks that a selection names clusters of the app. */
export function checkOnly(app: IConstruct, only: readonly string[] = []): Problem[] {
  if (only.length === 0) return [];
  const paths = new Set(constructsIn(app).filter((construct) => Chart.isChart(construct)).map((chart) => placeOf(chart).folder.path));
  const names = [SHARED, ...[...paths].flatMap((path) => selectedName(path) ?? [])];
  return only.filter((name) => !names.includes(name)).map((name) => {
    // Users often omit the name of the management cluster.
    const near = names.find((other) => other.endsWith(`/${name}`)) ?? nearestName(name, names);
    return {
      rule: ONLY_RULE,
      property: 'only',
      message: `the app has no cluster ${JSON.stringify(name)}`,
      accepted: `${writesTrees(app) ? '<management cluster>/' : ''}<namespace>/<name> of clusters, and "shared"`,
      fix: near === undefined ? 'correct the name' : `did you mean ${JSON.stringify(near)}?`,
    };
  });
}

function inOrder<T>(values: T[], keyOf: (value: T) => string): T[] {
  return values.map((value) => ({ value, key: keyOf(value) })).sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ value }) => value);
}

/** Paths of the folders that come before each folder. */
type Before = ReadonlyMap<string, ReadonlySet<string>>;

interface FolderOrder {
  readonly before: Before;

  /** Folders that would wait for each other; `before` has no order for them. */
  readonly cycle: ReadonlySet<string>;
}

/** Paths of the folders that come before each folder, because something in it depends on something in them. */
export function foldersBefore(app: IConstruct): Before {
  return orderOf(app).before;
}

const ORDER_RULE: Rule = {
  id: 'TC-GITOPS-ORDER',
  title: 'Folders that are applied separately should not depend on each other in a cycle: none could be the first.',
  source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (dependsOn)',
  warning: true,
};

/**
 * Warns of folders that depend on each other. Their objects may have an order, that of the files, but a tool that applies whole folders
 * would wait for ever if it had both dependencies.
 */
export function checkFolderOrder(app: IConstruct): Problem[] {
  const cycle = [...orderOf(app).cycle].sort();
  return cycle.length === 0 ? [] : [{
    rule: ORDER_RULE,
    message: `the folders ${cycle.join(', ')} depend on each other, and are applied in no order`,
    fix: 'move what others depend on into a chart of its own',
  }];
}

function orderOf(app: IConstruct): FolderOrder {
  return answered(app, 'folder order', () => findOrder(app));
}

function findOrder(app: IConstruct): FolderOrder {
  const dependent = constructsIn(app).filter(({ node }) => node.dependencies.length > 0);
  if (dependent.length === 0) return { before: new Map(), cycle: new Set() };

  const known = new Map<IConstruct, ReadonlySet<string>>();
  const foldersIn = (construct: IConstruct): ReadonlySet<string> => {
    let folders = known.get(construct);
    if (!folders) {
      const objects = construct.node.findAll().filter((one) => ApiObject.isApiObject(one));
      known.set(construct, folders = new Set(objects.map((one) => placeOf(one).folder.path)));
    }
    return folders;
  };
  const before = new Map<string, Set<string>>();
  for (const construct of dependent) {
    for (const other of construct.node.dependencies) {
      if (other.node.root !== app) continue;
      for (const folder of foldersIn(construct)) for (const first of foldersIn(other)) if (first !== folder) add(before, folder, first);
    }
  }
  const cycle = cycleIn(before);
  for (const folder of cycle) before.set(folder, new Set([...before.get(folder) ?? []].filter((first) => !cycle.has(first))));
  return { before, cycle };
}

/** Folders in cycles and between cycles: the rest without the folders that nothing comes before or after. */
function cycleIn(before: Before): ReadonlySet<string> {
  const after = reversed(before, new Set([...before].flatMap(([folder, others]) => [folder, ...others])));
  const waiting = neverFree(before, after);
  const later = reversed(before, waiting);
  return neverFree(later, reversed(later, waiting));
}

/** The folders that wait for ever. */
function neverFree(before: Before, after: Before): ReadonlySet<string> {
  const open = new Map([...after.keys()].map((folder) => [folder, before.get(folder)?.size ?? 0]));
  const free = [...open].filter(([, count]) => count === 0).map(([folder]) => folder);
  for (const folder of free) {
    open.delete(folder);
    for (const next of after.get(folder)!) {
      open.set(next, open.get(next)! - 1);
      if (open.get(next) === 0) free.push(next);
    }
  }
  return new Set(open.keys());
}

/** The reversed edges among some of the folders. */
function reversed(edges: Before, among: ReadonlySet<string>): Before {
  const result = new Map<string, Set<string>>([...among].map((folder) => [folder, new Set()]));
  for (const [folder, others] of edges) for (const other of others) if (among.has(folder)) result.get(other)?.add(folder);
  return result;
}

function add(before: Map<string, Set<string>>, folder: string, first: string): void {
  const others = before.get(folder);
  if (others) others.add(first);
  else before.set(folder, new Set([first]));
}
