import * as fs from 'node:fs';
import * as path from 'node:path';
import { filledDeliveries } from '../../manifests/landscape/filled-deliveries';
import { isManifestFile } from '../../manifests/landscape/manifest-file-names';
import { inputFiles, ManifestState, pathWithin } from '../../manifests/landscape/manifest-state';
import { Remark } from '../../manifests/landscape/place';
import { StateReader, UnreadValue } from '../../manifests/landscape/placed-objects';
import { filesToLeaveOut, StateFiles } from '../../manifests/landscape/relevant-files';
import { statusOf } from '../../manifests/values/file-status';
import { builtStates, ReadState } from '../build/built-states';
import { filesOnDisk } from '../build/input-files';
import { renderedStates } from '../build/rendered-states';
import { CommandError } from '../command';
import { readFiles, STANDARD_INPUT } from '../manifests/read-files';
import { DEFAULT_FOLDER, folderToRender, noteUnread, treeOnDisk } from '../manifests/read-manifests';
import { stateRoot } from '../manifests/state-root';
import { Surroundings } from '../surroundings';
import { committedFiles, committedManifests, committedTree, Commits, indexOf, sparseFiles, withoutSubmodules } from './committed-states';

/** Options for reading two states. */
export interface StateOptions {
  /**
   * The commit of the earlier state.
   *
   * @default - the last one
   */
  readonly base?: string;

  /** True if each file must be read. */
  readonly strict: boolean;

  /** True if kustomizations and charts are built. */
  readonly build: boolean;

  /**
   * A command of the user that writes the manifests of a state to standard output.
   *
   * @default - the manifests are those in the files
   */
  readonly render?: string;
}

/** The files of a state, and those that cannot be had. */
interface ReadableFiles extends StateFiles {
  /** Files that cannot be read. */
  readonly unread: readonly Remark[];

  /** The commit that they are in; undefined for files on disk. */
  readonly commit?: string;
}

/**
 * The earlier and the later state.
 *
 * @param given OLD and NEW, or the folder whose committed state is OLD
 */
export async function readStates(
  given: readonly string[], options: StateOptions, surroundings: Surroundings,
): Promise<readonly [before: ManifestState, after: ManifestState]> {
  const [old, now] = given;
  const { base } = options;
  if (given.length > 2) throw new CommandError(['plan compares two states'], 'name OLD and NEW, or the folder alone');
  if (options.render !== undefined) return rendered(given, options.render, base, surroundings);
  if (now !== undefined) {
    if (base !== undefined) throw new CommandError(['--base names the state that NEW is compared with, and OLD is given too'], 'leave out one of them');
    if (old === STANDARD_INPUT && now === STANDARD_INPUT) throw new CommandError(['OLD and NEW are both standard input'], 'name a file or a folder');
    const read = comparable(await filesOf(old, surroundings), await filesOf(now, surroundings), options, surroundings);
    return withInputs(read, (isInput, paths) => filesOnDisk(old, isInput, paths, surroundings), options, surroundings);
  }
  const folder = old ?? DEFAULT_FOLDER;
  if (folder === STANDARD_INPUT) throw new CommandError(['standard input has no committed state'], 'name a folder in a Git repository');
  const isThere = fs.existsSync(path.resolve(surroundings.cwd, folder));
  const commits = new Commits(base, surroundings.cwd);
  const index = indexOf(folder, surroundings);
  const sparse = sparseFiles(folder, index, surroundings);
  const present = isThere ? await filesOf(folder, surroundings) : { root: folder, files: [], unread: [] };
  const checkedOut = isThere ? withoutSubmodules(folder, commits, present.files, surroundings) : [];
  const left = [...sparse].filter(([file]) => isManifestFile(file === '' ? path.basename(folder) : file));
  const onDisk = [...checkedOut, ...left.map(([file, bytes]) => ({ file: path.join(folder, file), bytes }))];
  const committed = { root: folder, files: committedManifests(folder, commits, { onDisk, index }, surroundings), unread: [], commit: base ?? 'HEAD' };
  if (!isThere && committed.files.length === 0) {
    throw new CommandError([`there is no ${folder}, on disk or in ${base ?? 'HEAD'}`], 'name the folder that synthesis writes');
  }
  const read = comparable(committed, { ...present, files: onDisk }, options, surroundings);
  return withInputs(read, (isInput) => committedFiles(folder, commits, isInput), options, surroundings, sparse);
}

