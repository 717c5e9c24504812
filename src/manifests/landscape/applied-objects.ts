import { AppliedState, keepsWithout } from './applied-state';
import { AddonPlace } from './cluster-model';
import { deliveryHold, isSuspendedLate } from './delivery-holds';
import { deliveryPlace } from './delivery-targets';
import { objectKey, PlacedDelivery } from './file-appliers';
import { KeptManifest, keptManifests } from './kept-changes';
import { bothMade, MadeStates, madeObjects } from './made-objects';
import { ManifestState, pathWithin } from './manifest-state';
import { ReadObject } from './placed-objects';
import { tenantOf } from './targets';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { isKept } from '../objects/prune-annotations';
import { DEFINITION } from '../rules/structure/kind-definitions';
import { deliveryFacts } from '../systems/providers';
import { stringAt } from '../values/fields';

const NAMESPACE = '/Namespace';

/** Outcome of an object that follows from its delivery, its namespace or its definition. */
export interface Fate {
  /** Reason of the outcome. */
  readonly because: string;

  /** True if it stays in the cluster, although nothing applies it any more; undefined where its own marks decide. */
  readonly stays?: boolean;

  /** True if another delivery applies it from now on, and the former one may delete it before. */
  readonly moves?: boolean;
}

/** Objects that are applied in two states. */
export interface AppliedStates {
  readonly before: readonly ReadObject[];
  readonly after: readonly ReadObject[];

  /** By an object of before. */
  readonly fates: ReadonlyMap<ManifestObject, Fate>;

  /** Reasons that objects of after are created, although they stood in a file before. */
  readonly arrivals: ReadonlyMap<ManifestObject, string>;

  /** Manifests of which not all changes are applied; `after` has what is. */
  readonly kept: readonly KeptManifest[];

  /** Keys of objects of which it is known in both states what controllers make of them. */
  readonly makers: ReadonlySet<string>;

  /** The delivery that applies an object, of before or of after, once it is resumed or a user has it do so. */
  readonly suspended: ReadonlyMap<ManifestObject, ManifestObject>;

  /** Notes of objects, of before or of after, whose delivery is suspended in the commit that changes them. */
  readonly racing: ReadonlyMap<ManifestObject, string>;

  /** Deliveries of after that fail, and the reasons. */
  readonly failing: ReadonlyMap<ManifestObject, string>;

  /** Objects of each state that no kustomization around them lists, and that are not applied in the other state either. */
  readonly unlisted: readonly (readonly ReadObject[])[];
}

/**
 * Finds what is applied in two states of a management cluster. An object that still stands in a file is not applied any more when the
 * delivery that applied it is removed or has another folder, when no kustomization lists its file, and when its namespace or the definition of its
 * kind is removed. Who applies objects that no delivery of the manifests applies, is not known: these count as applied.
 */
