import * as path from 'node:path';
import { clusterName } from './cluster-facts';
import { AddonPlace } from './cluster-model';
import { deliveryPlace } from './delivery-targets';
import { FolderDeliveries } from './folder-deliveries';
import { compareTexts } from './place';
import { PlacedObjects, ReadObject } from './placed-objects';
import { groupKind, ManifestObject, namespaceOf } from '../manifests/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';

/** A state of manifests. */
export interface ManifestState extends Partial<Pick<PlacedObjects, 'unread' | 'kustomizations' | 'charts'>> {
  readonly objects: readonly ReadObject[];

  /**
   * The contents of files that are input of kustomizations and charts, and hold no manifests, by their paths below what was read.
   *
   * @default - none are known
   */
  readonly inputs?: ReadonlyMap<string, string>;

  /**
   * The folder or file that was read, as the user named it.
   *
   * @default - files are called by their paths
   */
  readonly root?: string;
}

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

/** The path of a file below what was read, with `/` between its parts. */
export function pathWithin({ root }: Pick<ManifestState, 'root'>, file: string): string {
  return partsOf(root === undefined ? file : path.relative(root, file)).join('/');
}

/**
 * Tells apart the management clusters that manifests are for. A management cluster has each Cluster once: where a state has one twice, the
 * topmost folders in which it is once are for different ones, or the files, if they stand in one folder. What Flux or Argo CD applies is in
 * the folder of the object that applies it. Other files belong to the folder whose name is in their path, or else to all.
 *
 * @param states the states, which are split at the same folders
 */
export function managementClusters(states: readonly ManifestState[]): readonly ManagementCluster[] {
  if (states.every((state) => areUnique(clustersOf(state)))) return [{ states }];
  const appliers = new Appliers(states);
  // Two objects in one folder may each apply the folder of another management cluster.
  const applied = splitFolders(0, states.map((state, index) => clustersOf(state, (file) => appliers.of(index, file))));
  const split = applied ?? splitFolders(0, states.map((state) => clustersOf(state, (file) => pathWithin(state, file))), true)!;
  if (split.length < 2) return [{ states }];
  const folders = new SplitFolders(split);
  const found = states.map((state, index) => {
    const known = new Map<string, readonly string[]>();
    const of = (file: string) => known.get(file) ?? folders.of(applied ? appliers.of(index, file) : pathWithin(state, file), pathWithin(state, file));
    state.objects.forEach(({ place: { file } }) => known.set(file, of(file)));
    return known;
  });
  return [...split].sort(compareTexts).map((folder) => ({
    name: folders.nameOf(folder),
    states: states.map((state, index) => (
      { ...state, objects: state.objects.filter(({ place: { file } }) => found[index].get(file)!.includes(folder)) })),
  }));
}

/** A Cluster, and where it stands. */
interface FoundCluster {
  readonly key: string;
  readonly parts: readonly string[];
}

function clustersOf({ objects }: ManifestState, pathOf: (file: string) => string = (file) => file): FoundCluster[] {
  return objects.filter(({ object, pack }) => !pack && groupKind(object) === CLUSTER).map(({ object, place }) => ({
    key: JSON.stringify([namespaceOf(object), clusterName(object)]), parts: partsOf(pathOf(place.file)),
  }));
}

function areUnique(clusters: readonly FoundCluster[]): boolean {
  return new Set(clusters.map(({ key }) => key)).size === clusters.length;
}

/** The topmost folders in which no state has a Cluster twice; undefined if one file has it twice, unless that is allowed. */
function splitFolders(depth: number, states: readonly (readonly FoundCluster[])[], allowsTwice = false): readonly string[] | undefined {
  const all = states.flat();
  const isFile = all.every(({ parts }) => parts.length <= depth);
  if (states.every(areUnique) || (isFile && allowsTwice)) return [all[0].parts.slice(0, depth).join('/')];
  if (isFile) return undefined;
  const names = [...new Set(all.map(({ parts }) => parts[depth]))];
  const found = names.map((name) => (
    splitFolders(depth + 1, states.map((clusters) => clusters.filter(({ parts }) => parts[depth] === name)), allowsTwice)));
  return found.some((folders) => !folders) ? undefined : found.flatMap((folders) => folders!);
}

/** Folders, or files, of different management clusters. */
class SplitFolders {
  private readonly ownNames: ReadonlyMap<string, readonly string[]>;

  public constructor(private readonly folders: readonly string[]) {
    const uses = new Map<string, number>();
    for (const name of folders.flatMap((folder) => [...new Set(partsOf(folder))])) uses.set(name, (uses.get(name) ?? 0) + 1);
    this.ownNames = new Map(folders.map((folder) => [folder, partsOf(folder).filter((name) => uses.get(name) === 1)]));
  }

  /**
   * The folders whose management clusters a file is for.
   *
   * @param applied where it is, or what applies it
   * @param file where it is
   */
  public of(applied: string, file: string): readonly string[] {
    const around = this.folders.find((folder) => applied === folder || applied.startsWith(`${folder}/`));
    if (around !== undefined) return [around];
    const parts = partsOf(file);
    const named = this.folders.filter((folder) => this.ownNames.get(folder)!.some((name) => parts.includes(name)));
    return named.length === 1 ? named : this.folders;
  }

  public nameOf(folder: string): string {
    const last = partsOf(folder).at(-1)!;
    return this.folders.filter((other) => partsOf(other).at(-1) === last).length === 1 ? last : folder;
  }
}

/** The files whose objects make Flux or Argo CD apply other files, in some states. */
class Appliers {
  private readonly found: readonly ReadonlyMap<string, string>[];

  public constructor(private readonly states: readonly ManifestState[]) {
    this.found = states.map((state) => {
      const own = state.objects.filter(({ pack }) => !pack);
      const folders = new FolderDeliveries(own.map(({ object }) => object));
      const files = new Map<ManifestObject, string>(own.map(({ object, place }) => [object, place.file]));
      const follow = (file: string, passed: readonly string[]): string => {
        const delivery = folders.of(file);
        const next = delivery && deliveryPlace(delivery) === AddonPlace.MANAGEMENT ? files.get(delivery)! : file;
        return next === file || passed.includes(next) ? file : follow(next, [...passed, file]);
      };
      return new Map([...new Set(files.values())].map((file) => [pathWithin(state, file), pathWithin(state, follow(file, []))]));
    });
  }

  /** The path of the file that applies another one; of one that nothing applies in a state, as in another state. */
  public of(state: number, file: string): string {
    const own = pathWithin(this.states[state], file);
    return [this.found[state], ...this.found].map((applied) => applied.get(own)).find((by) => by !== undefined && by !== own) ?? own;
  }
}

function partsOf(file: string): string[] {
  return file.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
}
