import { lostHooks } from './contract-effects';
import { heldEffects } from './held-machines';
import { effectsOf, machinesAtATime, templateReasonsIn } from './kind-effects';
import { poolMachinesAtATime } from './machine-pools';
import { unmetDependencies } from './missing-dependencies';
import { Comparison, Difference } from './paired-objects';
import { ChangeKind, PartKind, PartOf, PlannedEffect } from './plan-model';
import { OpeningSearch } from './plan-openings';
import { isDisruptive, refusalWords } from './plan-words';
import { failuresOf, isRefusedLater } from './refused-changes';
import { lostReferences } from './removed-references';
import { topologyEffects, withoutTopology } from './topology-changes';
import { Cluster, ControlPlane, MachineCount, Pool } from '../landscape/cluster-model';
import { objectKey } from '../landscape/file-appliers';
import { LiveObjects } from '../landscape/live-objects';
import { hasManagedReplicas, machineTemplateOf, poolName } from '../landscape/pools';
import { WORKLOAD_KINDS } from '../landscape/read-landscape';
import { knownKind } from '../objects/known-kinds';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { withoutMarks, withoutSecrets } from '../objects/secret-values';
import { ChangeEffect, Effect } from '../rules/changes/effects';
import { MAX_SIZE, MIN_SIZE } from '../rules/cluster-api/autoscaler-annotations';
import { CLUSTER, isPool, MACHINE, MACHINE_DEPLOYMENT, MACHINE_HEALTH_CHECK, MACHINE_POOL, POOL_KINDS } from '../rules/cluster-api/cluster-api-kinds';
import { losesMachines, overwrittenLabels } from '../rules/cluster-api/pool-selectors';
import { isCluster } from '../rules/cluster-api/whole-clusters';
import { selects } from '../rules/label-selectors';
import { ManifestIndex } from '../rules/manifest-index';
import { machineOwnersOf, referrersOf } from '../rules/references/object-references';
import { deliveryFacts, providers } from '../systems/providers';
import { componentsIn } from '../validation/installed-components';
import { fieldAt, isFields, isSet, numberAt } from '../values/fields';

/** Tells which part of its cluster a differing object is of. */
export function partOf({ before, after, machines, owners, shown, made }: Omit<Difference, 'files' | 'target' | 'appliers'>, old: ManifestIndex, now: ManifestIndex): PartOf {
  if (made) return made.part;
  if (machines) return partOf({ [after ? 'after' : 'before']: machines, owners, shown: { ...shown, inTenant: false } }, old, now);
  if (shown.inTenant) return { part: PartKind.WORKLOADS, name: '', kind: '' };
  const [object, index] = after ? [after, now] : [before!, old];
  if (owners.length > 1) return ownPart(object);
  return poolOf(object, index) ?? (before && poolOf(before, old)) ?? partByKind(object, index);
}

/** The pool or control plane that an object belongs to, by what names it. */
function poolOf(object: ManifestObject, index: ManifestIndex): PartOf | undefined {
  const kind = groupKind(object);
  if (isPool(object)) return poolPart(object);
  if (kind === MACHINE_HEALTH_CHECK) return watchedPool(object, index);
  for (const owner of [...machineOwnersOf(object, index), ...referrersOf(object, index, MACHINE).map((referrer) => referrer.object)]) {
    if (isPool(owner)) return poolPart(owner);
    if (isControlPlaneOfCluster(owner, index)) return { part: PartKind.CONTROL_PLANE, name: '', kind: groupKind(owner) };
  }
  return undefined;
}

function partByKind(object: ManifestObject, index: ManifestIndex): PartOf {
  const kind = groupKind(object);
  if (isControlPlaneOfCluster(object, index) || (kind !== CLUSTER && isCluster(object))) return { part: PartKind.CONTROL_PLANE, name: '', kind };
  if (kind === CLUSTER || referrersOf(object, index, CLUSTER).length > 0) return { part: PartKind.CLUSTER, name: '', kind: CLUSTER };
  return ownPart(object);
}

/** Input of kustomize that fetches components: it has no name of its own. */
const KUSTOMIZATION = 'kustomize.config.k8s.io/Kustomization';

function componentNames(object: ManifestObject): string {
  return [...new Set(componentsIn(object, NO_OBJECTS).map(({ component }) => component.title))].join(', ');
}

const NO_OBJECTS = new ManifestIndex([]);

