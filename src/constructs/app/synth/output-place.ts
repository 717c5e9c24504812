import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { claimApart } from './claims';
import { answered } from './synthesis';
import { ConstructSlot } from '../app-state';

/** The folder that the objects of a chart are written to. */
export interface OutputFolder {
  /** The folder, below the app's output. */
  readonly path: string;

  /** Name of the management cluster whose tree the folder is in, the first name of the path; undefined if the output is one tree. */
  readonly tree?: string;

  /** The management cluster that the folder is applied to, if it is known. */
  readonly management?: OutputOwner;

  /** Name of the file of what belongs to no part, without its extension. */
  readonly mainFile: string;

  /** The tenant cluster that the folder is all about, if it is. */
  readonly tenant?: TenantFolder;
}

/** A management cluster that folders are applied to. */
export interface OutputOwner {
  readonly name?: string;
  readonly capabilities: object;
}

/** The tenant cluster that a folder is all about. */
interface TenantFolder {
  readonly namespace: string;
  readonly name: string;

  /** True if the cluster is being decommissioned. */
  readonly decommission?: boolean;

  /** Hibernation of the cluster, if it does. */
  readonly hibernation?: string;

  /** True if the cluster moves to another management cluster. */
  readonly moving?: boolean;

  /** Times at which it may change, if not always. */
  readonly changeWindows?: object[];
}

/** Namespace and name of a cluster in its management cluster. */
interface ClusterName {
  readonly namespace: string;
  readonly name: string;
}

/** The folder and file that an object is written to. */
interface OutputPlace {
  readonly folder: OutputFolder;

  /** The file below the folder, without its extension. */
  readonly file: string;
}

const FOLDER = new ConstructSlot<OutputFolder>('OutputFolder');
const PART = new ConstructSlot<string>('OutputPart');
const TREES = new ConstructSlot<true>('OutputTrees');

/** Folder of all clusters. */
const CLUSTERS = 'clusters';

/** Folder of all charts that have none of their own. */
const CHARTS = 'charts';

/** Folders, in a tree, of what several clusters use. */
const SHARED = { sources: `${CHARTS}/shared-sources`, classes: `${CHARTS}/cluster-classes` } as const;

/** Sets the folder for the objects of a chart, including nested charts. */
export function placeChart(chart: Chart, folder: OutputFolder): void {
  FOLDER.set(chart, folder);
  if (folder.tree !== undefined) claimApart(chart, folder.tree);
}

/**
 * Sets a separate file for the objects below a construct, within the folder of their chart.
 *
 * @param construct the construct; inner settings take precedence
 * @param part the file, without its extension: `pools/general`
 * @returns the construct
 */
export function placePart<T extends IConstruct>(construct: T, part: string): T {
  PART.set(construct, part);
  return construct;
}

/** True if a construct was given a file of its own. */
export function isPlaced(construct: IConstruct): boolean {
  return PART.get(construct) !== undefined;
}

/** Has an app write a tree for each management cluster. */
export function writeTrees(app: IConstruct): void {
  TREES.set(app, true);
}

/** True if the app around a construct writes a tree for each management cluster. */
export function writesTrees(scope: IConstruct): boolean {
  return TREES.get(scope.node.root) !== undefined;
}

/** The folder of everything about one cluster, below the tree that it is in. */
export function clusterPath({ namespace, name }: ClusterName): string {
  return [CLUSTERS, namespace, name].join('/');
}

/**
 * The folder of everything about one cluster, below the app's output.
 *
 * @param scope a construct of the app
 * @param cluster the cluster
 * @param management the management cluster that it is applied to, if it is known
 */
export function clusterFolder(scope: IConstruct, cluster: ClusterName, management?: OutputOwner): Pick<OutputFolder, 'path' | 'tree' | 'management'> {
  const tree = writesTrees(scope) ? management?.name : undefined;
  return { path: tree === undefined ? clusterPath(cluster) : `${tree}/${clusterPath(cluster)}`, tree, management };
}

/** The path of a folder below its tree. */
export function pathInTree({ path, tree }: Pick<OutputFolder, 'path' | 'tree'>): string {
  return tree === undefined ? path : path.slice(tree.length + 1);
}

/** A path below a tree as one below the app's output. */
export function inTree(tree: string | undefined, path: string): string {
  return tree === undefined ? path : `${tree}/${path}`;
}

/**
 * The chart of what the clusters of a tree share, which is made for the first of them. Its files stay as long as a cluster of the output may use
 * them: each has the name of an object by which clusters name it.
 *
 * @param scope a construct of a cluster
 * @param what sources of deliveries, or ClusterClasses
 * @param make makes the chart
 */
export function sharedChart(scope: IConstruct, what: keyof typeof SHARED, make: (app: IConstruct, id: string) => Chart): Chart {
  const { tree, management } = placeOf(scope).folder;
  const { root } = scope.node;
  const path = inTree(tree, SHARED[what]);
  const id = path.replaceAll('/', '.');
  const known = root.node.tryFindChild(id) as Chart | undefined;
  if (known) return known;
  const chart = make(root, id);
  placeChart(chart, { path, tree, management, mainFile: what });
  return chart;
}

/** True if a path below the app's output is that of a folder of what clusters share. */
export function isSharedFolder(path: string): boolean {
  return Object.values(SHARED).some((folder) => path === folder || path.endsWith(`/${folder}`));
}

/** True if a path below the app's output is that of the folder of a chart without one of its own. */
export function isChartFolder(path: string): boolean {
  return path.startsWith(`${CHARTS}/`);
}

/** The cluster whose folder, below the app's output, has a path; undefined for the path of another folder. */
export function clusterOf(path: string): ClusterName & Pick<OutputFolder, 'tree'> | undefined {
  const names = path.split('/');
  const [name, namespace, folder, tree, ...above] = [...names].reverse();
  return folder === CLUSTERS && above.length === 0 ? { namespace, name, tree } : undefined;
}

/**
 * The folder and file that the objects of a construct are written to.
 *
 * @param construct an object, or what objects are in
 */
export function placeOf(construct: IConstruct): OutputPlace {
  let part: string | undefined;
  for (let scope: IConstruct | undefined = construct; scope; scope = scope.node.scope) {
    part ??= PART.get(scope);
    const folder = FOLDER.get(scope);
    if (folder) return { folder, file: part ?? folder.mainFile };
  }
  const folder = chartFolder(construct);
  return { folder, file: part ?? folder.mainFile };
}

/** The folder of another library's chart: the ids of its path, which only change with a rename. */
function chartFolder(construct: IConstruct): OutputFolder {
  const chart = Chart.of(construct);
  return answered(chart, 'folder', () => folderOf(chart));
}

function folderOf(chart: Chart): OutputFolder {
  const ids = chart.node.path.split('/').map((id) => id.replace(/[^A-Za-z0-9._-]+/g, '-'));
  // Not one below the other: each folder is applied by itself.
  return { path: `${CHARTS}/${ids.join('.')}`, mainFile: ids[ids.length - 1] };
}
