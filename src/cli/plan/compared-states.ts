import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputFiles } from '../../manifests/landscape/kustomize-lists';
import { isManifestFile, isVisible } from '../../manifests/landscape/manifest-file-names';
import { ManifestState, pathWithin } from '../../manifests/landscape/manifest-state';
import { remarkText } from '../../manifests/landscape/place';
import { ManifestFile, PlacedObjects, StateReader } from '../../manifests/landscape/placed-objects';
import { CommittedFolder, GitError } from '../../manifests/objects/git/committed-folder';
import { sparsePaths } from '../../manifests/objects/git/repository-paths';
import { isInGitFolder, placeInWorkTree } from '../../manifests/objects/git/work-tree';
import { statusOf } from '../../manifests/values/file-status';
import { CommandError } from '../command';
import { DEFAULT_FOLDER, readable, readFiles, STANDARD_INPUT } from '../manifests/read-manifests';
import { Surroundings } from '../surroundings';

/** Where committed files are looked for. */
interface Search {
  /** What the user named. */
  readonly given: string;
  readonly base: string | undefined;
  readonly cwd: string;

  /** The files on disk, by the name that the user gave them. */
  readonly onDisk: ReadonlyMap<string, ManifestFile>;

  /** Absolute paths of what was found; several links may lead to the same file. */
  readonly found: Set<string>;

  /** Reasons that another commit is read than the one that was named. */
  readonly notes: Set<string>;
}

/**
 * Reads the manifests that a file or folder has in a commit. Files that are the same on disk are not read a second time, and symbolic links
 * are followed, as they are on disk.
 *
 * @param given the file or folder, as the user named it
 * @param base the commit; undefined for the last one
 * @param onDisk the files that are there now
 * @param reader reads both states
 */
function committedObjects(
  given: string, base: string | undefined, onDisk: readonly ManifestFile[], reader: StateReader, surroundings: Surroundings,
): Omit<PlacedObjects, 'faults'> {
  const search: Search = {
    given, base, cwd: surroundings.cwd, onDisk: new Map(onDisk.map((file) => [file.file, file])), found: new Set(), notes: new Set(),
  };
  const files = ofGit(() => manifestFiles(given, given, search));
  search.notes.forEach((note) => surroundings.err(`note: ${note}\n`));
  if (files.length === 0) surroundings.err(`note: ${given} has no manifests in ${base ?? 'HEAD'}: everything is new\n`);
  const { faults, ...read } = reader.read(files);
  if (faults.length === 0) return read;
  throw new CommandError(faults.map((fault) => `${base ?? 'HEAD'}: ${remarkText(fault)}`), 'name another commit with --base');
}

/**
 * The contents of files that a folder has in a commit, by their paths below it.
 *
 * @param given the folder, as the user named it
 * @param base the commit; undefined for the last one
 * @param isWanted whether a file is read, by its path
 */
function committedFiles(
  given: string, base: string | undefined, isWanted: (file: string) => boolean, { cwd }: Surroundings,
): ReadonlyMap<string, string> {
  return ofGit(() => {
    const committed = committedFolder(given, { base, cwd });
    const links = new Set(committed.links);
    const wanted = committed.paths.filter((file) => isWanted(file) && !links.has(file));
    return new Map([...committed.read(wanted)].map(([file, { content }]) => [file, content.toString('latin1')]));
  });
}

/**
 * The files that a sparse checkout leaves out of a folder, as the last commit has them, by their paths below it.
 *
 * @param given the folder, as the user named it
 */
function sparseFiles(given: string, surroundings: Surroundings): ReadonlyMap<string, Buffer> {
  const folder = path.resolve(surroundings.cwd, given);
  const place = placeInWorkTree(folder);
  if (!place || isInGitFolder(place)) return new Map();
  const paths = sparsePaths(place).filter((file) => !fs.existsSync(path.join(folder, file)));
  if (paths.length === 0) return new Map();
  surroundings.err(`note: ${paths.length === 1 ? '1 file' : `${paths.length} files`} of ${given} are not checked out (sparse checkout): they count as unchanged\n`);
  return ofGit(() => {
    const files = [...committedFolder(given, { base: undefined, cwd: surroundings.cwd }).read(paths)];
    return new Map(files.filter(([, { link }]) => !link).map(([file, { content }]) => [file, content]));
  });
}

/**
 * Leaves out files of submodules, which a commit of the repository around does not have.
 *
 * @param given the folder, as the user named it
 * @param base the commit that is compared; undefined for the last one
 * @param onDisk the files of the folder
 * @throws CommandError if a submodule has another commit than in `base`
 */
