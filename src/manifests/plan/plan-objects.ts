import { ChartChanges, chartChanges } from './chart-changes';
import { clusterNotes, isTopology, withRenamed } from './cluster-notes';
import { ClusterWaits } from './cluster-waits';
import { plannedUpgrades } from './component-upgrades';
import { partConsequences } from './consequences/part-consequences';
import { orderOf, WAITS_FOR_CONTROL_PLANE, withSuccessors } from './consequences/part-order';
import { isRolloutPaused } from './held-machines';
import { unmetDependencies } from './missing-dependencies';
import { Difference } from './paired-objects';
import { ComparedCluster, partEffects, partOf } from './part-effects';
import { ChangeKind, PartKind, PartOf, PlannedCluster, PlannedPart, UnreadFile } from './plan-model';
import { OpeningSearch, withOpenings, withOwnOpenings } from './plan-openings';
import { clusterName, namesWords, withManagement } from './plan-words';
import { comparedWithRefusals, isRefusedLater } from './refused-changes';
import { changingKustomizations, sortedFiles, unreadFiles, withoutTemplates } from './unread-files';
import { Cluster, ClusterState } from '../landscape/cluster-model';
import { deliveryHold } from '../landscape/delivery-holds';
import { objectKey } from '../landscape/file-appliers';
import { LiveObjects } from '../landscape/live-objects';
import { managementClusters } from '../landscape/management-clusters';
import { ManifestState } from '../landscape/manifest-state';
import { compareTexts } from '../landscape/place';
import { fileOf, StateReader } from '../landscape/placed-objects';
import { readManagementCluster } from '../landscape/read-landscape';
import { groupKind, groupOf, ManifestObject, nameOf } from '../objects/manifest-object';
import { Effect } from '../rules/changes/effects';
import { CLUSTER_API_GROUPS, MACHINE_DEPLOYMENT } from '../rules/cluster-api/cluster-api-kinds';
import { skipsCheck } from '../rules/cluster-api/preflight-checks';
import { isCluster } from '../rules/cluster-api/whole-clusters';
import { ManifestIndex } from '../rules/manifest-index';
import { whileUnchanged } from '../rules/of-one-object';
import { KindDefinitions } from '../rules/structure/kind-definitions';
import { withDefinedKinds } from '../rules/structure/structures';
import { deliveryFacts } from '../systems/providers';
import { stringAt } from '../values/fields';

/** Changes of clusters, and of objects that belong to none. */
export interface PlannedChanges {
  readonly clusters: readonly PlannedCluster[];

  /** Parts of no cluster, or of several. */
  readonly shared: readonly PlannedPart[];

  /** Files of which the plan tells nothing else. */
  readonly unread: readonly UnreadFile[];

  /** Number of clusters in either state. */
  readonly clusterCount: number;
}

const PART_ORDER: readonly PartKind[] = Object.values(PartKind);
const MAKES_MACHINES: readonly Effect[] = [Effect.MACHINES, Effect.SCALED];

/** The parts that are about one object, and hold others beside it. */
const ABOUT_ONE_OBJECT: readonly PartKind[] = [PartKind.CLUSTER, PartKind.CONTROL_PLANE, PartKind.POOL];

/** Plan of a management cluster, and the clusters that differ, by their names. */
interface ManagementPlan extends Omit<PlannedChanges, 'unread'> {
  readonly differences: readonly Difference[];
  readonly unlisted: readonly UnreadFile[];
  readonly old: ReadonlyMap<string, Cluster>;
  readonly now: ReadonlyMap<string, Cluster>;
}

/** Options of `plan`. */
export interface PlanOptions {
  /**
   * CustomResourceDefinitions of kinds, beside those among the objects.
   *
   * @default - none
   */
  readonly definitions?: readonly unknown[];
}

/**
 * Foresees what controllers will do when one state of manifests replaces another.
 *
 * @param before all objects of the earlier state, or lists of them
 * @param after all objects of the later state, or lists of them
 * @param options how it is foreseen
 */
export function plan(before: readonly unknown[], after: readonly unknown[], { definitions }: PlanOptions = {}): PlannedChanges {
  const reader = new StateReader();
  const [old, now] = [before, after].map((objects) => ({ objects: reader.read([fileOf(objects)]).objects }));
  return planObjects(old, now, undefined, definitions);
}

