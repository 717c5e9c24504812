import * as path from 'node:path';
import { readFiles, STANDARD_INPUT } from './read-files';
import { Landscape } from '../../manifests/landscape/cluster-model';
import { byMessage, Remark, remarkText } from '../../manifests/landscape/place';
import { PlacedObjects, placedObjects } from '../../manifests/landscape/placed-objects';
import { readLandscape } from '../../manifests/landscape/read-landscape';
import { statusOf } from '../../manifests/values/file-status';
import { BuiltManifests, builtManifests, StateSource } from '../build/built-manifests';
import { filesOnDisk } from '../build/input-files';
import { checkRendered, filesBelow, renderedFiles, StateTree } from '../build/rendered-states';
import { CommandError } from '../command';
import { stateRoot } from './state-root';
import { Surroundings } from '../surroundings';

/** The way in which the manifests of a state are read. */
export interface ReadOptions {
  /** True if kustomizations and charts are built. */
  readonly build: boolean;

  /**
   * A command of the user that writes the manifests to standard output.
   *
   * @default - the manifests are those in the files
   */
  readonly render?: string;
}

/** Manifests as they are written: nothing is built. */
export const AS_WRITTEN: ReadOptions = { build: false };

/** Manifests of files and folders. */
export interface Manifests extends Omit<BuiltManifests, 'faults'> {
  /** Absolute paths of the folders that the files are in, with `/` between their parts. */
  readonly folders: readonly string[];
}

/**
 * The files and folders on disk that a user named, or what a command writes in a copy of the folder.
 *
 * @param given files, folders, and `-` for standard input
 * @param unread receives what cannot be read in folders; without it that is an error, as it is for what is named
 */
export async function sourceOnDisk(given: readonly string[], { render }: Pick<ReadOptions, 'render'>, surroundings: Surroundings, unread?: Remark[]): Promise<StateSource> {
  if (render !== undefined) return renderedSource(render, treeOnDisk(given, surroundings), surroundings);
  return {
    given,
    files: await readFiles(given, surroundings, unread),
    inputs: (folder, isWanted, paths) => filesOnDisk(folder, isWanted, paths, surroundings),
  };
}

/** Manifests that a command of the user writes in a copy of a state. Throws a `CommandError` if that cannot be read. */
export async function renderedSource(command: string, tree: StateTree, surroundings: Surroundings): Promise<StateSource> {
  const files = await renderedFiles(command, [tree], surroundings);
  checkRendered(placedObjects(files).faults, tree);
  return { given: [], files, inputs: () => new Map() };
}

/** The folder that a command runs in a copy of. */
export function folderToRender(given: readonly string[], { cwd }: Pick<Surroundings, 'cwd'>): string {
  const [name = '.'] = given;
  if (given.includes(STANDARD_INPUT)) throw new CommandError(['--render runs in a copy of a folder, and standard input is none'], 'leave out "-"');
  if (given.length > 1) throw new CommandError(['--render runs in a copy of one folder'], 'name one folder, or leave it out');
  if (statusOf(path.resolve(cwd, name))?.isDirectory()) return name;
  throw new CommandError([`there is no folder ${name}`], 'name the folder whose copy the command of --render runs in');
}

/** All files of the folder that a command runs in a copy of. */
export function treeOnDisk(given: readonly string[], surroundings: Pick<Surroundings, 'cwd'>): StateTree {
  const name = folderToRender(given, surroundings);
  return { name, files: () => filesBelow(path.resolve(surroundings.cwd, name)) };
}

/**
 * Reads every object in files and folders. Throws a `CommandError` that names everything that cannot be read.
 *
 * @param given files, folders, and `-` for standard input
 * @param unread receives what cannot be read instead, as far as it is not a file or folder that is named
 */
export async function readManifests(
  given: readonly string[], surroundings: Surroundings, unread?: Remark[], options = AS_WRITTEN,
): Promise<Manifests> {
  const source = await sourceOnDisk(given, options, surroundings, unread);
  const [{ faults, ...built }] = await builtManifests([source], options.build, surroundings);
  unread?.push(...faults);
  return { ...readable({ ...built, faults: unread ? [] : faults }), folders: foldersOf(source, surroundings) };
}