function withoutSubmodules(
  given: string, base: string | undefined, onDisk: readonly ManifestFile[], { cwd, err }: Surroundings,
): readonly ManifestFile[] {
  const folder = path.resolve(cwd, given);
  const committed = ofGit(() => committedFolder(given, { base, cwd }));
  const last = base === undefined ? committed : ofGit(() => committedFolder(given, { base: undefined, cwd }));
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
  const committed = committedFolder(place, search);
  if (committed.note !== undefined) search.notes.add(committed.note);
  const absolute = (file: string) => path.resolve(search.cwd, place, file);
  const name = (file: string) => path.join(named, file);
  const links = new Set(committed.links);
  const isRead = (file: string) => (file === '' ? named === search.given || isManifestFile(path.basename(named)) : isManifestFile(file));
  const paths = committed.paths.filter((file) => !links.has(file) && isRead(file) && !search.found.has(absolute(file)));
  paths.forEach((file) => search.found.add(absolute(file)));
  const same = new Map(paths.flatMap((file) => {
    const found = search.onDisk.get(name(file));
    return found && committed.holds(file, found.bytes) ? [[file, found]] : [];
  }));
  const others = new Map(committed.read(paths.filter((file) => !same.has(file))));
  const files = paths.map((file) => same.get(file) ?? { file: name(file), bytes: others.get(file)!.content });
  const followed = committed.links.filter((file) => isVisible(file) && !search.found.has(absolute(file)));
  followed.forEach((file) => search.found.add(absolute(file)));
  return [...files, ...[...committed.read(followed)].flatMap(([file, { content }]) => {
    const target = path.resolve(path.dirname(absolute(file)), content.toString());
    return manifestFiles(target, name(file), search);
  })];
}

function committedFolder(place: string, { base, cwd }: Pick<Search, 'base' | 'cwd'>): CommittedFolder {
  const found = CommittedFolder.of(path.resolve(cwd, place), base);
  if (found) return found;
  const why = 'it is in no Git repository, or nothing was committed there yet';
  throw new CommandError([`${place} has no committed state: ${why}`], 'name the earlier and the later state: plan OLD NEW');
}

function ofGit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof GitError) throw new CommandError([error.message]);
    throw error;
  }
}

/**
 * The earlier and the later state.
 *
 * @param given OLD and NEW, or the folder whose committed state is OLD
 * @param base the commit of the earlier state; undefined for the last one
 */
export async function readStates(
  given: readonly string[], base: string | undefined, surroundings: Surroundings,
): Promise<readonly [before: ManifestState, after: ManifestState]> {
  const [old, now] = given;
  const reader = new StateReader();
  if (given.length > 2) throw new CommandError(['plan compares two states'], 'name OLD and NEW, or the folder alone');
  if (now !== undefined) {
    if (base !== undefined) throw new CommandError(['--base names the state that NEW is compared with, and OLD is given too'], 'leave out one of them');
    if (old === STANDARD_INPUT && now === STANDARD_INPUT) throw new CommandError(['OLD and NEW are both standard input'], 'name a file or a folder');
    const before = readable(reader.read(await readFiles([old], surroundings)));
    const after = readable(reader.read(await readFiles([now], surroundings)));
    return withInputs({ ...before, root: old }, { ...after, root: now }, (isInput) => filesOnDisk(old, isInput, surroundings), surroundings);
  }
  const folder = old ?? DEFAULT_FOLDER;
  if (folder === STANDARD_INPUT) throw new CommandError(['standard input has no committed state'], 'name a folder in a Git repository');
  const isThere = fs.existsSync(path.resolve(surroundings.cwd, folder));
  const sparse = sparseFiles(folder, surroundings);
  const checkedOut = isThere ? withoutSubmodules(folder, base, await readFiles([folder], surroundings), surroundings) : [];
  const left = [...sparse].filter(([file]) => isManifestFile(file === '' ? path.basename(folder) : file));
  const onDisk = [...checkedOut, ...left.map(([file, bytes]) => ({ file: path.join(folder, file), bytes }))];
  const committed = committedObjects(folder, base, onDisk, reader, surroundings);
  if (!isThere && committed.objects.length === 0) {
    throw new CommandError([`there is no ${folder}, on disk or in ${base ?? 'HEAD'}`], 'name the folder that synthesis writes');
  }
  const [before, after] = [committed, readable(reader.read(onDisk))].map((read) => ({ ...read, root: folder }));
  return withInputs(before, after, (isInput) => committedFiles(folder, base, isInput, surroundings), surroundings, sparse);
}

/** Adds the files that kustomizations and charts name, and that hold no manifests. */
function withInputs(
  before: ManifestState, after: ManifestState, oldFiles: (isInput: (file: string) => boolean) => ReadonlyMap<string, string>,
  surroundings: Surroundings, sparse: ReadonlyMap<string, Buffer> = new Map(),
): readonly [before: ManifestState, after: ManifestState] {
  const states = [before, after];
  const inputs = new InputFiles(
    states.flatMap((state) => (state.kustomizations ?? []).map((one) => ({ ...one, file: pathWithin(state, one.file) }))),
    states.flatMap((state) => (state.charts ?? []).map((folder) => pathWithin(state, folder) || '.')),
  );
  if (inputs.isEmpty || after.root === STANDARD_INPUT || before.root === STANDARD_INPUT) return [before, after];
  const isInput = (file: string) => !isManifestFile(file) && inputs.has(file);
  const left = [...sparse].filter(([file]) => isInput(file)).map(([file, bytes]) => [file, bytes.toString('latin1')] as const);
  return [{ ...before, inputs: oldFiles(isInput) }, { ...after, inputs: new Map([...filesOnDisk(after.root!, isInput, surroundings), ...left]) }];
}

function filesOnDisk(root: string, isWanted: (file: string) => boolean, { cwd }: Surroundings): ReadonlyMap<string, string> {
  const folder = path.resolve(cwd, root);
  if (!statusOf(folder)?.isDirectory()) return new Map();
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.split(path.sep).join('/'));
  return new Map(files.filter((file) => isWanted(file) && fs.statSync(path.join(folder, file)).isFile())
    .map((file) => [file, fs.readFileSync(path.join(folder, file), 'latin1')]));
}
