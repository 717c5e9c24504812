import * as path from 'node:path';
import { deliveriesIn, FileAppliers, groupedBy, objectKey, PlacedDelivery, Way } from './file-appliers';
import { KustomizeTree } from './kustomize-lists';
import { ManifestState, partsOf, pathWithin } from './manifest-state';
import { ReadObject } from './placed-objects';
import { tenantOf } from './targets';
import { unappliedFiles } from './unapplied-files';
import { groupKind, ManifestObject, namespaceOf } from '../objects/manifest-object';
import { CLUSTER, isPool, MACHINE_HEALTH_CHECK } from '../rules/cluster-api/cluster-api-kinds';
import { DeliveredFolder } from '../rules/delivery-facts';
import { ManifestIndex } from '../rules/manifest-index';
import { clusterOfOwner, machineOwnersOf, referrersOf } from '../rules/references/object-references';
import { inNamespace } from '../rules/structure/kind-scope';
import { deliveryFacts } from '../systems/providers';
import { stringAt } from '../values/fields';

/** The objects of one state, and what applies them. */
export class AppliedState {
  public readonly objects: readonly ReadObject[];

  /** Objects that are not packed in others. */
  public readonly own: readonly ReadObject[];

  /** Objects that no kustomization around them lists. */
  public readonly unlisted: readonly ReadObject[];

  /** True if neither deliveries nor kustomizations apply folders. */
  public readonly isPlain: boolean;

  /** True if a delivery applies a folder that was read. */
  public readonly hasFolders: boolean;

  public readonly tree: KustomizeTree;

  /** Finds files that nothing applies; undefined if any file may be applied by something that is not known. */
  public readonly isUnapplied?: (file: string) => boolean;

  private readonly appliers: FileAppliers;
  private readonly withoutFolder = new Map<string, string | undefined>();
  private readonly deliveries: ReadonlyMap<string, ManifestObject>;
  private applying?: ReadonlySet<string>;
  private index?: ManifestIndex;
  private left?: ReadonlySet<ReadObject>;
  private byKey?: ReadonlyMap<string, readonly ReadObject[]>;
  private byPlace?: ReadonlyMap<string, readonly ReadObject[]>;

