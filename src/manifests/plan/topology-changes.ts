import { PartKind, PartOf } from './plan-model';
import { refusalFindings } from './refused-objects';
import { NotComputed, TemplateFault } from '../go-template/faults';
import { ReadObject } from '../landscape/placed-objects';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { withoutSecrets } from '../objects/secret-values';
import { ChangeEffect, Effect, reason } from '../rules/changes/effects';
import { fieldChanges } from '../rules/changes/field-changes';
import { CLUSTER, CLUSTER_CLASS } from '../rules/cluster-api/cluster-api-kinds';
import { classNameOf } from '../rules/cluster-api/cluster-classes';
import { ManifestIndex } from '../rules/manifest-index';
import { RuleFinding } from '../rules/manifest-rule';
import { referencesOf } from '../rules/references/object-references';
import { MissingTemplates } from '../topology/blueprint';
import { withContentNames } from '../topology/content-names';
import { currentState } from '../topology/current-state';
import { CurrentState, desiredObjects, NOTHING, TopologyObjects } from '../topology/desired-objects';
import { TopologyStop, TopologyUnknown } from '../topology/outcome';
import { TopologyPool } from '../topology/pool-objects';
import { fieldsOf, storedTopology, TopologySpec, WorkerList } from '../topology/stored-topology';
import { deferredBy, poolNames, upgradeSteps, upgradeTurn, versionOf } from '../topology/upgrade-order';
import { ManifestValidator } from '../validation/validate-manifests';
import { fieldAt, Fields, isFields, isSet, pointerTo, sameValue, withValues } from '../values/fields';

/** An object that the topology controller makes. */
export interface MadePart {
  readonly part: PartOf;

  /** The Cluster that it is made of. */
  readonly cluster: ManifestObject;
  readonly notes: readonly string[];

  /** Reasons that the server refuses it. */
  readonly findings?: readonly RuleFinding[];
}

/** Consequences of a changed topology for its Cluster, beside the objects that are made of it. */
export interface TopologyChange {
  readonly before: ReadObject;
  readonly after: ReadObject;

  /** True if the objects are known, so that their changes say what happens. */
  readonly isComputed: boolean;

  /** Reasons that its consequences are not known, or some of them. */
  readonly unknown: readonly string[];
  readonly notes: readonly string[];
}

/** Objects that the topology controller makes in two states. */
export interface TopologyChanges {
  readonly before: readonly ReadObject[];
  readonly after: readonly ReadObject[];
  readonly parts: ReadonlyMap<ManifestObject, MadePart>;

  /** By the Cluster of the later state. */
  readonly clusters: ReadonlyMap<ManifestObject, TopologyChange>;
}

/** Clusters that the server refuses, as they were, by what is written of them: their topologies follow classes that change. */
export type StayingClusters = ReadonlyMap<ManifestObject, ManifestObject>;

const NO_CHANGES: TopologyChanges = { before: [], after: [], parts: new Map(), clusters: new Map() };

/**
 * Computes what the topology controller makes of Clusters in two states, for Clusters that are in both, and whose objects may differ.
 *
 * @param before the objects of the earlier state
 * @param written the objects of the later state
 * @param staying Clusters that stay as they were, by what is written of them
 */
export function topologyChanges(before: readonly ReadObject[], written: readonly ReadObject[], staying: StayingClusters): TopologyChanges {
  const after = staying.size === 0 ? written : written.map((read) => ({ ...read, object: staying.get(read.object) ?? read.object }));
  const [old, now] = [before, after].map(topologyClusters);
  const both = [...now].filter(([key]) => old.has(key));
  if (both.length === 0) return NO_CHANGES;
  const inputs = new TopologyInputs(indexOf(before), indexOf(after));
  const result = { before: [] as ReadObject[], after: [] as ReadObject[] };
  const parts = new Map<ManifestObject, MadePart>();
  const clusters = new Map<ManifestObject, TopologyChange>();
  for (const [key, read] of both) {
    const was = old.get(key)!;
    if (inputs.areSame(was.object, read.object)) continue;
    const { made, change } = comparedTopology(was, read, inputs);
    clusters.set(read.object, change);
    for (const { state, object, part, notes = [], findings } of made) {
      const origin = state === 'before' ? was : read;
      result[state].push({ object, place: origin.place, placeOf: () => origin.place });
      parts.set(object, { part, cluster: origin.object, notes, ...findings && { findings } });
    }
  }
  return { ...result, parts, clusters };
}

