import * as path from 'node:path';
import { KustomizeTree } from './kustomize-lists';
import { BuiltDelivery, ManifestState, partsOf, pathWithin, placesInRepository } from './manifest-state';
import { compareTexts } from './place';
import { ReadObject } from './placed-objects';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { DeliveredFolder } from '../rules/delivery-facts';
import { deliveryFacts } from '../systems/providers';

/** The folder that was read. */
const ROOT = '.';

/** The file that standard input and objects in memory are in. */
const NO_FILES: readonly string[] = ['', '-'];

/** An object that applies folders, and the path of its file below what was read. */
export interface PlacedDelivery {
  readonly object: ManifestObject;
  readonly path: string;
}

/** One way in which a file is applied. */
export interface Way {
  /** Undefined where it is not known who applies it. */
  readonly delivery?: ManifestObject;

  /** The namespace that kustomizations put its objects into. */
  readonly namespace?: string;

  /** True of a delivery or component that nothing applies. */
  readonly isOff?: true;
}

/** A folder that a delivery applies. */
export interface AppliedFolder {
  readonly delivery: ManifestObject;

  /** The path of the file that the delivery stands in. */
  readonly path: string;
  readonly flat?: boolean;
  readonly takes?: DeliveredFolder['takes'];
}

/** The same for the same object of any state. */
export function objectKey(object: ManifestObject): string {
  return `${groupKind(object)} ${namespaceOf(object) ?? ''} ${nameOf(object) ?? ''}`;
}

/** The same for the same object of the same file: each cluster may have a delivery of one name. */
export function placedKey({ object, path: file }: PlacedDelivery): string {
  return builtKey({ key: objectKey(object), path: file });
}

function builtKey({ key, path: file }: Pick<BuiltDelivery, 'key' | 'path'>): string {
  return JSON.stringify([key, file]);
}

/** The deliveries that something was built for, by their files. */
export function builtDeliveries({ builtFor }: Pick<ManifestState, 'builtFor'>): ReadonlySet<string> {
  return new Set([...builtFor?.values() ?? []].map(builtKey));
}

/** Values by a key that several may have. */
export function groupedBy<T>(keyFor: (value: T) => string, values: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const value of values) {
    const key = keyFor(value);
    const same = found.get(key);
    if (same) same.push(value);
    else found.set(key, [value]);
  }
  return found;
}

/** The deliveries that apply folders, or what was built for them, and stand in a file of their own. */
export function deliveriesIn(state: Pick<ManifestState, 'objects' | 'root' | 'builtFor'>): PlacedDelivery[] {
  const built = builtDeliveries(state);
  const placed = ({ object, place }: ReadObject): PlacedDelivery => ({ object, path: pathWithin(state, place.file) });
  return state.objects.filter((read) => !read.pack && (deliveryFacts(read.object)?.folders ?? (built.size > 0 && built.has(placedKey(placed(read))))))
    .map(placed);
}

/**
 * Finds who applies a file: deliveries that name its folder, a folder around it, or a kustomization that lists it.
 *
 * Source: fluxcd/pkg kustomize/kustomize_generator.go (of a folder without a kustomization, all manifests, and the kustomizations below).
 */
export class FileAppliers {
  public readonly tree: KustomizeTree;

  /** True if neither deliveries nor kustomizations apply folders. */
  public readonly isPlain: boolean;

  private readonly folders = new Map<string, AppliedFolder[]>();

  /** Folders of deliveries that kustomizations leave out. */
  private readonly off = new Map<string, readonly AppliedFolder[]>();
  private readonly leftOut = new Set<ManifestObject>();
  private readonly known = new Map<string, readonly Way[]>();
  private byKey?: ReadonlyMap<string, readonly PlacedDelivery[]>;
  private byObject?: ReadonlyMap<ManifestObject, string>;

