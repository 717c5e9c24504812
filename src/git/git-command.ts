import { spawnSync } from 'node:child_process';

/** Large enough for the files of the largest outputs. */
const MOST_BYTES = 2 ** 31 - 1;

/** Variables that name a repository, index or object store: a hook of Git sets them for another folder than the one that is asked about. */
const OF_A_REPOSITORY = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|CONFIG)$/;

/** What a command of Git answers. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly output: Buffer;

  /** The first line of the error, without its prefix. */
  readonly error: string;

  /** Whether there is no Git on this machine. */
  readonly missing: boolean;
}

/**
 * Runs a command of Git that reads. No lock is taken, so that the index is not refreshed either.
 *
 * @param folder an existing folder
 * @param args the command and its arguments
 * @param input its standard input
 */
export function git(folder: string, args: readonly string[], input = ''): GitAnswer {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_A_REPOSITORY.test(name)));
  const { status, stdout, stderr, error } = spawnSync('git', ['-C', folder, ...args], {
    env: { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }, input, maxBuffer: MOST_BYTES, windowsHide: true,
  });
  const [first = ''] = (stderr?.toString() ?? '').split('\n').map((line) => line.replace(/^(?:fatal|error): /, '')).filter((line) => line !== '');
  return {
    ok: status === 0,
    output: stdout ?? Buffer.alloc(0),
    error: error ? error.message : first,
    missing: (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT',
  };
}