/**
 * One state, with all that is built.
 *
 * @param given the file or folder
 */
export async function readState(given: string, options: StateOptions, surroundings: Surroundings): Promise<ManifestState> {
  const found = await filesOf(given, surroundings);
  const read = comparable({ root: given, files: [], unread: [] }, found, options, surroundings);
  const [, state] = await withInputs(read, () => new Map(), options, surroundings);
  return state;
}

/** The states that a command of the user renders. */
async function rendered(
  given: readonly string[], command: string, base: string | undefined, surroundings: Surroundings,
): Promise<readonly [before: ManifestState, after: ManifestState]> {
  const [old = '.', now = old] = given;
  if (given.includes(STANDARD_INPUT)) folderToRender(given, surroundings);
  if (base !== undefined && given.length > 1) throw new CommandError(['--base names the state that NEW is compared with, and OLD is given too'], 'leave out one of them');
  const present = treeOnDisk([now], surroundings);
  const former = given.length > 1 ? treeOnDisk([old], surroundings) : committedTree(old, base, surroundings);
  const [before, after] = await renderedStates(command, [former, present], surroundings);
  return [before, after];
}

async function filesOf(root: string, surroundings: Surroundings): Promise<ReadableFiles> {
  const unread: Remark[] = [];
  return { root, files: await readFiles([root], surroundings, unread), unread };
}

/**
 * Reads two states. Of a file that cannot be read in one of them, it is not known what changes: the state has the objects of the other one, so that
 * they count as unchanged, and the file is one that is not read.
 */
function comparable(old: ReadableFiles, now: ReadableFiles, { strict }: StateOptions, surroundings: Surroundings): ComparableStates {
  const reader = new StateReader();
  const states = [old, now] as const;
  const left = strict ? undefined : filesToLeaveOut(states, reader);
  const read = states.map(({ files }) => ({
    ...reader.read(left ? files.filter((file) => !left.files.has(file)) : files, files),
    ...(left && left.files.size > 0 && { files: files.map(({ file }) => file), otherClusters: left.clusters, otherTexts: left.texts }),
  }));
  const faults = read.map((state, index) => [...states[index].unread, ...state.faults]);
  const isInBoth = (fault: Remark) => faults[1].some(({ place, message }) => message === fault.message && place.file === fault.place.file);
  const shown = [...faults[0].filter((fault) => !isInBoth(fault)).map((fault) => inCommit(fault, old.commit)), ...faults[1]];
  noteUnread(shown, [old.root, now.root], strict, surroundings);
  // Faults in packed text are left out: it differs with the object around it.
  const broken = faults.map((found, index) => new Map(found.filter(({ place }) => place.inside === undefined)
    .map(({ place, message }) => [pathWithin(states[index], place.file), message] as const)));
  if (broken.every((files) => files.size === 0)) {
    return {
      reader,
      states: states.map(({ root, files, commit }, index) => (
        { files, broken: [], leftOut: left?.files, state: filled({ ...read[index], ...rootOf(root, commit, surroundings) }) })),
    };
  }
  const whole = states.map((state, index) => {
    const files = new Map(state.files.map((file) => [pathWithin(state, file.file), file]));
    broken[index].forEach((_, name) => files.delete(name));
    return files;
  });
  const named = [...new Set(broken.flatMap((files) => [...files.keys()]))];
  return {
    reader,
    states: states.map((state, index) => {
      const others = [...broken[index].keys()].flatMap((name) => {
        const other = whole[1 - index].get(name);
        return other ? [{ file: path.join(state.root, name), bytes: other.bytes }] : [];
      });
      const unread = state.files.filter(({ file }) => named.includes(pathWithin(state, file))).map((file): UnreadValue => {
        const name = pathWithin(state, file.file);
        return { file: file.file, what: broken[1].get(name) ?? `${broken[0].get(name)} (in the earlier state)`, value: file.bytes.toString('latin1') };
      });
      const files = [...whole[index].values(), ...others];
      const found = reader.read(files);
      const own = { ...found, unread: [...found.unread, ...unread], ...rootOf(state.root, state.commit, surroundings) };
      return { files, broken: unread, state: filled(own) };
    }),
  };
}