/**
 * Foresees what controllers will do.
 *
 * @param before the earlier state
 * @param after the later state
 * @param live what the management cluster holds now, for the numbers of machines
 * @param definitions CustomResourceDefinitions of kinds, beside those among the objects
 * @param at the time of the change, in milliseconds since 1970, for deliveries that apply changes at stated times only
 */
export function planObjects(
  before: ManifestState, after: ManifestState, live?: LiveObjects, definitions: readonly unknown[] = [], at?: number,
): PlannedChanges {
  const among = [after, before].map(({ objects }) => objects.map(({ object }) => object));
  return withDefinedKinds(new KindDefinitions(definitions, ...among), () => whileUnchanged(() => planStates(before, after, { live, at })));
}

/** Facts beside the two states. */
interface PlanKnowledge {
  readonly live: LiveObjects | undefined;
  readonly at: number | undefined;
}

function planStates(before: ManifestState, after: ManifestState, known: PlanKnowledge): PlannedChanges {
  const management = managementClusters(withoutTemplates([before, after]));
  const charts = chartChanges(before, after);
  const plans = management.map(({ name, states: [old, now] }) => planManagementCluster(old, now, name, { ...known, charts: charts.effects }));
  const former = management.filter(({ states: [{ objects }] }) => objects.length > 0).map(({ name }) => name);
  const [old, now] = (['old', 'now'] as const).map((state) => new Map(plans.flatMap((one) => [...one[state]])));
  return {
    clusters: withRenamed(plans.flatMap(({ clusters }) => clusters), { old, now, former: new Set(former) }),
    shared: plans.flatMap(({ shared }) => shared),
    unread: sortedFiles([
      ...unreadFiles(before, after).filter(({ file }) => !charts.files.has(file)),
      ...changingKustomizations(plans.flatMap(({ differences }) => differences), before, after),
      ...plans.flatMap(({ unlisted }) => unlisted),
    ]),
    get clusterCount() {
      return plans.reduce((all, one) => all + one.clusterCount, 0);
    },
  };
}

function planManagementCluster(
  before: ManifestState, after: ManifestState, managementCluster: string | undefined,
  { live, at, charts }: PlanKnowledge & { readonly charts: ChartChanges['effects'] },
): ManagementPlan {
  const comparison = comparedWithRefusals(before, after, live, charts);
  const states = [comparison.oldOwners, comparison.nowOwners];
  const openings = at === undefined ? undefined : new OpeningSearch(at, comparison.old, comparison.now);
  const touched = new Set(comparison.differences.flatMap(({ owners }) => owners.map(({ id }) => id)));
  // Of a fleet, most clusters are the same.
  const [old, now] = states.map((owners, index) => (
    new Map(readManagementCluster(owners.objectsOf(touched)).clusters.map((cluster) => [cluster.id, live?.sized(cluster, index > 0) ?? cluster]))));
  const byOwner = new Map<string | undefined, Difference[]>();
  for (const difference of comparison.differences) {
    const id = difference.owners.length === 1 ? difference.owners[0].id : undefined;
    const same = byOwner.get(id);
    if (same) same.push(difference);
    else byOwner.set(id, [difference]);
  }
  const planned = new Map([...byOwner].filter((entry): entry is [string, Difference[]] => entry[0] !== undefined).map(([id, differences]) => (
    [id, plannedCluster(differences, { comparison, clusters: old, old: old.get(id), now: now.get(id), live, openings })])));
  const waits = new ClusterWaits(byOwner, comparison.now);
  const clusters = [...planned].map(([id, cluster]) => waits.noted(id, cluster, (other) => planned.get(other)!))
    .sort((one, other) => compareTexts(one.namespace ?? '', other.namespace ?? '') || compareTexts(one.name, other.name));
  const shared = withOwnOpenings(plannedParts(byOwner.get(undefined) ?? [], { comparison, clusters: old, openings }));
  const [oldByName, nowByName] = [old, now].map((known) => (
    new Map([...known].map(([id, cluster]) => [withManagement(managementCluster, id), cluster]))));
  let count: number | undefined;
  return {
    clusters: managementCluster === undefined ? clusters : clusters.map((cluster) => ({ managementCluster, ...cluster })),
    shared: managementCluster === undefined ? shared : shared.map((part) => ({ managementCluster, ...part })),
    // Files that are the same are read for it alone.
    get clusterCount() {
      count ??= new Set([...states.flatMap(({ clusters: known }) => known.map(({ id }) => id)), ...after.otherClusters?.() ?? []]).size;
      return count;
    },
    differences: comparison.differences,
    unlisted: comparison.unlisted,
    old: oldByName,
    now: nowByName,
  };
}

