import * as path from 'node:path';
import { readFiles } from './manifest-files';
import { Remark, remarkText } from '../../manifests/landscape/place';
import { PlacedObjects, placedObjects } from '../../manifests/landscape/placed-objects';
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
 * @param unread receives what cannot be read instead, as far as it is not a file or folder that is named
 */
export async function readManifests(given: readonly string[], surroundings: Surroundings, unread?: Remark[]): Promise<Manifests> {
  const files = await readFiles(given, surroundings, unread);
  const folders = files.map(({ file }) => path.dirname(path.resolve(surroundings.cwd, file)).split(path.sep).join('/'));
  const placed = placedObjects(files);
  unread?.push(...placed.faults);
  return { ...readable(unread ? { ...placed, faults: [] } : placed), folders: [...new Set(folders)] };
}

/** What files hold, where all of it can be read. Throws a `CommandError` that names everything that cannot. */
export function readable({ faults, ...read }: PlacedObjects): Omit<PlacedObjects, 'faults'> {
  if (faults.length > 0) throw new CommandError(faults.map(remarkText), 'nothing was done, because the rest alone would give a wrong picture');
  return read;
}