  /**
   * @param state the state
   * @param deliveries what applies folders
   * @param kept those among them that do so, although nothing applies them
   */
  public constructor(
    private readonly state: ManifestState, private readonly deliveries: readonly PlacedDelivery[] = deliveriesIn(state),
    kept: ReadonlySet<ManifestObject> = new Set(),
  ) {
    const kustomizations = state.kustomizations ?? [];
    this.isPlain = deliveries.length === 0 && kustomizations.length === 0;
    this.tree = new KustomizeTree(kustomizations.map((one) => ({ ...one, file: pathWithin(state, one.file) })));
    if (deliveries.length === 0) return;
    const found = deliveredFolders(state, deliveries, (object) => deliveryFacts(object)?.folders?.(object) ?? []);
    const built = builtDeliveries(state);
    for (const [folder, applied] of found) {
      // A delivery applies nothing but its build, if it has one.
      if (built.size > 0 && built.has(placedKey({ object: applied.delivery, path: applied.path }))) continue;
      const same = this.folders.get(folder);
      if (same) same.push(applied);
      else this.folders.set(folder, [applied]);
    }
    this.leaveOut(kept);
  }

  /** Deliveries that are left out by kustomizations that others apply are applied by nothing: neither are their folders, and deliveries in these. */
  private leaveOut(kept: ReadonlySet<ManifestObject>): void {
    for (;;) {
      const found = this.deliveries.filter((one) => !kept.has(one.object) && !this.leftOut.has(one.object) && this.isAppliedByNothing(one));
      if (found.length === 0) return;
      for (const { object } of found) this.leftOut.add(object);
      this.dropFolders();
    }
  }

  private isAppliedByNothing({ object, path: file }: PlacedDelivery): boolean {
    if (this.state.leftOut?.has(file)) return true;
    if (!this.tree.leavesOut(file)) {
      const ways = this.off.size === 0 ? [] : this.ways(file, undefined, []);
      return ways.length > 0 && ways.every(({ isOff }) => isOff);
    }
    let at = path.posix.dirname(file);
    while (!this.tree.has(at)) at = path.posix.dirname(at);
    return this.ways(at, undefined, []).some(({ delivery }) => delivery !== undefined && delivery !== object);
  }

  /** Drops the folders of deliveries that are left out. */
  private dropFolders(): void {
    for (const [folder, applied] of this.folders) {
      const left = applied.filter(({ delivery }) => !this.leftOut.has(delivery));
      if (left.length === applied.length) continue;
      if (left.length > 0) this.folders.set(folder, left);
      else this.folders.delete(folder);
      this.off.set(folder, [...this.off.get(folder) ?? [], ...applied.filter((one) => !left.includes(one))]);
    }
  }

  /** True of a delivery that kustomizations leave out, which others apply. */
  public isLeftOut(delivery: ManifestObject): boolean {
    return this.leftOut.has(delivery);
  }

  /** The paths of the files with such deliveries. */
  public get leftOutFiles(): readonly string[] {
    return this.deliveries.filter(({ object }) => this.leftOut.has(object)).map(({ path: file }) => file);
  }

  /** True of a folder of such a delivery. */
  public isOff(folder: string): boolean {
    return this.off.has(folder);
  }

  /** True if a delivery applies a folder that was read. */
  public get hasFolders(): boolean {
    return this.folders.size > 0 || (this.state.builtFor?.size ?? 0) > 0;
  }

  /** True if each delivery that applies folders applies one that was read. */
  public get hasAllFolders(): boolean {
    const found = this.deliveriesOfFolders;
    return this.deliveries.every(({ object }) => this.leftOut.has(object) || found.has(objectKey(object)));
  }

  /** The keys of deliveries all of whose folders were read. */
  public get deliveriesOfFolders(): ReadonlySet<string> {
    const applied = groupedBy(({ delivery }) => objectKey(delivery), [...this.folders.values()].flat());
    const named = (delivery: ManifestObject) => deliveryFacts(delivery)?.folders?.(delivery).length ?? 0;
    const isWhole = (folders: readonly AppliedFolder[]) => folders.length >= named(folders[0].delivery);
    const built = [...this.state.builtFor?.values() ?? []].map(({ key }) => key);
    return new Set([...[...applied].filter(([, folders]) => isWhole(folders)).map(([key]) => key), ...built]);
  }

