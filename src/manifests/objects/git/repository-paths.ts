import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { unread } from './git-error';
import { WorkTreePlace } from './work-tree';

/** Large enough for the files of the largest outputs. */
const MOST_BYTES = 2 ** 31 - 1;

/** The longest time that a command may take. A named pipe in place of a file of a repository would be waited for without end. */
const MOST_SECONDS = 60;

/** Variables that name a repository, index or object store: a hook of Git sets them for another folder than the one that is asked about. */
const OF_A_REPOSITORY = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|CONFIG)$/;

/** Variables with which paths are patterns of another kind. */
const OF_PATHS = /^GIT_(?:GLOB|NOGLOB|ICASE|LITERAL)_PATHSPECS$/;

/** Commands that refuse GIT_LITERAL_PATHSPECS. */
const WITHOUT_LITERAL_PATHS: readonly string[] = ['check-ignore'];

/**
 * Settings with which no file and no repository makes reading start another program: files of a folder that look like a bare repository are
 * not one, and hooks and file system monitors do not run.
 *
 * Source: git-scm.com/docs/git-config (safe.bareRepository, core.hooksPath, core.fsmonitor).
 */
const SETTINGS = ['safe.bareRepository=explicit', 'core.hooksPath=/dev/null', 'core.fsmonitor=false'];

/**
 * Variables with which Git asks no remote, not even for an object that a partial clone lacks: an empty list of protocols allows none, which older
 * releases know, too.
 *
 * Source: git-scm.com/docs/git (GIT_ALLOW_PROTOCOL, GIT_NO_LAZY_FETCH, GIT_NO_REPLACE_OBJECTS, GIT_LITERAL_PATHSPECS).
 */
const ENVIRONMENT = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

/** Result of a command of Git. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly output: Buffer;

  /** The first line of the error, without its prefix. */
  readonly error: string;

  /** True if there is no Git on this machine. */
  readonly missing: boolean;
}

/**
 * Runs a command of Git that reads objects and refs. It takes no lock, so that the index is not refreshed either, asks no remote, and starts no
 * program that a repository names. All of this project's calls of Git are here.
 *
 * @param top the top of a work tree, which has `.git`: below it, Git would look for repositories among files of others
 * @param args the command and its arguments
 * @param input its standard input
 * @param seconds the longest time that it may take
 * @throws GitError if it takes longer
 */
export function git(top: string, args: readonly string[], input = '', seconds = MOST_SECONDS): GitAnswer {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_A_REPOSITORY.test(name) && !OF_PATHS.test(name)));
  const paths = WITHOUT_LITERAL_PATHS.includes(args[0]) ? {} : { GIT_LITERAL_PATHSPECS: '1' };
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', top, ...SETTINGS.flatMap((setting) => ['-c', setting]), ...args], {
    env: { ...env, ...ENVIRONMENT, ...paths }, input, maxBuffer: MOST_BYTES, windowsHide: true, timeout: seconds * 1000, killSignal: 'SIGKILL',
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') {
    throw unread(`"git ${args[0]}" did not end in ${seconds} seconds in the repository ${top}`, 'check the repository with "git fsck", and that its .git has no named pipe');
  }
  const [first = ''] = (stderr?.toString() ?? '').split('\n').map((line) => line.replace(/^(?:fatal|error): /, '')).filter((line) => line !== '');
  return {
    ok: status === 0,
    output: stdout ?? Buffer.alloc(0),
    error: error ? error.message : first,
    missing: (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT',
  };
}

/** The one line of an output, such as a path, whose own spaces and line ends count. */
export function lineOf(output: Buffer): string {
  return output.toString().replace(/\r?\n$/, '');
}

/** The path of a place below the top of the repository around; undefined if the work tree is not that of a submodule. */
export function pathInSuperproject({ top, within }: WorkTreePlace): string | undefined {
  const { output } = git(top, ['rev-parse', '--show-superproject-working-tree']);
  const above = lineOf(output);
  return above === '' ? undefined : [...path.relative(path.resolve(above), top).split(path.sep), within].filter((name) => name !== '').join('/');
}

/** A line that has Git ignore a path. */
export interface IgnoreLine {
  /** File and line, e.g. `.gitignore:3`. */
  readonly place: string;
  readonly pattern: string;
}

/**
 * The paths that Git ignores, each with the line that matches it. A committed path counts, too: a new one beside it would be ignored.
 *
 * @param top the top of a work tree
 * @param paths paths below the top, which may be missing on disk
 */
export function ignoredPaths(top: string, paths: readonly string[]): ReadonlyMap<string, IgnoreLine> {
  // With "./", a path that begins with ":" is no pattern.
  const { output } = git(top, ['check-ignore', '--no-index', '--verbose', '-z', '--stdin'], paths.map((file) => `./${file}\0`).join(''));
  const fields = output.toString().split('\0');
  const found = new Map<string, IgnoreLine>();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source, line, pattern, file] = fields.slice(at, at + 4);
    if (!pattern.startsWith('!')) found.set(file.slice('./'.length), { place: `${source}:${line}`, pattern });
  }
  return found;
}
