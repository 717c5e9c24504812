import { readManifests } from './read-manifests';
import { Landscape } from '../../manifests/landscape/cluster-model';
import { remarkText } from '../../manifests/landscape/place';
import { readLandscape } from '../../manifests/landscape/read-landscape';
import { Surroundings } from '../surroundings';

/** Folder that is read unless another one is named. */
export const DEFAULT_FOLDER = 'dist';

/**
 * Reads the clusters in files and folders, and reports documents that should be manifests and are not. Throws a `CommandError` for
 * files that cannot be read.
 *
 * @param paths files, folders, and `-` for standard input
 */
export async function readClusters(paths: readonly string[], surroundings: Surroundings): Promise<Landscape> {
  const given = paths.length > 0 ? paths : [DEFAULT_FOLDER];
  const manifests = await readManifests(given, surroundings);
  // Lists of kustomize and values of charts stand beside manifests, and have no clusters in them.
  const [first, ...others] = manifests.notRead.filter(({ isRefused: refused }) => refused);
  if (first) surroundings.err(`note: ${remarkText(first)}${others.length === 0 ? '' : `; and ${others.length} more that no server takes`}\n`);
  surroundings.progress?.at('Finding clusters');
  return readLandscape({ ...manifests, ...(given.length === 1 && { root: given[0] }) });
}