  /** The folders that deliveries apply, and the files of the deliveries. */
  public get appliedFolders(): readonly { readonly folder: string; readonly delivery: ManifestObject; readonly path: string }[] {
    return [...this.folders].flatMap(([folder, applied]) => applied.map(({ delivery, path: file }) => ({ folder, delivery, path: file })));
  }

  /** The paths of the files that hold the deliveries of a file. */
  public originsOf(file: string): readonly string[] {
    this.byObject ??= new Map(this.deliveries.map(({ object, path: own }) => [object, own]));
    return this.of(file).flatMap((delivery) => this.byObject!.get(delivery) ?? []);
  }

  /** The ways in which a file is applied; none if kustomizations around it leave it out. */
  public waysTo(file: string): readonly Way[] {
    const known = this.known.get(file);
    if (known) return known;
    const at = pathWithin(this.state, file);
    const builtFor = this.state.builtFor?.get(at);
    if (builtFor !== undefined) {
      this.byKey ??= groupedBy(placedKey, this.deliveries);
      const own = (this.byKey.get(builtKey(builtFor)) ?? []).map(({ object }) => ({ delivery: object }));
      this.known.set(file, own);
      return own;
    }
    // The file of a kustomization holds its build.
    const node = this.tree.isFile(at) ? path.posix.dirname(at) : at;
    const found: readonly Way[] = this.isPlain || NO_FILES.includes(at) ? [{}] : distinct(this.ways(node, undefined, []));
    const on = found.filter(({ isOff }) => !isOff);
    this.known.set(file, found.length > 0 || this.state.leftOut?.has(at) || this.tree.leavesOut(at) ? on : [{}]);
    return this.known.get(file)!;
  }

  /** The deliveries that apply a file; the one with the nearest folder first. */
  public of(file: string): readonly ManifestObject[] {
    return [...new Set(this.waysTo(file).flatMap(({ delivery }) => (delivery ? [delivery] : [])))];
  }

  /** The ways to a file, or to a folder that has a kustomization. */
  private ways(node: string, namespace: string | undefined, passed: readonly string[]): Way[] {
    const own = this.tree.has(node) ? this.folders.get(node) ?? [] : [];
    const listers = [...this.tree.listersOf(node)];
    const around: AppliedFolder[] = [];
    let isOff = this.off.has(node) && this.tree.has(node);
    const first = path.posix.dirname(node);
    for (let at = first; !this.tree.has(at); at = path.posix.dirname(at)) {
      const isTaken = ({ flat, takes }: AppliedFolder) => (!flat || at === first) && takes?.(path.posix.relative(at, node)) !== false;
      around.push(...(this.folders.get(at) ?? []).filter(isTaken));
      listers.push(...this.tree.listersOf(at));
      isOff ||= (this.off.get(at) ?? []).some(isTaken);
      if (at === ROOT) break;
    }
    return [
      ...isOff ? [{ isOff }] : [],
      ...[...own, ...around].map(({ delivery }) => ({ delivery, namespace })),
      ...listers.filter((folder) => !passed.includes(folder)).flatMap((folder) => {
        const inner = this.tree.namespaceOf(folder) ?? namespace;
        const found = this.ways(folder, inner, [...passed, folder]);
        if (found.length > 0) return found;
        // A component that no kustomization uses applies nothing.
        return this.tree.isComponent(folder) ? [{ isOff: true as const }] : [{ namespace: inner }];
      }),
    ];
  }
}

/**
 * The folders that deliveries name, as far as they were read.
 *
 * @param state the state
 * @param deliveries the deliveries
 * @param foldersOf the folders that a delivery names
 */
export function deliveredFolders(
  state: ManifestState, deliveries: readonly PlacedDelivery[], foldersOf: (delivery: ManifestObject) => readonly DeliveredFolder[],
): readonly (readonly [folder: string, applied: AppliedFolder])[] {
  const files = [
    ...state.files ?? state.objects.map(({ place }) => place.file), ...(state.kustomizations ?? []).map(({ file }) => file),
    ...(state.charts ?? []).map((folder) => path.join(folder, 'Chart.yaml')),
  ];
  return new RepositoryFolders(new Set(files.map((file) => pathWithin(state, file))), placesInRepository(state)).of(deliveries, foldersOf);
}