/** The part that an object is by itself. */
function ownPart(object: ManifestObject): PartOf {
  const name = nameOf(object) ?? '';
  const kind = groupKind(object);
  const delivery = deliveryFacts(object);
  if (delivery) return { part: delivery.folders && !delivery.isForTenant(object) ? PartKind.DELIVERY : PartKind.ADDON, name, kind };
  if (kind === KUSTOMIZATION) return { part: PartKind.OTHER, name: componentNames(object) || String(object.kind), kind };
  if (WORKLOAD_KINDS.includes(kind)) return { part: PartKind.CONTROLLER, name, kind };
  return { part: PartKind.OTHER, name: String(object.kind), kind };
}

function isControlPlaneOfCluster(object: ManifestObject, index: ManifestIndex): boolean {
  return referrersOf(object, index, CLUSTER).some(({ path }) => path[1] === 'controlPlaneRef');
}

/** The pool whose machines a health check watches. */
function watchedPool(check: ManifestObject, index: ManifestIndex): PartOf | undefined {
  const selector = fieldAt(check, 'spec', 'selector');
  const watched = POOL_KINDS.flatMap((kind) => index.all(kind)).filter(isPool).filter((pool) => {
    const labels = fieldAt(machineTemplateOf(pool), 'metadata', 'labels');
    return namespaceOf(pool) === namespaceOf(check) && isFields(selector) && selects(selector, isFields(labels) ? labels : {});
  });
  return watched.length === 1 ? poolPart(watched[0]) : undefined;
}

function poolPart(pool: ManifestObject): PartOf {
  return { part: PartKind.POOL, name: poolName(pool), kind: groupKind(pool) };
}

/** A cluster before and after, among everything that is compared. */
export interface ComparedCluster {
  readonly comparison: Comparison;
  readonly old?: Cluster;
  readonly now?: Cluster;

  /** The clusters of the earlier state, by their id. */
  readonly clusters: ReadonlyMap<string, Cluster>;

  /** True if its Cluster is deleted, and all its machines with it. */
  readonly isDeleted?: boolean;

  /** True if its Cluster moves to another owner. */
  readonly isMoved?: boolean;

  /** Objects of its management cluster. */
  readonly live?: LiveObjects;

  /** Notes on the whole cluster. */
  readonly notes?: readonly string[];

  /** Times at which changes are applied, if that of the plan is known. */
  readonly openings?: OpeningSearch;
}

const EFFECT_ORDER: readonly Effect[] = Object.values(Effect);

/** Effects on a part of a cluster: one entry for each kind of effect, in the order of `Effect`. */
export function partEffects(part: PartOf, differences: readonly Difference[], cluster: ComparedCluster): PlannedEffect[] {
  const found = mergedEffects(differences.flatMap((difference) => differenceEffects(part, difference, cluster)));
  // Reviewers look at something worse that happens at once.
  const isWorse = (effect: PlannedEffect) => isDisruptive(effect) && effect.effect !== Effect.UNKNOWN && effect.effect !== Effect.FAILING;
  const isHidden = [...found.values()].some(isWorse);
  const failing = differences.flatMap((difference) => (isHidden ? difference.stranding ?? [] : failuresOf(difference)));
  const failures = [...new Set([
    ...unmetDependencies(differences, cluster.comparison).failures,
    ...cluster.isDeleted ? [] : differences.flatMap((difference) => lostReferences(difference, cluster.comparison)),
    ...failing.map(refusalWords),
  ])];
  const reasons = [...new Set([...found.get(Effect.FAILING)?.reasons ?? [], ...failures])];
  if (failures.length > 0) found.set(Effect.FAILING, { effect: Effect.FAILING, reasons });
  return [...found.values()].sort((one, other) => EFFECT_ORDER.indexOf(one.effect) - EFFECT_ORDER.indexOf(other.effect));
}

/** One effect of each kind, with the reasons of all. A delivery may lose tens of thousands of objects, so reasons are collected once. */
function mergedEffects(effects: readonly PlannedEffect[]): Map<Effect, PlannedEffect> {
  const reasons = new Map<Effect, Set<string>>();
  const found = new Map<Effect, PlannedEffect>();
  for (const effect of effects) {
    const all = reasons.get(effect.effect) ?? new Set();
    for (const reason of effect.reasons) all.add(reason);
    reasons.set(effect.effect, all);
    found.set(effect.effect, { ...found.get(effect.effect), ...effect });
  }
  for (const [kind, effect] of found) found.set(kind, { ...effect, reasons: [...reasons.get(kind)!] });
  return found;
}