function filled<T extends ManifestState>(state: T): T {
  return { ...state, objects: filledDeliveries(state) };
}

/** The folder that was read, its path in its work tree, and the folders in it. Those of a commit are not asked for. */
function rootOf(root: string, commit: string | undefined, { cwd }: Surroundings): Pick<ManifestState, 'within' | 'hasFiles'> & { readonly root: string } {
  if (root === STANDARD_INPUT) return { root };
  const isOnDisk = commit === undefined;
  return { root, ...stateRoot([root], { cwd }), ...(isOnDisk && { hasFiles: (folder) => hasFiles(path.join(path.resolve(cwd, root), folder)) }) };
}

/** True if a folder on disk has a file in it, or in a folder below, or cannot be read. */
function hasFiles(folder: string): boolean {
  let entries: fs.Dirent[];
  try {
    entries = statusOf(folder)?.isDirectory() ? fs.readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    return true;
  }
  return entries.some((entry) => !entry.isDirectory()) || entries.some((entry) => entry.isDirectory() && hasFiles(path.join(folder, entry.name)));
}

/** Two states that can be compared. */
interface ComparableStates {
  readonly reader: StateReader;
  readonly states: readonly ReadState[];
}

function inCommit({ place, ...fault }: Remark, commit: string | undefined): Remark {
  return { ...fault, place: commit === undefined ? place : { ...place, file: `${commit}: ${place.file}` } };
}

/** Adds the files that kustomizations and charts name, and that hold no manifests, and builds what is built. */
async function withInputs(
  { reader, states }: ComparableStates,
  oldFiles: (isInput: (file: string) => boolean, paths: readonly string[] | undefined) => ReadonlyMap<string, string>,
  options: StateOptions,
  surroundings: Surroundings, sparse: ReadonlyMap<string, Buffer> = new Map(),
): Promise<readonly [before: ManifestState, after: ManifestState]> {
  const [before, after] = states;
  const inputs = inputFiles(states.map(({ state }) => state));
  const isFolder = ({ files: [first], state }: ReadState) => state.root !== STANDARD_INPUT && (!first || pathWithin(state, first.file) !== '');
  if (!states.every(isFolder)) return [before.state, after.state];
  const isInput = (file: string) => !isManifestFile(file) && inputs.has(file);
  const left = [...sparse].filter(([file]) => isInput(file)).map(([file, bytes]) => [file, bytes.toString('latin1')] as const);
  const none = new Map<string, string>();
  const [old, now] = inputs.isEmpty ? [none, none]
    : [oldFiles(isInput, inputs.paths), new Map([...filesOnDisk(after.state.root, isInput, inputs.paths, surroundings), ...left])];
  const found = [{ ...before, state: { ...before.state, inputs: old } }, { ...after, state: { ...after.state, inputs: now } }] as const;
  if (!options.build) return [found[0].state, found[1].state];
  const [built, builtNow] = await builtStates(found, { read: (files, all) => reader.read(files, all) }, surroundings);
  return [built.state, builtNow.state];
}
