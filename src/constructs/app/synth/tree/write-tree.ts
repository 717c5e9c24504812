import { hash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ANY_CONTENT, FileList, FileLists, listPath, listText, readLists, TOP, union } from './file-lists';
import { ofFileSystem, TreeError } from './tree-error';
import { foldedPath, TreePaths } from './tree-paths';
import { MANAGEMENT_CLUSTER_FILE, OWN_FOLDER } from '../../../../manifests/objects/own-folder';
import { makeFolder } from '../../../../manifests/values/make-folder';
import { formatProblem, Problem, Rule } from '../../../../manifests/values/problem';
import { WARNINGS } from '../../problems/warnings';

/** A file of an output. */
export interface TreeFile {
  /** Path below the output, with `/` between folders. */
  readonly path: string;

  readonly content: string | Buffer;

  /** @default false */
  readonly executable?: boolean;

  /** The path of a construct, or another name for errors. */
  readonly producer: string;

  /** Name of the list that records the file, such as `clusters/tenant-acme/acme`. */
  readonly list: string;

  /**
   * True if the list records a hash of the content. Without one, the list does not change, and so does not conflict, when branches change
   * the file; changes by hand are not noticed.
   *
   * @default true
   */
  readonly hashed?: boolean;
}

/** Sorted paths of the files of an output. */
export interface TreeSummary {
  /** New files, and those with another content or mode. */
  readonly written: readonly string[];

  readonly unchanged: readonly string[];

  /** Files that an earlier synthesis wrote and the tree does not have. */
  readonly removed: readonly string[];

  /** Files that had the right content already, though no list had them. From now on one does. */
  readonly adopted: readonly string[];

  /** Written and removed files that had been changed since the last synthesis. */
  readonly changedByHand: readonly string[];
}

/** Options of writing a tree. */
export interface WriteTreeOptions {
  /** @default - they are read */
  readonly before?: FileLists;

  /**
   * True if a list and its files stay as they are.
   *
   * @default - none do
   */
  readonly keeps?: (list: string) => boolean;
}

const EXECUTABLE = 0o755;
const NOT_EXECUTABLE = 0o644;
const OWNER_EXECUTES = 0o100;
const MOST_NAMES = 10;
const NO_FILES: FileList = new Map();

const TEMPORARY = 'tmp-';
const TEMPORARY_FOLDER = `${OWN_FOLDER}/${TEMPORARY}${process.pid}`;

/** Files of the list `top`. Both sides of a merge are right in a list: the next synthesis drops the lines that are not. */
const GIT_FILES: readonly (readonly [file: string, text: string])[] = [
  [`${OWN_FOLDER}/.gitattributes`, '*.sha256 merge=union\n'],
  [`${OWN_FOLDER}/.gitignore`, `/${TEMPORARY}*/\n`],
];

/**
 * Makes an output folder hold the given files, besides files that synthesis has not written, which it never touches.
 *
 * Lists in `.cdk8s-cluster-api/files/` record what it has written; they belong in the repository. Files on a list that the tree does not have
 * are removed, with folders that become empty. Files with the right content are not touched. Files that were changed by hand are replaced,
 * with a warning.
 *
 * Nothing but files aside changes before all of them are complete and no problem is found. Then each file is replaced by a rename, and the lists name the
 * files of both trees until all of that is done: the next synthesis completes one that was killed.
 *
 * Git is the transaction. Given up: two processes that write to one output at a time (the result is a mix of both trees, which the next
 * synthesis repairs), and damage by a loss of power. On a file system that ignores case, a file whose path changes in case only is
 * refused as foreign unless its content stays the same.
 *
 * @param outdir the folder, which is created if it is missing
 * @param files the files in any order
 * @param options how they are written
 * @throws TreeError with all problems of the files, or the one that the file system has
 */
export function writeTree(outdir: string, files: Iterable<TreeFile>, options: WriteTreeOptions = {}): TreeSummary {
  const tree = ofFileSystem(() => new OutputTree(outdir, options));
  return write([tree], files, (file) => [tree, file]);
}

/**
 * Makes folders below an output hold the given files, as `writeTree` does for one. Nothing changes in any of them before all are complete.
 *
 * @param outdir the output
 * @param trees how each folder is written, by its name
 * @param files the files, whose paths and lists begin with the name of a folder
 * @throws TreeError with all problems of the files, or the one that the file system has
 */