function differenceEffects(part: PartOf, difference: Difference, cluster: ComparedCluster): PlannedEffect[] {
  const { after, machines, notApplied, refusals, fails } = difference;
  if (refusals) return [{ effect: Effect.REFUSED, reasons: refusals.map(refusalWords) }];
  if (isRefusedLater(difference)) return [{ effect: Effect.FAILING, reasons: failuresOf(difference).map(refusalWords) }];
  // The template reports the effects on its machines.
  if (machines) return [];
  if (!after) return removalEffects(part, difference, cluster);
  if (difference.shown.change === ChangeKind.MOVED) {
    return [...moveEffects(part, difference, cluster), ...difference.shown.fields.length > 0 ? updateEffects(part, difference, cluster) : []];
  }
  if (notApplied !== undefined) return [{ effect: Effect.LATER, reasons: [notApplied] }];
  if (fails !== undefined) return [{ effect: Effect.FAILING, reasons: [fails] }];
  const { charts = [], shown: { fields } } = difference;
  return charts.length > 0 && fields.length === 0 ? [...charts] : [...charts, ...updateEffects(part, difference, cluster)];
}

/** Outcome of an object that is new, or differs. */
function updateEffects(part: PartOf, difference: Difference, cluster: ComparedCluster): PlannedEffect[] {
  const [before, after] = [difference.before, difference.after!];
  const isObject = isPool(after);
  const isOfPool = part.part === PartKind.POOL && (isObject || part.kind === MACHINE_POOL);
  if (!before) return isOfPool && isObject ? newPoolEffects(part, after, cluster) : [];
  const { comparison: { old, now, built, isRead } } = cluster;
  const { before: was, after: is } = difference.stored ?? withoutSecrets({ before, after });
  const templateReasons = templateReasonsIn(namespaceOf(after), old, now);
  const { topology } = difference;
  const [former, later] = topology ? [was, is].map(withoutTopology) : [was, is];
  const effects = effectsOf({
    before: former, after: later, written: [before, after], old, now, templateReasons, isBuilt: built.has(objectKey(after)), isRead,
  });
  if (isOfPool && isObject && losesMachines(was, is)) return [lostMachinesEffect(is), ...effects.filter(({ effect }) => effect === Effect.IN_PLACE)];
  return [...topology ? topologyEffects(topology) : [], ...effects].map(withoutMarks).flatMap((effect): readonly PlannedEffect[] | PlannedEffect => {
    if (isOfPool) return heldEffects(poolEffect(effect, part, after, cluster), after, poolSize(cluster.old, part), cluster.comparison);
    const isCounted = part.part === PartKind.CONTROL_PLANE || part.part === PartKind.CLUSTER;
    return isCounted ? clusterEffect(part, effect, cluster) : otherEffect(part, effect, difference, cluster);
  });
}

/** Effects that are possible for an object that moves to another owner. */
function moveEffects(part: PartOf, { before }: Difference, { old, isMoved }: ComparedCluster): PlannedEffect[] {
  const kind = groupKind(before!);
  const machines = kind === CLUSTER ? machinesOf(old) : isMoved || kind !== part.kind ? undefined : part.part === PartKind.POOL ? poolSize(old, part)
    : part.part === PartKind.CONTROL_PLANE ? controlPlaneMachines(old) : undefined;
  return machines ? [{ effect: Effect.DELETED, reasons: ['the former owner may come first'], count: { minimum: 0, maximum: machines.maximum } }] : [];
}

/** Deletions with an object. Nothing runs of a template without references. */
function removalEffects(
  part: PartOf, { before, shown, alsoIn, made, recreated }: Difference, { comparison: { now, built }, old, now: later, isDeleted }: ComparedCluster,
): PlannedEffect[] {
  const kind = groupKind(before!);
  // Objects that are made for a pool go with it.
  if (made && part.part === PartKind.POOL && kind !== part.kind && !poolIn(later, part)) return [];
  if (shown.stays || (kind.endsWith('Template') && referrersOf(before!, now).length === 0)) return [];
  // Objects refer to a template by its name, and read it when they make something.
  if (recreated && kind.endsWith('Template')) return [{ effect: Effect.LATER, reasons: [`${shown.kind} ${shown.name} is created anew`] }];
  const name = !made ? `${shown.kind} ${shown.name}` : kind === part.kind ? 'it is no longer in the topology' : shown.kind;
  if (alsoIn !== undefined) return [{ effect: Effect.UNKNOWN, reasons: [`${name} is removed here, and still in ${alsoIn}`] }];
  const maker = providers().map(({ makes }) => makes?.[kind]).find((make) => make !== undefined);
  if (maker && !built.has(objectKey(before!)) && !maker(before!)) return [{ effect: Effect.UNKNOWN, reasons: [`${name} is deleted, with what it made of values that are not in it`] }];
  const delivery = deliveryFacts(before!);
  if (delivery?.keepsRemoved?.(before!)) return [];
  const deleted = { effect: Effect.DELETED, reasons: [delivery?.folders ? `${name} with all that it applied` : name, ...lostHooks(before!, now)] };
  if (isDeleted) return [kind === CLUSTER ? counted(deleted, machinesOf(old)) : deleted];
  if (kind !== part.kind) return [deleted];
  if (part.part === PartKind.POOL) return [counted(deleted, poolSize(old, part))];
  return [part.part === PartKind.CONTROL_PLANE ? counted(deleted, controlPlaneMachines(old)) : deleted];
}

