import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputFiles } from '../../manifests/landscape/kustomize-lists';
import { isManifestFile, isVisible } from '../../manifests/landscape/manifest-file-names';
import { ManifestState, pathWithin } from '../../manifests/landscape/manifest-state';
import { Remark } from '../../manifests/landscape/place';
import { ManifestFile, StateReader, UnreadValue } from '../../manifests/landscape/placed-objects';
import { joined } from '../../manifests/landscape/plain-paths';
import { filesToLeaveOut, StateFiles } from '../../manifests/landscape/relevant-files';
import { CommittedFolder, GitError } from '../../manifests/objects/git/committed-folder';
import { FileStatus, IndexedFiles } from '../../manifests/objects/git/indexed-files';
import { isInGitFolder, placeInWorkTree } from '../../manifests/objects/git/work-tree';
import { StateSource } from '../build/built-manifests';
import { builtStates, ReadState } from '../build/built-states';
import { filesOnDisk } from '../build/input-files';
import { renderedStates, StateTree } from '../build/rendered-states';
import { CommandError } from '../command';
import { readFiles, STANDARD_INPUT } from '../manifests/read-files';
import { DEFAULT_FOLDER, folderToRender, noteUnread, treeOnDisk } from '../manifests/read-manifests';
import { Surroundings } from '../surroundings';

/** Where committed files are looked for. */
interface Search {
  /** What the user named. */
  readonly given: string;

  /** The commit of a place, by the name of the place. */
  readonly commits: Commits;
  readonly cwd: string;

  /** The files on disk, by the name that the user gave them. */
  readonly onDisk: ReadonlyMap<string, FileOnDisk>;

  /** The index below what the user named. */
  readonly index: IndexedFiles | undefined;

  /** Absolute paths of what was found; several links may lead to the same file. */
  readonly found: Set<string>;

  /** Reasons that another commit is read than the one that was named. */
  readonly notes: Set<string>;
}

/** A file on disk, whose status was read with its name. */
interface FileOnDisk extends ManifestFile {
  readonly status?: FileStatus;
}

/** The files of a folder. */
interface PresentFiles {
  readonly onDisk: readonly FileOnDisk[];
  readonly index?: IndexedFiles;
}

/** The committed states of files and folders, each of which is listed once. */
class Commits {
  private readonly known = new Map<string, CommittedFolder>();

  /** @param base the commit; undefined for the last one */
  public constructor(public readonly base: string | undefined, private readonly cwd: string) {}

  /** The committed state of a file or folder, as the user named it. */
  public of(place: string): CommittedFolder {
    const known = this.known.get(place);
    if (known) return known;
    const found = CommittedFolder.of(path.resolve(this.cwd, place), this.base);
    if (!found) {
      const why = 'it is in no Git repository, or nothing was committed there yet';
      throw new CommandError([`${place} has no committed state: ${why}`], 'name the earlier and the later state: plan OLD NEW');
    }
    this.known.set(place, found);
    return found;
  }
}

/**
 * The manifests that a file or folder has in a commit. Files that are the same on disk are those, so that they are not read a second time, and
 * symbolic links are followed, as they are on disk.
 *
 * @param given the file or folder, as the user named it
 * @param commits what is committed
 * @param present the files that are there now, and the index below the file or folder
 */
function committedManifests(given: string, commits: Commits, present: PresentFiles, surroundings: Surroundings): readonly ManifestFile[] {
  const onDisk = new Map(present.onDisk.map((file) => [file.file, file]));
  const search: Search = { given, commits, cwd: surroundings.cwd, onDisk, index: present.index, found: new Set(), notes: new Set() };
  const files = ofGit(() => manifestFiles(given, given, search));
  search.notes.forEach((note) => surroundings.err(`note: ${note}\n`));
  if (files.length === 0) surroundings.err(`note: ${given} has no manifests in ${commits.base ?? 'HEAD'}: everything is new\n`);
  return files;
}

/**
 * The contents of files that a folder has in a commit, by their paths below it.
 *
 * @param given the folder, as the user named it
 * @param commits what is committed
 * @param isWanted whether a file is read, by its path
 */
