import { ChartChanges, withChartChanges } from './chart-changes';
import { withFailing } from './failing-deliveries';
import { ChangeKind, ObjectChange, Refusal, UnreadFile } from './plan-model';
import { MadePart, StayingClusters, TopologyChange, TopologyChanges, topologyChanges } from './topology-changes';
import { unlistedFiles } from './unlisted-files';
import { AppliedStates, appliedStates, Fate } from '../landscape/applied-objects';
import { FileAppliers, objectKey } from '../landscape/file-appliers';
import { LiveObjects } from '../landscape/live-objects';
import { ManifestState, pathWithin } from '../landscape/manifest-state';
import { ObjectOwners, Owner } from '../landscape/object-owners';
import { ReadObject } from '../landscape/placed-objects';
import { byTarget, ObjectsByTarget } from '../landscape/targets';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { staticPodFiles } from '../objects/packed-manifests';
import { isKept } from '../objects/prune-annotations';
import { withoutMarks, withoutSecrets } from '../objects/secret-values';
import { ChangeEffect } from '../rules/changes/effects';
import { fieldChanges } from '../rules/changes/field-changes';
import { ManifestIndex } from '../rules/manifest-index';
import { StoredPair, storedPair } from '../stored/stored-objects';
import { deliveryFacts } from '../systems/providers';
import { pairManifests } from '../validation/pair-manifests';

/** An object that differs between two states, as it is in both. */
export interface Difference {
  readonly before?: ManifestObject;
  readonly after?: ManifestObject;

  /** Both as the server stores them, without secrets, of an object that is in both states. */
  readonly stored?: StoredPair;

  /** The files that it stands in, before and after, below what was read. */
  readonly files: readonly [before: string | undefined, after: string | undefined];

  /** The clusters that it belongs to. */
  readonly owners: readonly Owner[];

  /** The clusters that it belonged to before, where that is another state of it. */
  readonly formerOwners?: readonly Owner[];

  /** The cluster or machine that it is applied to; undefined for the management cluster. */
  readonly target: string | undefined;

  /** The deliveries that apply it, or that applied it before it was removed. */
  readonly appliers: readonly ManifestObject[];

  /** Reasons that a server refuses the change. */
  readonly refusals?: readonly Refusal[];

  /** Findings of what the server accepts, and fails on later. */
  readonly failing?: readonly Refusal[];

  /** Findings among them that keep other objects from working. */
  readonly stranding?: readonly Refusal[];

  /** The deliveries that apply it, and do not as long as the server refuses another of their changes. */
  readonly heldBy?: readonly string[];

  /** Reason that nothing applies the difference. */
  readonly notApplied?: string;

  /** The file that a removed object stands in, too: it was there twice. */
  readonly alsoIn?: string;

  /** The object whose machines have it in a file, as a static pod. */
  readonly machines?: ManifestObject;
  readonly shown: ObjectChange;

  /** The delivery that applies the difference once it is resumed, or a user has it do so. */
  readonly suspendedBy?: ManifestObject;

  /** True of a removal after which the same delivery creates the object anew. */
  readonly recreated?: true;

  /** Part that it belongs to, if the topology controller makes it. */
  readonly made?: MadePart;

  /** Of a Cluster: what becomes of its topology, if that may change. */
  readonly topology?: TopologyChange;

  /** Reason that nothing of what it delivers is applied, where it is a delivery that fails. */
  readonly fails?: string;

  /** Effects of changes of its chart, where it is a delivery of a chart of the repository. */
  readonly charts?: readonly ChangeEffect[];

  /** Reason that it is removed or moves, although it stands in a file; is created, although it stood in one; or stays, although it stands in none. */
  readonly because?: string;
}

/** Two states of manifests, object by object. */
export interface Comparison {
  readonly differences: readonly Difference[];

  /** The clusters that there are, and what belongs to them. */
  readonly oldOwners: ObjectOwners;
  readonly nowOwners: ObjectOwners;

