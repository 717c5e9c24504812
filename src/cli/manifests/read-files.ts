import * as fs from 'node:fs';
import * as path from 'node:path';
import { hasManifestExtension, isVisibleName } from '../../manifests/landscape/manifest-file-names';
import { compareTexts, Remark } from '../../manifests/landscape/place';
import { ManifestFile } from '../../manifests/landscape/placed-objects';
import { joined } from '../../manifests/landscape/plain-paths';
import { FileStatus } from '../../manifests/objects/git/indexed-files';
import { statusOf } from '../../manifests/values/file-status';
import { CommandError } from '../command';
import { Surroundings } from '../surroundings';

const MEBIBYTE = 1024 * 1024;

/** Largest file that is read, in bytes; the whole of it is held in memory, several times over. */
export const LARGEST_FILE = 64 * MEBIBYTE;

const TOO_MUCH = `more than ${LARGEST_FILE / MEBIBYTE} MiB are not read`;

/** Name that stands for standard input. */
export const STANDARD_INPUT = '-';

/**
 * Reads files, and every `.yaml`, `.yml` and `.json` file in folders and the folders in them, in an order that is the same everywhere. Links that
 * lead out of these folders and of the current one are refused, and what is no regular file is read only if it is named.
 *
 * @param paths files, folders, and `-` for standard input
 * @param unread receives what cannot be read in folders; without it that is an error, as it is for what is named
 */
export async function readFiles(paths: readonly string[], surroundings: Surroundings, unread?: Remark[]): Promise<ManifestFile[]> {
  const files = new Map<string, ManifestFile>();
  const faults: Fault[] = [];
  let filesRead = 0;
  const onRead = () => surroundings.progress?.at('Reading', ++filesRead, files.size);
  const inside = ['.', ...paths].flatMap((given) => realFolder(path.resolve(surroundings.cwd, given)));
  for (const given of paths) {
    // A variable of a shell that is not set, which would be the current folder.
    if (given === '') {
      faults.push({ file: given, message: 'the name of a file or folder is empty' });
      continue;
    }
    if (given === STANDARD_INPUT) {
      if (!files.has(given)) add({ file: 'standard input', real: given }, await surroundings.readInput(LARGEST_FILE), files, faults);
      // Most likely the program before the pipe has failed.
      if (files.get(given)?.bytes.length === 0) faults.push({ file: given, message: 'standard input is empty' });
      continue;
    }
    const before = faults.length;
    const found = find(given, { cwd: surroundings.cwd, folders: new Set(), inside, faults });
    // The output of an app without clusters.
    if (found.length === 0 && faults.length === before) surroundings.err(`note: ${given} has no .yaml, .yml or .json file\n`);
    for (const { file, real } of found) {
      // Two paths may lead to the same file.
      if (!files.has(real)) read(file, real, files, faults, onRead);
    }
  }
  const errors = unread ? faults.filter(({ file }) => paths.includes(file)) : faults;
  if (errors.length > 0) throw new CommandError(errors.map(({ message }) => message), 'name the folder that synthesis wrote, or files; "-" reads from standard input');
  unread?.push(...faults.map(({ file, message, foreign }) => ({ place: { file }, message, foreign })));
  return [...files.values()];
}

/** Fault of a file or folder that cannot be read; the message names it. */
interface Fault extends Pick<Remark, 'foreign'> {
  readonly file: string;
  readonly message: string;
}

/** A file that is read when its content is asked for, and is not held in memory: of a fleet, files are many. */
class FileOnDisk implements ManifestFile {
  public constructor(
    public readonly file: string, private readonly real: string, public readonly status: FileStatus, private readonly onRead: () => void,
  ) {}

  public get bytes(): Buffer {
    this.onRead();
    try {
      return readWhole(this.real, this.status.size);
    } catch (error) {
      throw new CommandError([unreadable(this.file, error)], 'run the command again');
    }
  }
}

