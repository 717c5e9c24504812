import { AddonPlace } from './cluster-model';
import { deliveryPlace } from './delivery-targets';
import { FolderDeliveries } from './folder-deliveries';
import { KustomizeTree } from './kustomize-lists';
import { ManifestState, pathWithin } from './management-clusters';
import { ReadObject } from './placed-objects';
import { isKept } from '../cluster/delivery/marks';
import { groupKind, inNamespace, ManifestObject, nameOf, namespaceOf } from '../manifests/manifest-object';
import { DEFINITION } from '../rules/changes/definition-changes';
import { ManifestIndex } from '../rules/manifest-index';
import { deliveryFacts, providers } from '../validation/providers';
import { stringAt } from '../values/fields';

const NAMESPACE = '/Namespace';

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
}

/**
 * Finds what is applied in two states of a management cluster. An object that still stands in a file is not applied any more when the
 * delivery that applied it is removed or has another folder, when no kustomization lists its file, and when its namespace or the definition of its
 * kind is removed. Who applies objects that no delivery of the manifests applies, is not known: these count as applied.
 */
export function appliedStates(before: ManifestState, after: ManifestState): AppliedStates {
  const made = bothMade(before.objects, after.objects);
  const old = new AppliedState(before, made[0], []);
  const now = new AppliedState(after, made[1], old.keptDeliveries(made[1]));
  const fates = new Map<ManifestObject, Fate>();
  const [notBefore, notAfter] = [new Set<ManifestObject>(), new Set<ManifestObject>()];
  // In a file by itself, such as standard input, everything is in another place than in folders.
  const isComparable = [before, after].every(({ objects: [first], ...state }) => first === undefined || pathWithin(state, first.place.file) !== '');
  for (const read of !isComparable || (old.isPlain && now.isPlain) ? [] : old.own) {
    const later = now.find(read, old);
    const fate = deliveryFate(read, later, old, now) ?? (later && listFate(read, later, old, now));
    if (fate === 'new') {notBefore.add(read.object);} else if (fate) {
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
  return { before: without(old.objects, notBefore), after: without(now.objects, notAfter), fates };
}

/** The objects of one state, and what applies them. */
class AppliedState {
  public readonly objects: readonly ReadObject[];

  /** Those that are not packed in others. */
  public readonly own: readonly ReadObject[];

  /** True if neither deliveries nor kustomizations apply folders. */
  public readonly isPlain: boolean;

  public readonly tree: KustomizeTree;
  private readonly folders: FolderDeliveries;
  private readonly deliveries: ReadonlyMap<string, ReadObject>;
  private readonly byFile = new Map<string, readonly ManifestObject[]>();
  private byKey?: ReadonlyMap<string, readonly ReadObject[]>;

  /**
   * @param state the state
   * @param objects its objects, with those that controllers make
   * @param kept deliveries that are not written any more, and stay
   */
  public constructor(private readonly state: ManifestState, objects: readonly ReadObject[], kept: readonly ManifestObject[]) {
    const kustomizations = state.kustomizations ?? [];
    this.tree = new KustomizeTree(kustomizations.map((one) => ({ ...one, file: pathWithin(state, one.file) })));
    const delivering = objects.filter(({ object, pack }) => !pack && deliveryFacts(object)?.folders);
    this.deliveries = new Map(delivering.map((read) => [keyOf(read.object), read]));
    this.folders = new FolderDeliveries([...delivering.map(({ object }) => object), ...kept]);
    this.isPlain = delivering.length === 0 && kept.length === 0 && kustomizations.length === 0;
    const index = new ManifestIndex(delivering.some(({ object }) => deliveryFacts(object)?.rewrites) ? objects.map(({ object }) => object) : []);
    const rewriting = new Map(delivering.flatMap(({ object }) => {
      const rewrite = deliveryFacts(object)?.rewrites?.(object, index);
      return rewrite ? [[object, rewrite]] : [];
    }));
    const isRewritten = rewriting.size > 0 || kustomizations.some(({ value }) => typeof value.namespace === 'string');
    this.objects = isRewritten ? objects.flatMap((read) => this.rewritten(read, rewriting)) : objects;
    this.own = this.objects.filter(({ pack }) => !pack);
  }

  public pathOf({ place }: ReadObject): string {
    return pathWithin(this.state, place.file);
  }

  /** A delivery of this state. */
  public delivery(object: ManifestObject): ManifestObject | undefined {
    return this.deliveries.get(keyOf(object))?.object;
  }

  /** The deliveries that apply an object. */
  public deliveriesOf({ place: { file } }: ReadObject): readonly ManifestObject[] {
    const known = this.byFile.get(file);
    if (known) return known;
    const found = this.folders.around(file)
      .filter(([, folder]) => this.tree.isAppliedWith(pathWithin(this.state, file), pathWithin(this.state, file.startsWith('/') ? `/${folder}` : folder) || '.'))
      .map(([delivery]) => delivery);
    this.byFile.set(file, [...new Set(found)]);
    return this.byFile.get(file)!;
  }

  /** The same object in this state: in the same file, if there are several. */
  public find(read: ReadObject, other: AppliedState): ReadObject | undefined {
    this.byKey ??= groupedByKey(this.own);
    const found = this.byKey.get(keyOf(read.object)) ?? [];
    return found.length > 1 ? found.find((one) => this.pathOf(one) === other.pathOf(read)) ?? found[0] : found[0];
  }

  /** Deliveries that another state does not have, and that stay, because they are marked or not pruned. */
  public keptDeliveries(later: readonly ReadObject[]): readonly ManifestObject[] {
    if (this.deliveries.size === 0) return [];
    const byKey = new Map(later.filter(({ object }) => deliveryFacts(object)?.folders).map(({ object }) => [keyOf(object), object]));
    return [...this.deliveries.values()].filter((read) => {
      if (byKey.has(keyOf(read.object))) return false;
      const by = this.deliveriesOf(read).filter((delivery) => delivery !== read.object);
      return isKept(read.object) || (by.length > 0 && by.every((delivery) => keeps(delivery, byKey.get(keyOf(delivery)))));
    }).map(({ object }) => object);
  }

  /** An object as it is applied, once for each namespace, as far as kustomizations and deliveries change it in known ways. */
  private rewritten(read: ReadObject, rewriting: ReadonlyMap<ManifestObject, (manifest: ManifestObject) => ManifestObject>): ReadObject[] {
    if (read.pack) return [read];
    const by = this.deliveriesOf(read).filter((delivery) => delivery !== read.object);
    const namespaces = this.tree.namespacesOf(this.pathOf(read));
    // What is in no namespace is the same in all of them.
    const inNamespaces = new Set(namespaces.map((namespace) => (namespace === undefined ? read.object : inNamespace(read.object, namespace))));
    return [...inNamespaces].map((inOwn) => {
      const object = by.reduce((manifest, delivery) => rewriting.get(delivery)?.(manifest) ?? manifest, inOwn);
      return object === read.object ? read : { ...read, object };
    });
  }
}

/** Outcome of an object that deliveries applied. */
function deliveryFate(read: ReadObject, later: ReadObject | undefined, old: AppliedState, now: AppliedState): Fate | undefined {
  const by = old.deliveriesOf(read).filter((delivery) => delivery !== read.object);
  if (by.length === 0) return undefined;
  const stays = by.every((delivery) => keeps(delivery, now.delivery(delivery)));
  const names = deliveryNames(by);
  const isGone = by.every((delivery) => !now.delivery(delivery));
  if (!later) {
    if (!stays) return undefined;
    // Which of both the controllers see first, is not known.
    if (isGone) return { because: `${names} is removed, too, and leaves what it applied: it stays unless it is pruned before` };
    return { because: `${names} does not prune`, stays };
  }
  const then = now.deliveriesOf(later);
  const known = new Set(by.map(keyOf));
  if (then.some((delivery) => known.has(keyOf(delivery)))) return undefined;
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
function listFate(read: ReadObject, later: ReadObject, old: AppliedState, now: AppliedState): Fate | 'new' | undefined {
  if (old.deliveriesOf(read).length > 0 || now.deliveriesOf(later).length > 0) return undefined;
  const [was, is] = [old.pathOf(read), now.pathOf(later)];
  const fate = { because: `no kustomization lists ${is} any more` };
  const [wasOut, isOut] = [old.tree.leavesOut(was), now.tree.leavesOut(is)];
  if (wasOut || isOut) return wasOut === isOut ? undefined : isOut ? fate : 'new';
  const [former, latter] = [old.tree.topsOf(was), now.tree.topsOf(is)];
  if (former.some((folder) => latter.includes(folder))) return undefined;
  // A kustomization that others listed may be applied by itself, but was not.
  const [formerAll, latterAll] = [old.tree.appliersOf(was), now.tree.appliersOf(is)];
  if (former.some((folder) => now.tree.has(folder)) && latter.every((folder) => formerAll.has(folder))) return fate;
  return latter.some((folder) => old.tree.has(folder)) && former.every((folder) => latterAll.has(folder)) ? 'new' : undefined;
}

/** Objects that are deleted with their namespace, or with the definition of their kind. */
function fatesWithContainers(
  old: AppliedState, now: AppliedState, notAfter: ReadonlySet<ManifestObject>, fates: ReadonlyMap<ManifestObject, Fate>,
): (readonly [ReadObject, Fate])[] {
  const gone = old.own.filter((read) => {
    if (groupKind(read.object) !== NAMESPACE && groupKind(read.object) !== DEFINITION) return false;
    const later = now.find(read, old);
    return (!later || notAfter.has(later.object)) && !isInTenant(read, old) && !(fates.get(read.object)?.stays ?? isKept(read.object));
  });
  if (gone.length === 0) return [];
  const namespaces = new Map(gone.filter(({ object }) => groupKind(object) === NAMESPACE).map(({ object }) => [nameOf(object), object]));
  const kinds = new Map(gone.filter(({ object }) => groupKind(object) === DEFINITION).map(({ object }) => (
    [`${stringAt(object, 'spec', 'group')}/${stringAt(object, 'spec', 'names', 'kind')}`, object])));
  return old.own.flatMap((read) => {
    const namespace = namespaceOf(read.object);
    const container = kinds.get(groupKind(read.object)) ?? (namespace === undefined ? undefined : namespaces.get(namespace));
    if (!container || isInTenant(read, old)) return [];
    return [[read, { because: `goes with the ${String(container.kind)} ${nameOf(container)}, which is removed`, stays: false }] as const];
  });
}

function isInTenant(read: ReadObject, state: AppliedState): boolean {
  return state.deliveriesOf(read).some((delivery) => delivery !== read.object && deliveryPlace(delivery) === AddonPlace.TENANT);
}

function keeps(delivery: ManifestObject, after: ManifestObject | undefined): boolean {
  return deliveryFacts(delivery)?.keepsRemoved?.(delivery, after) === true;
}

function deliveryNames(deliveries: readonly ManifestObject[]): string {
  return deliveries.map((delivery) => `${String(delivery.kind)} ${nameOf(delivery)}`).join(' and ');
}

/** Both states with the objects that controllers make, where they are known in both. */
function bothMade(before: readonly ReadObject[], after: readonly ReadObject[]): readonly (readonly ReadObject[])[] {
  const kinds = new Map(providers().flatMap(({ makes }) => Object.entries(makes ?? {})));
  const states = [before, after].map((objects) => objects.filter(({ object, pack }) => !pack && kinds.has(groupKind(object)))
    .map((read) => ({ read, made: kinds.get(groupKind(read.object))!(read.object) })));
  const unknown = new Set(states.flat().filter(({ made }) => !made).map(({ read }) => keyOf(read.object)));
  return [before, after].map((objects, index) => {
    const made = states[index].filter(({ read }) => !unknown.has(keyOf(read.object)))
      .flatMap(({ read, made: list }) => list!.map((object): ReadObject => ({ ...read, object })));
    return made.length === 0 ? objects : [...objects, ...made];
  });
}

function groupedByKey(objects: readonly ReadObject[]): ReadonlyMap<string, readonly ReadObject[]> {
  const found = new Map<string, ReadObject[]>();
  for (const read of objects) {
    const key = keyOf(read.object);
    const same = found.get(key);
    if (same) same.push(read);
    else found.set(key, [read]);
  }
  return found;
}

function keyOf(object: ManifestObject): string {
  return `${groupKind(object)} ${namespaceOf(object) ?? ''} ${nameOf(object) ?? ''}`;
}
