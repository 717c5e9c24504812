import * as fs from 'node:fs';
import * as path from 'node:path';
import { GitError, unread } from './git-error';
import { git, GitAnswer, lineOf } from './repository-paths';
import { GIT_RULES } from './rules';
import { isInGitFolder, namedWithin, placeInWorkTree } from './work-tree';
import { nodeCrypto } from '../../values/node-crypto';
import { Problem } from '../../values/problem';

/** Modes of Git. */
const EXECUTABLE = '100755';
const FOLDER = '040000';
const LINK = '120000';
const SUBMODULE = '160000';

const WHOLE_HISTORY = 'fetch it with "git fetch --unshallow", or have CI clone the whole history, e.g. with fetch-depth: 0';

/** The setting of a remote that brings objects of a partial clone when they are needed. */
const PROMISOR = '^remote\\..*\\.promisor$';

/** So many characters of an id tell a commit apart for people. */
const SHORT = 10;

/** Remedies, by a part of the error of Git. */
const FIXES: readonly (readonly [error: string, fix: (top: string) => string])[] = [
  ['dubious ownership', (top) => `run "git config --global --add safe.directory ${top}" if you trust it, as in a container`],
  ['must be run in a work tree', () => 'the repository is bare: name a folder of one of its work trees, which "git worktree list" lists'],
  ['', (top) => `correct ${path.join(top, '.git')}, or remove it if ${top} is no repository`],
];

const ID = /^[0-9a-f]{40,64}$/;

/** Files are read in parts of this many, so that not all of them are in memory. */
const FILES_AT_A_TIME = 1000;

/** A file in a commit. */
export interface CommittedFile {
  readonly content: Buffer;
  readonly executable: boolean;

  /** True if it is a symbolic link, and `content` the path that it leads to. */
  readonly link: boolean;
}

interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** The commit that a state is compared with. */
interface ComparedCommit {
  readonly commit: string;

  /** Reason that it is another one than was named. */
  readonly note?: string;
}

/**
 * The files of a folder as a commit has them, whether the folder exists on disk or not. Git reads them; the work tree, the index and all refs
 * stay as they are.
 */
export class CommittedFolder {
  /**
   * Finds the committed state of a folder.
   *
   * Of another commit than `HEAD`, the state is that where `HEAD` left it, as with `git diff COMMIT...HEAD`: what others have added to a branch
   * since is not taken away by merging `HEAD` into it.
   *
   * @param folder the folder, which may be missing on disk
   * @param base the commit: a branch, a tag, an id, or anything else that names one; by default `HEAD`
   * @returns the state; undefined outside of a work tree, and in one without a commit, unless a commit is named
   * @throws GitError if the commit is not there, or Git cannot read it
   */
  public static of(folder: string, base?: string): CommittedFolder | undefined {
    const place = placeInWorkTree(folder);
    if (!place) {
      if (base === undefined) return undefined;
      throw notInWorkTree(`${folder} is in no Git repository, so that it cannot be compared with ${JSON.stringify(base)}`, 'name a folder to compare with');
    }
    if (isInGitFolder(place)) throw notInWorkTree(`${folder} is in the folder of Git itself, which has no work tree`, 'name a folder of the work tree');
    const { top, within } = place;
    checkReadable(folder, top);
    const paths = [namedWithin(folder, top) ?? within, within];
    const commit = commitNamed(top, base ?? 'HEAD');
    if (commit !== undefined && base !== undefined) return new CommittedFolder(top, paths, comparedCommit(top, commit, base));
    if (commit !== undefined) return new CommittedFolder(top, paths, { commit });
    if (base !== undefined) throw new GitError(unknownBase(top, base));
    if (isUnborn(top)) return undefined;
    throw unread(`git cannot read the last commit of the repository ${top}`, 'check the repository with "git fsck"');
  }

  /** Full id of the commit. */
  public readonly commit: string;

  /** Reason that it is another commit than the one that was named. */
  public readonly note?: string;