/** Clusters with a topology, by namespace and name. Of several with one name the first one counts. */
function topologyClusters(reads: readonly ReadObject[]): ReadonlyMap<string, ReadObject> {
  const found = new Map<string, ReadObject>();
  for (const read of reads) {
    const { object, target } = read;
    if (target !== undefined || groupKind(object) !== CLUSTER || !isFields(fieldAt(object, 'spec', 'topology'))) continue;
    const key = JSON.stringify([namespaceOf(object), nameOf(object)]);
    if (!found.has(key)) found.set(key, read);
  }
  return found;
}

function indexOf(reads: readonly ReadObject[]): ManifestIndex {
  return new ManifestIndex(reads.flatMap(({ object, target }) => (target === undefined && groupOf(object).endsWith('cluster.x-k8s.io') ? [object] : [])));
}

/** Sources of topologies, in two states. */
class TopologyInputs {
  public readonly validator = new ManifestValidator();
  private readonly classes = new Map<string, boolean>();

  public constructor(public readonly old: ManifestIndex, public readonly now: ManifestIndex) {}

  /** True if the same is made of a Cluster in both states. */
  public areSame(before: ManifestObject, after: ManifestObject): boolean {
    return this.haveSameClass(before, after) && sameValue(relevant(before), relevant(after));
  }

  /** True if neither the Cluster nor its ClusterClass differs: the controller watches these two. */
  public areWatchedSame(before: ManifestObject, after: ManifestObject): boolean {
    const [[old], [now]] = [classObjects(classKey(before), this.old), classObjects(classKey(after), this.now)];
    return sameValue(relevant(before), relevant(after)) && sameValue(old, now);
  }

  /** True if the ClusterClass of a Cluster of the later state is among the manifests. */
  public hasClass(cluster: ManifestObject): boolean {
    return classObjects(classKey(cluster), this.now).length > 0;
  }

  /** True if the ClusterClasses of two states, and their templates, are the same. */
  public haveSameClass(before: ManifestObject, after: ManifestObject): boolean {
    const [was, is] = [classKey(before), classKey(after)];
    const key = JSON.stringify([was, is]);
    const known = this.classes.get(key);
    if (known !== undefined) return known;
    const [one, other] = [classObjects(was, this.old), classObjects(is, this.now)];
    const isSame = sameValue(was, is) && one.length === other.length && one.every((object, index) => sameValue(object, other[index]));
    this.classes.set(key, isSame);
    return isSame;
  }
}

type ClassKey = readonly [namespace: string | undefined, name: string | undefined];

function classKey(cluster: ManifestObject): ClassKey {
  const { namespace, name } = classNameOf(cluster);
  return [namespace, name];
}

/** The class of a Cluster, and the templates that it names. */
export function classOfTopology(cluster: ManifestObject, index: ManifestIndex): readonly (ManifestObject | undefined)[] {
  return classObjects(classKey(cluster), index);
}

/** A ClusterClass, and the templates that it names. */
function classObjects([namespace, name]: ClassKey, index: ManifestIndex): readonly (ManifestObject | undefined)[] {
  const found = index.find(CLUSTER_CLASS, namespace, name);
  return found ? [found, ...referencesOf(found).map(({ reference }) => index.find(reference.kind, namespace, reference.name))] : [];
}

/** The part of a Cluster that objects are made of. */
function relevant({ apiVersion, metadata, spec }: ManifestObject): unknown {
  const { labels, annotations } = fieldsOf(metadata);
  return { apiVersion, labels, annotations, topology: fieldAt(spec, 'topology'), network: fieldAt(spec, 'clusterNetwork') };
}

/** An object that is made, and what it is part of. */
interface PartOfTopology {
  readonly object: ManifestObject;
  readonly part: PartOf;
  readonly notes?: readonly string[];
  readonly findings?: readonly RuleFinding[];
}

