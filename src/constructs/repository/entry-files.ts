import { ApiObject, App, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { entryName } from './entry-names';
import { FilledFolder } from './output-folders';
import { Rollout } from './rollout-steps';
import { CLUSTER_NAME_LABEL } from '../../manifests/rules/cluster-api/cluster-api-kinds';
import { Problem, Rule } from '../../manifests/values/problem';
import { inTree, OutputFolder, pathInTree, placeOf } from '../app/synth/output-place';
import { constructsIn } from '../app/synth/synthesis';
import { TypedApiObject } from '../app/synth/typed-api-object';
import { Hibernation } from '../contracts/cluster-context';
import { EntryPoints, EntryTarget } from '../contracts/delivery/entry-points';
import { EntryTurn } from '../contracts/delivery/entry-step';
import { apiObjects } from '../contracts/delivery/tenant-manifests';
import { TimeWindow } from '../contracts/delivery/time-window';

/** The folder of a cluster that is applied separately if addons wait for it. */
export const ADDONS = 'addons';

/** Objects of entry points, by the path of their file. */
export type EntryFiles = ReadonlyMap<string, readonly ApiObject[]>;

/** The entry of one folder: its file may stay when the code that makes the folder is gone. */
export interface FolderEntries {
  readonly folder: OutputFolder;
  readonly targets: readonly EntryTarget[];
}

/**
 * The entries of folders for a GitOps tool.
 *
 * @param folders the folders of the app, with everything in them
 * @param addonsApart true if the addons of clusters are applied separately
 * @param turns the turns of clusters in a rollout, by the path of their folder
 */
export function folderEntries(folders: readonly FilledFolder[], addonsApart: boolean, turns: Rollout['turns'] = new Map()): FolderEntries[] {
  const awaited = new Set(folders.flatMap(({ before }) => before));
  return folders.map((filled) => {
    const { folder } = filled;
    return { folder, targets: targetsOf(filled, awaited.has(folder.path), addonsApart, turns.get(folder.path)) };
  });
}

/** The files of entry points. */
export function entryFiles(entryPoints: EntryPoints, entries: readonly FolderEntries[]): EntryFiles {
  const files = new Map<string, readonly ApiObject[]>();
  for (const { folder, targets } of entries) {
    const chart = scratchChart();
    targets.forEach((target) => entryPoints.addEntry(chart, target));
    addFile(files, entryFile(entryPoints, folder), chart);
  }
  const trees = new Set(entries.map(({ folder }) => folder.tree));
  for (const tree of trees.size > 0 ? trees : [undefined]) {
    const shared = scratchChart();
    entryPoints.addShared(shared, entries.filter(({ folder }) => folder.tree === tree).flatMap(({ targets }) => targets));
    addFile(files, inTree(tree, `${entryPoints.folder}/all.yaml`), shared);
  }
  return files;
}

/**
 * The files of steps of a rollout: of the objects that tell when one is done, and of what it has applied.
 *
 * @param entryPoints the entry points
 * @param rollout the steps
 */
export function stepFiles(entryPoints: EntryPoints, { steps }: Rollout): EntryFiles {
  const files = new Map<string, readonly ApiObject[]>();
  for (const { step, tree } of steps) {
    const [chart, content] = [scratchChart(), scratchChart()];
    entryPoints.addStep(chart, content, step);
    addFile(files, inTree(tree, `${entryPoints.folder}/${step.name}.yaml`), chart);
    addFile(files, `${step.folder}/clusters.yaml`, content);
  }
  return files;
}

/** The ConfigMap in the folder of a cluster that changes with its content. */
export function markerOf(turn: EntryTurn, data: { [key: string]: string } | undefined): ApiObject {
  const { cluster, marker } = turn;
  return new TypedApiObject(scratchChart(), 'Marker', { apiVersion: 'v1', kind: 'ConfigMap' }, {
    metadata: { name: marker, namespace: cluster.namespace, labels: { [CLUSTER_NAME_LABEL]: cluster.name } },
    ...(data && { data }),
  });
}

/** The file of the entry points of a folder. */
export function entryFile(entryPoints: Pick<EntryPoints, 'folder'>, folder: OutputFolder): string {
  return inTree(folder.tree, `${entryPoints.folder}/${entryName(pathInTree(folder))}.yaml`);
}

const ENTRY_NAME_RULE: Rule = {
  id: 'TC-GITOPS-ENTRY-NAME',
  title: 'The entries of folders must have different names: a GitOps tool would know only one of two.',
};

/** Checks that no two folders have entries of one name: paths can have more characters. Names for addons follow from them. */
export function checkEntryNames(app: IConstruct): Problem[] {
  const folders = new Map(constructsIn(app).filter((construct) => ApiObject.isApiObject(construct)).map((object) => placeOf(object).folder)
    .map((folder) => [folder.path, folder]));
  const owners = new Map<string, string>();
  return [...folders.keys()].sort().flatMap((path) => {
    const folder = folders.get(path)!;
    const name = entryName(pathInTree(folder));
    const key = inTree(folder.tree, name);
    const owner = owners.get(key);
    owners.set(key, owner ?? path);
    return owner === undefined ? [] : [{
      rule: ENTRY_NAME_RULE,
      message: `the folders ${owner} and ${path} would both have the entry "${name}"`,
      fix: 'give the chart of one of them another id, or the cluster another name',
    }];
  });
}

function targetsOf(filled: FilledFolder, awaited: boolean, addonsApart: boolean, turn?: EntryTurn): EntryTarget[] {
  const { folder, files } = filled;
  const objects = [...files.values()].flat();
  const { tenant } = folder;
  const leaving = tenant?.decommission ?? false;
  const windows = tenant?.changeWindows && { changeWindows: tenant.changeWindows as TimeWindow[] };
  const stopped = tenant?.moving && { stopped: true };
  const inOwnTree = (path: string) => entryName(pathInTree({ path, tree: folder.tree }));
  const whole: EntryTarget = {
    name: inOwnTree(folder.path),
    folder: folder.path,
    // The tool of one management cluster does not know the folders of another one.
    after: filled.before.filter((path) => path.startsWith(inTree(folder.tree, ''))).map(inOwnTree),
    // A tenant's machines are ready only with its addons, which come after them.
    wait: awaited && !tenant,
    leaving,
    turn,
    ...windows,
    ...stopped,
    infrastructureKinds: [...new Set(objects.filter(isInfrastructure).map(({ kind }) => kind))].sort(),
  };
  const addons = `${folder.path}/${ADDONS}`;
  if (!addonsApart || !tenant || ![...files.keys()].some((file) => file.startsWith(`${addons}/`))) return [whole];
  // Addons do not wait for a cluster that is taken down: its deliveries must change at once.
  if (leaving) return [whole, { ...whole, name: inOwnTree(addons), folder: addons }];
  // The control plane of a hibernated cluster does not become ready.
  const waitFor = tenant.hibernation === Hibernation.FULL ? undefined : { namespace: tenant.namespace, name: tenant.name };
  return [
    { ...whole, waitFor },
    { name: inOwnTree(addons), folder: addons, after: [whole.name], ...windows, ...stopped, infrastructureKinds: [] },
  ];
}

function isInfrastructure({ apiGroup, kind }: ApiObject): boolean {
  return apiGroup === 'infrastructure.cluster.x-k8s.io' && kind.endsWith('Cluster');
}

function scratchChart(): Chart {
  return new Chart(new App(), 'entry-points', { disableResourceNameHashes: true });
}

function addFile(files: Map<string, readonly ApiObject[]>, file: string, chart: Chart): void {
  const objects = apiObjects(chart);
  if (objects.length > 0) files.set(file, objects);
}