function plannedCluster(differences: readonly Difference[], around: ComparedCluster): PlannedCluster {
  const { namespace, name } = differences[0].owners[0];
  const isDeleted = differences.some(({ before, after, shown }) => before && !after && isCluster(before) && !shown.stays);
  const ofCluster = differences.filter(({ before }) => before && isCluster(before));
  const isMoved = ofCluster.some(({ shown }) => shown.change === ChangeKind.MOVED);
  const notes = [...ofCluster.flatMap(({ because }) => because ?? []), ...clusterNotes(around, around.comparison.nowOwners.clusters)];
  const applied = isDeleted ? differences.map(deletedWithCluster) : differences;
  const { parts, notes: openings } = withOpenings(withSuccessors(plannedParts(applied, { ...around, isDeleted, isMoved, notes })));
  const order = isDeleted ? undefined : orderOf(parts, around);
  return {
    namespace,
    name,
    change: isMoved ? ChangeKind.MOVED : clusterChange(around, isDeleted),
    paused: around.now?.state === ClusterState.PAUSED,
    notes: [...notes, ...openings],
    ...(order && { order }),
    parts,
  };
}

function clusterChange({ old, now }: ComparedCluster, isDeleted: boolean): ChangeKind {
  if (isDeleted || (old && !now && !hasCluster(old))) return ChangeKind.REMOVED;
  return now && (!old || (!hasCluster(old) && hasCluster(now))) ? ChangeKind.CREATED : ChangeKind.CHANGED;
}

function hasCluster({ state }: Cluster): boolean {
  return state !== ClusterState.DECOMMISSION && state !== ClusterState.INCOMPLETE;
}

/** A Cluster takes along what Cluster API owns and what is in the tenant: no mark of a GitOps tool keeps that. */
function deletedWithCluster(difference: Difference): Difference {
  const { before, shown } = difference;
  const goes = before && (shown.inTenant || CLUSTER_API_GROUPS.includes(groupOf(before)));
  return goes ? { ...difference, shown: { ...shown, stays: false } } : difference;
}

function plannedParts(differences: readonly Difference[], around: ComparedCluster): PlannedPart[] {
  const { old, now } = around.comparison;
  const parts = new Map<string, { readonly part: PartOf; readonly differences: Difference[] }>();
  for (const difference of differences) {
    const part = partOf(difference, old, now);
    const key = [PART_ORDER.indexOf(part.part), part.kind, part.name].join(' ');
    const known = parts.get(key) ?? { part, differences: [] };
    parts.set(key, known);
    known.differences.push(difference);
  }
  const upgrades = upgradesControlPlane(around);
  const isRefused = (difference: Difference) => difference.refusals !== undefined || isRefusedLater(difference);
  const refused = [...parts.values()].filter(({ part }) => part.part === PartKind.CONTROL_PLANE).flatMap(({ part, differences: own }) => (
    own.filter((one) => isRefused(one) && one.after && groupKind(one.after) === part.kind && one.shown.change === ChangeKind.CHANGED)));
  const refusedPlane = refused.map(({ shown }) => `${shown.kind} ${shown.name}`)[0];
  return [...parts.values()]
    .sort(({ part: one }, { part: other }) => (
      PART_ORDER.indexOf(one.part) - PART_ORDER.indexOf(other.part) || compareTexts(one.name, other.name) || compareTexts(one.kind, other.kind)))
    .map((entry) => plannedPart(entry.part, entry.differences, around, { upgrades, refusedPlane }));
}

function upgradesControlPlane({ old, now }: ComparedCluster): boolean {
  const [was, is] = [old, now].map((cluster) => cluster?.version?.replace(/^v/, ''));
  return was !== undefined && is !== undefined && was !== is;
}