interface MadeInState extends PartOfTopology {
  readonly state: 'before' | 'after';
}

interface ComparedTopology {
  readonly made: readonly MadeInState[];
  readonly change: TopologyChange;
}

/** Objects that are made of a topology, or the reason that none are. */
type Outcome = { readonly made: TopologyObjects } | { readonly stop: string } | { readonly unknown: string };

function outcomeOf(cluster: ManifestObject, index: ManifestIndex, current: CurrentState): Outcome {
  try {
    return { made: withContentNames(desiredObjects(cluster, index, current)) };
  } catch (error) {
    if (error instanceof TopologyStop || error instanceof TemplateFault) return { stop: error.message };
    if (error instanceof TopologyUnknown || error instanceof NotComputed) return { unknown: error.message };
    throw error;
  }
}

/** Outcomes of a topology in both states. Templates that are missing in both are the same in both, so that others stand for them. */
function outcomesOf(was: ReadObject, is: ReadObject, inputs: TopologyInputs): readonly [old: Outcome, now: Outcome] {
  const compute = (...[ofOld, ofNow]: readonly (MissingTemplates | undefined)[]): readonly [Outcome, Outcome] => {
    const old = outcomeOf(was.object, inputs.old, { ...NOTHING, missing: ofOld });
    return [old, outcomeOf(is.object, inputs.now, { ...'made' in old ? currentState(old.made, is.object) : NOTHING, missing: ofNow })];
  };
  const outcomes = compute();
  if (!outcomes.every((outcome) => 'unknown' in outcome)) return outcomes;
  const missing = [0, 1].map((): MissingTemplates => ({ stand: new Set(), words: new Set() }));
  const others = compute(...missing);
  const [ofOld, ofNow] = missing.map(({ words }) => [...words]);
  return sameValue(ofOld, ofNow) ? others : outcomes;
}

function comparedTopology(was: ReadObject, is: ReadObject, inputs: TopologyInputs): ComparedTopology {
  const [old, now] = outcomesOf(was, is, inputs);
  const nothing = (change: Partial<TopologyChange>): ComparedTopology => (
    { made: [], change: { before: was, after: is, isComputed: false, unknown: [], notes: [], ...change } });
  if ('unknown' in now) return nothing({ unknown: [now.unknown] });
  if ('stop' in now) return nothing({ isComputed: true, notes: [`the topology controller stops: ${now.stop}; control plane and pools stay as they are`] });
  if ('unknown' in old) return nothing({ unknown: [`${old.unknown} in the earlier state`] });
  if ('stop' in old) return nothing({ unknown: [`the topology controller stopped in the earlier state: ${old.stop}`] });
  const [before, after] = [old.made, withDeferred(old.made, now.made)];
  const former = partsOf(before);
  const known = new Map(former.map((part) => [partKey(part), part.object]));
  const later = partsOf(after, partNotes(before, after, !inputs.areWatchedSame(was.object, is.object))).map((part): PartOfTopology => {
    const same = known.get(partKey(part));
    // Objects that are the same in both states are compared no further.
    return same && sameValue(same, part.object) ? { ...part, object: same } : part;
  });
  const made = (parts: readonly PartOfTopology[]): MadeInState[] => (
    [...former.map((part): MadeInState => ({ ...part, state: 'before' })), ...parts.map((part): MadeInState => ({ ...part, state: 'after' }))]);
  const refused = refusedPart(former, later, upgradesInSteps(after), inputs.validator);
  if (refused) {
    const name = `${String(refused.object.kind)}${refused.part.name === '' ? '' : ` of pool ${refused.part.name}`}`;
    const notes = [`the topology controller stops at its ${name}, which the server refuses: control plane and pools stay as they are`];
    return { ...nothing({ isComputed: true, notes }), made: made(former.map((part) => (partKey(part) === partKey(refused) ? refused : part))) };
  }
  const unknown = isForPatches(was.object, is.object, inputs) ? new Set([...before.unknown, ...after.unknown]) : [];
  const notes = deferredPools(before, now.made);
  return { made: made(later), change: { before: was, after: is, isComputed: true, unknown: [...unknown, ...upgradedAgain(before, after)], notes } };
}

