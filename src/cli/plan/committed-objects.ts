import * as path from 'node:path';
import { CommittedFolder, GitError } from '../../git/committed-folder';
import { findingText } from '../../landscape/place';
import { ManifestFile, placedObjects, ReadObject } from '../../landscape/placed-objects';
import { formatProblem } from '../../problems/problem';
import { CommandError } from '../command';
import { isManifestFile } from '../manifests/manifest-files';
import { Surroundings } from '../surroundings';

/**
 * Reads the manifests that a folder has in a commit. Files that are the same on disk are not read a second time.
 *
 * @param folder the folder, as the user named it
 * @param base the commit; undefined for the last one
 * @param onDisk the files of the folder
 */
export function committedObjects(
  folder: string, base: string | undefined, onDisk: readonly ManifestFile[], surroundings: Surroundings,
): readonly ReadObject[] {
  const committed = committedFolder(folder, base, surroundings);
  const paths = committed.paths.filter(isManifestFile);
  if (paths.length === 0) surroundings.err(`note: ${folder} has no manifests in ${base ?? 'HEAD'}: everything is new\n`);
  const named = (file: string) => path.join(folder, file);
  const known = new Map(onDisk.map((file) => [file.file, file]));
  const same = new Map(paths.flatMap((file) => {
    const found = known.get(named(file));
    return found && committed.holds(file, found.bytes) ? [[file, found]] : [];
  }));
  const others = new Map(committed.read(paths.filter((file) => !same.has(file))));
  const { objects, faults } = placedObjects(paths.map((file) => same.get(file) ?? { file: named(file), bytes: others.get(file)!.content }));
  if (faults.length === 0) return objects;
  throw new CommandError(faults.map((fault) => `${base ?? 'HEAD'}: ${findingText(fault)}`), 'name another commit with --base');
}

function committedFolder(folder: string, base: string | undefined, { cwd }: Surroundings): CommittedFolder {
  try {
    const found = CommittedFolder.of(path.resolve(cwd, folder), base);
    if (found) return found;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new CommandError([formatProblem(error.problem)]);
  }
  const why = 'it is in no Git repository, or nothing was committed there yet';
  throw new CommandError([`${folder} has no committed state: ${why}`], 'name the earlier and the later state: plan OLD NEW');
}
