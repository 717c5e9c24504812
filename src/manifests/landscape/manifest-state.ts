import * as path from 'node:path';
import { PlacedObjects, ReadObject } from './placed-objects';

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
   * All files, where the objects are those of one of several management clusters.
   *
   * @default - those of the objects
   */
  readonly files?: readonly string[];
}

/** The path of a file below what was read, with `/` between its parts. */
export function pathWithin({ root }: Pick<ManifestState, 'root'>, file: string): string {
  return partsOf(root === undefined ? file : path.relative(root, file)).join('/');
}

/** The names in a path. */
export function partsOf(file: string): string[] {
  return file.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
}