  /** The objects of the management cluster. */
  readonly old: ManifestIndex;
  readonly now: ManifestIndex;

  /** Objects that are applied to a cluster or machine, in both states. */
  readonly indexesOf: (target: string | undefined, cluster?: Owner) => readonly [old: ManifestIndex, now: ManifestIndex];

  /** Files with objects that differ, and that no kustomization around them lists. */
  readonly unlisted: readonly UnreadFile[];

  /** The keys of deliveries whose folders were built with what they add. */
  readonly built: ReadonlySet<string>;

  /** True of a delivery whose folders were read in both states as it applies them. */
  readonly isRead: (delivery: ManifestObject) => boolean;

  /** True if each folder that a delivery of the later state applies was read. */
  readonly hasAllFolders: () => boolean;

  /** The keys of deliveries of the later state all of whose folders were read. */
  readonly readNow: () => ReadonlySet<string>;
}

/**
 * Compares two states of the manifests of a management cluster. Each object that is not the same in both is one difference.
 *
 * @param before the earlier state
 * @param after the later state
 * @param live what the management cluster holds, for what deletes an object that no delivery among the manifests applies
 * @param charts effects of changed charts by the deliveries that install them
 * @param staying Clusters that are refused, and whose topologies change all the same
 */
export function compareObjects(
  before: ManifestState, after: ManifestState, live?: LiveObjects, charts: ChartChanges['effects'] = new Map(), staying: StayingClusters = new Map(),
): Comparison {
  const applied = appliedStates(before, after);
  const topologies = topologyChanges(applied.before, applied.after, staying);
  const [old, now] = [byTarget([...applied.before, ...topologies.before]), byTarget([...applied.after, ...topologies.after])];
  const [oldOwners, nowOwners] = [new ObjectOwners(old), new ObjectOwners(now)];
  const later = (delivery: ManifestObject) => nowOwners.management.find(groupKind(delivery), namespaceOf(delivery), nameOf(delivery));
  const isLeft = (read: ReadObject) => isLeftBehind(read, later);
  const keptBecause = new Map(applied.kept.map((one) => [one.applied, one.because]));
  const found = [...new Set([...now.keys(), ...old.keys()])].flatMap((target): Difference[] => {
    const written = now.get(target) ?? [];
    const [olds, news] = withoutShared(old.get(target) ?? [], written, applied.fates);
    const [ofOld, ofNow] = [olds, news].map((list) => new Map(list.map((read) => [read.object, read])));
    const placeOf = (object: ManifestObject) => {
      const [read, state] = ofOld.has(object) ? [ofOld.get(object)!, before] : [ofNow.get(object)!, after];
      return pathWithin(state, read.place.file);
    };
    const { before: pairs, gone } = pairManifests(olds.map(({ object }) => object), news.map(({ object }) => object), placeOf);
    const others = new Map(gone.length > 0 ? written.map((read) => [objectKey(read.object), read]) : []);
    const oldPacks = new Set(olds.flatMap(({ pack }) => (pack ? [objectKey(pack)] : [])));
    return [
      ...news.flatMap((read) => {
        const was = pairs.get(read.object);
        const fate = was && applied.fates.get(was);
        const pair = was && storedPair(was, read.object);
        // Nearly all objects in files that changed are the same.
        if (pair && pair.before === pair.after && !fate?.moves) return [];
        const stored = pair && withoutSecrets(pair);
        const change = shownChange(was, read.object, target !== undefined, stored, fate?.moves);
        if (!change) return [];
        const shown = { ...change, place: read.place };
        const made = topologies.parts.get(read.object);
        const formerOwners = was && oldOwners.of(ofOld.get(was)!, target);
        const once = read.pack && oldPacks.has(objectKey(read.pack)) ? appliedOnce(read) : undefined;
        return [{
          before: was,
          after: read.object,
          stored,
          files: [was && placeOf(was), placeOf(read.object)] as const,
          owners: deliveryFacts(read.object) ? withFormer(nowOwners.of(read, target), formerOwners) : nowOwners.of(read, target),
          formerOwners,
          target,
          appliers: read.appliers ?? [],
          machines: machinesWith(read),
          notApplied: once,
          shown: made ? { ...shown, made: true as const } : shown,
          made,
          topology: topologies.clusters.get(read.object),
          suspendedBy: applied.suspended.get(made?.cluster ?? read.object),
          because: fate?.because ?? (was ? keptBecause : applied.arrivals).get(read.object) ?? applied.racing.get(made?.cluster ?? read.object),
        }];
      }),
      ...gone.flatMap((object) => {
        const read = ofOld.get(object)!;
        const shown = shownChange(object, undefined, target !== undefined)!;
        const other = nameOf(object) === undefined ? undefined : others.get(objectKey(object));
        const alsoIn = other && pathWithin(after, other.place.file);
        // An object that one file had twice, and has once now, is still there.
        if (alsoIn === placeOf(object)) return [];
        const made = topologies.parts.get(object);
        const isOfNone = target === undefined && !made && !read.pack && (read.appliers ?? []).length === 0;
        const fate = applied.fates.get(read.pack ?? object) ?? (isOfNone ? live?.fateOf(object) : undefined);
        return [{
          before: object,
          files: [placeOf(object), undefined] as const,
          owners: oldOwners.of(read, target),
          target,
          appliers: read.appliers ?? [],
          machines: machinesWith(read),
          shown: { ...shown, place: read.place, stays: fate?.stays ?? (shown.stays || isLeft(read)), ...made && { made: true as const } },
          made,
          ...(alsoIn !== undefined && { alsoIn }),
          ...(fate && { because: fate.because }),
        }];
      }),
    ];
  });
  const unlisted = unlistedFiles(applied.unlisted, [before, after]);
  const sameObject = (was: ReadObject, read: ReadObject, target: string | undefined): Difference => ({
    before: was.object,
    after: read.object,
    files: [pathWithin(before, was.place.file), pathWithin(after, read.place.file)],
    owners: nowOwners.of(read, target),
    formerOwners: oldOwners.of(was, target),
    target,
    appliers: read.appliers ?? [],
    shown: { ...shownObject(read.object, target !== undefined), change: ChangeKind.CHANGED, fields: [], place: read.place },
    suspendedBy: applied.suspended.get(read.object),
  });
  const kept = keptDifferences(applied, nowOwners, [before, after]);
  const sameHere = (was: ReadObject, read: ReadObject) => sameObject(was, read, undefined);
  const failing = withFailing(withRecreated(found, old, now, sameObject), applied, sameHere);
  const pathOf = ({ place }: ReadObject) => pathWithin(after, place.file);
  const all = [...withChartChanges(failing, applied, { effects: charts, pathOf }, sameHere), ...kept];
  const differences = [...all, ...topologyDifferences(topologies, found, nowOwners, [before, after])];
  const indexOf = (groups: ObjectsByTarget, { management }: ObjectOwners, target: string | undefined, cluster?: Owner) => (
    target === undefined ? management
      : new ManifestIndex((groups.get(target) ?? []).map(({ object }) => object), cluster && { management, ...cluster }));
  const indexesOf: Comparison['indexesOf'] = (target, cluster) => (
    [indexOf(old, oldOwners, target, cluster), indexOf(now, nowOwners, target, cluster)]);
  let readNow: ReadonlySet<string> | undefined;
  const built = new Set([...[...after.builtFor?.values() ?? []].map(({ key }) => key), ...applied.makers]);
  return {
    differences,
    oldOwners,
    nowOwners,
    old: oldOwners.management,
    now: nowOwners.management,
    indexesOf,
    unlisted,
    built,
    isRead: readDeliveries([before, after]),
    hasAllFolders: () => new FileAppliers(after).hasAllFolders,
    readNow: () => readNow ??= new FileAppliers(after).deliveriesOfFolders,
  };
}

