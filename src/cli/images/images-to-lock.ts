import * as fs from 'node:fs';
import * as path from 'node:path';
import { PinnedImage } from './lock-entries';
import { longName } from './lock-file';
import { parseImageName } from '../../manifests/images/image-name';
import { NotKnown, takeInventory } from '../../manifests/landscape/image-inventory';
import { CommandError } from '../command';
import { STANDARD_INPUT } from '../manifests/manifest-files';
import { readManifests } from '../manifests/read-manifests';
import { Surroundings } from '../surroundings';

/** What a lock should hold, of what arguments name. */
export interface ImagesToLock {
  /** Names of images, in their long form with their tags. */
  readonly images: readonly string[];

  /** Images that have a digest in the manifests already. */
  readonly pinned: readonly PinnedImage[];

  /** What cannot be locked, and why. */
  readonly faults: readonly string[];
  readonly notKnown: readonly NotKnown[];
}

const DEFAULT_FOLDER = 'dist';

/**
 * Finds out which images a lock is for.
 *
 * @param args files, folders, `-`, and names of images with their tags
 */
export async function imagesToLock(args: readonly string[], surroundings: Surroundings): Promise<ImagesToLock> {
  const isPath = (arg: string) => arg === STANDARD_INPUT || fs.existsSync(path.resolve(surroundings.cwd, arg));
  const names = args.filter((arg) => !isPath(arg));
  const wrong = names.filter((arg) => parseImageName(arg)?.tag === undefined);
  if (wrong.length > 0) {
    throw new CommandError(wrong.map((arg) => `there is no file or folder ${arg}, nor is it an image with a tag`),
      'images are named like quay.io/cilium/cilium:v1.18.0');
  }
  const paths = args.length === 0 ? [DEFAULT_FOLDER] : args.filter(isPath);
  const { images, notKnown } = takeInventory(await readManifests(paths, surroundings));
  const lockable = images.filter(({ tag, takesDigest }) => tag !== undefined && takesDigest);
  const open = lockable.filter(({ digest }) => digest === undefined).map(({ image }) => image);
  return {
    images: [...new Set([...open, ...names.map(withoutDigest)])],
    pinned: lockable.flatMap(({ name, tag, digest }) => (tag === undefined || digest === undefined ? [] : [{ name, tag, digest }])),
    faults: images.filter(({ tag, digest }) => tag === undefined && digest === undefined)
      .map(({ image }) => `${image} has no tag, so that nothing can be locked`),
    notKnown,
  };
}

function withoutDigest(image: string): string {
  return longName(image).split('@')[0];
}