/** The folders of a repository that deliveries name, as far as they were read: the folder that was read may be any part of the repository. */
class RepositoryFolders {
  private readonly folders = new Set<string>([ROOT]);
  private readonly byName = new Map<string, string[]>();

  /** The folders in which the repositories of sources begin. */
  private readonly tops = new Map<string | undefined, string>();

  public constructor(files: ReadonlySet<string>, private readonly places: readonly (readonly string[])[]) {
    for (const file of files) {
      for (let at = path.posix.dirname(file); !this.folders.has(at); at = path.posix.dirname(at)) {
        this.folders.add(at);
        const name = path.posix.basename(at);
        const same = this.byName.get(name);
        if (same) same.push(at);
        else this.byName.set(name, [at]);
      }
    }
  }

  /** The folders of deliveries, those of the first delivery first. */
  public of(
    deliveries: readonly PlacedDelivery[], foldersOf: (delivery: ManifestObject) => readonly DeliveredFolder[],
  ): (readonly [folder: string, applied: AppliedFolder])[] {
    const all = deliveries.flatMap(({ object, path: file }) => (foldersOf(object).map((folder) => (
      { delivery: object, file, folder, parts: partsOf(path.posix.normalize(folder.path)) }))));
    const found = new Map(all.filter(({ parts }) => parts.length > 0).map((one) => [one, this.named(one.parts, one.file, one.folder)]));
    return all.flatMap((one) => {
      const folders = one.parts.length === 0 ? this.whole(one.folder)
        : this.tops.size > 0 || found.get(one)!.length > 0 ? found.get(one)! : this.withoutTop(one.parts, one.file);
      return folders.map((folder) => [folder, { delivery: one.delivery, path: one.file, flat: one.folder.flat, takes: one.folder.takes }] as const);
    });
  }

  private named(parts: readonly string[], file: string, { source }: DeliveredFolder): readonly string[] {
    // In the repository that the delivery is in; the whole of it, if it was read.
    for (const top of topsAround(file)) {
      const folder = [...top, ...parts].join('/');
      if (!this.folders.has(folder)) continue;
      this.tops.set(source, top.join('/') || ROOT);
      return [folder];
    }
    // In a part of it, which is where the folder that was read is.
    for (const place of this.places) {
      const rest = parts.slice(place.length).join('/') || ROOT;
      if (!place.every((part, index) => part === parts[index]) || !this.folders.has(rest)) continue;
      this.tops.set(source, ROOT);
      return [rest];
    }
    return (this.byName.get(parts.at(-1)!) ?? []).filter((folder) => folder.endsWith(`/${parts.join('/')}`)).sort(compareTexts);
  }

  /** The whole repository of a source, unless others are known to be what was read. */
  private whole({ source, mayBeOther }: DeliveredFolder): readonly string[] {
    const top = this.tops.get(source) ?? (this.tops.size === 0 && !mayBeOther ? ROOT : undefined);
    return top === undefined ? [] : [top];
  }

  /** A folder of a part of the repository that has another name. One name alone is that of many folders. */
  private withoutTop(parts: readonly string[], file: string): readonly string[] {
    const rests = parts.slice(2).map((_, index) => parts.slice(index + 1));
    const found = rests.flatMap((rest) => topsAround(file).map((top) => [...top, ...rest].join('/'))).find((folder) => this.folders.has(folder));
    return found === undefined ? [] : [found];
  }
}

/** The folders around a file in which a repository may begin, the largest first. */
function topsAround(file: string): (readonly string[])[] {
  const around = partsOf(path.posix.dirname(file));
  return [[], ...around.map((_, index) => around.slice(0, index + 1))];
}

function distinct(ways: readonly Way[]): Way[] {
  return ways.filter((way, index) => index === ways.findIndex(({ delivery, namespace, isOff }) => (
    delivery === way.delivery && namespace === way.namespace && isOff === way.isOff)));
}

/** The deliveries that apply an object, as they were found, or by the folders of all objects. */
export function appliersOf({ appliers, pack, place }: ReadObject, all: FileAppliers): readonly ManifestObject[] {
  return appliers ?? (pack ? [] : all.of(place.file));
}
