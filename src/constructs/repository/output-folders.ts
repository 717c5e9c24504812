import { ApiObject, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { FileLayout, layOut } from './file-layout';
import { foldersBefore } from './folder-order';
import { GITOPS_RULES } from './rules';
import { nearestName } from '../../manifests/values/nearest-name';
import { Problem } from '../../manifests/values/problem';
import { inDependencyOrder } from '../app/synth/dependency-order';
import { clusterOf, inTree, OutputFolder, placeOf, writesTrees } from '../app/synth/output-place';
import { constructsIn } from '../app/synth/synthesis';

/** What `only` calls the files that belong to no cluster. */
const SHARED = 'shared';

/** A folder of the output, and what is written there. */
export interface FilledFolder {
  readonly folder: OutputFolder;

  /** The objects of each file, by the file's path below the app's output. */
  readonly files: ReadonlyMap<string, readonly ApiObject[]>;

  /** Paths of the folders that something in this one depends on. */
  readonly before: readonly string[];
}

/**
 * Sorts the objects of an app into folders and files. Neither the order in which charts were made nor their number shows in it.
 *
 * @param app the app
 * @param layout how objects are put into files
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

/** Checks that charts that have no place of their own do not meet in one folder: ids lose what paths cannot hold. */
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
      rule: GITOPS_RULES.folder,
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

/** Checks that a selection names clusters of the app. */
export function checkOnly(app: IConstruct, only: readonly string[] = []): Problem[] {
  if (only.length === 0) return [];
  const paths = new Set(constructsIn(app).filter((construct) => Chart.isChart(construct)).map((chart) => placeOf(chart).folder.path));
  const names = [SHARED, ...[...paths].flatMap((path) => selectedName(path) ?? [])];
  return only.filter((name) => !names.includes(name)).map((name) => {
    // The name of the management cluster is easily left out.
    const near = names.find((other) => other.endsWith(`/${name}`)) ?? nearestName(name, names);
    return {
      rule: GITOPS_RULES.only,
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
