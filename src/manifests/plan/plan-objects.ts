import * as path from 'node:path';
import { compareObjects, Difference } from './paired-objects';
import { ComparedCluster, partEffects, PartOf, partOf } from './part-effects';
import { ChangeKind, PartKind, PlannedCluster, PlannedPart, UnreadFile } from './plan-model';
import { clusterName, namesWords, withManagement } from './plan-words';
import { Cluster, ClusterState } from '../landscape/cluster-model';
import { KnownCluster } from '../landscape/delivery-targets';
import { KustomizeTree } from '../landscape/kustomize-lists';
import { managementClusters } from '../landscape/management-clusters';
import { ManifestState, pathWithin } from '../landscape/manifest-state';
import { compareTexts } from '../landscape/place';
import { fileOf, StateReader } from '../landscape/placed-objects';
import { readManagementCluster } from '../landscape/read-landscape';
import { groupKind, groupOf, ManifestObject, nameOf } from '../objects/manifest-object';
import { Effect } from '../rules/changes/effects';
import { fieldChanges } from '../rules/changes/field-changes';
import { CLUSTER, CLUSTER_API_GROUPS, MACHINE_DEPLOYMENT } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts } from '../validation/providers';
import { fieldText, sameValue, stringAt } from '../values/fields';

/** Content of a file that is not compared as objects. */
interface Unread {
  readonly what: string;
  readonly values: readonly unknown[];
}

/**
 * Files that differ, and whose content is not compared as objects: what happens because of them does not follow from the plan.
 *
 * @param before the earlier state
 * @param after the later state
 */
function unreadFiles(before: ManifestState, after: ManifestState): UnreadFile[] {
  const [old, now] = [before, after].map(unreadIn);
  const [oldFiles, nowFiles] = [before, after].map(filesOf);
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((file) => {
    const [was, is] = [old.get(file), now.get(file)];
    if (sameValue(was?.values ?? [], is?.values ?? [])) return [];
    const change = !oldFiles.has(file) ? ChangeKind.CREATED : nowFiles.has(file) ? ChangeKind.CHANGED : ChangeKind.REMOVED;
    const fields = was?.values.length === 1 && is?.values.length === 1 ? fieldChanges(was.values[0], is.values[0]) : [];
    return [{ file, change, what: (is ?? was)!.what, fields: [...new Set(fields.map(({ path: field }) => fieldText(field)))].filter((field) => field !== '') }];
  });
}

/**
 * Kustomizations that are the same, and change objects that differ before they are applied.
 *
 * @param differences what differs
 * @param before the earlier state
 * @param after the later state
 */
function changingKustomizations(differences: readonly Difference[], before: ManifestState, after: ManifestState): UnreadFile[] {
  const files = [before, after].map((state, index) => {
    const tree = new KustomizeTree((state.kustomizations ?? []).map((one) => ({ ...one, file: pathWithin(state, one.file) })));
    const differing = new Set(differences.flatMap(({ files: [old, now] }) => (index === 0 ? old : now) ?? []));
    return new Set([...differing].flatMap((file) => tree.changersOf(file)).map(({ file }) => file));
  });
  return [...new Set(files.flatMap((found) => [...found]))]
    .map((file) => ({ file, change: undefined, what: 'input of kustomize, which changes what differs before it is applied', fields: [] }));
}

/** Files in their order, each once. */
function sortedFiles(files: readonly UnreadFile[]): UnreadFile[] {
  const found = new Map<string, UnreadFile>();
  for (const file of files) if (!found.has(file.file)) found.set(file.file, file);
  return [...found.values()].sort((one, other) => compareTexts(one.file, other.file));
}

function unreadIn(state: ManifestState): ReadonlyMap<string, Unread> {
  const found = new Map<string, { readonly what: string; readonly values: unknown[] }>();
  for (const { file, what, value } of state.unread ?? []) {
    const name = pathWithin(state, file) || path.basename(file);
    const same = found.get(name);
    if (same) same.values.push(value);
    else found.set(name, { what, values: [value] });
  }
  for (const [file, content] of state.inputs ?? []) found.set(file, { what: 'input of kustomize or of a chart', values: [content] });
  return found;
}