/** A pool with another version of Kubernetes. */
function isUpgraded({ before, after }: Difference): boolean {
  const [was, is] = [before, after].map((object) => stringAt(object, 'spec', 'template', 'spec', 'version'));
  return was !== undefined && is !== undefined && was !== is;
}

/** Changes of the control plane of a cluster. */
interface PlaneChange {
  /** True if it is to have another version of Kubernetes. */
  readonly upgrades: boolean;

  /** Its kind and name, if a server refuses its change. */
  readonly refusedPlane: string | undefined;
}

/** Names what has to be applied before any of the differences, and is refused. */
function holdersOf(differences: readonly Difference[], refusedPlane: string | undefined): readonly string[] {
  const applied = differences.filter(({ refusals }) => !refusals);
  if (applied.length > 0 && applied.every(({ heldBy }) => heldBy !== undefined)) return [...new Set(applied.flatMap(({ heldBy = [] }) => heldBy))];
  return refusedPlane !== undefined && differences.some(isUpgraded) ? [refusedPlane] : [];
}

function plannedPart(
  part: PartOf, differences: readonly Difference[], around: ComparedCluster, { upgrades, refusedPlane }: PlaneChange,
): PlannedPart {
  const { old, now } = around.comparison;
  const { effects, notes } = plannedUpgrades(differences, partEffects(part, differences, around), old, now);
  const clusters = [...new Set(differences.flatMap(({ owners }) => owners.map(clusterName)))].sort(compareTexts);
  const pause = differences.every(({ made }) => made) ? topologyPause(around) : pauseOf(part, around);
  const isHeld = (object: ManifestObject | undefined): boolean => object !== undefined && deliveryHold(object, now) !== undefined;
  const waitsForResume = differences.every(({ suspendedBy, after }) => suspendedBy !== undefined || isHeld(after));
  const unmet = unmetDependencies(differences, around.comparison);
  const opening = around.openings?.ofPart(differences);
  const consequences = partConsequences(part, differences.filter((one) => !one.refusals && !isRefusedLater(one)), effects, around);
  const refusals = differences.flatMap((difference) => difference.refusals ?? []);
  const waits = upgrades && differences.some((difference) => !difference.made && isChecked(difference, now))
     && effects.some(({ effect, waitsFor }) => MAKES_MACHINES.includes(effect) && waitsFor === undefined);
  const heldBy = [...holdersOf(differences, waits ? refusedPlane : undefined), ...unmet.heldBy];
  return {
    part: part.part,
    name: part.name,
    change: partChange(part, differences),
    ...((pause.now || waitsForResume) && { paused: true }),
    ...(heldBy.length > 0 && { heldBy }),
    ...(opening && { opening }),
    ...(refusals.length > 0 && { refusals }),
    ...((waits || (upgrades && part.part === PartKind.POOL && differences.some(({ made }) => made))) && { waits: true }),
    effects,
    ...(consequences && { consequences }),
    ...(clusters.length > 1 && { clusters }),
    notes: [
      ...notes,
      ...pause.notes,
      ...differences.some(({ before, after }) => isRolloutPaused(before) && after && !isRolloutPaused(after)) ? [RESUMED] : [],
      ...new Set(differences.flatMap(({ made, topology }) => [...topology?.notes ?? [], ...made?.notes ?? []])),
      ...waits && refusedPlane === undefined ? [WAITS_FOR_CONTROL_PLANE] : [],
      ...new Set(differences.flatMap(({ because }) => (because === undefined || around.notes?.includes(because) ? [] : [because]))),
      ...removalNotes(differences), ...unreadNotes(differences, around), ...suspensionNotes(differences, around),
      ...unmet.notes, ...delayNotes(differences), ...sharedNotes(clusters),
    ],
    objects: differences.map(({ shown }) => shown),
  };
}

/** True if Cluster API makes no machine of a pool while the control plane is upgraded. */
function isChecked({ after }: Difference, index: ManifestIndex): boolean {
  return after !== undefined && groupKind(after) === MACHINE_DEPLOYMENT && !skipsCheck(after, index, 'ControlPlaneIsStable');
}

/**
 * Pause of the object of a part in the later state: by its own annotation, or by that of the Cluster that it is made of.
 *
 * Source: kubernetes-sigs/cluster-api util/paused/paused.go, v1.14.2.
 */