export function appliedStates(before: ManifestState, after: ManifestState): AppliedStates {
  const { objects: made, makers } = bothMade(before, after);
  const isComparable = [before, after].every(({ objects: [first], ...state }) => first === undefined || pathWithin(state, first.place.file) !== '');
  // In a file by itself, such as standard input, everything is in another place than in folders.
  const [old, now] = comparedStates(isComparable, { before, after, made });
  const stopped = isComparable ? stoppedDeliveries(old, now) : new Map<string, string>();
  const fates = new Map<ManifestObject, Fate>();
  const arrivals = new Map<ManifestObject, string>();
  const [notBefore, notAfter] = [new Set<ManifestObject>(), new Set<ManifestObject>()];
  const hasFates = isComparable && !(old.isPlain && now.isPlain);
  const alike = hasFates ? appliedAlike(old, now) : new Set();
  for (const read of hasFates ? old.own.filter((one) => !alike.has(one.object) && !isOfStopped(one, stopped)) : []) {
    const later = now.find(read, old);
    const fate = fateOf(read, later, old, now);
    if (fate && 'arrives' in fate) {
      notBefore.add(read.object);
      arrivals.set(later!.object, fate.arrives);
    } else if (fate) {
      fates.set(read.object, fate);
      if (later && !fate.moves) notAfter.add(later.object);
    }
  }
  for (const [read, fate] of fatesWithContainers(old, now, notAfter, fates)) {
    fates.set(read.object, fate);
    const later = now.find(read, old);
    if (later) notAfter.add(later.object);
  }
  const kept = isComparable ? keptManifests(old, now) : [];
  const inCluster = new Map(kept.map(({ read, applied }) => [read.object, applied]));
  const written = kept.length === 0 ? now.objects : now.objects.map((read) => ({ ...read, object: inCluster.get(read.object) ?? read.object }));
  const without = (objects: readonly ReadObject[], left: ReadonlySet<ManifestObject>) => (
    left.size === 0 ? objects : objects.filter(({ object, pack }) => !left.has(pack ?? object)));
  const isRacing = (delivery: ManifestObject) => isSuspendedLate(old.delivery(delivery), now.delivery(delivery));
  const held = [...old.own, ...now.own].flatMap(({ object, appliers = [] }) => {
    const by = appliers.map((delivery) => now.delivery(delivery) ?? delivery);
    return by.length > 0 && by.every(isHeld) ? [{ object, by, race: by.find(isRacing) }] : [];
  });
  return {
    before: without(old.objects, notBefore),
    after: withStopped(without(written, notAfter), old, stopped),
    fates,
    arrivals,
    kept,
    makers,
    suspended: new Map(held.flatMap(({ object, by, race }) => (race ? [] : [[object, by[0]] as const]))),
    racing: new Map(held.flatMap(({ object, race }) => (
      race ? [[object, `${deliveryNames([race])} is suspended from now on: it applies this unless it is suspended before`] as const] : []))),
    failing: new Map([
      ...(isComparable ? now.missingFolders(old) : []).map(([delivery, folder]) => [delivery, findsNoFolder(folder)] as const),
      ...now.own.flatMap(({ object }) => (stopped.has(objectKey(object)) ? [[object, stopped.get(objectKey(object))!] as const] : [])),
    ].map(([delivery, because]) => [delivery, `${String(delivery.kind)} ${nameOf(delivery) ?? ''} ${because}`])),
    unlisted: [old.unlisted.filter((read) => !now.applies(read)), now.unlisted.filter((read) => !old.applies(read))],
  };
}

/** Both states, without the files that nothing applies if they are known in both. */
function comparedStates(
  isComparable: boolean, { before, after, made: [formerly, later] }: { readonly before: ManifestState; readonly after: ManifestState; readonly made: MadeStates['objects'] },
): readonly [AppliedState, AppliedState] {
  if (!isComparable) return [new AppliedState(before, formerly), new AppliedState(after, later)];
  const states = (isWhole: boolean) => {
    const old = new AppliedState(before, formerly, undefined, undefined, isWhole);
    return [old, laterState(old, after, later, isWhole)] as const;
  };
  const [old, now] = states(true);
  return (old.isUnapplied === undefined) === (now.isUnapplied === undefined) ? [old, now] : states(false);
}

/** Objects that are read once for both states, and that the same deliveries or lists apply: nothing becomes of them by that. */
function appliedAlike(old: AppliedState, now: AppliedState): ReadonlySet<ManifestObject> {
  const hasSameLists = old.tree.equals(now.tree);
  const later = new Map(now.own.map((read) => [read.object, read]));
  return new Set(old.own.filter(({ object, place: { file }, appliers = [] }) => {
    const { place, appliers: then = [] } = later.get(object) ?? {};
    const isSame = place?.file === file && then.length === appliers.length && then.every((delivery, index) => delivery === appliers[index]);
    return isSame && (then.length > 0 || hasSameLists);
  }).map(({ object }) => object));
}

/** The objects of a state as they are applied. */
export function appliedObjects(state: ManifestState): readonly ReadObject[] {
  return new AppliedState(state, [...state.objects, ...madeObjects(state)]).objects;
}

