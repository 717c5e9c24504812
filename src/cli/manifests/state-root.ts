import * as path from 'node:path';
import { ManifestState } from '../../manifests/landscape/manifest-state';
import { placeInWorkTree } from '../../manifests/objects/git/work-tree';
import { Surroundings } from '../surroundings';
import { STANDARD_INPUT } from './read-files';

/**
 * The folder that was read, and its path in its work tree, where the folders of deliveries begin. Of several files and folders there is none.
 *
 * @param given files, folders, and `-` for standard input
 */
export function stateRoot(given: readonly string[], { cwd }: Pick<Surroundings, 'cwd'>): Pick<ManifestState, 'root' | 'within'> {
  if (given.length !== 1) return {};
  const [root] = given;
  const within = root === STANDARD_INPUT ? undefined : placeInWorkTree(path.resolve(cwd, root))?.within;
  return { root, ...(within !== undefined && { within }) };
}
