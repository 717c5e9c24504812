import { AddonPlace } from './cluster-model';
import { deliveryHold } from './delivery-holds';
import { deliveryPlace } from './delivery-targets';
import { deliveriesIn, FileAppliers, objectKey, PlacedDelivery, Way } from './file-appliers';
import { KustomizeTree } from './kustomize-lists';
import { ManifestState, pathWithin } from './manifest-state';
import { ReadObject } from './placed-objects';
import { tenantOf } from './targets';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { isKept } from '../objects/prune-annotations';
import { CLUSTER, MACHINE_HEALTH_CHECK, POOL_KINDS } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
import { DEFINITION } from '../rules/structure/kind-definitions';
import { inNamespace } from '../rules/structure/kind-scope';
import { deliveryFacts, providers } from '../validation/providers';
import { stringAt } from '../values/fields';

const NAMESPACE = '/Namespace';

/** Kinds that Cluster API makes a Cluster the owner of, by its name in them. */
const OWNED: readonly string[] = [...POOL_KINDS, MACHINE_HEALTH_CHECK];

/** Outcome of an object that follows from its delivery, its namespace or its definition. */
export interface Fate {
  /** Why. */
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

  /** The delivery that applies an object, of before or of after, once it is resumed or a user has it do so. */
  readonly suspended: ReadonlyMap<ManifestObject, ManifestObject>;

  /** Objects of each state that no kustomization around them lists, and that are not applied in the other state either. */
  readonly unlisted: readonly (readonly ReadObject[])[];
}

/**
 * Finds what is applied in two states of a management cluster. An object that still stands in a file is not applied any more when the
 * delivery that applied it is removed or has another folder, when no kustomization lists its file, and when its namespace or the definition of its
 * kind is removed. Who applies objects that no delivery of the manifests applies, is not known: these count as applied.
 */