/** The first part that the server refuses: the controller stops there, and tries again. */
function refusedPart(
  former: readonly PartOfTopology[], later: readonly PartOfTopology[], isChained: boolean, validator: ManifestValidator,
): PartOfTopology | undefined {
  const known = new Map(former.map((part) => [partKey(part), part.object]));
  const [old, now] = [former, later].map((parts) => new ManifestIndex(parts.map(({ object }) => object)));
  for (const part of later) {
    const { object: after } = part;
    const before = known.get(partKey(part));
    if (!before || before === after) continue;
    const findings = refusalFindings(validator, { before: isChained ? withVersionOf(before, after) : before, after, old, now });
    if (findings.length > 0) return { ...part, findings };
  }
  return undefined;
}

/** True if a ClusterClass has upgrades go through versions in between. */
function upgradesInSteps({ blueprint: { clusterClass: { spec } } }: TopologyObjects): boolean {
  return isSet(spec, 'kubernetesVersions') || isSet(spec, 'upgrade', 'external', 'generateUpgradePlanExtension');
}

const VERSIONS: readonly (readonly string[])[] = [['spec', 'version'], ['spec', 'template', 'spec', 'version']];

/** An object with the version of another one. */
function withVersionOf(object: ManifestObject, other: ManifestObject): ManifestObject {
  return withValues(object, new Map(VERSIONS.filter((path) => isSet(object, ...path)).map((path) => [pointerTo(path), fieldAt(other, ...path)])));
}

/** Copies of templates that differ have other names, and are new. */
function partKey({ object, part: { part, name } }: PartOfTopology): string {
  return JSON.stringify([groupKind(object), nameOf(object), part, name]);
}

/** Pools whose upgrade is not deferred any more. */
function upgradedAgain(before: TopologyObjects, after: TopologyObjects): string[] {
  const isDeferred = ({ blueprint: { topology } }: TopologyObjects, { list, name }: TopologyPool) => (
    deferredBy(topology.workers[list], name) !== undefined);
  return after.pools.filter((pool) => isDeferred(before, pool) && !isDeferred(after, pool))
    .map(({ name }) => `the version of pool ${name}, whose upgrades were deferred, is not among the manifests`);
}

/** Pools whose upgrade is deferred: the controller changes nothing of them. */
function isKept(before: TopologyObjects, after: TopologyObjects, { list, name }: TopologyPool): boolean {
  const { topology } = after.blueprint;
  const old = before.pools.find((pool) => pool.list === list && pool.name === name);
  return old !== undefined && deferredBy(topology.workers[list], name) !== undefined && versionOf(old.object) !== topology.spec.version;
}

function withDeferred(before: TopologyObjects, after: TopologyObjects): TopologyObjects {
  const pools = after.pools.map((pool) => {
    const old = isKept(before, after, pool) && before.pools.find(({ list, name }) => list === pool.list && name === pool.name);
    return old ? { ...old, healthCheck: pool.healthCheck } : pool;
  });
  return { ...after, pools };
}

function deferredPools(before: TopologyObjects, after: TopologyObjects): string[] {
  const { workers } = after.blueprint.topology;
  return after.pools.filter((pool) => isKept(before, after, pool))
    .map(({ list, name, object }) => `pool ${name} stays as it is, with version ${String(versionOf(object))}, because of ${deferredBy(workers[list], name)}`);
}

/** True if patches that are not known may make something else: they are given everything. Hardly one looks at the number of machines. */
function isForPatches(was: ManifestObject, is: ManifestObject, inputs: TopologyInputs): boolean {
  if (!inputs.haveSameClass(was, is)) return true;
  const isKnown = inputs.hasClass(is);
  const [old, now] = [was, is].map((cluster) => {
    const { spec: { workers: _, controlPlane: __, ...spec }, controlPlane, workers } = storedTopology(cluster);
    return { spec, controlPlane: isKnown ? unsized(controlPlane) : controlPlane, workers: Object.values(workers) };
  });
  const pairs = old.workers.flatMap((pools, index) => pools.flatMap((pool) => {
    const same = now.workers[index].find(({ name }) => name === pool.name);
    return same ? [[unsized(pool), unsized(same)]] : [];
  }));
  return !sameValue([old.spec, old.controlPlane], [now.spec, now.controlPlane]) || pairs.some(([one, other]) => !sameValue(one, other));
}

