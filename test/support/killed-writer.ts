import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** A program that writes one round after the other to a folder until it is killed, and keeps a log of it (`endlessRounds`). */
export interface KilledWriter {
  /** The compiled program. */
  readonly program: string;
  readonly folder: string;
  readonly log: string;

  /** The first round that it writes. */
  readonly round: number;

  /** At which change of files it is killed, or a moment later. */
  readonly change: number;
}

/** Runs a program until it is killed. It has always come to where that is, however slow the machine is. */
export async function runUntilKilled({ program, folder, log, round, change }: KilledWriter): Promise<void> {
  const child = spawn(process.execPath, [program, folder, log, `${round}`, `${change}`], { stdio: 'inherit' });
  const signal = await new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
  if (signal !== 'SIGKILL') throw new Error(`${program} ended by itself`);
}

/** The last round that was completed for certain, and those begun since: files of all of them may be mixed. */
export function possibleRounds(log: string): number[] {
  const lines = fs.readFileSync(log, 'utf8').trim().split('\n').map((line) => line.split(' '));
  const done = lines.map(([word]) => word).lastIndexOf('done');
  return lines.slice(done).map(([, round]) => Number(round));
}

/** Files by path. */
export interface Contents {
  readonly [file: string]: string;
}

/** True if each file is as in one of some trees, whole. */
export function isMixOf(files: Contents, trees: readonly Contents[]): boolean {
  return [...new Set([files, ...trees].flatMap((tree) => Object.keys(tree)))].every((name) => trees.some((tree) => files[name] === tree[name]));
}

/** Progress of a writer when it was killed. */
export interface Interruption {
  /** True if files had been staged. */
  readonly staged: boolean;

  /** True if some files were of the former tree and some of the next one. */
  readonly mixed: boolean;
}

/** True if a writer left staged files in an output. */
export function isStaged(folder: string): boolean {
  return fs.readdirSync(path.join(folder, '.cdk8s-cluster-api')).some((name) => name.startsWith('tmp-'));
}