/** The content of a file whose size is known: of a fleet, asking for it once more is a third of the time. */
function readWhole(file: string, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size + 1);
  const descriptor = fs.openSync(file, 'r');
  try {
    // A file that has another size by now, or that is read in parts.
    return fs.readSync(descriptor, bytes, 0, bytes.length, 0) === size ? bytes.subarray(0, size) : fs.readFileSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

interface Search {
  readonly cwd: string;

  /** Folders that were entered; a link may lead back to one. */
  readonly folders: Set<string>;

  /** The current folder, and those that were named; links lead nowhere else. */
  readonly inside: readonly string[];
  readonly faults: Fault[];
}

function find(file: string, search: Search, named = true): { file: string; real: string }[] {
  const absolute = path.resolve(search.cwd, file);
  try {
    if (!named && !hasManifestExtension(file) && !fs.statSync(absolute).isDirectory()) return [];
    const real = realPath(absolute);
    if (!named && !search.inside.some((folder) => !path.relative(folder, real).startsWith('..'))) {
      search.faults.push({ file, message: `${file} is a link to ${real}, which is neither in this folder nor in one that was named` });
      return [];
    }
    const stat = fs.statSync(real);
    if (!stat.isDirectory()) return named || stat.isFile() ? [{ file, real }] : [];
    return enterFolder(file, real, search);
  } catch (error) {
    // A link of such a name leads to a folder, or to a file that would not be read.
    const isOther = !named && !hasManifestExtension(file) && (error as NodeJS.ErrnoException).code === 'ENOENT';
    search.faults.push(isOther ? { file, message: 'is a broken symbolic link', foreign: { mayHoldObjects: true } } : { file, message: unreadable(file, error) });
    return [];
  }
}

/** The files in a folder, unless it was entered before. */
function enterFolder(folder: string, real: string, search: Search): { file: string; real: string }[] {
  if (search.folders.has(real)) return [];
  search.folders.add(real);
  try {
    return inFolder(folder, real, search);
  } catch (error) {
    search.faults.push({ file: folder, message: unreadable(folder, error) });
    return [];
  }
}

/** Files of a folder. Only links and what is neither file nor folder have to be looked at to know where they are. */
function inFolder(folder: string, real: string, search: Search): { file: string; real: string }[] {
  const entries = fs.readdirSync(real, { withFileTypes: true }).filter(({ name }) => isVisibleName(name));
  const [file, realFile] = [folder, real].map((around) => (name: string) => joined(around, name) ?? path.join(around, name));
  return entries.sort((one, other) => compareTexts(one.name, other.name)).flatMap((entry) => {
    const { name } = entry;
    if (entry.isDirectory()) return enterFolder(file(name), realFile(name), search);
    if (!entry.isFile()) return find(file(name), search, false);
    return hasManifestExtension(name) ? [{ file: file(name), real: realFile(name) }] : [];
  });
}

function read(file: string, real: string, files: Map<string, ManifestFile>, faults: Fault[], onRead: () => void): void {
  try {
    const stat = fs.statSync(real);
    if (stat.size > LARGEST_FILE) {
      faults.push({ file, message: `${file} has ${Math.ceil(stat.size / MEBIBYTE)} MiB; ${TOO_MUCH}` });
    } else if (stat.isFile()) {
      fs.accessSync(real, fs.constants.R_OK);
      const { ctimeMs, mtimeMs, dev, ino, uid, gid, size } = stat;
      files.set(real, new FileOnDisk(file, real, { ctimeMs, mtimeMs, dev, ino, uid, gid, size }, onRead));
    } else {
      add({ file, real }, readWithin(real, LARGEST_FILE), files, faults);
    }
  } catch (error) {
    faults.push({ file, message: unreadable(file, error) });
  }
}

/** Bytes of a pipe or device, up to one byte more than the limit. */
function readWithin(file: string, limit: number): Buffer {
  const descriptor = fs.openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= limit;) {
      const chunk = Buffer.alloc(MEBIBYTE);
      const count = fs.readSync(descriptor, chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      size += count;
    }
    return Buffer.concat(chunks);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Path of a folder with links resolved; empty for a file, and if nothing exists there. */
function realFolder(file: string): string[] {
  return statusOf(file)?.isDirectory() ? [fs.realpathSync(file)] : [];
}

/** The size of a pipe is known only after it has been read. */
function add({ file, real }: { file: string; real: string }, bytes: Buffer, files: Map<string, ManifestFile>, faults: Fault[]): void {
  if (bytes.length > LARGEST_FILE) faults.push({ file, message: `${file} does not end in time; ${TOO_MUCH}` });
  else files.set(real, { file: real === STANDARD_INPUT ? real : file, bytes });
}

/** A path with links resolved. The output of a command, as a shell passes it, is a link to a pipe, which has no path. */
function realPath(file: string): string {
  return fs.statSync(file).isFIFO() ? file : fs.realpathSync(file);
}

function unreadable(file: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? `there is no ${file}` : `${file} cannot be read (${code})`;
}