function committedFiles(given: string, commits: Commits, isWanted: (file: string) => boolean): ReadonlyMap<string, string> {
  return ofGit(() => {
    const committed = commits.of(given);
    const links = new Set(committed.links);
    const wanted = committed.paths.filter((file) => isWanted(file) && !links.has(file));
    return new Map([...committed.read(wanted)].map(([file, { content }]) => [file, content.toString('latin1')]));
  });
}

/** The index below a file or folder, as the user named it; undefined outside of a work tree. */
function indexOf(given: string, { cwd }: Surroundings): IndexedFiles | undefined {
  const place = placeInWorkTree(path.resolve(cwd, given));
  return place && !isInGitFolder(place) ? new IndexedFiles(place) : undefined;
}

/**
 * The files that a sparse checkout leaves out of a folder, as the last commit has them, by their paths below it.
 *
 * @param given the folder, as the user named it
 * @param index the index below it
 */
function sparseFiles(given: string, index: IndexedFiles | undefined, surroundings: Surroundings): ReadonlyMap<string, Buffer> {
  const folder = path.resolve(surroundings.cwd, given);
  const paths = (index?.skipped ?? []).filter((file) => !fs.existsSync(path.join(folder, file)));
  if (paths.length === 0) return new Map();
  surroundings.err(`note: ${paths.length === 1 ? '1 file' : `${paths.length} files`} of ${given} are not checked out (sparse checkout): they count as unchanged\n`);
  return ofGit(() => {
    const files = [...new Commits(undefined, surroundings.cwd).of(given).read(paths)];
    return new Map(files.filter(([, { link }]) => !link).map(([file, { content }]) => [file, content]));
  });
}

/**
 * Leaves out files of submodules, which a commit of the repository around does not have.
 *
 * @param given the folder, as the user named it
 * @param commits what is committed, as it is compared
 * @param onDisk the files of the folder
 * @throws CommandError if a submodule has another commit than the one that is compared
 */
function withoutSubmodules(
  given: string, commits: Commits, onDisk: readonly ManifestFile[], { cwd, err }: Surroundings,
): readonly ManifestFile[] {
  const folder = path.resolve(cwd, given);
  const committed = ofGit(() => commits.of(given));
  const last = commits.base === undefined ? committed : ofGit(() => new Commits(undefined, cwd).of(given));
  const submodules = [...new Set([...committed.submodules, ...last.submodules])].filter(isVisible);
  for (const name of submodules) {
    const shown = path.join(given, name);
    const place = placeInWorkTree(path.join(folder, name));
    const checkedOut = place?.within === '' ? ofGit(() => CommittedFolder.of(place.top))?.commit : undefined;
    const before = committed.submoduleCommit(name);
    if (before !== (checkedOut ?? last.submoduleCommit(name))) {
      const fix = before === undefined ? 'name the earlier and the later state: plan OLD NEW' : `plan it by itself: plan --base ${before} ${shown}`;
      throw new CommandError([`${shown} is a submodule of which the commit differs, and its files are not in the repository around`], fix);
    }
    err(`note: ${shown} is a submodule at the same commit: its files are left out\n`);
  }
  const inSubmodule = (file: string) => submodules.some((name) => !path.relative(path.join(given, name), file).startsWith('..'));
  return onDisk.filter(({ file }) => !inSubmodule(file));
}