/**
 * True of a pool whose size is written nowhere: where there was a size, the webhook sets 1.
 *
 * Source: kubernetes-sigs/cluster-api core/webhooks/admission/machinedeployment.go (calculateMachineDeploymentReplicas), v1.14.0.
 */
function isLeftToServer(pool: ManifestObject): boolean {
  return isPool(pool) && groupKind(pool) !== MACHINE && !isSet(pool, 'spec', 'replicas')
    && ![MIN_SIZE, MAX_SIZE].some((name) => isSet(pool, 'metadata', 'annotations', name));
}

function newPoolEffects(part: PartOf, pool: ManifestObject, { now, comparison }: ComparedCluster): PlannedEffect[] {
  if (overwrittenLabels(pool).length > 0) return [ENDLESS];
  const size = poolSize(now, part) ?? (isLeftToServer(pool) ? exactly(1) : undefined);
  return heldEffects(counted({ effect: Effect.SCALED, reasons: ['the pool is new'] }, size), pool, size, comparison, true);
}

const ENDLESS: PlannedEffect = { effect: Effect.ENDLESS, reasons: ['its selector does not match the labels that Cluster API writes'] };

/** Outcome of a pool whose selector does not find its machines any more. */
function lostMachinesEffect(pool: ManifestObject): PlannedEffect {
  if (overwrittenLabels(pool).length > 0) return ENDLESS;
  return { effect: Effect.SCALED, reasons: ['as many others come beside the machines that its selector does not find'] };
}

function poolEffect(
  { effect, reasons, ...concerned }: ChangeEffect, part: PartOf, after: ManifestObject, { comparison, old, now, live }: ComparedCluster,
): PlannedEffect {
  const aged = concerned.aged && old && live?.count(old, nameOf(after), concerned.aged);
  if (aged?.maximum === 0) return { effect: Effect.IN_PLACE, reasons };
  const machines = aged ?? concerned.machines;
  const [was, written] = [old, now].map((cluster) => poolSize(cluster, part));
  const is = written ?? (was && isLeftToServer(after) ? exactly(1) : undefined);
  if (effect === Effect.MACHINES) {
    // Machines that go because the pool shrinks are not replaced.
    const all = was && is ? { minimum: Math.min(was.minimum, is.minimum), maximum: Math.min(was.maximum, is.maximum) } : was;
    const count = all && machines ? { minimum: Math.min(all.minimum, machines.minimum), maximum: Math.min(all.maximum, machines.maximum) } : all;
    if (count?.maximum === 0) return { effect: Effect.LATER, reasons };
    const atATime = groupKind(after) === MACHINE_DEPLOYMENT ? machinesAtATime(after, is ?? was, count)
      : part.kind === MACHINE_POOL ? poolMachinesAtATime(after, comparison.now, count?.maximum) : undefined;
    return { ...counted({ effect, reasons }, count), ...(atATime !== undefined && { atATime }) };
  }
  if (effect === Effect.SCALED && groupKind(after) === MACHINE_POOL && hasManagedReplicas(fieldAt(after, 'metadata', 'annotations'))) {
    return { effect: Effect.IN_PLACE, reasons: reasons.map((text) => `${text}, which another controller sets`) };
  }
  if (effect !== Effect.SCALED || !was) return { effect, reasons };
  if (!is) return { effect: Effect.UNKNOWN, reasons };
  const deleted = { minimum: Math.max(0, was.minimum - is.maximum), maximum: Math.max(0, was.maximum - is.maximum) };
  // The API server keeps replicas that no delivery writes, and the autoscaler sets no size above the maximum (clusterapi_unstructured.go).
  const isAutoscaled = [old, now].every((cluster) => poolIn(cluster, part)?.autoscaled);
  if (deleted.maximum > 0 && isAutoscaled) return { effect, reasons: [...reasons, `machines above ${is.maximum} stay`] };
  return deleted.maximum > 0 ? { effect: Effect.DELETED, reasons, count: deleted } : { effect, reasons };
}