  /** Paths of the files below the folder, with `/` between folders; '' if it is a file itself. Files inside submodules are not among them. */
  public readonly paths: readonly string[];

  /** Paths of symbolic links among them. */
  public readonly links: readonly string[];

  /** Paths of submodules below the folder. */
  public readonly submodules: readonly string[];

  private readonly entries: ReadonlyMap<string, Entry>;
  private readonly submoduleEntries: ReadonlyMap<string, Entry>;

  private constructor(private readonly top: string, [named, real]: readonly string[], { commit, note }: ComparedCommit) {
    this.commit = commit;
    this.note = note;
    // The commit may have had a folder, or a link to another place, where there is a link now.
    const asNamed = this.list(named);
    const isLink = asNamed.length === 0 || asNamed[0][1].mode === LINK && asNamed[0][0] === '';
    const behind = isLink && real !== named ? this.list(real) : [];
    const all = behind.length > 0 ? behind : asNamed;
    this.submoduleEntries = new Map(all.filter(([, { mode }]) => mode === SUBMODULE));
    this.submodules = [...this.submoduleEntries.keys()];
    this.entries = new Map(all.filter(([, { mode }]) => mode !== SUBMODULE));
    this.paths = [...this.entries.keys()];
    this.links = this.paths.filter((file) => this.entries.get(file)!.mode === LINK);
  }

  /** The commit that a submodule has. */
  public submoduleCommit(folder: string): string | undefined {
    return this.submoduleEntries.get(folder)?.id;
  }

  /**
   * True if the commit has a file.
   *
   * @param file the file
   * @param id the id of its content; undefined for any content
   */
  public has(file: string, id?: string): boolean {
    const entry = this.entries.get(file);
    return entry !== undefined && (id === undefined || entry.id === id);
  }

  /** True if the commit has a file with this content. */
  public holds(file: string, content: string | Buffer): boolean {
    const entry = this.entries.get(file);
    return entry !== undefined && entry.mode !== LINK && entry.id === blobId(content, entry.id.length);
  }

