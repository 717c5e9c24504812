import { partOf, POOL_KINDS } from './cluster-parts';
import { compareObjects, Difference } from './paired-objects';
import { ComparedCluster, partEffects } from './part-effects';
import { ChangeKind, PartKind, PlannedCluster, PlannedPart } from './plan-model';
import { clusterName, namesWords } from './plan-words';
import { ClusterState } from '../landscape/cluster-model';
import { compareTexts } from '../landscape/place';
import { ReadObject } from '../landscape/placed-objects';
import { readLandscape } from '../landscape/read-landscape';
import { groupKind, ManifestObject } from '../manifests/manifest-object';
import { Effect } from '../rules/changes/effects';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts } from '../validation/providers';

/** What becomes of clusters, and of objects that belong to none. */
export interface PlannedChanges {
  readonly clusters: readonly PlannedCluster[];

  /** Parts of no cluster, or of several. */
  readonly shared: readonly PlannedPart[];

  /** How many clusters there are, before or after. */
  readonly clusterCount: number;
}

const PART_ORDER: readonly PartKind[] = Object.values(PartKind);
const MAKES_MACHINES: readonly Effect[] = [Effect.MACHINES, Effect.SCALED];

/**
 * Foresees what controllers will do.
 *
 * @param before the objects of the earlier state
 * @param after the objects of the later state
 */
export function planObjects(before: readonly ReadObject[], after: readonly ReadObject[]): PlannedChanges {
  const comparison = compareObjects(before, after);
  const [old, now] = [before, after].map((objects) => new Map(readLandscape({ objects }).clusters.map((cluster) => [cluster.id, cluster])));
  const byOwner = new Map<string | undefined, Difference[]>();
  for (const difference of comparison.differences) {
    const id = difference.owners.length === 1 ? difference.owners[0].id : undefined;
    const same = byOwner.get(id);
    if (same) same.push(difference);
    else byOwner.set(id, [difference]);
  }
  const clusters = [...byOwner].filter((entry): entry is [string, Difference[]] => entry[0] !== undefined)
    .map(([id, differences]) => plannedCluster(differences, { comparison, old: old.get(id), now: now.get(id) }))
    .sort((one, other) => compareTexts(one.namespace ?? '', other.namespace ?? '') || compareTexts(one.name, other.name));
  return {
    clusters,
    shared: plannedParts(byOwner.get(undefined) ?? [], { comparison }),
    clusterCount: new Set([...old.keys(), ...now.keys()]).size,
  };
}

function plannedCluster(differences: readonly Difference[], around: ComparedCluster): PlannedCluster {
  const { namespace, name } = differences[0].owners[0];
  const change = !around.old ? ChangeKind.CREATED : around.now ? ChangeKind.CHANGED : ChangeKind.REMOVED;
  return { namespace, name, change, notes: clusterNotes(around), parts: plannedParts(differences, around) };
}

function clusterNotes({ old, now }: ComparedCluster): string[] {
  const notes: string[] = [];
  if (old && now && old.state !== now.state) {
    if (now.state === ClusterState.PAUSED) notes.push('it is paused: Cluster API does nothing until it is resumed');
    else if (old.state === ClusterState.PAUSED) notes.push('it is resumed: what was changed while it was paused is done now');
    else if (now.state === ClusterState.DECOMMISSION) notes.push('it is taken down: its machines and its control plane are deleted, the rest stays');
  } else if (now?.state === ClusterState.PAUSED) {
    notes.push('it is paused: Cluster API does nothing of this until it is resumed');
  }
  const [former, later] = [old?.endpoint, now?.endpoint];
  if (former !== undefined && later !== undefined && former !== later) notes.push(`address of the API server ${former} -> ${later}`);
  return notes;
}

function plannedParts(differences: readonly Difference[], around: ComparedCluster): PlannedPart[] {
  const { old, now } = around.comparison;
  const parts = new Map<string, { readonly part: PartKind; readonly name: string; readonly differences: Difference[] }>();
  for (const difference of differences) {
    const { part, name } = partOf(difference, old, now);
    const key = `${PART_ORDER.indexOf(part)} ${name}`;
    const known = parts.get(key) ?? { part, name, differences: [] };
    parts.set(key, known);
    known.differences.push(difference);
  }
  const upgrades = upgradesControlPlane(around);
  return [...parts.values()]
    .sort((one, other) => PART_ORDER.indexOf(one.part) - PART_ORDER.indexOf(other.part) || compareTexts(one.name, other.name))
    .map((entry) => plannedPart(entry.part, entry.name, entry.differences, around, upgrades));
}

function upgradesControlPlane({ old, now }: ComparedCluster): boolean {
  return old?.version !== undefined && now?.version !== undefined && old.version !== now.version;
}

function plannedPart(part: PartKind, name: string, differences: readonly Difference[], around: ComparedCluster, upgrades: boolean): PlannedPart {
  const main = mainObject(part, differences);
  const change = main ? main.shown.change : commonChange(differences);
  const effects = partEffects(part, name, differences, around);
  const clusters = [...new Set(differences.flatMap(({ owners }) => owners.map(clusterName)))].sort(compareTexts);
  const getsMachines = part === PartKind.POOL && change !== ChangeKind.REMOVED && effects.some(({ effect }) => MAKES_MACHINES.includes(effect));
  return {
    part,
    name,
    change,
    effects,
    ...(clusters.length > 1 && { clusters }),
    notes: [...upgrades && getsMachines ? ['new machines wait until the control plane has its version'] : [], ...removalNotes(differences), ...suspensionNotes(differences, around), ...sharedNotes(clusters)],
    objects: differences.map(({ shown }) => shown),
  };
}

/** The object that a part is about. */
function mainObject(part: PartKind, differences: readonly Difference[]): Difference | undefined {
  if (part === PartKind.POOL) return differences.find(({ before, after }) => POOL_KINDS.includes(groupKind((after ?? before)!)));
  return differences.length === 1 ? differences[0] : undefined;
}

function commonChange(differences: readonly Difference[]): ChangeKind {
  const kinds = new Set(differences.map(({ shown }) => shown.change));
  return kinds.size === 1 ? [...kinds][0] : ChangeKind.CHANGED;
}

function removalNotes(differences: readonly Difference[]): string[] {
  // Templates go with their Cluster.
  const staying = differences.filter(({ shown }) => shown.stays && !shown.kind.endsWith('Template')).map(({ shown }) => `${shown.kind} ${shown.name}`);
  return staying.length === 0 ? [] : [`stays in the cluster: ${staying.join(', ')}`];
}

function sharedNotes(clusters: readonly string[]): string[] {
  return clusters.length > 1 ? [`for ${namesWords(clusters)}`] : [];
}

function suspensionNotes(differences: readonly Difference[], { comparison: { old, now } }: ComparedCluster): string[] {
  const isSuspended = (object: ManifestObject | undefined, index: ManifestIndex) => (
    object !== undefined && deliveryFacts(object)?.read?.(object, index).suspended === true);
  return [...new Set(differences.flatMap(({ before, after }) => {
    if (isSuspended(after, now)) return ['it is suspended: nothing is applied until it is resumed'];
    return after && isSuspended(before, old) ? ['it is resumed: what changed while it was suspended is applied now'] : [];
  }))];
}