/** An effect on the control plane, or on all that a Cluster makes of its topology. */
function clusterEffect(part: PartOf, { effect, reasons, ...concerned }: ChangeEffect, { old, now, live }: ComparedCluster): PlannedEffect {
  const aged = concerned.aged && old && live?.count(old, undefined, concerned.aged);
  if (aged?.maximum === 0) return { effect: Effect.IN_PLACE, reasons };
  const machines = aged ?? concerned.machines;
  const [was, is] = [old, now].map((cluster) => cluster?.controlPlane && replicasOf(cluster.controlPlane));
  switch (effect) {
    case Effect.MACHINES:
      if (part.part === PartKind.CLUSTER) return counted({ effect, reasons }, machinesOf(old));
      return { ...counted({ effect, reasons }, was === undefined ? undefined : machines ? upTo(machines, was) : exactly(was)), atATime: 1 };
    case Effect.PODS:
      return counted({ effect, reasons }, exactly(was));
    case Effect.SCALED:
      if (was === undefined || is === undefined) return { effect: Effect.UNKNOWN, reasons };
      if (old?.controlPlane?.machine && is < was) return { effect: Effect.DELETED, reasons, count: exactly(was - is) };
      return is === 0 && was > 0 ? { effect: Effect.DELETED, reasons: [`all replicas (${reasons.join(', ')})`] } : { effect, reasons };
    default:
      return { effect, reasons };
  }
}

/** An effect on clusters that an object is for: which of their machines are made from a template of a ClusterClass, its topologies and patches decide. */
function otherEffect(part: PartOf, { effect, reasons }: ChangeEffect, difference: Difference, { clusters }: ComparedCluster): PlannedEffect {
  const { owners, before } = difference;
  const isOfItself = owners.length === 0 || isSet(before, 'spec', 'replicas');
  if (isOfItself && !part.kind.endsWith('Template')) return ownEffect({ effect, reasons }, difference);
  if (effect !== Effect.MACHINES) return { effect, reasons };
  const most = sumOf(owners.map(({ id }) => machinesOf(clusters.get(id))));
  return counted({ effect, reasons }, most && { minimum: 0, maximum: most.maximum });
}

/** An effect on machines that an object has itself: a control plane whose cluster is in no file, as in the base of a kustomization, or a pool of another system. */
function ownEffect({ effect, reasons }: ChangeEffect, { before, after }: Difference): PlannedEffect {
  const [was, is] = [before, after].map((object) => numberAt(object, 'spec', 'replicas'));
  if (effect === Effect.MACHINES) {
    const isControlPlane = knownKind(groupKind(after!))?.role === 'controlPlane';
    return { ...counted({ effect, reasons }, exactly(was)), ...(isControlPlane && { atATime: 1 }) };
  }
  const isSmaller = effect === Effect.SCALED && was !== undefined && is !== undefined && is < was;
  return isSmaller ? { effect: Effect.DELETED, reasons, count: exactly(was - is) } : { effect, reasons };
}

function poolIn(cluster: Cluster | undefined, { name, kind }: PartOf): Pool | undefined {
  return cluster?.pools.find((pool) => pool.name === name && kind.endsWith(`/${pool.kind}`));
}

function poolSize(cluster: Cluster | undefined, part: PartOf): MachineCount | undefined {
  return poolIn(cluster, part)?.size;
}

/** The machines of a control plane; none where it runs in pods. */
function controlPlaneMachines(cluster: Cluster | undefined): MachineCount | undefined {
  const { controlPlane } = cluster ?? {};
  return controlPlane && exactly(controlPlane.machine ? replicasOf(controlPlane) : 0);
}

function replicasOf({ replicas, hasUnknownReplicas }: ControlPlane): number | undefined {
  return hasUnknownReplicas ? undefined : replicas ?? 1;
}

/** All machines of a cluster; undefined if that cannot be told. */
function machinesOf(cluster: Cluster | undefined): MachineCount | undefined {
  return sumOf([controlPlaneMachines(cluster), ...cluster?.pools.map(({ size }) => size) ?? []]);
}

function sumOf(counts: readonly (MachineCount | undefined)[]): MachineCount | undefined {
  return counts.reduce((all, count) => all && count && { minimum: all.minimum + count.minimum, maximum: all.maximum + count.maximum }, exactly(0));
}

function upTo({ minimum, maximum }: MachineCount, most: number): MachineCount {
  return { minimum: Math.min(minimum, most), maximum: Math.min(maximum, most) };
}

function exactly(count: number | undefined): MachineCount | undefined {
  return count === undefined ? undefined : { minimum: count, maximum: count };
}

function counted(effect: PlannedEffect, count: MachineCount | undefined): PlannedEffect {
  return { ...effect, ...(count && { count }) };
}
