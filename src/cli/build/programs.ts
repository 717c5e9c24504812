import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { FileContent } from '../../manifests/landscape/state-content';
import { statusOf } from '../../manifests/values/file-status';
import { HIDDEN, hideSecretParts } from '../../manifests/values/secret-text';
import { LARGEST_FILE } from '../manifests/read-files';

const SECOND = 1000;
const MOST_SECONDS = 60;
const FEWEST_SECONDS = 5;
const LONGEST_REASON = 200;

/** Largest error that is kept, in bytes. */
const LARGEST_ERROR = 64 * 1024;

/** An address at which nothing listens. */
const NO_PROXY_THERE = 'http://127.0.0.1:9';

/** Answer of a program. */
export interface ProgramAnswer {
  /** Its standard output; undefined if it failed. */
  readonly output?: Buffer;

  /** Reason that it failed. */
  readonly error: string;

  /** True if it was ended because of its time. */
  readonly isLate?: boolean;

  /** True if it ended by itself, and says that its input is wrong. */
  readonly isRefused?: boolean;
}

/**
 * The time that each run over files of others may take. A run that is ended because of it halves the time of those that follow, so that many
 * charts that never end take minutes together, and not a minute each.
 */
export class TimeLimit {
  private current = MOST_SECONDS;

  /** The time of the next run, in seconds. */
  public get seconds(): number {
    return this.current;
  }

  /** Notes a run that was ended because of its time. */
  public exceeded(): void {
    this.current = Math.max(FEWEST_SECONDS, this.current / 2);
  }
}

/** A run of a program. */
export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly seconds: number;

  /** Receives each line that it writes about its work. */
  readonly onError?: (text: string) => void;
}

/**
 * Finds a program that is installed, and is none of the files that are compared.
 *
 * @param name the program
 * @param env the environment of the user
 * @param foreign folders with files of others
 */
export function findProgram(name: string, { PATH = '', PATHEXT = '' }: NodeJS.ProcessEnv, foreign: readonly string[]): string | undefined {
  const endings = process.platform === 'win32' ? PATHEXT.split(';') : [''];
  const isForeign = (folder: string) => foreign.some((one) => !path.relative(one, folder).startsWith('..'));
  return PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder) && !isForeign(folder))
    .flatMap((folder) => endings.map((ending) => path.join(folder, `${name}${ending}`)))
    .find((file) => statusOf(file)?.isFile() && isExecutable(file));
}

/** True if a file can be run. */
export function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs a program over files of others, in a folder of its own that has nothing else. It gets no configuration, no plug-in, no other program and no
 * proxy of the user.
 *
 * @param program the program
 * @param args its arguments
 * @param files the files, by their paths
 * @param limit the time that it may take
 * @param secrets the values in the files that may be secret, which its error must not show
 */