  /**
   * @param state the state
   * @param objects its objects, with those that controllers make
   * @param gone deliveries that nothing applies any more
   * @param kept deliveries that still apply their folders, also where their manifest is gone
   * @param isWhole true if files are left out that nothing applies, where that is known
   */
  public constructor(
    private readonly state: ManifestState, objects: readonly ReadObject[], gone: ReadonlySet<string> = new Set(),
    kept: readonly PlacedDelivery[] = [], isWhole = false,
  ) {
    const held = new Set(kept.map(({ object }) => objectKey(object)));
    const delivering = deliveriesIn({ ...state, objects }).filter(({ object }) => !gone.has(objectKey(object)));
    const applying = [...delivering.filter(({ object }) => !held.has(objectKey(object))), ...kept];
    this.appliers = new FileAppliers({ ...state, objects }, applying, new Set(kept.map(({ object }) => object)));
    this.deliveries = new Map(applying.filter(({ object }) => !this.appliers.isLeftOut(object)).map(({ object }) => [objectKey(object), object]));
    this.isUnapplied = isWhole ? unappliedFiles({ ...state, objects }, applying, this.appliers) : undefined;
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

  /** Keys of the deliveries of this state that others forbid to apply anything, and the reasons. */
  public stoppedDeliveries(): ReadonlyMap<string, string> {
    const able = [...this.deliveries].filter(([, delivery]) => deliveryFacts(delivery)?.stops);
    if (able.length === 0) return new Map();
    this.index ??= new ManifestIndex(this.own.map((read) => read.object));
    const pairs = this.own.flatMap(({ object, appliers = [] }) => appliers.map((delivery) => ({ key: objectKey(delivery), object })));
    const applied = groupedBy(({ key }) => key, pairs);
    return new Map(able.flatMap(([key, delivery]) => {
      const reason = deliveryFacts(delivery)!.stops!(delivery, this.index!, (applied.get(key) ?? []).map(({ object }) => object));
      return reason === undefined ? [] : [[key, reason] as const];
    }));
  }

  /** True if a delivery of this state deletes nothing, since its sources have no manifest. */
  public isKeptWithoutManifests(object: ManifestObject): boolean {
    const delivery = this.delivery(object);
    if (!delivery || !keepsWithout(delivery)) return false;
    this.applying ??= new Set(this.own.flatMap(({ appliers = [] }) => appliers.map(objectKey)));
    return !this.applying.has(objectKey(delivery));
  }

  /**
   * The folder that a delivery of this state names and does not find, so that it fails, and deletes nothing; undefined where that is not known.
   * The repository was read if the other state had the former folder of the delivery, or those of all others of its source.
   */
  public missingFolder(object: ManifestObject, other: AppliedState): string | undefined {
    const key = objectKey(object);
    // Each object of the folder asks.
    if (!this.withoutFolder.has(key)) this.withoutFolder.set(key, this.lackedFolder(object, other));
    return this.withoutFolder.get(key);
  }

  /** The deliveries of this state that fail because their folder is not there, and those folders. */
  public missingFolders(other: AppliedState): (readonly [delivery: ManifestObject, folder: string])[] {
    if (!this.state.hasFiles) return [];
    return [...this.deliveries.values()].flatMap((delivery) => {
      const folder = this.missingFolder(delivery, other);
      return folder === undefined ? [] : [[delivery, folder] as const];
    });
  }

  /** True if this state lacks the folder of a delivery of another state, which then applied nothing of this one before it was removed. */
  public lacksFolderOf(delivery: ManifestObject, other: AppliedState): boolean {
    const found = deliveryFacts(delivery)?.failsWithoutFolder && this.state.hasFiles ? other.foundFolder(delivery) : undefined;
    return found !== undefined && !this.state.hasFiles!(found.read.join('/'));
  }

  private lackedFolder(object: ManifestObject, other: AppliedState): string | undefined {
    const delivery = this.delivery(object);
    if (!delivery || !this.state.hasFiles || !deliveryFacts(delivery)?.failsWithoutFolder) return undefined;
    if (this.folderOf(delivery) !== undefined) return undefined;
    const named = namedFolder(delivery);
    const is = partsOf(path.posix.normalize(named?.path ?? ''));
    if (!named || is.length === 0) return undefined;
    const former = other.delivery(object);
    const example = former && namedFolder(former)?.source === named.source ? other.foundFolder(former) : undefined;
    const folder = placedAs(example ?? other.foundFolderOf(named.source), is);
    return folder === undefined || this.state.hasFiles(folder.join('/')) ? undefined : named.path;
  }

  /** The folder of a delivery, as it is named, and as it was read. */
  private foundFolder(delivery: ManifestObject): FoundFolder | undefined {
    const folder = this.folderOf(delivery);
    if (folder === undefined) return undefined;
    return { named: partsOf(path.posix.normalize(namedFolder(delivery)?.path ?? '')), read: partsOf(folder) };
  }

  /** The folder of a source, where those of all its deliveries were read. */
  private foundFolderOf(source: string | undefined): FoundFolder | undefined {
    const found = [...this.deliveries.values()].filter((delivery) => namedFolder(delivery)?.source === source)
      .map((delivery) => this.foundFolder(delivery));
    return source === undefined || found.includes(undefined) ? undefined : found[0];
  }

  /** The folder that a delivery applies; undefined if it was not read, or is one of several. */
  private folderOf(delivery: ManifestObject): string | undefined {
    const key = objectKey(delivery);
    const built = [...this.state.builtFor?.values() ?? []].filter((one) => one.key === key).map(({ folder }) => folder);
    const found = [...built, ...this.appliers.appliedFolders.filter((one) => objectKey(one.delivery) === key).map(({ folder }) => folder)];
    return found.length === 1 ? found[0] : undefined;
  }

  /** The Cluster that Cluster API makes the owner of an object. */
  public ownerOf({ object }: ReadObject): ReadObject | undefined {
    this.index ??= new ManifestIndex(this.own.map((read) => read.object));
    const cluster = ownerClusterOf(object, this.index);
    this.byKey ??= groupedBy((read) => objectKey(read.object), [...this.own, ...this.unlisted]);
    return cluster && this.byKey.get(objectKey(cluster))?.find((read) => read.object === cluster);
  }

  /** True if folders of a delivery, of this state or of another one, have a manifest here. */
  public hasManifestsOf(delivery: ManifestObject): boolean {
    const folders = (deliveryFacts(delivery)?.folders?.(delivery) ?? []).map((one) => one.path.replace(/^\.?\/|\/$/g, ''));
    return [...this.own, ...this.unlisted].some((read) => folders.some((folder) => folder === '' || folder === '.' || this.pathOf(read).startsWith(`${folder}/`)));
  }

  /** The same object in this state, applied or not: in the same file, if there are several. */
  public find(read: ReadObject, other: AppliedState): ReadObject | undefined {
    this.byPlace ??= groupedBy(placedKey, [...this.own, ...this.unlisted]);
    const all = this.byPlace.get(placedKey(read)) ?? this.elsewhere(read);
    // A copy that nothing applies is not what became of one that a delivery applied.
    const delivered = all.length > 1 && read.appliers && read.appliers.length > 0 ? all.filter(({ appliers = [] }) => appliers.length > 0) : [];
    const found = delivered.length > 0 ? delivered : all;
    return found.length > 1 ? found.find((one) => this.pathOf(one) === other.pathOf(read)) ?? found[0] : found[0];
  }

  /** True if an object of another state is applied in this one. */
  public applies(read: ReadObject): boolean {
    this.left ??= new Set(this.unlisted);
    return this.elsewhere(read).some((one) => !this.left!.has(one));
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
        if (!read.pack) return delivered.size > 0 && read.appliers?.length === 0 && delivered.has(placedKey(read)) ? [] : [read];
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
    const mayBeApplied = deliveryFacts(read.object)?.folders && !this.appliers.isLeftOut(read.object);
    const known: readonly Way[] = ways.length === 0 && mayBeApplied ? [{}] : this.isUnapplied?.(read.place.file) ? [] : ways;
    const [first] = known;
    // Of a fleet, nearly all objects.
    if (known.length === 1 && first.namespace === undefined && !(first.delivery && rewriting.has(first.delivery))) {
      return [{ ...read, appliers: first.delivery && first.delivery !== read.object ? [first.delivery] : [] }];
    }
    const found = new Map<string, { readonly object: ManifestObject; readonly appliers: ManifestObject[] }>();
    for (const { delivery, namespace } of known) {
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

/** A folder of a repository: its path there, and below what was read. */
interface FoundFolder {
  readonly named: readonly string[];
  readonly read: readonly string[];
}

/** The only folder that a delivery names. */
function namedFolder(delivery: ManifestObject): DeliveredFolder | undefined {
  const folders = deliveryFacts(delivery)?.folders?.(delivery) ?? [];
  return folders.length === 1 ? folders[0] : undefined;
}

/** The path of a folder of a repository below what was read, by another folder of it; undefined if it is not a part of what was read. */
function placedAs(example: FoundFolder | undefined, folder: readonly string[]): readonly string[] | undefined {
  const { named, read } = example ?? { named: [], read: [] };
  const isEnd = (whole: readonly string[], end: readonly string[]) => (
    end.length <= whole.length && end.every((part, index) => whole[whole.length - end.length + index] === part));
  if (!example) return undefined;
  if (isEnd(read, named)) return [...read.slice(0, read.length - named.length), ...folder];
  const place = isEnd(named, read) ? named.slice(0, named.length - read.length) : undefined;
  return place?.every((part, index) => part === folder[index]) ? folder.slice(place.length) : undefined;
}

/** Changes what a delivery applies. */
type Rewrite = (manifest: ManifestObject) => ManifestObject;

/**
 * The Cluster that owns an object: pools and health checks name it, and it refers to its control plane and infrastructure, which have templates.
 *
 * Sources: kubernetes-sigs/cluster-api core/reconcilers/cluster/cluster_controller_phases.go (reconcileExternal),
 * core/reconcilers/machinedeployment/machinedeployment_controller.go (reconcileExternalTemplateReference), v1.14.2.
 */
function ownerClusterOf(object: ManifestObject, index: ManifestIndex): ManifestObject | undefined {
  if (isPool(object) || groupKind(object) === MACHINE_HEALTH_CHECK) return index.find(CLUSTER, namespaceOf(object), stringAt(object, 'spec', 'clusterName'));
  const own = referrersOf(object, index, CLUSTER)[0]?.object;
  return own ?? machineOwnersOf(object, index).map((owner) => clusterOfOwner(owner, index) ?? referrersOf(owner, index, CLUSTER)[0]?.object)
    .find((cluster) => cluster !== undefined);
}

/** True if a delivery deletes nothing while its sources have no manifest. */
export function keepsWithout(delivery: ManifestObject): boolean {
  return deliveryFacts(delivery)?.keepsWithoutManifests?.(delivery) === true;
}

/** The same for the same object of the same cluster. */
function placedKey({ object, appliers = [] }: ReadObject): string {
  return `${tenantOf(appliers[0]) ?? ''} ${objectKey(object)}`;
}