/** Absolute paths of the folders of files, with `/` between their parts. */
function foldersOf({ files }: StateSource, { cwd }: Surroundings): string[] {
  return [...new Set(files.map(({ file }) => path.dirname(path.resolve(cwd, file)).split(path.sep).join('/')))];
}

/**
 * Reads every object in files and folders, and what cannot be read in folders as something that is not looked at. Throws a `CommandError` for
 * files that are named and cannot be read.
 *
 * @param given files, folders, and `-` for standard input
 */
export async function readOn(given: readonly string[], surroundings: Surroundings, options = AS_WRITTEN): Promise<Manifests> {
  const unread: Remark[] = [];
  const manifests = await readManifests(given, surroundings, unread, options);
  readable({ faults: unread.filter(({ place }) => given.includes(place.file)) });
  const objects = manifests.objects.map((read) => (manifests.builtFrom.has(read.object) ? { ...read, place: read.placeOf([]) } : read));
  return { ...manifests, objects, notRead: [...manifests.notRead, ...unread] };
}

/** Contents of files, where all of it can be read. Throws a `CommandError` that names everything that cannot. */
function readable<T extends Pick<PlacedObjects, 'faults'>>({ faults, ...placed }: T): Omit<T, 'faults'> {
  if (faults.length > 0) throw new CommandError(faults.map(unreadText), 'nothing was done, because the rest alone would give a wrong picture');
  return placed;
}

/** Folder that is read unless another one is named. */
export const DEFAULT_FOLDER = 'dist';

/** So many files that are not read are named. */
const MOST_NOTES = 10;

/** The option of commands that read on after a file that cannot be read. */
export const STRICT_OPTION = { strict: { type: 'boolean', default: false } } as const;

/** Its line of the help. */
export const STRICT_HELP = '  --strict              fail when a file cannot be read; without it, it is named in a note, and left out';

/**
 * Names what is not read. Throws a `CommandError` for what must be.
 *
 * @param unread what cannot be read
 * @param named files that were named, and must be read
 * @param strict whether everything must be read
 */
export function noteUnread(unread: readonly Remark[], named: readonly string[], strict: boolean, { err }: Pick<Surroundings, 'err'>): void {
  readable({ faults: unread.filter(({ place }) => strict || named.includes(place.file)) });
  const reasons = byMessage(unread);
  const left = reasons.slice(MOST_NOTES).flat().length;
  reasons.slice(0, MOST_NOTES).forEach(([first, ...others]) => err(`note: not read: ${unreadText(first)}${others.length === 0 ? '' : `; and ${others.length} more`}\n`));
  if (left > 0) err(`note: ${left} more files are not read\n`);
}

/** A remark of a file on one line; what is about the file as a whole names it itself. */
function unreadText(fault: Remark): string {
  return fault.place.line === undefined && fault.message.includes(fault.place.file) ? fault.message : remarkText(fault);
}

/** Names kustomizations and charts that are to be built, and were not. */
function noteUnbuilt({ notBuilt }: Pick<Manifests, 'notBuilt'>, { err }: Surroundings): void {
  byMessage(notBuilt).forEach(([first, ...others]) => err(`note: ${remarkText(first)}${others.length === 0 ? '' : `; and ${others.length} more`}\n`));
}

/**
 * Reads the clusters in files and folders, and reports documents that should be manifests and are not, and files that cannot be read. Throws a
 * `CommandError` for files that are named and cannot be read.
 *
 * @param paths files, folders, and `-` for standard input
 * @param options what is built, and whether each file must be read
 */
export async function readClusters(
  paths: readonly string[], { strict, ...options }: ReadOptions & { readonly strict: boolean }, surroundings: Surroundings,
): Promise<Landscape> {
  const given = paths.length > 0 || options.render !== undefined ? paths : [DEFAULT_FOLDER];
  const unread: Remark[] = [];
  const manifests = await readManifests(given, surroundings, unread, options);
  noteUnread(unread, given, strict, surroundings);
  // Lists of kustomize and values of charts stand beside manifests, and have no clusters in them.
  const [first, ...others] = manifests.notRead.filter(({ isRefused: refused }) => refused);
  if (first) surroundings.err(`note: ${remarkText(first)}${others.length === 0 ? '' : `; and ${others.length} more that no server takes`}\n`);
  noteUnbuilt(manifests, surroundings);
  surroundings.progress?.at('Finding clusters');
  return readLandscape({ ...manifests, ...stateRoot(given, surroundings) });
}
