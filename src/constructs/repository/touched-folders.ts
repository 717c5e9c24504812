import { FormerOutput } from './former-output';
import { KUSTOMIZATION_FILE } from './kustomization-file';
import { ObjectFile, RepositoryFiles } from './repository-files';
import { ManifestFile, StateReader } from '../../manifests/landscape/placed-objects';
import { groupedClusters } from '../../manifests/plan/grouped-clusters';
import { ChangeKind, PartKind, PlannedPart } from '../../manifests/plan/plan-model';
import { PlannedChanges, planObjects } from '../../manifests/plan/plan-objects';
import { planTotals, totalsWords } from '../../manifests/plan/plan-totals';
import { clusterName, isDisruptive, partLines, partName } from '../../manifests/plan/plan-words';
import { clusterOf, isChartFolder, placeOf } from '../app/synth/output-place';
import { TreeSummary } from '../app/synth/tree/write-tree';
import { FindFrozenChanges } from '../tenant/freeze';

/** A folder of which something differs. */
export interface TouchedFolder {
  readonly path: string;

  /** Files that are written now, and were not in the same way before. */
  readonly changed: readonly ObjectFile[];
  readonly unchanged: readonly ObjectFile[];

  /** Files that were written before. */
  readonly gone: readonly string[];
}

/** Folders whose files are not what an earlier synthesis wrote. */
export function touchedFolders(files: RepositoryFiles, former: FormerOutput): TouchedFolder[] {
  const now = new Map<string, ObjectFile[]>();
  for (const file of files.objectFiles()) {
    const beside = now.get(file.list);
    if (beside) beside.push(file);
    else now.set(file.list, [file]);
  }
  const lists = new Map([...former.lists()].filter(([list]) => (clusterOf(list) !== undefined || isChartFolder(list)) && files.writes(list)));
  return [...new Set([...lists.keys(), ...now.keys()])].map((path) => {
    const own = now.get(path) ?? [];
    const changed = own.filter((file) => !isSame(file, files, former));
    const paths = new Set(own.map((file) => file.path));
    const gone = [...lists.get(path)?.keys() ?? []].filter((file) => (
      file.startsWith(`${path}/`) && file.endsWith('.yaml') && !file.endsWith(`/${KUSTOMIZATION_FILE}`) && !paths.has(file)
      && !files.retains(file)));
    return { path, changed, unchanged: own.filter((file) => !changed.includes(file)), gone };
  }).filter(({ changed, gone }) => changed.length + gone.length > 0);
}

function isSame(file: ObjectFile, files: RepositoryFiles, former: FormerOutput): boolean {
  try {
    return former.holds(file.path, files.textOf(file));
  } catch {
    // An object cannot be written, which is reported.
    return false;
  }
}

/** The plans of controllers for the folders of an output that differ. */
export class FolderPlans {
  private readonly known = new Map<TouchedFolder, PlannedChanges | undefined>();

  public constructor(private readonly files: RepositoryFiles, private readonly former: FormerOutput) {}

  /** The plan of a folder; undefined if an object cannot be written, which is reported elsewhere. */
  public of(folder: TouchedFolder): PlannedChanges | undefined {
    if (!this.known.has(folder)) this.known.set(folder, this.find(folder));
    return this.known.get(folder);
  }

  private find({ changed, unchanged, gone }: TouchedFolder): PlannedChanges | undefined {
    const old = [...this.former.read([...changed.map(({ path }) => path), ...gone])].map(([file, bytes]): ManifestFile => ({ file, bytes }));
    try {
      const [same, now] = [unchanged, changed].map((list) => (
        list.map((file): ManifestFile => ({ file: file.path, bytes: Buffer.from(this.files.textOf(file)) }))));
      const reader = new StateReader();
      const [before, after] = [old, now].map((list) => reader.read([...same, ...list]).objects);
      return planObjects({ objects: before }, { objects: after });
    } catch {
      return undefined;
    }
  }
}