/** The owners of a delivery, with those that it has no longer. */
function withFormer(owners: readonly Owner[], former: readonly Owner[] = []): readonly Owner[] {
  return [...owners, ...former.filter(({ id }) => owners.every((owner) => owner.id !== id))];
}

/** Tells of deliveries if their folders were read in all states. What a kustomization that was not built gives is not known. */
function readDeliveries(states: readonly ManifestState[]): Comparison['isRead'] {
  let known: readonly ReadonlySet<string>[] | undefined;
  return (delivery) => {
    if (!deliveryFacts(delivery)?.folders) return false;
    known ??= states.map((state) => (state.unbuilt ? new Set<string>() : new FileAppliers(state).deliveriesOfFolders));
    return known.every((keys) => keys.has(objectKey(delivery)));
  };
}

/** Differences of manifests of which nothing is applied. */
function keptDifferences({ before, kept }: AppliedStates, owners: ObjectOwners, [old, now]: readonly ManifestState[]): Difference[] {
  if (kept.length === 0) return [];
  const known = new Map(before.map((read) => [read.object, read]));
  return kept.flatMap(({ read, applied, because }) => {
    const was = known.get(applied);
    const stored = was && withoutSecrets(storedPair(was.object, read.object));
    const change = was && shownChange(was.object, read.object, false, stored);
    if (!was || !change) return [];
    return [{
      before: was.object,
      after: read.object,
      stored,
      files: [pathWithin(old, was.place.file), pathWithin(now, read.place.file)] as const,
      owners: owners.of({ ...read, object: applied }, undefined),
      target: undefined,
      appliers: read.appliers ?? [],
      notApplied: because,
      shown: { ...change, place: read.place },
    }];
  });
}