export async function runOver(
  program: string, args: readonly string[], files: ReadonlyMap<string, FileContent>, limit: TimeLimit, secrets: () => readonly string[] = () => [],
): Promise<ProgramAnswer> {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'cdk8s-cluster-api-'));
  const [tree, home, temporary] = ['tree', 'home', 'tmp'].map((name) => path.join(folder, name));
  try {
    [tree, home, temporary].forEach((name) => fs.mkdirSync(name));
    writeFiles(tree, files);
    const env = {
      ...(process.env.SystemRoot !== undefined && { SystemRoot: process.env.SystemRoot }),
      ...Object.fromEntries(['HOME', 'PATH', 'HELM_CACHE_HOME', 'HELM_CONFIG_HOME', 'HELM_DATA_HOME', 'HELM_PLUGINS', 'KUSTOMIZE_PLUGIN_HOME', 'USERPROFILE',
        'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'].map((name) => [name, home])),
      ...Object.fromEntries(['TMPDIR', 'TEMP', 'TMP'].map((name) => [name, temporary])),
      ...Object.fromEntries(['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, NO_PROXY_THERE])),
      KUBECONFIG: path.join(home, 'none'),
      LC_ALL: 'C',
    };
    const answer = await run({ ...withMemoryLimit(program, args), cwd: tree, env, seconds: limit.seconds });
    if (answer.isLate) limit.exceeded();
    return { ...answer, error: answer.output ? '' : reasonIn(withoutValues(answer.error, secrets()), folder) };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Address space that a program may have, in KiB: a chart can ask for as much as there is. */
const MOST_MEMORY = 4 * 1024 * 1024;

/** A run of a program whose memory is limited, where a shell can do so. */
function withMemoryLimit(program: string, args: readonly string[]): Pick<ProgramCall, 'program' | 'args'> {
  if (process.platform === 'win32') return { program, args };
  return { program: '/bin/sh', args: ['-c', `ulimit -v ${MOST_MEMORY} 2> /dev/null; exec "$0" "$@"`, program, ...args] };
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: ReadonlyMap<string, FileContent>): void {
  for (const [name, { bytes }] of files) {
    const file = path.join(folder, name);
    if (path.relative(folder, file).startsWith('..')) throw new Error(`${name} leads out of its folder`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, bytes, { flag: 'wx' });
  }
}

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** Ends the programs that run. Their process groups do not get the signals of a terminal. */
const RUNNING = new Set<() => void>();

/** The signal that the process ends by, once no program runs. */
let received: NodeJS.Signals | undefined;

function endWithPrograms(signal: NodeJS.Signals): void {
  received = signal;
  RUNNING.forEach((end) => end());
}

function started(end: () => void): void {
  if (RUNNING.size === 0) SIGNALS.forEach((signal) => process.on(signal, endWithPrograms));
  RUNNING.add(end);
}

function ended(end: () => void): void {
  RUNNING.delete(end);
  if (RUNNING.size > 0) return;
  SIGNALS.forEach((signal) => process.off(signal, endWithPrograms));
  const signal = received;
  received = undefined;
  if (signal === undefined) return;
  // The folders of the programs are removed first.
  setImmediate(() => {
    RUNNING.forEach((one) => one());
    process.kill(process.pid, signal);
  });
}

/** First line of what the runtime of Go writes when a program fails by itself, also for want of memory (golang/go src/runtime/panic.go). */
const CRASH = /^(?:runtime: out of memory|fatal error: |panic: ).*/m;

/** Runs a program with a limit of time and output. It is ended with all that it has started. */
export function run({ program, args, cwd, env, seconds, onError }: ProgramCall): Promise<ProgramAnswer> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32', windowsHide: true });
    const chunks: Buffer[] = [];
    let [size, errors] = [0, ''];
    let failure: string | undefined;
    const end = (why: string) => {
      failure ??= why;
      if (child.pid === undefined) return;
      try {
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    const endBySignal = () => end('was ended by a signal');
    started(endBySignal);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end(`did not end in ${seconds} seconds`);
    }, seconds * SECOND);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LARGEST_FILE) end(`wrote more than ${LARGEST_FILE / 1024 / 1024} MiB`);
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      onError?.(chunk.toString());
      if (errors.length < LARGEST_ERROR) errors += chunk.toString();
    });
    child.on('error', ({ message }) => { failure ??= message; });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      ended(endBySignal);
      end('ended');
      const isDone = code === 0 && failure === 'ended';
      const [crash] = CRASH.exec(errors) ?? [];
      resolve(isDone ? { output: Buffer.concat(chunks), error: '' }
        : {
          error: failure !== 'ended' ? failure! : crash === undefined ? errors.trim() || `ended with ${code ?? signal}` : `the program itself failed: ${crash}`,
          ...(isLate && { isLate }),
          ...(failure === 'ended' && code !== null && crash === undefined && { isRefused: true }),
        });
    });
  });
}

/** A short value is hidden where it is no part of a word. */
const SHORT_VALUE = 8;

/** A text in which values are hidden. */
function withoutValues(text: string, values: readonly string[]): string {
  const found = values.filter((value) => value.trim() !== '' && text.includes(value)).sort((one, other) => other.length - one.length);
  return found.reduce((shown, value) => (
    value.length >= SHORT_VALUE ? shown.replaceAll(value, HIDDEN) : shown.split(value).reduce((before, after) => (
      `${before}${/\w$/.test(before) || /^\w/.test(after) ? value : HIDDEN}${after}`))), text);
}

/** Text that klog of kubectl writes around an error. */
const LOG = /^[EF]\d{4} [^\]]*\] "command failed" err=[<"]?\s*/;

/** A text without the configuration that kustomize writes into an error, between backquotes on lines of their own: it may have values of Secrets. */
function withoutConfiguration(text: string): string {
  const start = text.indexOf('`\n');
  if (start < 0) return text;
  for (let end = text.lastIndexOf('`'); end > start; end = text.lastIndexOf('`', end - 1)) {
    const inner = text.slice(start + 2, end);
    if (inner.slice(inner.trimEnd().length).includes('\n')) return `${text.slice(0, start)}(…)${text.slice(end + 1)}`;
  }
  return text;
}

/** The first line of an error, without the folder that it happened in. Of a long one the end is kept, which has the innermost cause. */
function reasonIn(error: string, folder: string): string {
  const tree = path.join(folder, 'tree');
  const plain = error.replaceAll(`${tree}${path.sep}`, '').replaceAll(tree, '.').trim().replace(LOG, '').replace(/^Error: /i, '');
  const [line] = hideSecretParts(withoutConfiguration(plain).split('\n')[0]).split('\n');
  if (line.length <= LONGEST_REASON) return line;
  const end = line.slice(-LONGEST_REASON);
  return `…${end.slice(end.indexOf(': ') + 1)}`;
}