export function writeTrees(outdir: string, trees: ReadonlyMap<string, WriteTreeOptions>, files: Iterable<TreeFile>): TreeSummary {
  const made = new Map(ofFileSystem(() => [...trees].map(([name, options]) => [name, new OutputTree(path.join(outdir, name), options, name)])));
  return write([...made.values()], files, (file) => {
    const [name] = file.path.split('/', 1);
    const below = (text: string) => text.slice(name.length + 1);
    return [made.get(name)!, { ...file, path: below(file.path), list: below(file.list) }];
  });
}

function write(trees: readonly OutputTree[], files: Iterable<TreeFile>, place: (file: TreeFile) => readonly [OutputTree, TreeFile]): TreeSummary {
  try {
    for (const file of files) {
      const [tree, placed] = place(file);
      ofFileSystem(() => tree.add(placed));
    }
    const problems = trees.flatMap((tree) => tree.problems);
    if (problems.length > 0) throw new TreeError(problems);
    const summaries = trees.map((tree) => ofFileSystem(() => tree.write()));
    const all = (key: keyof TreeSummary) => summaries.flatMap((summary) => summary[key]).sort();
    const changedByHand = all('changedByHand');
    if (changedByHand.length > 0) warn(changedByHand);
    return { written: all('written'), unchanged: all('unchanged'), removed: all('removed'), adopted: all('adopted'), changedByHand };
  } finally {
    trees.forEach((tree) => ofFileSystem(() => tree.removeTemporaryFiles()));
  }
}

const FOREIGN_RULE: Rule = {
  id: 'TC-OUTPUT-FOREIGN',
  title: 'Synthesis must not replace files that it has not written.',
};

const LINK_RULE: Rule = {
  id: 'TC-OUTPUT-LINK',
  title: 'Synthesis must not write through a symbolic link.',
};

/** The difference between an output folder and the tree that it is to hold. */
class OutputTree {
  public readonly problems: Problem[] = [];

  private readonly lists: FileLists;
  private readonly keepsTop: boolean;
  private readonly before: FileList;
  private readonly after = new Map<string, Map<string, Set<string>>>();
  private readonly paths = new TreePaths();

  /** By folder: what keeps files from being in it. */
  private readonly obstacles = new Map<string, string | undefined>([['.', undefined]]);

  /** Folders that there are not before anything is written. */
  private readonly missing = new Set<string>();

  /** Files that are to be replaced, and where their content is until then. */
  private readonly changes: { readonly path: string; readonly staged: string }[] = [];
  private readonly unchanged: string[] = [];
  private readonly adopted: string[] = [];
  private readonly changedByHand: string[] = [];
  private staged = 0;
  private readonly isNew: boolean;

  /**
   * @param outdir its folder
   * @param options how it is written
   * @param name name of the management cluster that it is for, which its paths begin with in a summary
   */
  public constructor(private readonly outdir: string, { before, keeps = () => false }: WriteTreeOptions, private readonly name?: string) {
    this.keepsTop = keeps(TOP);
    this.isNew = !fs.existsSync(outdir);
    const obstacle = this.obstacle(path.posix.dirname(listPath('any')));
    if (obstacle !== undefined) throw new TreeError([this.refusal('synthesis', listPath('any'), obstacle)]);
    this.lists = new Map([...before ?? readLists(outdir)].filter(([list]) => !keeps(list)));
    this.before = union(...this.lists.values());
    this.removeTemporaryFiles();
  }

  /** Adds a file. Its content is written aside if it differs from the one on disk. */
  public add(file: TreeFile): void {
    const problem = this.paths.claim(file) ?? this.compare(file);
    if (problem) this.problems.push(problem);
    const list = this.after.get(file.list) ?? new Map<string, Set<string>>();
    this.after.set(file.list, list.set(file.path, new Set([file.hashed === false ? ANY_CONTENT : hashOf(file.content)])));
  }