/** Makes the difference of an object that is the same in both states. */
type SameObject = (before: ReadObject, after: ReadObject, target: string | undefined) => Difference;

/**
 * Differences with two in place of each object that its delivery deletes and creates anew: a removal, and a creation. A delivery that applies one of
 * the differences may do so with objects that are the same.
 *
 * @param found the differences
 * @param old all objects of the earlier state
 * @param now all objects of the later state
 * @param sameObject makes the difference of an object that is the same
 */
function withRecreated(found: readonly Difference[], old: ObjectsByTarget, now: ObjectsByTarget, sameObject: SameObject): Difference[] {
  const differences = found.flatMap((difference) => {
    const { before, after, appliers, made, shown } = difference;
    const by = before && after && !made && shown.change === ChangeKind.CHANGED ? recreating(appliers, after, before, true) : undefined;
    return by ? recreated(difference, by) : [difference];
  });
  const applying = new Set(found.flatMap(({ appliers }) => appliers.filter((one) => deliveryFacts(one)?.recreates).map(objectKey)));
  if (applying.size === 0) return differences;
  const differing = new Set(found.flatMap(({ after }) => after ?? []));
  const same = [...now].flatMap(([target, reads]) => {
    const candidates = reads.flatMap((read) => {
      const appliers = (read.appliers ?? []).filter((one) => applying.has(objectKey(one)));
      const by = differing.has(read.object) || read.pack || appliers.length === 0 ? undefined : recreating(appliers, read.object, read.object, false);
      return by ? [{ read, by }] : [];
    });
    if (candidates.length === 0) return [];
    const known = new Map((old.get(target) ?? []).map((read) => [objectKey(read.object), read]));
    return candidates.flatMap(({ read, by }) => {
      const before = known.get(objectKey(read.object));
      return before ? recreated(sameObject(before, read, target), by) : [];
    });
  });
  return [...differences, ...same];
}

/** The delivery that deletes an object and creates it anew. */
function recreating(
  appliers: readonly ManifestObject[], after: ManifestObject, before: ManifestObject, differs: boolean,
): ManifestObject | undefined {
  return appliers.find((delivery) => deliveryFacts(delivery)?.recreates?.(delivery, after, before, differs));
}

