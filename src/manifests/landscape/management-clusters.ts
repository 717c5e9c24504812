import { appliedObjects } from './applied-objects';
import { AddonPlace } from './cluster-model';
import { deliveryPlace } from './delivery-targets';
import { deliveriesIn, FileAppliers, objectKey } from './file-appliers';
import { ManifestState, partsOf, pathWithin } from './manifest-state';
import { compareTexts } from './place';
import { ReadObject } from './placed-objects';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { isCluster } from '../rules/cluster-api/whole-clusters';
import { deliveryFacts } from '../systems/providers';

/** The manifests of one management cluster, in one or several states. */
export interface ManagementCluster {
  /**
   * The folder or file that sets it apart from others.
   *
   * @default - all manifests are of one management cluster
   */
  readonly name?: string;
  readonly states: readonly ManifestState[];
}

/**
 * Tells apart the management clusters that manifests are for. A management cluster has each Cluster once, and each object that applies folders:
 * where a state has one twice, the topmost folders in which it is once are for different ones, or the files, if they stand in one folder. Folders
 * that end in one name are for the same one, if it then has each once. What Flux or Argo CD applies is in the folder of the object that applies
 * it. Other files belong to the folder whose name is in their path, or else to all.
 *
 * @param states the states, which are split at the same folders
 */
export function managementClusters(states: readonly ManifestState[]): readonly ManagementCluster[] {
  if (states.every(({ objects }) => areUnique(foundIn(objects)))) return [{ states }];
  const origins = new Origins(states);
  const found = states.map((state, index) => (
    foundIn(appliedObjects(state)).map((one) => ({
      ...one, path: pathWithin(state, one.file), origins: origins.of(index, one.file),
    }))));
  // A folder that has nothing but deliveries is a management cluster of its own only if others have the same ones.
  const twice = new Set(found.flatMap((objects) => {
    const known = new Set<string>();
    return objects.flatMap(({ key }) => (known.has(key) ? [key] : known.add(key) && []));
  }));
  const at = (pathsOf: (one: typeof found[0][0]) => readonly string[]) => (
    found.map((objects) => objects.filter((one) => one.isCluster || twice.has(one.key))
      .flatMap((one) => pathsOf(one).map((path) => ({ key: one.key, parts: partsOf(path) })))));
  if (states.every((_, index) => areUnique(found[index]))) return [{ states }];
  // Two objects in one folder may each apply the folder of another management cluster. A file that several apply is in all of theirs.
  const byOrigin = at((one) => (one.origins.length === 1 ? one.origins : []));
  const applied = splitFolders(0, byOrigin);
  const placed = applied ? byOrigin : at((one) => [one.path]);
  const split = applied ?? splitFolders(0, placed, true)!;
  if (split.length < 2) return [{ states }];
  const folders = new SplitFolders(grouped(split, placed));
  const belonging = states.map((state, index) => {
    const known = new Map<string, readonly string[]>();
    return (file: string) => {
      const own = pathWithin(state, file);
      const names = known.get(file) ?? folders.of(applied ? origins.of(index, file) : [own], own);
      known.set(file, names);
      return names;
    };
  });
  const all = states.map(({ objects }) => [...new Set(objects.map(({ place }) => place.file))]);
  return [...folders.names].sort(compareTexts).map((name) => ({
    name,
    states: states.map((state, index) => {
      const objects = state.objects.filter(({ place: { file } }) => belonging[index](file).includes(name));
      return { ...state, files: all[index], objects, ...(state.builtFor && { builtFor: builtForOwn(state, objects) }) };
    }),
  }));
}

/** Builds for deliveries among some objects: another cluster may have a delivery of the same name. */
function builtForOwn(state: ManifestState, objects: readonly ReadObject[]): ManifestState['builtFor'] {
  const own = new Set(objects.map(({ object, place }) => JSON.stringify([objectKey(object), pathWithin(state, place.file)])));
  return new Map([...state.builtFor ?? []].filter(([, { key, path }]) => own.has(JSON.stringify([key, path]))));
}

/** An object that a management cluster has once. */
interface FoundObject {
  readonly key: string;
}

/** The same, and where it stands. */
interface PlacedObject extends FoundObject {
  readonly parts: readonly string[];
}

/** The Clusters and the deliveries of folders. One that a file makes of another one is not written twice. */
function foundIn(objects: readonly ReadObject[]): (FoundObject & { readonly file: string; readonly isCluster: boolean })[] {
  const isHere = ({ pack, appliers = [] }: ReadObject) => !pack && appliers.every((delivery) => deliveryPlace(delivery) === AddonPlace.MANAGEMENT);
  return objects.filter((read) => isHere(read) && (isCluster(read.object) || deliveryFacts(read.object)?.folders !== undefined))
    .map(({ object, place }) => ({
      key: JSON.stringify([groupKind(object), namespaceOf(object), nameOf(object)]), file: place.file, isCluster: isCluster(object),
    }));
}

function areUnique(objects: readonly FoundObject[]): boolean {
  return new Set(objects.map(({ key }) => key)).size === objects.length;
}