/**
 * The later state with what applies folders in it. A delivery that is removed and stays still applies its folder; one that nothing applies any
 * more does not, so that what it applied may be a delivery that goes, too; one that a suspended delivery applies stays as it was.
 */
function laterState(old: AppliedState, after: ManifestState, objects: readonly ReadObject[], isWhole: boolean): AppliedState {
  const gone = new Set<string>();
  const kept = new Map<string, PlacedDelivery>();
  const deliveries = old.own.filter(({ object }) => deliveryFacts(object)?.folders);
  for (;;) {
    const now = new AppliedState(after, objects, gone, [...kept.values()], isWhole);
    const known = gone.size + kept.size;
    for (const read of deliveries) {
      const key = objectKey(read.object);
      if (gone.has(key) || kept.has(key)) continue;
      const later = now.find(read, old);
      const fate = fateOf(read, later, old, now);
      const stays = !later && (fate ? !('arrives' in fate) && fate.stays === true : isKept(read.object));
      const { appliers = [] } = later ?? {};
      const waits = appliers.length > 0 && appliers.every((by) => isHeld(by) && !isSuspendedLate(old.delivery(by), by));
      if (stays || waits) kept.set(key, { object: read.object, path: later ? now.pathOf(later) : old.pathOf(read) });
      else if (later && fate && !('arrives' in fate) && !fate.moves && fate.stays !== true) gone.add(key);
    }
    if (gone.size + kept.size === known) return now;
  }
}

/** Deliveries of the later state that apply and delete nothing, and did so before, with the reasons. */
function stoppedDeliveries(old: AppliedState, now: AppliedState): ReadonlyMap<string, string> {
  const before = old.stoppedDeliveries();
  return new Map([...now.stoppedDeliveries()].filter(([key]) => !before.has(key)));
}

/** Objects that are applied, with those of deliveries that stop as they were. */
function withStopped(applied: readonly ReadObject[], old: AppliedState, stopped: ReadonlyMap<string, string>): readonly ReadObject[] {
  if (stopped.size === 0) return applied;
  const ofStopped = (reads: readonly ReadObject[]) => {
    const own = new Set(reads.filter((read) => isOfStopped(read, stopped)).map(({ object }) => object));
    return ({ object, pack }: ReadObject) => own.has(pack ?? object);
  };
  const [isStopped, isUnchanged] = [applied, old.objects].map(ofStopped);
  return [...applied.filter((read) => !isStopped(read)), ...old.objects.filter(isUnchanged)];
}

function isOfStopped({ appliers = [] }: ReadObject, stopped: ReadonlyMap<string, string>): boolean {
  return stopped.size > 0 && appliers.length > 0 && appliers.every((delivery) => stopped.has(objectKey(delivery)));
}

/** Reason that an object is created, although it was written before. */
interface Arrival {
  readonly arrives: string;
}

/** Outcome of an object that was written before. */
function fateOf(read: ReadObject, later: ReadObject | undefined, old: AppliedState, now: AppliedState): Fate | Arrival | undefined {
  const [by, then] = [read.appliers ?? [], later?.appliers ?? []];
  if (by.length > 0) return deliveryFate(read, later, old, now);
  if (!later) return undefined;
  // In a repository that deliveries apply, one more of them applies what was left out until then.
  if (now.isUnapplied?.(later.place.file)) return { because: 'nothing here applies it any more', stays: true };
  if (then.length > 0) return old.hasFolders ? { arrives: `${deliveryNames(then)} applies it from now on: it is created unless it is there already` } : undefined;
  return listFate(read, later, old, now);
}

