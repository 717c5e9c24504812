import { readOn } from './read-manifests';
import { remarkText } from '../../manifests/landscape/place';
import { ReadObject } from '../../manifests/landscape/placed-objects';
import { isDefinition } from '../../manifests/rules/structure/kind-definitions';
import { CommandError } from '../command';
import { Surroundings } from '../surroundings';

/**
 * Reads the CustomResourceDefinitions in files and folders. Throws a `CommandError` for one that has none, or that is named and cannot be read.
 *
 * @param paths files and folders
 */
export async function readDefinitions(paths: readonly string[], surroundings: Surroundings): Promise<readonly ReadObject[]> {
  const found: ReadObject[] = [];
  for (const given of paths) {
    const { objects, notRead } = await readOn([given], surroundings);
    const definitions = objects.filter(({ object }) => isDefinition(object));
    if (definitions.length === 0) throw new CommandError([`there is no CustomResourceDefinition in ${given}`], 'name the file or folder with the definitions of the kinds');
    const [first, ...others] = notRead.filter(({ isRefused: refused }) => !refused);
    if (first) surroundings.err(`note: not read: ${remarkText(first)}${others.length === 0 ? '' : `; and ${others.length} more`}\n`);
    found.push(...definitions);
  }
  return found;
}