/** A removal and a creation in place of the difference of an object that its delivery deletes and creates anew. */
export function recreated(difference: Difference, by: ManifestObject): Difference[] {
  const { files: [was, is], owners, formerOwners = owners, shown, stored: _, topology: __, ...common } = difference;
  const whole = { ...shown, fields: [], stays: false };
  return [
    {
      ...common,
      after: undefined,
      files: [was, undefined],
      owners: formerOwners,
      shown: { ...whole, change: ChangeKind.REMOVED },
      recreated: true,
      because: `${String(by.kind)} ${nameOf(by) ?? ''} deletes ${shown.kind} ${shown.name}, and creates it anew`,
    },
    { ...common, before: undefined, files: [undefined, is], owners, shown: { ...whole, change: ChangeKind.CREATED } },
  ];
}

/** Clusters that are the same, and whose topologies may differ, because their ClusterClass or its templates do. */
function topologyDifferences(
  { clusters }: TopologyChanges, found: readonly Difference[], owners: ObjectOwners, [old, now]: readonly ManifestState[],
): Difference[] {
  const listed = new Set(found.map(({ after }) => after));
  return [...clusters].filter(([cluster, { unknown, notes }]) => !listed.has(cluster) && (unknown.length > 0 || notes.length > 0))
    .map(([after, topology]) => ({
      before: topology.before.object,
      after,
      files: [pathWithin(old, topology.before.place.file), pathWithin(now, topology.after.place.file)],
      owners: owners.of(topology.after, undefined),
      target: undefined,
      appliers: topology.after.appliers ?? [],
      shown: { ...shownObject(after, false), change: ChangeKind.CHANGED, fields: [], place: topology.after.place },
      topology,
    }));
}

/** Two states of one cluster without the objects of files that are the same, which are read once. */
function withoutShared(
  olds: readonly ReadObject[], news: readonly ReadObject[], fates: ReadonlyMap<ManifestObject, Fate>,
): readonly (readonly ReadObject[])[] {
  const [before, after] = [olds, news].map((list) => new Set(list.map(({ object }) => object).filter((object) => !fates.has(object))));
  return [olds.filter(({ object }) => !after.has(object)), news.filter(({ object }) => !before.has(object))];
}

function machinesWith({ pack }: ReadObject): ManifestObject | undefined {
  return pack && staticPodFiles(pack).length > 0 ? pack : undefined;
}

function shownChange(
  before: ManifestObject | undefined, after: ManifestObject | undefined, inTenant: boolean, stored?: StoredPair, moves = false,
): ObjectChange | undefined {
  const fields = stored ? withoutMarks(fieldChanges(stored.before, stored.after)) : [];
  if (stored && fields.length === 0 && !moves) return undefined;
  const object = after ?? before!;
  const change = moves ? ChangeKind.MOVED : !before ? ChangeKind.CREATED : after ? ChangeKind.CHANGED : ChangeKind.REMOVED;
  return { change, ...shownObject(object, inTenant), fields, stays: after === undefined && isKept(before!) };
}

function shownObject(object: ManifestObject, inTenant: boolean): Omit<ObjectChange, 'change' | 'fields'> {
  const { apiVersion, kind } = object;
  return { apiVersion: String(apiVersion), kind: String(kind), namespace: namespaceOf(object), name: nameOf(object) ?? '', inTenant, stays: false };
}

/** Reason that changes of an object are not applied, if each of its deliveries applies it once. */
function appliedOnce({ deliveries = [] }: ReadObject): string | undefined {
  const isOnce = deliveries.every((delivery) => deliveryFacts(delivery)?.appliesOnce?.(delivery));
  return isOnce && deliveries.length > 0 ? `${String(deliveries[0].kind)} ${nameOf(deliveries[0])} applies it once` : undefined;
}

/** True if an object stays where it was delivered to, when its deliveries, as they are then, deliver it no longer. */
function isLeftBehind({ deliveries = [] }: ReadObject, later: (delivery: ManifestObject) => ManifestObject | undefined): boolean {
  return deliveries.some((delivery) => deliveryFacts(delivery)?.keepsRemoved?.(delivery, later(delivery)));
}
