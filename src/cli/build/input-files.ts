import * as fs from 'node:fs';
import * as path from 'node:path';
import { placeInWorkTree } from '../../manifests/objects/git/work-tree';
import { statusOf } from '../../manifests/values/file-status';
import { Surroundings } from '../surroundings';

/**
 * The contents of files below a folder, by their paths below it. A link is followed within the folder, and within its repository.
 *
 * @param root the folder
 * @param isWanted returns true for the path of a file that is read
 * @param paths the paths of all that may be wanted; undefined if any file may be
 */
export function filesOnDisk(
  root: string, isWanted: (file: string) => boolean, paths: readonly string[] | undefined, { cwd }: Pick<Surroundings, 'cwd'>,
): ReadonlyMap<string, string> {
  const folder = path.resolve(cwd, root);
  if (!statusOf(folder)?.isDirectory()) return new Map();
  const inside = [folder, placeInWorkTree(folder)?.top ?? folder].map((one) => fs.realpathSync(one));
  const isInside = (file: string) => inside.some((one) => !path.relative(one, fs.realpathSync(file)).startsWith('..'));
  const files = paths ?? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.split(path.sep).join('/'));
  return new Map(files.filter((file) => isWanted(file) && statusOf(path.join(folder, file))?.isFile() && isInside(path.join(folder, file)))
    .map((file) => [file, fs.readFileSync(path.join(folder, file), 'latin1')]));
}