function pauseOf({ part, name, kind }: PartOf, { old, now }: ComparedCluster): { readonly now: boolean; readonly notes: readonly string[] } {
  const [was, is] = [old, now].map((cluster) => {
    if (part === PartKind.CONTROL_PLANE) return cluster?.controlPlane?.paused;
    if (part === PartKind.CLUSTER) return cluster && cluster.state === ClusterState.OBJECT_PAUSED && isTopology(cluster);
    return part === PartKind.POOL ? cluster?.pools.find((pool) => pool.name === name && kind.endsWith(`/${pool.kind}`))?.paused : undefined;
  });
  const pausedBy = part === PartKind.CONTROL_PLANE ? now?.controlPlane?.pausedBy : undefined;
  if (is) return { now: true, notes: [`paused until its annotation ${pausedBy ?? 'cluster.x-k8s.io/paused'} is removed`] };
  if (!was) return { now: false, notes: [] };
  return {
    now: false,
    notes: [is === undefined ? 'its object is paused: its deletion waits until the annotation is removed in the management cluster' : RESUMED],
  };
}

const RESUMED = 'resumed: changes made while it was paused are applied now';

/** The annotation on a Cluster stops the topology controller, which changes nothing of what it has made. */
function topologyPause({ now }: ComparedCluster): { readonly now: boolean; readonly notes: readonly string[] } {
  return now?.state === ClusterState.OBJECT_PAUSED ? { now: true, notes: ['waits until the topology of the Cluster is resumed'] } : { now: false, notes: [] };
}

function partChange({ part, kind }: PartOf, differences: readonly Difference[]): ChangeKind {
  const isMain = ({ before, after }: Difference) => groupKind((after ?? before)!) === kind;
  if (ABOUT_ONE_OBJECT.includes(part)) return differences.find(isMain)?.shown.change ?? ChangeKind.CHANGED;
  const kinds = new Set(differences.map(({ shown }) => shown.change));
  return kinds.size === 1 ? [...kinds][0] : ChangeKind.CHANGED;
}

function removalNotes(differences: readonly Difference[]): string[] {
  // Templates go with their Cluster.
  const staying = differences.filter(({ shown }) => shown.stays && !shown.kind.endsWith('Template')).map(({ shown }) => `${shown.kind} ${shown.name}`);
  const left = differences.flatMap(({ before, after, shown }) => {
    const facts = before && !after && !shown.stays ? deliveryFacts(before) : undefined;
    return facts?.keepsRemoved?.(before!) ? [`what ${shown.kind} ${shown.name} applied stays in the cluster`] : [];
  });
  return [...staying.length === 0 ? [] : [`stays in the cluster: ${staying.join(', ')}`], ...left];
}

/** Names what a new delivery applies, and is not among the manifests. */
function unreadNotes(differences: readonly Difference[], { comparison: { readNow } }: ComparedCluster): string[] {
  return [...new Set(differences.flatMap(({ before, after, shown }) => {
    const folders = before || !after || shown.made ? [] : deliveryFacts(after)?.folders?.(after) ?? [];
    if (!after || folders.length === 0 || readNow().has(objectKey(after))) return [];
    return folders.map(({ path, sourceName }) => (
      `${String(after.kind)} ${nameOf(after)} applies ${path === '' ? 'all' : path} of ${sourceName ?? 'its source'}, which is not read`));
  }))];
}

function sharedNotes(clusters: readonly string[]): string[] {
  return clusters.length > 1 ? [`for ${namesWords(clusters)}`] : [];
}

function delayNotes(differences: readonly Difference[]): string[] {
  return [...new Set(differences.flatMap(({ suspendedBy: by }) => {
    const hold = by && deliveryHold(by);
    return hold ? [`${String(by.kind)} ${nameOf(by)} ${hold.is}: it applies this once ${hold.until}`] : [];
  }))];
}

function suspensionNotes(differences: readonly Difference[], { comparison: { old, now } }: ComparedCluster): string[] {
  return [...new Set(differences.flatMap(({ before, after }) => {
    const [was, is] = [before && deliveryHold(before, old), after && deliveryHold(after, now)];
    if (is) return [`${is.label}: nothing is applied until ${is.until}`];
    return after && was ? [was.ended] : [];
  }))];
}