function filesOf(state: ManifestState): ReadonlySet<string> {
  const files = [...state.objects.map(({ place }) => place.file), ...state.unread ?? [], ...state.kustomizations ?? []];
  return new Set([...files.map((file) => pathWithin(state, typeof file === 'string' ? file : file.file)), ...state.inputs?.keys() ?? []]);
}

/** A cluster before and after. */
export interface ClusterStates {
  readonly old?: Cluster;
  readonly now?: Cluster;
}

/**
 * What else the reader should know of a cluster.
 *
 * @param states the cluster
 * @param all the clusters of the later state
 */
function clusterNotes({ old, now }: ClusterStates, all: readonly KnownCluster[]): string[] {
  return [...stateNotes(old, now), ...sleepNotes(old, now), ...addressNotes(old, now, all)];
}

function stateNotes(old: Cluster | undefined, now: Cluster | undefined): string[] {
  if (now?.state === ClusterState.PAUSED) return ['paused: Cluster API changes nothing until the cluster is resumed'];
  if (now?.state === ClusterState.OBJECT_PAUSED) {
    return [`the annotation cluster.x-k8s.io/paused pauses the Cluster object alone: ${isTopology(now)
      ? 'its topology and its deletion wait' : 'its deletion waits'}, control plane, pools and machines do not`];
  }
  const wasPaused = old !== undefined && PAUSED_STATES.includes(old.state);
  if (wasPaused && (!now || !hasObject(now))) return ['the Cluster is paused: its deletion waits until it is resumed in the management cluster'];
  if (!old || !now || old.state === now.state) return [];
  if (wasPaused) return ['resumed: changes made while the cluster was paused are applied now'];
  return now.state === ClusterState.DECOMMISSION ? ['decommissioned: its machines and control plane are deleted, other objects stay'] : [];
}

const PAUSED_STATES: readonly ClusterState[] = [ClusterState.PAUSED, ClusterState.OBJECT_PAUSED];

/** True if Cluster API makes the control plane and the pools of a cluster, so that they wait for the Cluster object. */
function isTopology({ clusterClass }: Cluster): boolean {
  return clusterClass !== undefined;
}

function hasObject({ state }: Cluster): boolean {
  return state !== ClusterState.DECOMMISSION && state !== ClusterState.INCOMPLETE;
}

function sleepNotes(old: Cluster | undefined, now: Cluster | undefined): string[] {
  if (!old || !now || old.pools.length === 0 || now.pools.length === 0 || hasMachines(old) === hasMachines(now)) return [];
  return [hasMachines(now) ? 'woken: pools have machines again' : 'put to sleep: no pool has machines'];
}

/** True if pools may have machines. */
function hasMachines({ pools }: Cluster): boolean {
  return pools.some(({ size }) => size?.maximum !== 0);
}

function addressNotes(old: Cluster | undefined, now: Cluster | undefined, all: readonly KnownCluster[]): string[] {
  const [former, later] = [old?.endpoint, now?.endpoint];
  if (!now || later === undefined || former === later) return [];
  const others = all.filter(({ id, endpoint }) => endpoint === later && id !== now.id).map(clusterName);
  return [
    ...(former === undefined ? [] : [`API server address ${former} -> ${later}`]),
    ...(others.length === 0 ? [] : [`API server address ${later} is also that of ${namesWords(others)}`]),
  ];
}

/** All clusters that are compared. */
export interface AllClusters {
  /** Those of the earlier state, by their names. */
  readonly old: ReadonlyMap<string, Cluster>;

  /** Those of the later state, by their names. */
  readonly now: ReadonlyMap<string, Cluster>;

  /** The management clusters of the earlier state. */
  readonly former: ReadonlySet<string | undefined>;
}

/**
 * Adds to clusters that come and go what they seem to be: one cluster under another name, or in another management cluster.
 *
 * @param clusters the clusters that differ
 * @param all all clusters
 */
