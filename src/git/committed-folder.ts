import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { git, GitAnswer } from './git-command';
import { GIT_RULES } from './rules';
import { Problem } from '../problems/problem';

/** Modes of Git. */
const EXECUTABLE = '100755';
const FOLDER = '040000';
const LINK = '120000';
const SUBMODULE = '160000';

/** Files are read in parts of this many, so that not all of them are in memory. */
const FILES_AT_A_TIME = 1000;

/** A file in a commit. */
export interface CommittedFile {
  readonly content: Buffer;
  readonly executable: boolean;

  /** Whether it is a symbolic link, and `content` the path that it leads to. */
  readonly link: boolean;
}

interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** Why a commit cannot be read. */
export class GitError extends Error {
  /** @param problem the reason */
  public constructor(public readonly problem: Problem) {
    super(problem.message);
    this.name = 'GitError';
  }
}

/**
 * The files of a folder as a commit has them, whether the folder exists on disk or not. Git reads them; the work tree, the index and all refs
 * stay as they are.
 */
export class CommittedFolder {
  /**
   * Finds the committed state of a folder.
   *
   * @param folder the folder, which may be missing on disk
   * @param base the commit: a branch, a tag, an id, or anything else that names one; by default `HEAD`
   * @returns the state; undefined outside of a repository, and in one without a commit, unless a commit is named
   * @throws GitError if the commit is not there, or Git cannot read it
   */
  public static of(folder: string, base?: string): CommittedFolder | undefined {
    const { existing, missing } = existingPart(path.resolve(folder));
    if (!isInRepository(existing)) {
      if (base === undefined) return undefined;
      throw notInWorkTree(`${folder} is in no Git repository, so that it cannot be compared with ${JSON.stringify(base)}`, 'name a folder to compare with');
    }
    const { ok, output, error, missing: noGit } = git(existing, ['rev-parse', '--show-prefix', '--is-inside-work-tree']);
    if (noGit) throw unread('there is no git on this machine', 'install git');
    if (!ok) throw unread(`git cannot read the repository of ${folder}: ${error}`, 'correct that; in a container, "git config --global --add safe.directory" names the repository');
    const [prefix, inside] = output.toString().split('\n');
    if (inside !== 'true') {
      throw notInWorkTree(`${folder} is in a bare repository, or in the folder of Git itself, which has no work tree`, 'make a work tree with "git worktree add", and work there');
    }
    const within = [...prefix.split('/'), ...missing].filter((name) => name !== '').join('/');
    const commit = git(existing, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${base ?? 'HEAD'}^{commit}`]);
    if (commit.ok) return new CommittedFolder(existing, textOf(commit), within);
    if (base === undefined) return undefined;
    throw new GitError(unknownBase(existing, base));
  }

  /** Paths of the files below the folder, with `/` between folders; '' if it is a file itself. Files inside submodules are not among them. */
  public readonly paths: readonly string[];

  /** Paths of symbolic links among them. */
  public readonly links: readonly string[];

  /** Paths of submodules below the folder. */
  public readonly submodules: readonly string[];

  private readonly entries: ReadonlyMap<string, Entry>;

  /**
   * @param repository a folder of the repository
   * @param commit full id of the commit
   * @param within path of the folder below the top of the repository
   */
  private constructor(private readonly repository: string, public readonly commit: string, within: string) {
    const all = this.list(within);
    this.submodules = all.filter(([, { mode }]) => mode === SUBMODULE).map(([file]) => file);
    this.entries = new Map(all.filter(([, { mode }]) => mode !== SUBMODULE));
    this.paths = [...this.entries.keys()];
    this.links = this.paths.filter((file) => this.entries.get(file)!.mode === LINK);
  }

  /** Whether the commit has a file. */
  public has(file: string): boolean {
    return this.entries.has(file);
  }

  /** Whether the commit has a file with this content. */
  public holds(file: string, content: string | Buffer): boolean {
    const entry = this.entries.get(file);
    return entry !== undefined && entry.mode !== LINK && entry.id === blobId(content, entry.id.length);
  }

  /** The content of files, in their order; those that the commit does not have are left out. */
  public *read(files: readonly string[]): Generator<readonly [file: string, content: CommittedFile]> {
    const known = files.flatMap((file): [string, Entry][] => (this.entries.has(file) ? [[file, this.entries.get(file)!]] : []));
    for (let from = 0; from < known.length; from += FILES_AT_A_TIME) {
      const part = known.slice(from, from + FILES_AT_A_TIME);
      const answer = git(this.repository, ['cat-file', '--batch'], part.map(([, { id }]) => `${id}\n`).join(''));
      if (!answer.ok) throw unread(`git cannot read ${this.commit}: ${answer.error}`, 'check the repository with "git fsck"');
      let at = 0;
      for (const [file, { mode }] of part) {
        const end = answer.output.indexOf('\n', at);
        const size = Number(/ blob (\d+)$/.exec(answer.output.toString('utf8', at, end))?.[1]);
        if (Number.isNaN(size)) throw unread(`git has no content of ${file} in ${this.commit}`, 'fetch the commit as a whole');
        yield [file, { content: answer.output.subarray(end + 1, end + 1 + size), executable: mode === EXECUTABLE, link: mode === LINK }];
        at = end + size + 2;
      }
    }
  }

  private list(within: string): [string, Entry][] {
    if (within === '') return this.entriesOf(['-r', this.commit]);
    const [found] = this.entriesOf([this.commit, '--', within]).filter(([file]) => file === within);
    if (!found) return [];
    return found[1].mode === FOLDER ? this.entriesOf(['-r', found[1].id]) : [['', found[1]]];
  }

  private entriesOf(args: readonly string[]): [string, Entry][] {
    const answer = git(this.repository, ['ls-tree', '-z', '--full-tree', ...args]);
    if (!answer.ok) throw unread(`git cannot read ${this.commit}: ${answer.error}`, 'check the repository with "git fsck"');
    return answer.output.toString().split('\0').filter((line) => line !== '').map((line) => {
      const tab = line.indexOf('\t');
      const [mode, , id] = line.slice(0, tab).split(' ');
      return [line.slice(tab + 1), { mode, id }];
    });
  }
}

/** The part of a path that exists, by its real name, and the names behind it. */
function existingPart(folder: string): { readonly existing: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  let existing = folder;
  while (!fs.statSync(existing, { throwIfNoEntry: false })?.isDirectory() && path.dirname(existing) !== existing) {
    missing.unshift(path.basename(existing));
    existing = path.dirname(existing);
  }
  return { existing: fs.realpathSync(existing), missing };
}

/** Asking Git takes some milliseconds, which most folders of tests do not need. */
function isInRepository(folder: string): boolean {
  const isBare = fs.existsSync(path.join(folder, 'HEAD')) && fs.existsSync(path.join(folder, 'objects'));
  if (isBare || fs.existsSync(path.join(folder, '.git'))) return true;
  return path.dirname(folder) !== folder && isInRepository(path.dirname(folder));
}

function textOf({ output }: GitAnswer): string {
  return output.toString().trim();
}

/** The id of a file's content, by which Git stores it: SHA-1, or SHA-256 in repositories that say so. */
function blobId(content: string | Buffer, length: number): string {
  const bytes = Buffer.from(content);
  return createHash(length === 64 ? 'sha256' : 'sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function unread(message: string, fix: string): GitError {
  return new GitError({ rule: GIT_RULES.unread, message, fix });
}

function notInWorkTree(message: string, fix: string): GitError {
  return new GitError({ rule: GIT_RULES.repository, message, fix });
}

function unknownBase(repository: string, base: string): Problem {
  const above = git(repository, ['rev-parse', '--show-superproject-working-tree']);
  const isShallow = textOf(git(repository, ['rev-parse', '--is-shallow-repository'])) === 'true';
  const shown = JSON.stringify(base);
  const where = textOf(above) === '' ? 'the repository' : `the submodule ${textOf(git(repository, ['rev-parse', '--show-toplevel']))}, which the output is in,`;
  return {
    rule: GIT_RULES.base,
    message: `${where} has no commit ${shown}${isShallow ? ': it is a shallow clone, which has the last commits only' : ''}`,
    fix: isShallow ? 'fetch it with "git fetch --unshallow", or have CI clone the whole history, e.g. with fetch-depth: 0'
      : 'name an existing branch, tag or commit; "git fetch" brings those of the remote, such as "origin/main"',
  };
}