export function appliedStates(before: ManifestState, after: ManifestState): AppliedStates {
  const made = bothMade(before.objects, after.objects);
  const old = new AppliedState(before, made[0]);
  const isComparable = [before, after].every(({ objects: [first], ...state }) => first === undefined || pathWithin(state, first.place.file) !== '');
  // In a file by itself, such as standard input, everything is in another place than in folders.
  const now = isComparable ? laterState(old, after, made[1]) : new AppliedState(after, made[1]);
  const fates = new Map<ManifestObject, Fate>();
  const arrivals = new Map<ManifestObject, string>();
  const [notBefore, notAfter] = [new Set<ManifestObject>(), new Set<ManifestObject>()];
  for (const read of !isComparable || (old.isPlain && now.isPlain) ? [] : old.own) {
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
  const without = (objects: readonly ReadObject[], left: ReadonlySet<ManifestObject>) => (
    left.size === 0 ? objects : objects.filter(({ object, pack }) => !left.has(pack ?? object)));
  return {
    before: without(old.objects, notBefore),
    after: without(now.objects, notAfter),
    fates,
    arrivals,
    suspended: new Map([...old.own, ...now.own].flatMap((read) => {
      const by = (read.appliers ?? []).map((delivery) => now.delivery(delivery) ?? delivery);
      return by.length > 0 && by.every(isHeld) ? [[read.object, by[0]] as const] : [];
    })),
    unlisted: [old.unlisted.filter((read) => !now.applies(read)), now.unlisted.filter((read) => !old.applies(read))],
  };
}

/** The objects of a state as they are applied. */
export function appliedObjects(state: ManifestState): readonly ReadObject[] {
  return new AppliedState(state, [...state.objects, ...madeObjects(state.objects, () => true)]).objects;
}

/**
 * The later state with what applies folders in it. A delivery that is removed and stays still applies its folder; one that nothing applies any
 * more does not, so that what it applied may be a delivery that goes, too; one that a suspended delivery applies stays as it was.
 */
function laterState(old: AppliedState, after: ManifestState, objects: readonly ReadObject[]): AppliedState {
  const gone = new Set<string>();
  const kept = new Map<string, PlacedDelivery>();
  const deliveries = old.own.filter(({ object }) => deliveryFacts(object)?.folders);
  for (;;) {
    const now = new AppliedState(after, objects, gone, [...kept.values()]);
    const known = gone.size + kept.size;
    for (const read of deliveries) {
      const key = objectKey(read.object);
      if (gone.has(key) || kept.has(key)) continue;
      const later = now.find(read, old);
      const fate = fateOf(read, later, old, now);
      const stays = !later && (fate ? !('arrives' in fate) && fate.stays === true : isKept(read.object));
      const waits = later?.appliers && later.appliers.length > 0 && later.appliers.every(isHeld);
      if (stays || waits) kept.set(key, { object: read.object, path: old.pathOf(read) });
      else if (later && fate && !('arrives' in fate) && !fate.moves && fate.stays !== true) gone.add(key);
    }
    if (gone.size + kept.size === known) return now;
  }
}

/** The objects of one state, and what applies them. */
class AppliedState {
  public readonly objects: readonly ReadObject[];

  /** Those that are not packed in others. */
  public readonly own: readonly ReadObject[];

  /** Objects that no kustomization around them lists. */
  public readonly unlisted: readonly ReadObject[];

  /** True if neither deliveries nor kustomizations apply folders. */
  public readonly isPlain: boolean;

  /** True if a delivery applies a folder that was read. */
  public readonly hasFolders: boolean;

  public readonly tree: KustomizeTree;
  private readonly appliers: FileAppliers;
  private readonly deliveries: ReadonlyMap<string, ManifestObject>;
  private applying?: ReadonlySet<string>;
  private byKey?: ReadonlyMap<string, readonly ReadObject[]>;
  private byPlace?: ReadonlyMap<string, readonly ReadObject[]>;

  /**
   * @param state the state
   * @param objects its objects, with those that controllers make
   * @param gone deliveries that nothing applies any more
   * @param kept deliveries that still apply their folders, also where their manifest is gone
   */
  public constructor(
    private readonly state: ManifestState, objects: readonly ReadObject[], gone: ReadonlySet<string> = new Set(),
    kept: readonly PlacedDelivery[] = [],
  ) {
    const held = new Set(kept.map(({ object }) => objectKey(object)));
    const delivering = deliveriesIn({ ...state, objects }).filter(({ object }) => !gone.has(objectKey(object)));
    this.deliveries = new Map(delivering.map(({ object }) => [objectKey(object), object]));
    this.appliers = new FileAppliers({ ...state, objects }, [...delivering.filter(({ object }) => !held.has(objectKey(object))), ...kept]);
    this.isPlain = this.appliers.isPlain;
    this.hasFolders = this.appliers.hasFolders;
    this.tree = this.appliers.tree;
    const index = new ManifestIndex(delivering.some(({ object }) => deliveryFacts(object)?.rewrites) ? objects.map(({ object }) => object) : []);
    const rewriting = new Map(delivering.flatMap(({ object }) => {
      const rewrite = deliveryFacts(object)?.rewrites?.(object, index);
      return rewrite ? [[object, rewrite]] : [];
    }));
    const applied = this.isPlain ? { objects, unlisted: [] } : this.applied(objects, rewriting);
    this.objects = applied.objects;
    this.unlisted = applied.unlisted;
    this.own = this.objects.filter(({ pack }) => !pack);
  }

  public pathOf({ place }: ReadObject): string {
    return pathWithin(this.state, place.file);
  }

  /** A delivery of this state. */
  public delivery(object: ManifestObject): ManifestObject | undefined {
    return this.deliveries.get(objectKey(object));
  }

  /** True if a delivery of this state deletes nothing, since its sources have no manifest. */
  public isKeptWithoutManifests(object: ManifestObject): boolean {
    const delivery = this.delivery(object);
    if (!delivery || !keepsWithout(delivery)) return false;
    this.applying ??= new Set(this.own.flatMap(({ appliers = [] }) => appliers.map(objectKey)));
    return !this.applying.has(objectKey(delivery));
  }

  /** True if the Cluster that owns an object is applied in this state. */
  public hasOwnerOf(object: ManifestObject): boolean {
    const cluster = OWNED.includes(groupKind(object)) ? stringAt(object, 'spec', 'clusterName') : undefined;
    return cluster !== undefined && this.own.some((read) => (
      groupKind(read.object) === CLUSTER && nameOf(read.object) === cluster && namespaceOf(read.object) === namespaceOf(object)));
  }

  /** True if folders of a delivery, of this state or of another one, have a manifest here. */
  public hasManifestsOf(delivery: ManifestObject): boolean {
    const folders = (deliveryFacts(delivery)?.folders?.(delivery) ?? []).map(({ path }) => path.replace(/^\.?\/|\/$/g, ''));
    return [...this.own, ...this.unlisted].some((read) => folders.some((folder) => folder === '' || folder === '.' || this.pathOf(read).startsWith(`${folder}/`)));
  }

  /** The same object in this state, applied or not: in the same file, if there are several. */
  public find(read: ReadObject, other: AppliedState): ReadObject | undefined {
    this.byPlace ??= groupedBy(placedKey, [...this.own, ...this.unlisted]);
    const found = this.byPlace.get(placedKey(read)) ?? this.elsewhere(read);
    return found.length > 1 ? found.find((one) => this.pathOf(one) === other.pathOf(read)) ?? found[0] : found[0];
  }

  /** True if an object of another state is applied in this one. */
  public applies(read: ReadObject): boolean {
    const left = new Set(this.unlisted);
    return this.elsewhere(read).some((one) => !left.has(one));
  }

  /** An object that no known delivery applies may be for any cluster. */
  private elsewhere(read: ReadObject): readonly ReadObject[] {
    this.byKey ??= groupedBy((one) => objectKey(one.object), [...this.own, ...this.unlisted]);
    const found = this.byKey.get(objectKey(read.object)) ?? [];
    return read.appliers && read.appliers.length > 0 ? found.filter(({ appliers = [] }) => appliers.length === 0) : found;
  }

  /** All objects as they are applied. */
  private applied(
    objects: readonly ReadObject[], rewriting: ReadonlyMap<ManifestObject, Rewrite>,
  ): { readonly objects: readonly ReadObject[]; readonly unlisted: readonly ReadObject[] } {
    const unlisted: ReadObject[] = [];
    const packs = new Map<ManifestObject, ManifestObject | undefined>();
    const all = objects.flatMap((read) => {
      if (read.pack) return [read];
      const found = this.appliedAs(read, rewriting);
      packs.set(read.object, found[0]?.object);
      if (found.length === 0) unlisted.push({ ...read, appliers: [] });
      return found;
    });
    // A copy that nothing is known to apply is not applied beside one that is.
    const delivered = new Set(all.filter(({ appliers = [] }) => appliers.length > 0).map(placedKey));
    return {
      objects: all.flatMap((read) => {
        if (!read.pack) return read.appliers?.length === 0 && delivered.has(placedKey(read)) ? [] : [read];
        const pack = packs.has(read.pack) ? packs.get(read.pack) : read.pack;
        return pack === undefined ? [] : [pack === read.pack ? read : { ...read, pack }];
      }),
      unlisted,
    };
  }

  /** An object as it is applied, once for each target and form that kustomizations and deliveries give it in known ways. */
  private appliedAs(read: ReadObject, rewriting: ReadonlyMap<ManifestObject, Rewrite>): ReadObject[] {
    const ways = this.appliers.waysTo(read.place.file);
    // One that nothing lists may have been applied by hand, such as the first one.
    const known = ways.length === 0 && deliveryFacts(read.object)?.folders ? [{}] : ways;
    const found = new Map<string, { readonly object: ManifestObject; readonly appliers: ManifestObject[] }>();
    for (const { delivery, namespace } of known as readonly Way[]) {
      const by = delivery === read.object ? undefined : delivery;
      const inOwn = namespace === undefined ? read.object : inNamespace(read.object, namespace);
      const object = by ? rewriting.get(by)?.(inOwn) ?? inOwn : inOwn;
      const key = JSON.stringify([tenantOf(by), ...object === read.object ? [] : [object]]);
      const same = found.get(key) ?? { object, appliers: [] };
      found.set(key, same);
      if (by) same.appliers.push(by);
    }
    const forms = new Set<ManifestObject>();
    return [...found.values()].map(({ object, appliers }) => {
      const own = forms.has(object) ? { ...object } : object;
      forms.add(own);
      return { ...read, object: own, appliers };
    });
  }
}

/** Changes what a delivery applies. */
type Rewrite = (manifest: ManifestObject) => ManifestObject;

/** Reason that an object is created, although it was written before. */
interface Arrival {
  readonly arrives: string;
}

/** Outcome of an object that was written before. */
function fateOf(read: ReadObject, later: ReadObject | undefined, old: AppliedState, now: AppliedState): Fate | Arrival | undefined {
  const [by, then] = [read.appliers ?? [], later?.appliers ?? []];
  if (by.length > 0) return deliveryFate(read, later, now);
  if (!later) return undefined;
  // In a repository that deliveries apply, one more of them applies what was left out until then.
  if (then.length > 0) return old.hasFolders ? { arrives: `${deliveryNames(then)} applies it from now on: it is created unless it is there already` } : undefined;
  return listFate(read, later, old, now);
}

/** Outcome of an object that deliveries applied. */
function deliveryFate(read: ReadObject, later: ReadObject | undefined, now: AppliedState): Fate | undefined {
  const by = read.appliers ?? [];
  const names = deliveryNames(by);
  const isGone = by.every((delivery) => !now.delivery(delivery));
  const goElsewhere = by.filter((delivery) => tenantOf(now.delivery(delivery) ?? delivery) !== tenantOf(delivery));
  const stays = by.every((delivery) => goElsewhere.includes(delivery) || keeps(delivery, now.delivery(delivery)));
  const then = later?.appliers ?? [];
  if (goElsewhere.length > 0 && then.length === 0) {
    return { because: `${names} applies it to another cluster from now on${stays ? '; it stays here, and nothing manages it any more' : ''}`, ...(stays && { stays }) };
  }
  if (!later) {
    if (!stays && now.hasOwnerOf(read.object) && by.every((delivery) => deliveryFacts(delivery)?.leavesOwned)) {
      return { because: `${names} prunes nothing that has an owner, which is the Cluster: delete it by hand`, stays: true };
    }
    if (!stays && by.every((delivery) => now.isKeptWithoutManifests(delivery))) return { because: `${names} finds no manifest any more, and then deletes nothing`, stays: true };
    if (!stays) return undefined;
    // Which of both the controllers see first, is not known.
    if (isGone && by.some((delivery) => !keepsWithout(delivery) || now.hasManifestsOf(delivery))) {
      return { because: `${names} is removed, too, and leaves what it applied: it stays unless it is pruned before` };
    }
    if (isGone) return { because: `${names} is removed, too, and leaves what it applied`, stays };
    const hold = by.map((delivery) => deliveryHold(now.delivery(delivery) ?? delivery)).find((one) => one !== undefined);
    return { because: hold ? `${names} ${hold.is}, and deletes nothing until ${hold.until}` : `${names} does not prune`, stays };
  }
  const known = new Set(by.map(objectKey));
  if (then.some((delivery) => known.has(objectKey(delivery)))) return undefined;
  if (then.length === 0) {
    const what = isGone ? `${names}, which applied it, is removed` : `${names} applies it no longer`;
    return { because: `${what}${stays ? ', and leaves it in the cluster' : ''}`, ...(stays && { stays }) };
  }
  if (stays || isKept(read.object)) return undefined;
  return {
    because: `moves from ${names} to ${deliveryNames(then)}: it is deleted unless ${deliveryNames(then)} applies it first; mark it against pruning in a commit before`,
    moves: true,
  };
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

function keepsWithout(delivery: ManifestObject): boolean {
  return deliveryFacts(delivery)?.keepsWithoutManifests?.(delivery) === true;
}

function deliveryNames(deliveries: readonly ManifestObject[]): string {
  return deliveries.map((delivery) => `${String(delivery.kind)} ${nameOf(delivery)}`).join(' and ');
}

/** Both states with the objects that controllers make, where they are known in both. */
function bothMade(before: readonly ReadObject[], after: readonly ReadObject[]): readonly (readonly ReadObject[])[] {
  const isUnknown = (read: ReadObject) => !read.pack && makerOf(read)?.(read.object) === undefined && makerOf(read) !== undefined;
  const unknown = new Set([...before, ...after].filter(isUnknown).map(({ object }) => objectKey(object)));
  return [before, after].map((objects) => {
    const made = madeObjects(objects, (object) => !unknown.has(objectKey(object)));
    return made.length === 0 ? objects : [...objects, ...made];
  });
}

function madeObjects(objects: readonly ReadObject[], isWanted: (object: ManifestObject) => boolean): ReadObject[] {
  return objects.flatMap((read) => {
    const maker = read.pack ? undefined : makerOf(read);
    return maker && isWanted(read.object) ? (maker(read.object) ?? []).map((object) => ({ ...read, object })) : [];
  });
}

/** Finds the objects that a controller makes of an object. */
function makerOf({ object }: ReadObject): ((object: ManifestObject) => readonly ManifestObject[] | undefined) | undefined {
  const kind = groupKind(object);
  return providers().map(({ makes }) => makes?.[kind]).find((make) => make !== undefined);
}

function groupedBy(keyFor: (read: ReadObject) => string, objects: readonly ReadObject[]): ReadonlyMap<string, readonly ReadObject[]> {
  const found = new Map<string, ReadObject[]>();
  for (const read of objects) {
    const key = keyFor(read);
    const same = found.get(key);
    if (same) same.push(read);
    else found.set(key, [read]);
  }
  return found;
}

/** The same for the same object of the same cluster. */
function placedKey({ object, appliers = [] }: ReadObject): string {
  return `${tenantOf(appliers[0]) ?? ''} ${objectKey(object)}`;
}