/** The topmost folders in which no state has an object twice; undefined if one file has it twice, unless that is allowed. */
function splitFolders(depth: number, states: readonly (readonly PlacedObject[])[], allowsTwice = false): readonly string[] | undefined {
  const all = states.flat();
  if (all.length === 0) return [];
  const isFile = all.every(({ parts }) => parts.length <= depth);
  if (states.every(areUnique) || (isFile && allowsTwice)) return [all[0].parts.slice(0, depth).join('/')];
  if (isFile) return undefined;
  const names = [...new Set(all.map(({ parts }) => parts[depth]))];
  const found = names.map((name) => (
    splitFolders(depth + 1, states.map((objects) => objects.filter(({ parts }) => parts[depth] === name)), allowsTwice)));
  return found.some((folders) => !folders) ? undefined : found.flatMap((folders) => folders!);
}

/** Folders of one management cluster each: of an environment, each tenant may have a folder. */
function grouped(folders: readonly string[], states: readonly (readonly PlacedObject[])[]): readonly (readonly string[])[] {
  const isIn = (folder: string) => ({ parts }: PlacedObject) => `${parts.join('/')}/`.startsWith(`${folder}/`);
  const isOne = (group: readonly string[]) => (
    states.every((objects) => areUnique(objects.filter((one) => group.some((folder) => isIn(folder)(one))))));
  const byName = new Map<string, string[]>();
  for (const folder of folders) {
    const name = lastOf(folder);
    byName.set(name, [...byName.get(name) ?? [], folder]);
  }
  const environments = new Map([...byName].filter(([, group]) => group.length > 1 && isOne(group)));
  const others: string[] = [];
  for (const folder of folders.filter((one) => !environments.has(lastOf(one)))) {
    const named = states.flat().filter(isIn(folder)).map(({ parts }) => parts.filter((part) => environments.has(part)).join('/'));
    const group = new Set(named).size === 1 ? environments.get(named[0]) : undefined;
    if (group && isOne([...group, folder])) group.push(folder);
    else others.push(folder);
  }
  return [...environments.values(), ...others.map((folder) => [folder])];
}

function lastOf(folder: string): string {
  return partsOf(folder).at(-1) ?? folder;
}

/** Folders, or files, of different management clusters. */
class SplitFolders {
  public readonly names: readonly string[];
  private readonly ownNames: readonly (readonly string[])[];

  public constructor(private readonly groups: readonly (readonly string[])[]) {
    const uses = new Map<string, number>();
    const namesIn = groups.map((group) => [...new Set(group.length > 1 ? [lastOf(group[0])] : partsOf(group[0]))]);
    for (const name of namesIn.flat()) uses.set(name, (uses.get(name) ?? 0) + 1);
    this.ownNames = namesIn.map((names) => names.filter((name) => uses.get(name) === 1));
    const lasts = groups.map((group) => lastOf(group[0]));
    this.names = groups.map((group, index) => (lasts.filter((last) => last === lasts[index]).length === 1 ? lasts[index] : group[0]));
  }

  /**
   * The names of the management clusters that a file is for.
   *
   * @param origins where it is, or what applies it
   * @param file where it is
   */
  public of(origins: readonly string[], file: string): readonly string[] {
    const isIn = (folder: string) => origins.some((origin) => origin === folder || origin.startsWith(`${folder}/`));
    const around = this.named((group) => group.some(isIn));
    if (around.length > 0) return around;
    const parts = partsOf(file);
    const named = this.named((_, index) => this.ownNames[index].some((name) => parts.includes(name)));
    return named.length === 1 ? named : this.names;
  }

  private named(isWanted: (group: readonly string[], index: number) => boolean): readonly string[] {
    return this.names.filter((_, index) => isWanted(this.groups[index], index));
  }
}

/** The files whose objects make Flux or Argo CD apply other files, in some states. */
class Origins {
  private readonly found: readonly ReadonlyMap<string, readonly string[]>[];

  public constructor(private readonly states: readonly ManifestState[]) {
    this.found = states.map((state) => {
      const appliers = new FileAppliers(state);
      const files = new Map<ManifestObject, string>(state.objects.filter(({ pack }) => !pack).map(({ object, place }) => [object, place.file]));
      const follow = (file: string, passed: readonly string[]): readonly string[] => {
        const next = appliers.of(file).filter((delivery) => deliveryPlace(delivery) === AddonPlace.MANAGEMENT)
          .map((delivery) => files.get(delivery)!);
        const others = [...new Set(next)].filter((one) => one !== file && !passed.includes(one));
        return others.length === 0 ? [file] : [...new Set(others.flatMap((one) => follow(one, [...passed, file])))];
      };
      const all = deliveriesIn(state).length === 0 ? [] : [...new Set(files.values())];
      return new Map(all.map((file) => [pathWithin(state, file), follow(file, []).map((one) => pathWithin(state, one))]));
    });
  }

  /** The paths of the files that apply another one; of one that nothing applies in a state, as in another state. */
  public of(state: number, file: string): readonly string[] {
    const own = pathWithin(this.states[state], file);
    const isApplied = (by: readonly string[] | undefined) => by !== undefined && by.some((one) => one !== own);
    return [this.found[state], ...this.found].map((applied) => applied.get(own)).find(isApplied) ?? [own];
  }
}
