import * as fs from 'node:fs';
import * as path from 'node:path';
import { committedObjects } from './committed-objects';
import { ManifestState } from '../../landscape/management-clusters';
import { StateReader } from '../../landscape/placed-objects';
import { CommandError } from '../command';
import { readFiles, STANDARD_INPUT } from '../manifests/manifest-files';
import { DEFAULT_FOLDER } from '../manifests/read-clusters';
import { readable } from '../manifests/read-manifests';
import { Surroundings } from '../surroundings';

/**
 * The earlier and the later state.
 *
 * @param given OLD and NEW, or the folder whose committed state is OLD
 * @param base the commit of the earlier state; undefined for the last one
 */
export async function readStates(
  given: readonly string[], base: string | undefined, surroundings: Surroundings,
): Promise<readonly [before: ManifestState, after: ManifestState]> {
  const [old, now] = given;
  const reader = new StateReader();
  if (given.length > 2) throw new CommandError(['plan compares two states'], 'name OLD and NEW, or the folder alone');
  if (now !== undefined) {
    if (base !== undefined) throw new CommandError(['--base names the state that NEW is compared with, and OLD is given too'], 'leave out one of them');
    if (old === STANDARD_INPUT && now === STANDARD_INPUT) throw new CommandError(['OLD and NEW are both standard input'], 'name a file or a folder');
    const before = readable(reader.read(await readFiles([old], surroundings)));
    return [{ ...before, root: old }, { ...readable(reader.read(await readFiles([now], surroundings))), root: now }];
  }
  const folder = old ?? DEFAULT_FOLDER;
  if (folder === STANDARD_INPUT) throw new CommandError(['standard input has no committed state'], 'name a folder in a Git repository');
  const isThere = fs.existsSync(path.resolve(surroundings.cwd, folder));
  const onDisk = isThere ? await readFiles([folder], surroundings) : [];
  const committed = committedObjects(folder, base, onDisk, reader, surroundings);
  if (!isThere && committed.length === 0) throw new CommandError([`there is no ${folder}, on disk or in ${base ?? 'HEAD'}`], 'name the folder that synthesis writes');
  return [{ objects: committed, root: folder }, { ...readable(reader.read(onDisk)), root: folder }];
}