/** The manifests of a file or folder, with the names that they have below what the user named. */
function manifestFiles(place: string, named: string, search: Search): readonly ManifestFile[] {
  const committed = search.commits.of(place);
  if (committed.note !== undefined) search.notes.add(committed.note);
  const top = path.resolve(search.cwd, place);
  const absolute = (file: string) => joined(top, file) ?? path.resolve(top, file);
  const name = (file: string) => joined(named, file) ?? path.join(named, file);
  const links = new Set(committed.links);
  const isRead = (file: string) => (file === '' ? named === search.given || isManifestFile(path.basename(named)) : isManifestFile(file));
  const paths = committed.paths.filter((file) => !links.has(file) && isRead(file) && !search.found.has(absolute(file)));
  paths.forEach((file) => search.found.add(absolute(file)));
  const index = place === search.given ? search.index : undefined;
  const isHeld = (file: string, found: FileOnDisk) => {
    const id = found.status && index?.idOf(file, found.status);
    return id === undefined ? committed.holds(file, found.bytes) : committed.has(file, id);
  };
  const same = new Map(paths.flatMap((file) => {
    const found = search.onDisk.get(name(file));
    return found && isHeld(file, found) ? [[file, found]] : [];
  }));
  const others = new Map(committed.read(paths.filter((file) => !same.has(file))));
  const files = paths.map((file) => same.get(file) ?? { file: name(file), bytes: others.get(file)!.content });
  const followed = committed.links.filter((file) => isVisible(file) && !search.found.has(absolute(file)));
  followed.forEach((file) => search.found.add(absolute(file)));
  return [...files, ...[...committed.read(followed)].flatMap(([file, { content }]) => {
    const target = path.resolve(path.dirname(absolute(file)), content.toString());
    // A link out of the repository is not followed on disk either.
    return placeInWorkTree(target) ? manifestFiles(target, name(file), search) : [];
  })];
}

function ofGit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof GitError) throw new CommandError([error.message]);
    throw error;
  }
}

/** How two states are read. */
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

/**
 * The files that files and folders have in a commit: of a branch, in the commit where HEAD left it.
 *
 * @param given files and folders, as the user named them
 * @param base the commit
 */
export function committedSource(given: readonly string[], base: string, surroundings: Surroundings): StateSource {
  if (given.includes(STANDARD_INPUT)) throw new CommandError(['standard input has no committed state'], 'name a folder in a Git repository');
  const commits = new Commits(base, surroundings.cwd);
  return {
    given,
    files: given.flatMap((place) => committedManifests(place, commits, { onDisk: [] }, surroundings)),
    inputs: (folder, isWanted) => committedFiles(folder, commits, isWanted),
  };
}

/**
 * All files that a folder has in a commit.
 *
 * @param folder the folder, as the user named it
 * @param base the commit; undefined for the last one
 */
export function committedTree(folder: string, base: string | undefined, surroundings: Surroundings): StateTree {
  const committed = ofGit(() => new Commits(base, surroundings.cwd).of(folder));
  if (committed.note !== undefined) surroundings.err(`note: ${committed.note}\n`);
  return { name: `${folder} in ${base ?? 'HEAD'}`, files: () => committed.read(committed.paths) };
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
    ...(left && left.files.size > 0 && { files: files.map(({ file }) => file), otherClusters: left.clusters }),
  }));
  const faults = read.map((state, index) => [...states[index].unread, ...state.faults]);
  const isInBoth = (fault: Remark) => faults[1].some(({ place, message }) => message === fault.message && place.file === fault.place.file);
  const shown = [...faults[0].filter((fault) => !isInBoth(fault)).map((fault) => inCommit(fault, old.commit)), ...faults[1]];
  noteUnread(shown, [old.root, now.root], strict, surroundings);
  // What an object carries packed differs with it.
  const broken = faults.map((found, index) => new Map(found.filter(({ place }) => place.inside === undefined)
    .map(({ place, message }) => [pathWithin(states[index], place.file), message] as const)));
  if (broken.every((files) => files.size === 0)) {
    return { reader, states: states.map(({ root, files }, index) => ({ files, broken: [], leftOut: left?.files, state: { ...read[index], root } })) };
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
      return { files, broken: unread, state: { ...found, unread: [...found.unread, ...unread], root: state.root } };
    }),
  };
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
  const inputs = new InputFiles(
    states.flatMap(({ state }) => (state.kustomizations ?? []).map((one) => ({ ...one, file: pathWithin(state, one.file) }))),
    states.flatMap(({ state }) => (state.charts ?? []).map((folder) => pathWithin(state, folder) || '.')),
  );
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
