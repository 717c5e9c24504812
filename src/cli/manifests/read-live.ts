import { STANDARD_INPUT } from './read-files';
import { noteUnread, readManifests } from './read-manifests';
import { remarkText } from '../../manifests/landscape/place';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { CommandError } from '../command';
import { Surroundings } from '../surroundings';

/**
 * Reads the objects of a dump of a cluster, and names what is none. Throws a `CommandError` for a dump without objects: it is that of a
 * kubectl that has failed, and must not count as an empty cluster.
 *
 * @param live the file with the dump, or `-` for standard input
 * @param get the command that makes such a dump
 */
export async function readLive(live: string, get: string, surroundings: Surroundings): Promise<readonly ManifestObject[]> {
  const { objects, notRead } = await readManifests([live], surroundings);
  const living = objects.filter(({ pack }) => !pack).map(({ object }) => object);
  if (living.length === 0) {
    const name = live === STANDARD_INPUT ? 'standard input' : live;
    throw new CommandError([`--live: ${name} has no objects`, ...notRead.slice(0, 1).map(remarkText)], `get them with "${get}"`);
  }
  noteUnread(notRead, [], false, surroundings);
  return living;
}