function withRenamed(clusters: readonly PlannedCluster[], { old, now, former }: AllClusters): readonly PlannedCluster[] {
  const [gone, come] = [[ChangeKind.REMOVED, old], [ChangeKind.CREATED, now]].map(([change, state]) => (
    clusters.filter((cluster) => cluster.change === change).map((cluster) => ({ cluster, likeness: likenessOf(cluster, state as typeof old) }))));
  const notes = new Map<PlannedCluster, string>();
  for (const { cluster, likeness } of gone) {
    const alike = [come, gone].map((list) => list.filter((other) => likeness !== undefined && other.likeness === likeness));
    // Of several that are alike, those of one namespace.
    const isBeside = (other: PlannedCluster) => other.namespace === cluster.namespace && other.managementCluster === cluster.managementCluster;
    const [successors, rivals] = alike.map((list) => (list.length > 1 ? list.filter((other) => isBeside(other.cluster)) : list));
    if (successors.length !== 1 || rivals.length !== 1) continue;
    const successor = successors[0].cluster;
    const isSame = successor.namespace === cluster.namespace && successor.name === cluster.name;
    if (isSame && !former.has(successor.managementCluster)) {
      notes.set(cluster, `the same as the new ${clusterName(successor)}: it stays if that is applied to the same management cluster`);
      continue;
    }
    notes.set(cluster, `the same as the new ${clusterName(successor)}: Cluster API ${isSame ? 'moves nothing' : 'renames nothing'}, and deletes this one with its data`);
    notes.set(successor, `the same as ${clusterName(cluster)}, which is removed: it begins without data, with other machines and addresses`);
  }
  return clusters.map((cluster) => (notes.has(cluster) ? { ...cluster, notes: [...cluster.notes, notes.get(cluster)!] } : cluster));
}

/** What clusters have in common that differ in their names alone. */
function likenessOf(planned: PlannedCluster, state: ReadonlyMap<string, Cluster>): string | undefined {
  const { name } = planned;
  const found = state.get(clusterName(planned));
  if (!found || found.pools.length === 0) return undefined;
  const own = (text: string) => (text.startsWith(`${name}-`) ? text.slice(name.length + 1) : text);
  const { version, clusterClass, controlPlane, infrastructure, podCidrs, serviceCidrs, pools } = found;
  return JSON.stringify([
    version, clusterClass, controlPlane?.kind, controlPlane?.replicas, infrastructure?.kind, podCidrs, serviceCidrs,
    pools.map((pool) => [own(pool.name), pool.kind, pool.size]),
  ]);
}

/** What becomes of clusters, and of objects that belong to none. */
export interface PlannedChanges {
  readonly clusters: readonly PlannedCluster[];

  /** Parts of no cluster, or of several. */
  readonly shared: readonly PlannedPart[];

  /** Files of which the plan tells nothing else. */
  readonly unread: readonly UnreadFile[];

  /** How many clusters there are, before or after. */
  readonly clusterCount: number;
}

const PART_ORDER: readonly PartKind[] = Object.values(PartKind);
const MAKES_MACHINES: readonly Effect[] = [Effect.MACHINES, Effect.SCALED];

// kubernetes-sigs/cluster-api api/core/v1beta2/machineset_types.go
const SKIPPED_CHECKS = 'machineset.cluster.x-k8s.io/skip-preflight-checks';

/** The parts that are about one object, and hold others beside it. */
const ABOUT_ONE_OBJECT: readonly PartKind[] = [PartKind.CLUSTER, PartKind.CONTROL_PLANE, PartKind.POOL];

/** Plan of a management cluster, and the clusters that differ, by their names. */
interface ManagementPlan extends Omit<PlannedChanges, 'unread'> {
  readonly differences: readonly Difference[];
  readonly unlisted: readonly UnreadFile[];
  readonly old: ReadonlyMap<string, Cluster>;
  readonly now: ReadonlyMap<string, Cluster>;
}

/**
 * Foresees what controllers will do when one state of manifests replaces another.
 *
 * @param before all objects of the earlier state, or lists of them
 * @param after all objects of the later state, or lists of them
 */
export function plan(before: readonly unknown[], after: readonly unknown[]): PlannedChanges {
  const reader = new StateReader();
  const [old, now] = [before, after].map((objects) => ({ objects: reader.read([fileOf(objects)]).objects }));
  return planObjects(old, now);
}

/**
 * Foresees what controllers will do.
 *
 * @param before the earlier state
 * @param after the later state
 */
