import * as fs from 'node:fs';
import * as path from 'node:path';
import { LOCK_VERSION, readLockFile as readLock } from '../../manifests/images/image-lock-file';
import { parseImageName, tagAndDigest } from '../../manifests/images/image-name';
import { compareTexts } from '../../manifests/landscape/place';
import { CommandError } from '../command';

/** What a lock file holds. */
export interface LockContent {
  /** Digests by the names of images in their long form, with their tags. */
  readonly images: ReadonlyMap<string, string>;

  /** Digests of charts, which are kept as they are. */
  readonly charts?: unknown;
}

/** Reads a lock file; an empty one if there is none yet. */
export function readLockFile(file: string): LockContent {
  if (!fs.existsSync(file)) return { images: new Map() };
  const faults = readLock(file).faults;
  if (faults.length > 0) throw new CommandError(faults, 'correct the lock, or remove it and run this again');
  const { images, charts } = JSON.parse(fs.readFileSync(file, 'utf8')) as { images: { [image: string]: string }; charts?: unknown };
  return { images: new Map(Object.entries(images).map(([image, digest]) => [longName(image), digest])), charts };
}

/** Writes a sorted lock file atomically: other processes never read half of it. */
export function writeLockFile(file: string, { images, charts }: LockContent): void {
  const sorted = Object.fromEntries([...images].sort(([one], [other]) => compareTexts(one, other)));
  const text = `${JSON.stringify({ version: LOCK_VERSION, images: sorted, charts }, undefined, 2)}\n`;
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);
  try {
    const handle = fs.openSync(temporary, 'wx', 0o666);
    try {
      fs.writeSync(handle, text);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw new CommandError([`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`]);
  }
}

/** The name that the lock knows an image by. */
export function longName(image: string): string {
  const parsed = parseImageName(image);
  return parsed === undefined ? image : `${parsed.name}${tagAndDigest(parsed)}`;
}
