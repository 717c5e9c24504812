import * as fs from 'node:fs';
import * as path from 'node:path';
import { isManifestFile, isVisible } from '../../manifests/landscape/manifest-file-names';
import { ManifestFile } from '../../manifests/landscape/placed-objects';
import { joined } from '../../manifests/landscape/plain-paths';
import { CommittedFolder } from '../../manifests/objects/git/committed-folder';
import { GitError } from '../../manifests/objects/git/git-error';
import { FileStatus, IndexedFiles } from '../../manifests/objects/git/indexed-files';
import { isInGitFolder, placeInWorkTree } from '../../manifests/objects/git/work-tree';
import { StateSource } from '../build/built-manifests';
import { StateTree } from '../build/rendered-states';
import { CommandError } from '../command';
import { STANDARD_INPUT } from '../manifests/read-files';
import { Surroundings } from '../surroundings';

/** State of a search for committed files. */
interface Search {
  /** Path that the user named. */
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
export class Commits {
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
export function committedManifests(given: string, commits: Commits, present: PresentFiles, surroundings: Surroundings): readonly ManifestFile[] {
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
export function committedFiles(given: string, commits: Commits, isWanted: (file: string) => boolean): ReadonlyMap<string, string> {
  return ofGit(() => {
    const committed = commits.of(given);
    const links = new Set(committed.links);
    const wanted = committed.paths.filter((file) => isWanted(file) && !links.has(file));
    return new Map([...committed.read(wanted)].map(([file, { content }]) => [file, content.toString('latin1')]));
  });
}

/** The index below a file or folder, as the user named it; undefined outside of a work tree. */
export function indexOf(given: string, { cwd }: Surroundings): IndexedFiles | undefined {
  const place = placeInWorkTree(path.resolve(cwd, given));
  return place && !isInGitFolder(place) ? new IndexedFiles(place) : undefined;
}

/**
 * The files that a sparse checkout leaves out of a folder, as the last commit has them, by their paths below it.
 *
 * @param given the folder, as the user named it
 * @param index the index below it
 */
export function sparseFiles(given: string, index: IndexedFiles | undefined, surroundings: Surroundings): ReadonlyMap<string, Buffer> {
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
export function withoutSubmodules(
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