function unsized({ replicas: _, ...part }: Fields): Fields {
  return part;
}

/** Cluster API watches no templates, and looks at everything each 10 minutes (main.go, sync-period). */
const LATE = 'seen when the topology controller looks at the Cluster again, within 10 minutes';

/** Notes by the part that they are about. */
type PartNotes = (part: PartKind, name: string, list?: WorkerList) => readonly string[];

/**
 * Notes on parts.
 *
 * @param before what exists
 * @param after what is made
 * @param isWatched whether the controller watches an object that differs
 */
function partNotes(before: TopologyObjects, after: TopologyObjects, isWatched: boolean): PartNotes {
  const [was, is] = [before, after].map(({ controlPlane }) => fieldAt(controlPlane.object, 'spec', 'version'));
  const isUpgraded = !sameValue(was, is);
  const former = ({ list, name }: TopologyPool) => before.pools.find((pool) => pool.list === list && pool.name === name);
  return (part, name, list) => {
    if (!isWatched) return [LATE];
    if (part === PartKind.CONTROL_PLANE) return upgradesInSteps(after) ? upgradeSteps(was, is) : [];
    const pool = after.pools.find((one) => one.list === list && one.name === name);
    if (!pool) return [];
    if (!former(pool)) return isUpgraded ? ['created after the control plane is upgraded'] : [];
    const upgraded = poolNames(after.blueprint.topology, pool.list).filter((one) => after.pools.some((other) => (
      other.list === list && other.name === one && former(other) && !sameValue(versionOf(other.object), versionOf(former(other)!.object)))));
    return upgraded.includes(name) ? upgradeTurn(after.blueprint.cluster, upgraded, name, isUpgraded) : [];
  };
}

function partsOf({ infrastructureCluster, controlPlane, pools }: TopologyObjects, notesOf: PartNotes = () => []): PartOfTopology[] {
  const ofControlPlane: PartOf = { part: PartKind.CONTROL_PLANE, name: '', kind: groupKind(controlPlane.object) };
  return [
    { object: infrastructureCluster, part: { part: PartKind.CLUSTER, name: '', kind: CLUSTER } },
    { object: controlPlane.object, part: ofControlPlane, notes: notesOf(PartKind.CONTROL_PLANE, '') },
    ...[controlPlane.machines?.copy, controlPlane.healthCheck].flatMap((object) => (object ? [{ object, part: ofControlPlane }] : [])),
    ...pools.flatMap(({ list, name, object, bootstrap, infrastructure, healthCheck }) => {
      const part: PartOf = { part: PartKind.POOL, name, kind: groupKind(object) };
      return [
        { object, part, notes: notesOf(PartKind.POOL, name, list) },
        ...[bootstrap.object, infrastructure.object, ...healthCheck ? [healthCheck] : []].map((one) => ({ object: one, part })),
      ];
    }),
  ];
}

/** The effects of a changed topology on its Cluster, apart from those on the objects that are made of it. */
export function topologyEffects({ before, after, isComputed, unknown }: TopologyChange): ChangeEffect[] {
  const [old, now] = [before, after].map(({ object }) => fieldsInOrder(storedTopology(withoutSecrets(object))));
  const reasons = fieldChanges(old, now, ['topology']).map((change) => reason(change));
  if (!isComputed) return [{ effect: Effect.UNKNOWN, reasons: [...unknown, ...reasons] }];
  return [
    ...reasons.length > 0 ? [{ effect: Effect.IN_PLACE, reasons }] : [],
    ...unknown.length > 0 ? [{ effect: Effect.UNKNOWN, reasons: unknown }] : [],
  ];
}

function fieldsInOrder({ spec, controlPlane, workers }: TopologySpec): Fields {
  return { ...spec, controlPlane, workers };
}

/** A Cluster without its topology. */
export function withoutTopology(cluster: ManifestObject): ManifestObject {
  const { topology: _, ...spec } = fieldsOf(cluster.spec);
  return { ...cluster, spec };
}