/** Number of changed parts of a cluster that are listed. */
const MOST_PARTS = 5;

/**
 * Finds the planned changes of clusters and pools. New ones change nothing.
 *
 * @param folders folders of the output that differ
 * @param plans their plans
 */
export function frozenChanges(folders: readonly TouchedFolder[], plans: FolderPlans): FindFrozenChanges {
  return (construct, pool) => {
    const folder = folders.find(({ path }) => path === placeOf(construct).folder.path);
    if (!folder) return [];
    const plan = plans.of(folder);
    const parts = plan ? plannedParts(plan) : [];
    const cluster = folder.path.split('/').at(-1)!;
    const shown = pool === undefined ? parts
      : parts.filter((part) => part.part === PartKind.POOL && part.name === pool && part.change !== ChangeKind.CREATED);
    const more = shown.length - MOST_PARTS;
    return [...shown.slice(0, MOST_PARTS).map((part) => wordsOf(part, cluster)), ...(more > 0 ? [`and ${more} more`] : [])];
  };
}

/** The parts of a cluster that change; none if it is new. */
function plannedParts({ clusters, shared }: PlannedChanges): readonly PlannedPart[] {
  const parts = [...clusters.flatMap((cluster) => cluster.parts), ...shared];
  return parts.every(({ change }) => change === ChangeKind.CREATED) ? [] : parts;
}

/** A part in words without the name of its cluster: they are the same for clusters with the same change. */
function wordsOf(part: PlannedPart, cluster: string): string {
  const name = part.name.startsWith(`${cluster}-`) ? part.name.slice(cluster.length + 1) : part.name;
  return `${partName({ ...part, name })}: ${partLines(part).join(', ')}`;
}

/**
 * The result of a synthesis in a line. Clusters of hosts are not counted: if there are files for hosts, counts of zero are omitted.
 */
export function summaryText(files: RepositoryFiles, { written, unchanged, adopted, removed }: TreeSummary, seconds: number): string {
  const { clusters, objects, hostFiles } = files;
  const counts = [[clusters, 'cluster'], [objects, 'object']] as const;
  return [
    ...counts.filter(([number]) => number > 0 || hostFiles === 0).map(([number, what]) => `${number} ${what}${number === 1 ? '' : 's'}`),
    `files: ${written.length} written, ${unchanged.length + adopted.length} unchanged, ${removed.length} removed`, `${seconds.toFixed(1)} s`,
  ].join('; ');
}

/** A plan of more folders would take too long. */
const MOST_PLANNED = 100;

const MORE = 'npx cdk8s-cluster-api plan shows everything.';

/**
 * The plans of controllers in at most three lines: the totals, the first replacement or deletion, and the command that shows the rest.
 *
 * @param folders folders of the output that differ
 * @param plans their plans
 * @param clusters number of clusters of the app
 */
export function changesText(folders: readonly TouchedFolder[], plans: FolderPlans, clusters: number): string {
  if (folders.length === 0) return '';
  if (folders.length > MOST_PLANNED) return `${folders.length} folders differ. ${MORE}\n`;
  const found = folders.flatMap((folder) => plans.of(folder) ?? []);
  const all: PlannedChanges = {
    clusters: found.flatMap((plan) => plan.clusters),
    shared: found.flatMap((plan) => plan.shared),
    unread: found.flatMap((plan) => plan.unread),
    clusterCount: clusters,
  };
  return [totalsWords(planTotals(all)), ...worstChange(all), MORE].map((line) => `${line}\n`).join('');
}

/** The first part with an object that is, or may be, replaced, moved or deleted. */
function worstChange({ clusters }: PlannedChanges): string[] {
  for (const { first, others } of groupedClusters(clusters)) {
    const part = first.parts.find(({ effects }) => effects.some(isDisruptive));
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    if (part) return [`  ${clusterName(first)}${more}: ${partName(part)}: ${partLines(part)[0]}`];
  }
  return [];
}
