import { ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { SharedLines } from './shared-lines';
import { SHARD_VARIABLE } from '../../gitops/shard';
import { STAGING_VARIABLE } from '../../gitops/shard-record';
import { CommandError } from '../command';

/** What ends the program ends its workers. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What workers are to do. */
export interface WorkersOptions {
  readonly count: number;

  /** Arguments of Node.js. */
  readonly command: readonly string[];

  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;

  /** A folder for what they write. */
  readonly staging: string;

  /** Where to print what they print. */
  readonly say: (text: string) => void;
}

/** A process that has written its shard. */
export interface Worker {
  /** Which shard it is: `2/8`. */
  readonly shard: string;

  /** Where it has written its outputs to. */
  readonly folder: string;
}

/**
 * Runs a program once for each shard, all at a time.
 *
 * These are processes and no threads of this one: programs may change their folder, end themselves, and load what threads cannot.
 *
 * @throws CommandError if one of them fails, when all have ended
 */
export async function runWorkers({ count, command, cwd, env, staging, say }: WorkersOptions): Promise<Worker[]> {
  const lines = new SharedLines(say);
  const workers = Array.from({ length: count }, (_, index) => {
    const worker = { shard: `${index + 1}/${count}`, folder: path.join(staging, `${index + 1}`) };
    fs.mkdirSync(worker.folder);
    const child = spawn(process.execPath, command, {
      cwd, env: { ...env, [SHARD_VARIABLE]: worker.shard, [STAGING_VARIABLE]: worker.folder }, stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) forward(stream, (line) => lines.add(worker.shard, line));
    return { worker, child };
  });
  const endAll = (signal: NodeJS.Signals): void => workers.forEach(({ child }) => child.kill(signal));
  SIGNALS.forEach((signal) => process.on(signal, endAll));
  try {
    const failures = await Promise.all(workers.map(async ({ worker, child }) => {
      const reason = await failureOf(child);
      return reason === undefined ? [] : [`worker ${worker.shard} ${reason}`];
    }));
    if (failures.flat().length > 0) throw new CommandError(failures.flat(), 'correct what it says above; nothing was written');
  } finally {
    SIGNALS.forEach((signal) => process.off(signal, endAll));
  }
  return workers.map(({ worker }) => worker);
}

function forward(stream: Readable, add: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', add);
}

/** Waits for a process; says why it failed, if it did. */
function failureOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(`could not be started: ${message}`));
    // Not its exit: what it has printed may still be under way.
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : signal === null ? `ended with ${code}` : `was ended by ${signal}`));
  });
}