/** Outcome of an object that deliveries applied. */
function deliveryFate(read: ReadObject, later: ReadObject | undefined, old: AppliedState, now: AppliedState): Fate | undefined {
  const by = read.appliers ?? [];
  const names = deliveryNames(by);
  const isGone = by.every((delivery) => !now.delivery(delivery));
  const goElsewhere = by.filter((delivery) => tenantOf(now.delivery(delivery) ?? delivery) !== tenantOf(delivery));
  const stays = by.every((delivery) => goElsewhere.includes(delivery) || keeps(delivery, now.delivery(delivery)));
  const then = later?.appliers ?? [];
  const missing = by.map((delivery) => now.missingFolder(delivery, old));
  if (then.length === 0 && !isGone && !missing.includes(undefined)) {
    return { because: `${names} ${findsNoFolder([...new Set(missing)].join(' and '))}`, stays: true };
  }
  if (goElsewhere.length > 0 && then.length === 0) {
    return { because: `${names} applies it to another cluster from now on${stays ? '; it stays here, and nothing manages it any more' : ''}`, ...(stays && { stays }) };
  }
  if (then.length === 0 && !stays && by.every((delivery) => deliveryFacts(delivery)?.leavesOwned) && hasOwner(read, old, now)) {
    return { because: `${names} ${isGone ? 'deletes' : 'prunes'} nothing that has an owner, which is the Cluster: delete it by hand`, stays: true };
  }
  if (!later) {
    if (by.some((delivery) => isSuspendedLate(delivery, now.delivery(delivery)) && !keeps(delivery, delivery))) {
      return markedFate(read.object, by, now) ?? { because: `${names} is suspended from now on: it stays unless it is pruned before` };
    }
    if (!stays && by.every((delivery) => now.isKeptWithoutManifests(delivery))) return { because: `${names} finds no manifest any more, and then deletes nothing`, stays: true };
    if (!stays) return markedFate(read.object, by, now);
    // The order in which the controllers see both removals is not known.
    if (isGone && by.some((delivery) => !now.lacksFolderOf(delivery, old) && (!keepsWithout(delivery) || now.hasManifestsOf(delivery)))) {
      return { because: `${names} is removed, too, and leaves what it applied: it stays unless it is pruned before` };
    }
    if (isGone) return { because: `${names} is removed, too, and leaves what it applied`, stays };
    const hold = by.map((delivery) => deliveryHold(now.delivery(delivery) ?? delivery)).find((one) => one !== undefined);
    // It sees the removal at the same time as its delivery sees its change.
    if (!hold && by.some((delivery) => !keeps(delivery, delivery))) {
      return { because: `${names} does not prune from now on: it stays unless it is pruned before` };
    }
    return { because: hold ? `${names} ${hold.is}, and deletes nothing until ${hold.until}` : `${names} does not prune`, stays };
  }
  const known = new Set(by.map(objectKey));
  if (then.some((delivery) => known.has(objectKey(delivery)))) return undefined;
  const marked = then.length === 0 && !stays ? markedFate(read.object, by, now) : undefined;
  if (marked) return marked;
  if (then.length === 0) {
    const what = isGone ? `${names}, which applied it, is removed` : `${names} applies it no longer`;
    return { because: `${what}${stays ? ', and leaves it in the cluster' : ''}`, ...(stays && { stays }) };
  }
  if (stays || isLeft(read.object, by, now)) return undefined;
  return {
    because: `moves from ${names} to ${deliveryNames(then)}: it is deleted unless ${deliveryNames(then)} applies it first; mark it against pruning in a commit before`,
    moves: true,
  };
}

function findsNoFolder(folder: string): string {
  return `finds no folder ${folder}: it fails, applies nothing and deletes nothing until the folder is there`;
}

/** True if the Cluster that owns an object stays in the management cluster. */
function hasOwner(read: ReadObject, old: AppliedState, now: AppliedState): boolean {
  const cluster = old.ownerOf(read);
  if (!cluster) return false;
  const later = now.find(cluster, old);
  const fate = fateOf(cluster, later, old, now);
  if (!fate) return later !== undefined || isKept(cluster.object);
  return 'arrives' in fate || fate.moves === true || fate.stays === true;
}

