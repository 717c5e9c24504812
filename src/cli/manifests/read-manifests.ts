import * as path from 'node:path';
import { readFiles } from './manifest-files';
import { remarkText } from '../../landscape/place';
import { PlacedObjects, placedObjects } from '../../landscape/placed-objects';
import { CommandError } from '../command';
import { Surroundings } from '../surroundings';

/** What files and folders hold. */
export interface Manifests extends Omit<PlacedObjects, 'faults'> {
  /** Absolute paths of the folders that the files are in, with `/` between their parts. */
  readonly folders: readonly string[];
}

/**
 * Reads every object in files and folders. Throws a `CommandError` that names everything that cannot be read.
 *
 * @param given files, folders, and `-` for standard input
 */
export async function readManifests(given: readonly string[], surroundings: Surroundings): Promise<Manifests> {
  const files = await readFiles(given, surroundings);
  const folders = files.map(({ file }) => path.dirname(path.resolve(surroundings.cwd, file)).split(path.sep).join('/'));
  return { ...readable(placedObjects(files)), folders: [...new Set(folders)] };
}

/** What files hold, where all of it can be read. Throws a `CommandError` that names everything that cannot. */
export function readable({ faults, ...read }: PlacedObjects): Omit<PlacedObjects, 'faults'> {
  if (faults.length > 0) throw new CommandError(faults.map(remarkText), 'nothing was done, because the rest alone would give a wrong picture');
  return read;
}