  /** Makes the folder hold the files, none of which has a problem. */
  public write(): TreeSummary {
    const removed = this.removals();
    const names = new Set([...this.lists.keys(), ...this.after.keys()]);
    const lists = [...names].filter((name) => this.textOf(listPath(name)) !== listText(this.after.get(name) ?? NO_FILES));
    const own = this.name === undefined ? GIT_FILES : [...GIT_FILES, [MANAGEMENT_CLUSTER_FILE, `${this.name}\n`] as const];
    const ownFiles = own.filter(([file, text]) => this.after.size > 0 && !this.keepsTop && this.textOf(file) !== text);
    if (this.changes.length + removed.length + lists.length + ownFiles.length > 0) {
      this.apply(removed, lists);
      ownFiles.forEach(([file, text]) => this.put(file, text));
    }
    const named = (files: readonly string[]) => files.map((file) => (this.name === undefined ? file : `${this.name}/${file}`));
    return {
      written: named(this.changes.map((file) => file.path)),
      unchanged: named(this.unchanged),
      removed: named(removed),
      adopted: named(this.adopted),
      changedByHand: named(this.changedByHand),
    };
  }

  /** Removes what was written aside, and folders that were made for it alone. */
  public removeTemporaryFiles(): void {
    const own = this.at(OWN_FOLDER);
    if (!fs.existsSync(own)) return;
    fs.readdirSync(own).filter((name) => name.startsWith(TEMPORARY) && !isOfAnotherWriter(name))
      .forEach((name) => fs.rmSync(path.join(own, name), { recursive: true }));
    if (!this.isEmpty(OWN_FOLDER)) return;
    fs.rmdirSync(own);
    if (this.isNew && this.isEmpty('.')) fs.rmdirSync(this.outdir);
  }

  private apply(removed: readonly string[], lists: readonly string[]): void {
    // A folder without access leaves the output as it was, and so does a full disk while files are written aside.
    const folders = new Set([...removed, ...this.changes.map((file) => file.path)].map((file) => this.existingFolder(file)));
    folders.forEach((folder) => fs.accessSync(this.at(folder), fs.constants.W_OK));

    lists.forEach((name) => this.putList(name, union(this.lists.get(name) ?? NO_FILES, this.after.get(name) ?? NO_FILES)));
    removed.forEach((file) => this.remove(file));
    new Set(this.changes.map((file) => path.dirname(file.path))).forEach((folder) => makeFolder(this.at(folder)));
    this.changes.forEach((file) => fs.renameSync(this.at(file.staged), this.at(file.path)));
    lists.forEach((name) => this.putList(name, this.after.get(name) ?? NO_FILES));
  }

  private compare(file: TreeFile): Problem | undefined {
    const obstacle = this.obstacle(path.posix.dirname(file.path));
    if (obstacle !== undefined) return this.refusal(file.producer, file.path, obstacle);
    const stats = this.look(file.path);
    if (!stats) {
      this.change(file);
      return undefined;
    }
    const own = this.before.has(file.path);
    const there = stats.isFile() && (own || stats.size === Buffer.byteLength(file.content)) ? fs.readFileSync(this.at(file.path)) : undefined;
    const same = there?.equals(Buffer.from(file.content)) ?? false;
    if (!stats.isFile() || !own && !same) return this.refusal(file.producer, file.path, file.path);
    if (!own) this.adopted.push(file.path);
    if (!same) this.checkChangedByHand(file.path, there!);
    // Windows has no such mode.
    // eslint-disable-next-line no-bitwise
    const sameMode = process.platform === 'win32' || (stats.mode & OWNER_EXECUTES) !== 0 === (file.executable ?? false);
    if (!same || !sameMode) this.change(file);
    else if (own) this.unchanged.push(file.path);
    return undefined;
  }

  /** A file or link at or above the path of a folder. A link could lead out of the output. */
  private obstacle(folder: string): string | undefined {
    if (!this.obstacles.has(folder)) {
      const stats = this.look(folder);
      if (!stats) this.missing.add(folder);
      this.obstacles.set(folder, this.obstacle(path.posix.dirname(folder)) ?? (stats && !stats.isDirectory() ? folder : undefined));
    }
    return this.obstacles.get(folder);
  }

