import { FormerOutput } from './former-output';
import { RepositoryFiles } from './repository-files';
import { TouchedFolder } from './touched-folders';
import { ManifestFile, StateReader } from '../landscape/placed-objects';
import { ChangeKind, PartKind, PlannedPart } from '../plan/plan-model';
import { planObjects } from '../plan/plan-objects';
import { partLines, partName } from '../plan/plan-words';
import { placeOf } from '../synth/output-place';
import { FindFrozenChanges } from '../tenant-cluster/freeze';

/** Of the parts of a cluster that change, this many are told of. */
const MOST_PARTS = 5;

/**
 * Finds what the plan shows for clusters and pools. What is new changes nothing.
 *
 * @param folders folders of the output that differ
 * @param files what is written now
 * @param former what was written before
 */
export function frozenChanges(folders: readonly TouchedFolder[], files: RepositoryFiles, former: FormerOutput): FindFrozenChanges {
  const plans = new Map<TouchedFolder, readonly PlannedPart[]>();
  return (construct, pool) => {
    const folder = folders.find(({ path }) => path === placeOf(construct).folder.path);
    if (!folder) return [];
    const parts = plans.get(folder) ?? plannedParts(folder, files, former);
    plans.set(folder, parts);
    const cluster = folder.path.split('/').at(-1)!;
    const shown = pool === undefined ? parts
      : parts.filter((part) => part.part === PartKind.POOL && part.name === pool && part.change !== ChangeKind.CREATED);
    const more = shown.length - MOST_PARTS;
    return [...shown.slice(0, MOST_PARTS).map((part) => wordsOf(part, cluster)), ...(more > 0 ? [`and ${more} more`] : [])];
  };
}

/** What becomes of a cluster; nothing if it is new. */
function plannedParts({ changed, unchanged, gone }: TouchedFolder, files: RepositoryFiles, former: FormerOutput): readonly PlannedPart[] {
  const old = [...former.read([...changed.map(({ path }) => path), ...gone])].map(([file, bytes]): ManifestFile => ({ file, bytes }));
  if (old.length + unchanged.length === 0) return [];
  try {
    const [same, now] = [unchanged, changed].map((list) => (
      list.map((file): ManifestFile => ({ file: file.path, bytes: Buffer.from(files.textOf(file)) }))));
    const reader = new StateReader();
    const [before, after] = [old, now].map((list) => reader.read([...same, ...list]).objects);
    const { clusters, shared } = planObjects(before, after);
    return [...clusters.flatMap(({ parts }) => parts), ...shared];
  } catch {
    // An object cannot be written, which is reported.
    return [];
  }
}

/** A part in words that are the same for clusters in which the same happens. */
function wordsOf(part: PlannedPart, cluster: string): string {
  const name = part.name.startsWith(`${cluster}-`) ? part.name.slice(cluster.length + 1) : part.name;
  return `${partName({ ...part, name })}: ${partLines(part).join(', ')}`;
}
