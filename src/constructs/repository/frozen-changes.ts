import { FolderPlans } from './folder-plans';
import { TouchedFolder } from './touched-folders';
import { ChangeKind, PartKind, PlannedPart } from '../../manifests/plan/plan-model';
import { PlannedChanges } from '../../manifests/plan/plan-objects';
import { partLines, partName } from '../../manifests/plan/plan-words';
import { placeOf } from '../app/synth/output-place';
import { FindFrozenChanges } from '../tenant/freeze';

/** Of the parts of a cluster that change, this many are told of. */
const MOST_PARTS = 5;

/**
 * Finds what the plan shows for clusters and pools. What is new changes nothing.
 *
 * @param folders folders of the output that differ
 * @param plans what happens with them
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

/** What becomes of a cluster; nothing if it is new. */
function plannedParts({ clusters, shared }: PlannedChanges): readonly PlannedPart[] {
  const parts = [...clusters.flatMap((cluster) => cluster.parts), ...shared];
  return parts.every(({ change }) => change === ChangeKind.CREATED) ? [] : parts;
}

/** A part in words that are the same for clusters in which the same happens. */
function wordsOf(part: PlannedPart, cluster: string): string {
  const name = part.name.startsWith(`${cluster}-`) ? part.name.slice(cluster.length + 1) : part.name;
  return `${partName({ ...part, name })}: ${partLines(part).join(', ')}`;
}