  private refusal(producer: string, file: string, place: string): Problem {
    const stats = this.look(place)!;
    const what = stats.isSymbolicLink() ? 'symbolic link' : stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'special file';
    const listed = what === 'file' && place === file ? ' that is on no list of written files' : '';
    return {
      rule: stats.isSymbolicLink() ? LINK_RULE : FOREIGN_RULE,
      message: `${producer} writes ${JSON.stringify(file)}, but ${JSON.stringify(place)} is a ${what}${listed}`,
      fix: 'move it away, or remove it if it was generated',
    };
  }

  /** Files that the tree does not have. A path that differs from an adopted one in case only may be the same file. */
  private removals(): string[] {
    const wanted = union(...this.after.values());
    const adopted = new Set(this.adopted.map(foldedPath));
    return [...this.before.keys()].filter((file) => {
      if (wanted.has(file) || adopted.has(foldedPath(file))) return false;
      if (this.obstacle(path.posix.dirname(file)) !== undefined || !this.look(file)?.isFile()) return false;
      this.checkChangedByHand(file, fs.readFileSync(this.at(file)));
      return true;
    });
  }

  private checkChangedByHand(file: string, content: Buffer): void {
    const known = this.before.get(file);
    if (!known || known.has(ANY_CONTENT)) return;
    if (![content, withoutReturns(content)].some((text) => known.has(hashOf(text)))) this.changedByHand.push(file);
  }

  private change({ path: file, content, executable }: TreeFile): void {
    this.changes.push({ path: file, staged: this.stage(content, executable) });
  }

  /** Writes a file aside, from where it is renamed into its place. */
  private stage(content: string | Buffer, executable = false): string {
    if (this.staged === 0) makeFolder(this.at(TEMPORARY_FOLDER));
    const file = `${TEMPORARY_FOLDER}/${this.staged++}`;
    fs.writeFileSync(this.at(file), content, { mode: executable ? EXECUTABLE : NOT_EXECUTABLE });
    return file;
  }

  private put(file: string, text: string): void {
    const staged = this.stage(text);
    makeFolder(path.dirname(this.at(file)));
    fs.renameSync(this.at(staged), this.at(file));
  }

  private putList(name: string, list: FileList): void {
    if (list.size > 0) this.put(listPath(name), listText(list));
    else this.remove(listPath(name));
  }

  /** Removes a file and the folders that become empty. */
  private remove(file: string): void {
    fs.rmSync(this.at(file), { force: true });
    for (let folder = path.posix.dirname(file); folder !== '.' && this.isEmpty(folder); folder = path.posix.dirname(folder)) fs.rmdirSync(this.at(folder));
  }

  private isEmpty(folder: string): boolean {
    return fs.existsSync(this.at(folder)) && fs.readdirSync(this.at(folder)).length === 0;
  }

  private existingFolder(file: string): string {
    const folder = path.posix.dirname(file);
    return folder === '.' || this.look(folder) ? folder : this.existingFolder(folder);
  }

  private textOf(file: string): string {
    return this.look(file) ? fs.readFileSync(this.at(file), 'utf8') : '';
  }

  private look(file: string): fs.Stats | undefined {
    return this.missing.has(path.posix.dirname(file)) ? undefined : fs.lstatSync(this.at(file), { throwIfNoEntry: false });
  }

  private at(file: string): string {
    return path.join(this.outdir, file);
  }
}

/** Git may have written line feeds with carriage returns before them. */
function withoutReturns(content: Buffer): Buffer {
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** True if a folder of files aside is that of another process, which runs: it would fail without them. */
function isOfAnotherWriter(name: string): boolean {
  const pid = Number(name.slice(TEMPORARY.length));
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hashOf(content: string | Buffer): string {
  return hash('sha256', content);
}

const CHANGED_BY_HAND_RULE: Rule = {
  id: 'TC-OUTPUT-CHANGED-BY-HAND',
  title: 'Files of the output should not be changed by hand: synthesis replaces them.',
  warning: true,
};

function warn(paths: readonly string[]): void {
  const more = paths.length > MOST_NAMES ? ` and ${paths.length - MOST_NAMES} more` : '';
  WARNINGS.emit(formatProblem({
    rule: CHANGED_BY_HAND_RULE,
    message: `files that had been changed by hand were replaced or removed: ${paths.slice(0, MOST_NAMES).join(', ')}${more}`,
    fix: 'find the changes in the history of the repository, and make them in the program',
  }), { code: CHANGED_BY_HAND_RULE.id });
}
