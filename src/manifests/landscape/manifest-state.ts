import * as path from 'node:path';
import { InputFiles } from './kustomize-lists';
import { PlacedObjects, ReadObject } from './placed-objects';
import { isClearPath } from './plain-paths';

/** A delivery that was built. Several clusters may have one of this name, each in a file of its own. */
export interface BuiltDelivery {
  /** The same for the same object of any state. */
  readonly key: string;

  /** The path of the file that the delivery stands in, below what was read. */
  readonly path: string;

  /** The folder that it applies. */
  readonly folder: string;
}

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

  /**
   * The path of the folder that was read below the top of its Git work tree, with `/` between its parts.
   *
   * @default - it is not known where the repository begins
   */
  readonly within?: string;

  /**
   * Returns true if a folder below what was read has a file of any kind.
   *
   * @default - it is not known
   */
  readonly hasFiles?: (folder: string) => boolean;

  /**
   * Files that hold what was built of the folder of a delivery with what it adds, by their paths below what was read.
   *
   * @default - nothing was built in this way
   */
  readonly builtFor?: ReadonlyMap<string, BuiltDelivery>;

  /**
   * Files with deliveries that kustomizations leave out, which were built, by their paths below what was read.
   *
   * @default - none are known
   */
  readonly leftOut?: ReadonlySet<string>;

  /**
   * Reasons that input of kustomizations and charts was not built, by the paths of the files below what was read.
   *
   * @default - nothing was to be built
   */
  readonly unbuilt?: ReadonlyMap<string, string>;

  /**
   * All files, where the objects are those of one of several management clusters, or files are left out.
   *
   * @default - those of the objects
   */
  readonly files?: readonly string[];

  /**
   * The clusters of files that are left out, as `namespace/name`.
   *
   * @default - none are left out
   */
  readonly otherClusters?: () => ReadonlySet<string>;

  /**
   * The texts of files that are left out, by their paths below what was read.
   *
   * @default - none are left out
   */
  readonly otherTexts?: () => ReadonlyMap<string, string>;
}

/** The path of a file below what was read, with `/` between its parts. */
export function pathWithin({ root }: Pick<ManifestState, 'root'>, file: string): string {
  // Of a fleet, files are many, and most paths are plain.
  if (root && path.sep === '/' && file.startsWith(root) && file.charAt(root.length) === '/') {
    const below = file.slice(root.length + 1);
    if (isClearPath(below)) return below;
  }
  return partsOf(root === undefined ? file : path.relative(root, file)).join('/');
}

/** The files that kustomizations and charts of states read, by their paths below what was read. */
export function inputFiles(states: readonly Pick<ManifestState, 'root' | 'kustomizations' | 'charts'>[]): InputFiles {
  return new InputFiles(
    states.flatMap((state) => (state.kustomizations ?? []).map((one) => ({ ...one, file: pathWithin(state, one.file) }))),
    states.flatMap((state) => (state.charts ?? []).map((folder) => pathWithin(state, folder) || '.')),
  );
}

/**
 * The paths that the folder that was read may have below the top of a repository, the likeliest first: that in its work tree, and names at the
 * end of its own path, since it may be written for another repository.
 */
export function placesInRepository({ root, within }: Pick<ManifestState, 'root' | 'within'>): readonly (readonly string[])[] {
  const named = root === undefined ? [] : partsOf(root);
  return [...within ? [partsOf(within)] : [], ...named.map((_, index) => named.slice(index))];
}

/** The names in a path. */
export function partsOf(file: string): string[] {
  return file.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
}