/** Outcome of an object that its deliveries do not apply any more, where its marks are not those that they go by. */
function markedFate(object: ManifestObject, by: readonly ManifestObject[], now: AppliedState): Fate | undefined {
  const stays = isLeft(object, by, now);
  if (!stays && by.every((delivery) => deliveryFacts(delivery)?.asks?.(object, delivery, now.delivery(delivery)))) {
    return { because: `${deliveryNames(by)} asks a user to confirm the removal, and waits until then`, stays };
  }
  if (stays === isKept(object)) return undefined;
  if (stays) return { because: `${deliveryNames(by)} leaves it by its options and marks`, stays };
  return { because: `${deliveryNames(by)} does not go by its marks, which are for another case or tool`, stays };
}

/** True if deliveries leave an object that they do not apply any more, by its marks. */
function isLeft(object: ManifestObject, by: readonly ManifestObject[], now: AppliedState): boolean {
  return by.every((delivery) => deliveryFacts(delivery)?.leaves?.(object, delivery, now.delivery(delivery)) ?? isKept(object));
}

/** Outcome of an object that kustomizations list, and no known delivery applies. */
function listFate(read: ReadObject, later: ReadObject, old: AppliedState, now: AppliedState): Fate | Arrival | undefined {
  const [was, is] = [old.pathOf(read), now.pathOf(later)];
  const fate = { because: `no kustomization lists ${is} any more` };
  if (now.tree.leavesOut(is)) return old.tree.leavesOut(was) ? undefined : fate;
  const [former, latter] = [old.tree.topsOf(was), now.tree.topsOf(is)];
  if (former.some((folder) => latter.includes(folder))) return undefined;
  // A kustomization that others listed may be applied by itself, but was not.
  const [formerAll, latterAll] = [old.tree.appliersOf(was), now.tree.appliersOf(is)];
  if (former.some((folder) => now.tree.has(folder)) && latter.every((folder) => formerAll.has(folder))) return fate;
  const isNew = latter.some((folder) => old.tree.has(folder)) && former.every((folder) => latterAll.has(folder));
  return isNew ? { arrives: `a kustomization lists ${is} from now on` } : undefined;
}

/** Objects that are deleted with their namespace, or with the definition of their kind. */
function fatesWithContainers(
  old: AppliedState, now: AppliedState, notAfter: ReadonlySet<ManifestObject>, fates: ReadonlyMap<ManifestObject, Fate>,
): (readonly [ReadObject, Fate])[] {
  const gone = old.own.filter((read) => {
    if (groupKind(read.object) !== NAMESPACE && groupKind(read.object) !== DEFINITION) return false;
    const later = now.find(read, old);
    return (!later || notAfter.has(later.object)) && !isInTenant(read) && !(fates.get(read.object)?.stays ?? isKept(read.object));
  });
  if (gone.length === 0) return [];
  const namespaces = new Map(gone.filter(({ object }) => groupKind(object) === NAMESPACE).map(({ object }) => [nameOf(object), object]));
  const kinds = new Map(gone.filter(({ object }) => groupKind(object) === DEFINITION).map(({ object }) => (
    [`${stringAt(object, 'spec', 'group')}/${stringAt(object, 'spec', 'names', 'kind')}`, object])));
  return old.own.flatMap((read) => {
    const namespace = namespaceOf(read.object);
    const container = kinds.get(groupKind(read.object)) ?? (namespace === undefined ? undefined : namespaces.get(namespace));
    if (!container || isInTenant(read)) return [];
    return [[read, { because: `goes with the ${String(container.kind)} ${nameOf(container)}, which is removed`, stays: false }] as const];
  });
}

function isInTenant({ appliers = [] }: ReadObject): boolean {
  return appliers.some((delivery) => deliveryPlace(delivery) === AddonPlace.TENANT);
}

/** True if a delivery applies nothing by itself. */
function isHeld(delivery: ManifestObject): boolean {
  return deliveryHold(delivery) !== undefined;
}

function keeps(delivery: ManifestObject, after: ManifestObject | undefined): boolean {
  return deliveryFacts(delivery)?.keepsRemoved?.(delivery, after) === true;
}

function deliveryNames(deliveries: readonly ManifestObject[]): string {
  return deliveries.map((delivery) => `${String(delivery.kind)} ${nameOf(delivery)}`).join(' and ');
}