  /** The content of files, in their order; those that the commit does not have are left out. */
  public *read(files: readonly string[]): Generator<readonly [file: string, content: CommittedFile]> {
    const known = files.flatMap((file): [string, Entry][] => (this.entries.has(file) ? [[file, this.entries.get(file)!]] : []));
    for (let from = 0; from < known.length; from += FILES_AT_A_TIME) {
      const part = known.slice(from, from + FILES_AT_A_TIME);
      const answer = git(this.top, ['cat-file', '--batch'], part.map(([, { id }]) => `${id}\n`).join(''));
      if (!answer.ok) throw this.unreadable(answer);
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

  private unreadable({ error }: GitAnswer): GitError {
    const isPartial = git(this.top, ['config', '--get-regexp', PROMISOR]).ok;
    return unread(`git cannot read ${this.commit}: ${error}`, isPartial
      ? `the clone is partial: bring what it lacks with "git archive ${this.commit} > /dev/null", or clone without a filter`
      : 'check the repository with "git fsck"');
  }

  private list(within: string): [string, Entry][] {
    if (within === '') return this.entriesOf(['-r', this.commit]);
    const [found] = this.entriesOf([this.commit, '--', within]).filter(([file]) => file === within);
    if (!found) return [];
    return found[1].mode === FOLDER ? this.entriesOf(['-r', found[1].id]) : [['', found[1]]];
  }

  private entriesOf(args: readonly string[]): [string, Entry][] {
    const answer = git(this.top, ['ls-tree', '-z', '--full-tree', ...args]);
    if (!answer.ok) throw this.unreadable(answer);
    return answer.output.toString().split('\0').filter((line) => line !== '').map((line) => {
      const tab = line.indexOf('\t');
      const [mode, , id] = line.slice(0, tab).split(' ');
      return [line.slice(tab + 1), { mode, id }];
    });
  }
}

/** Asks whether Git takes the top of the work tree for one, too, and reads its repository. */
function checkReadable(folder: string, top: string): void {
  const { ok, output, error, missing } = git(top, ['rev-parse', '--show-toplevel']);
  if (missing) throw unread('there is no git on this machine', 'install git');
  if (!ok) {
    const [, fix] = FIXES.find(([part]) => error.includes(part))!;
    throw unread(`git cannot read the repository of ${folder}: ${error}`, fix(top));
  }
  const found = path.resolve(lineOf(output));
  if (found !== top) throw unread(`git cannot read the repository of ${folder}: ${path.join(top, '.git')} leads to the work tree ${found}`, 'correct or remove it');
}

/** The full id of the commit with a name. */
function commitNamed(top: string, name: string): string | undefined {
  const answer = git(top, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  // Of "^main", Git answers "^" and an id.
  return answer.ok && ID.test(textOf(answer)) ? textOf(answer) : undefined;
}

/** The commit where `HEAD` left another one. */
function comparedCommit(top: string, commit: string, base: string): ComparedCommit {
  const head = commitNamed(top, 'HEAD');
  // A shallow clone does not know the parents of its oldest commits, which the commits themselves name.
  if (head === undefined || parentsOf(top, head).includes(commit)) return { commit };
  const left = git(top, ['merge-base', commit, head]);
  if (left.ok) {
    const found = textOf(left);
    const ahead = Number(textOf(git(top, ['rev-list', '--count', `${found}..${commit}`])));
    const commits = ahead === 1 ? '1 commit' : `${ahead} commits`;
    return { commit: found, ...(ahead > 0 && { note: `compared with ${found.slice(0, SHORT)}, where HEAD left ${base}, which has ${commits} more` }) };
  }
  if (!isShallowClone(top)) return { commit, note: `compared with ${base} itself: it has no commit in common with HEAD` };
  const message = `where HEAD left ${JSON.stringify(base)} is not in the repository ${top}: it is a shallow clone, which has the last commits only`;
  throw new GitError({ rule: GIT_RULES.base, message, fix: WHOLE_HISTORY });
}

function parentsOf(top: string, commit: string): readonly string[] {
  const [header] = git(top, ['cat-file', 'commit', commit]).output.toString().split('\n\n', 1);
  return header.split('\n').filter((line) => line.startsWith('parent ')).map((line) => line.slice('parent '.length));
}

/** True if there is no commit yet: `HEAD` names a branch, and the branch does not exist, not even damaged. */
function isUnborn(top: string): boolean {
  const head = git(top, ['symbolic-ref', '--quiet', 'HEAD']);
  if (!head.ok) return false;
  const branch = textOf(head);
  const file = path.resolve(top, textOf(git(top, ['rev-parse', '--git-path', branch])));
  return !git(top, ['rev-parse', '--verify', '--quiet', '--end-of-options', branch]).ok && !fs.existsSync(file);
}

function textOf({ output }: GitAnswer): string {
  return lineOf(output);
}

/** The id of a file's content, by which Git stores it: SHA-1, or SHA-256 in repositories that say so. */
function blobId(content: string | Buffer, length: number): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return nodeCrypto().createHash(length === 64 ? 'sha256' : 'sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function notInWorkTree(message: string, fix: string): GitError {
  return new GitError({ rule: GIT_RULES.repository, message, fix });
}

function unknownBase(top: string, base: string): Problem {
  const isShallow = isShallowClone(top);
  return {
    rule: GIT_RULES.base,
    message: `the repository ${top} has no commit ${JSON.stringify(base)}${isShallow ? ': it is a shallow clone, which has the last commits only' : ''}`,
    fix: isShallow ? WHOLE_HISTORY : 'name an existing branch, tag or commit; "git fetch" brings those of the remote, such as "origin/main"',
  };
}

function isShallowClone(top: string): boolean {
  return textOf(git(top, ['rev-parse', '--is-shallow-repository'])) === 'true';
}
