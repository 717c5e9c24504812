import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { answered } from './synthesis';

const FOLDER = Symbol.for('cdk8s-cluster-api.OutputFolder');
const PART = Symbol.for('cdk8s-cluster-api.OutputPart');

/** The folder that the objects of a chart are written to. */
export interface OutputFolder {
  /** The folder, below the app's output. */
  readonly path: string;

  /** Name of the file of what belongs to no part, without its extension. */
  readonly mainFile: string;

  /** The tenant cluster that the folder is all about, if it is. */
  readonly tenant?: TenantFolder;
}

/** What others need to know of a folder that is all about one tenant cluster. */
export interface TenantFolder {
  readonly namespace: string;
  readonly name: string;

  /** Whether the cluster is being decommissioned. */
  readonly decommission?: boolean;

  /** How deeply the cluster sleeps, if it does. */
  readonly hibernation?: string;
}

/** Where one object is written. */
export interface OutputPlace {
  readonly folder: OutputFolder;

  /** The file below the folder, without its extension. */
  readonly file: string;
}

interface Holder {
  [FOLDER]?: OutputFolder;
  [PART]?: string;
}

/** Folder of all charts that have none of their own. */
const CHARTS = 'charts';

/** Sets the folder for the objects of a chart, including nested charts. */
export function placeChart(chart: Chart, folder: OutputFolder): void {
  Object.defineProperty(chart, FOLDER, { value: folder });
}

/**
 * Sets a separate file for the objects below a construct, within the folder of their chart.
 *
 * @param construct the construct; inner settings take precedence
 * @param part the file, without its extension: `pools/general`
 * @returns the construct
 */
export function placePart<T extends IConstruct>(construct: T, part: string): T {
  return Object.defineProperty(construct, PART, { value: part });
}

/** Whether a construct was given a file of its own. */
export function isPlaced(construct: IConstruct): boolean {
  return (construct as Holder)[PART] !== undefined;
}

/** The folder of everything about one cluster, below the app's output. */
export function clusterPath({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return ['clusters', namespace, name].join('/');
}

/**
 * Where the objects of a construct are written.
 *
 * @param construct an object, or what objects are in
 */
export function placeOf(construct: IConstruct): OutputPlace {
  let part: string | undefined;
  for (let scope: IConstruct | undefined = construct; scope; scope = scope.node.scope) {
    const { [FOLDER]: folder, [PART]: found } = scope as Holder;
    part ??= found;
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