export function planObjects(before: ManifestState, after: ManifestState): PlannedChanges {
  const management = managementClusters([before, after]);
  const plans = management.map(({ name, states: [old, now] }) => planManagementCluster(old, now, name));
  const former = management.filter(({ states: [{ objects }] }) => objects.length > 0).map(({ name }) => name);
  const [old, now] = (['old', 'now'] as const).map((state) => new Map(plans.flatMap((one) => [...one[state]])));
  return {
    clusters: withRenamed(plans.flatMap(({ clusters }) => clusters), { old, now, former: new Set(former) }),
    shared: plans.flatMap(({ shared }) => shared),
    unread: sortedFiles([
      ...unreadFiles(before, after), ...changingKustomizations(plans.flatMap(({ differences }) => differences), before, after),
      ...plans.flatMap(({ unlisted }) => unlisted),
    ]),
    clusterCount: plans.reduce((all, { clusterCount }) => all + clusterCount, 0),
  };
}

function planManagementCluster(before: ManifestState, after: ManifestState, managementCluster: string | undefined): ManagementPlan {
  const comparison = compareObjects(before, after);
  const states = [comparison.oldOwners, comparison.nowOwners];
  const touched = new Set(comparison.differences.flatMap(({ owners }) => owners.map(({ id }) => id)));
  // Of a fleet, most clusters are the same.
  const [old, now] = states.map((owners) => (
    new Map(readManagementCluster(owners.objectsOf(touched)).clusters.map((cluster) => [cluster.id, cluster]))));
  const byOwner = new Map<string | undefined, Difference[]>();
  for (const difference of comparison.differences) {
    const id = difference.owners.length === 1 ? difference.owners[0].id : undefined;
    const same = byOwner.get(id);
    if (same) same.push(difference);
    else byOwner.set(id, [difference]);
  }
  const clusters = [...byOwner].filter((entry): entry is [string, Difference[]] => entry[0] !== undefined)
    .map(([id, differences]) => plannedCluster(differences, { comparison, clusters: old, old: old.get(id), now: now.get(id) }))
    .sort((one, other) => compareTexts(one.namespace ?? '', other.namespace ?? '') || compareTexts(one.name, other.name));
  const shared = plannedParts(byOwner.get(undefined) ?? [], { comparison, clusters: old });
  const [oldByName, nowByName] = [old, now].map((known) => (
    new Map([...known].map(([id, cluster]) => [withManagement(managementCluster, id), cluster]))));
  return {
    clusters: managementCluster === undefined ? clusters : clusters.map((cluster) => ({ managementCluster, ...cluster })),
    shared: managementCluster === undefined ? shared : shared.map((part) => ({ managementCluster, ...part })),
    clusterCount: new Set(states.flatMap(({ clusters: known }) => known.map(({ id }) => id))).size,
    differences: comparison.differences,
    unlisted: comparison.unlisted,
    old: oldByName,
    now: nowByName,
  };
}

function plannedCluster(differences: readonly Difference[], around: ComparedCluster): PlannedCluster {
  const { namespace, name } = differences[0].owners[0];
  const isDeleted = differences.some(({ before, after, shown }) => before && !after && groupKind(before) === CLUSTER && !shown.stays);
  const ofCluster = differences.filter(({ before }) => before && groupKind(before) === CLUSTER);
  const isMoved = ofCluster.some(({ shown }) => shown.change === ChangeKind.MOVED);
  const notes = [...ofCluster.flatMap(({ because }) => because ?? []), ...clusterNotes(around, around.comparison.nowOwners.clusters)];
  const parts = plannedParts(isDeleted ? differences.map(deletedWithCluster) : differences, { ...around, isDeleted, isMoved, notes });
  return {
    namespace,
    name,
    change: isMoved ? ChangeKind.MOVED : clusterChange(around, isDeleted),
    paused: around.now?.state === ClusterState.PAUSED,
    notes,
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
  return [...parts.values()]
    .sort(({ part: one }, { part: other }) => (
      PART_ORDER.indexOf(one.part) - PART_ORDER.indexOf(other.part) || compareTexts(one.name, other.name) || compareTexts(one.kind, other.kind)))
    .map((entry) => plannedPart(entry.part, entry.differences, around, upgrades));
}

function upgradesControlPlane({ old, now }: ComparedCluster): boolean {
  return old?.version !== undefined && now?.version !== undefined && old.version !== now.version;
}

function plannedPart(part: PartOf, differences: readonly Difference[], around: ComparedCluster, upgrades: boolean): PlannedPart {
  const effects = partEffects(part, differences, around);
  const clusters = [...new Set(differences.flatMap(({ owners }) => owners.map(clusterName)))].sort(compareTexts);
  const pause = pauseOf(part, around);
  const isSuspended = differences.every(({ suspendedBy }) => suspendedBy !== undefined);
  const waits = upgrades && differences.some(isChecked) && effects.some(({ effect }) => MAKES_MACHINES.includes(effect));
  return {
    part: part.part,
    name: part.name,
    change: partChange(part, differences),
    ...((pause.now || isSuspended) && { paused: true }),
    effects,
    ...(clusters.length > 1 && { clusters }),
    notes: [
      ...pause.notes,
      ...waits ? ['new machines wait until the control plane is upgraded'] : [],
      ...new Set(differences.flatMap(({ because }) => (because === undefined || around.notes?.includes(because) ? [] : [because]))),
      ...removalNotes(differences), ...suspensionNotes(differences, around), ...delayNotes(differences), ...sharedNotes(clusters),
    ],
    objects: differences.map(({ shown }) => shown),
  };
}

/**
 * True if Cluster API makes no machine of a pool while the control plane is upgraded.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_preflight.go, v1.14.2.
 */
function isChecked({ after }: Difference): boolean {
  if (!after || groupKind(after) !== MACHINE_DEPLOYMENT) return false;
  const skipped = stringAt(after, 'metadata', 'annotations', SKIPPED_CHECKS)?.split(',').map((check) => check.trim()) ?? [];
  return !skipped.includes('All') && !skipped.includes('ControlPlaneIsStable');
}

/**
 * Whether the object of a part is paused in the later state: by its own annotation, or by that of the Cluster that it is made of.
 *
 * Source: kubernetes-sigs/cluster-api util/paused/paused.go, v1.14.2.
 */
function pauseOf({ part, name, kind }: PartOf, { old, now }: ComparedCluster): { readonly now: boolean; readonly notes: readonly string[] } {
  const [was, is] = [old, now].map((cluster) => {
    if (part === PartKind.CONTROL_PLANE) return cluster?.controlPlane?.paused;
    if (part === PartKind.CLUSTER) return cluster && cluster.state === ClusterState.OBJECT_PAUSED && isTopology(cluster);
    return part === PartKind.POOL ? cluster?.pools.find((pool) => pool.name === name && kind.endsWith(`/${pool.kind}`))?.paused : undefined;
  });
  if (is) return { now: true, notes: ['paused until its annotation cluster.x-k8s.io/paused is removed'] };
  if (!was) return { now: false, notes: [] };
  return {
    now: false,
    notes: [is === undefined ? 'its object is paused: its deletion waits until the annotation is removed in the management cluster'
      : 'resumed: changes made while it was paused are applied now'],
  };
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
    return facts?.folders && facts.keepsRemoved?.(before!) ? [`what ${shown.kind} ${shown.name} applied stays in the cluster`] : [];
  });
  return [...staying.length === 0 ? [] : [`stays in the cluster: ${staying.join(', ')}`], ...left];
}

function sharedNotes(clusters: readonly string[]): string[] {
  return clusters.length > 1 ? [`for ${namesWords(clusters)}`] : [];
}

function delayNotes(differences: readonly Difference[]): string[] {
  const names = differences.flatMap(({ suspendedBy }) => (suspendedBy ? [`${String(suspendedBy.kind)} ${nameOf(suspendedBy)}`] : []));
  return [...new Set(names)].map((name) => `${name} is suspended: it applies this once it is resumed`);
}

function suspensionNotes(differences: readonly Difference[], { comparison: { old, now } }: ComparedCluster): string[] {
  const isSuspended = (object: ManifestObject | undefined, index: ManifestIndex) => (
    object !== undefined && deliveryFacts(object)?.read?.(object, index).suspended === true);
  return [...new Set(differences.flatMap(({ before, after }) => {
    if (isSuspended(after, now)) return ['suspended: nothing is applied until it is resumed'];
    return after && isSuspended(before, old) ? ['resumed: changes made while it was suspended are applied now'] : [];
  }))];
}
