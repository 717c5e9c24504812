import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { Disk } from './disk';
import { OUTPUT_RULES } from './rules';
import { TreeError } from './tree-error';

const ATTEMPTS = 20;
const PATIENCE = 10;
const PAUSE_MS = 20;

/** Who has a lock: a process of a host. */
interface Holder {
  readonly pid: number;
  /** When it started, in whatever the system counts; tells it from a later process of the same number. Empty if the system does not say. */
  readonly started: string;
  readonly host: string;
}

/** Keeps other processes from writing to an output. The lock of a process that ended without giving it back is taken over. */
export class TreeLock {
  private readonly mine = `${process.pid} ${startOf(process.pid)} ${hostname()} ${randomUUID()}\n`;

  /**
   * Takes the lock.
   *
   * @param disk the file system
   * @param path the file that is the lock
   * @throws if a living process has it
   */
  public constructor(private readonly disk: Disk, private readonly path: string) {
    for (let attempt = 1; !disk.create(path, this.mine); attempt++) {
      const theirs = disk.read(path)?.toString();
      const holder = theirs === undefined ? undefined : parse(theirs);
      if (attempt > ATTEMPTS || holder !== undefined && isAlive(holder)) throw this.taken(holder);
      // A process writes its name at once: if there is none after a while, it ended before it could.
      if (holder === undefined && attempt < PATIENCE) pause();
      else if (disk.read(path)?.toString() === theirs) disk.remove(path);
    }
  }

  /** Refuses to go on if another process has taken the lock over. */
  public demandHeld(): void {
    const now = this.disk.read(this.path)?.toString() ?? '';
    if (now !== this.mine) throw this.taken(parse(now));
  }

  /** Gives the lock back. */
  public release(): void {
    if (this.disk.read(this.path)?.toString() === this.mine) this.disk.remove(this.path);
  }

  private taken(holder: Holder | undefined): TreeError {
    const who = holder === undefined ? 'another process' : `process ${holder.pid}${holder.host === hostname() ? '' : ` of host ${JSON.stringify(holder.host)}`}`;
    return new TreeError([{
      rule: OUTPUT_RULES.locked,
      message: `${who} is writing to the output`,
      fix: `wait until it is done; if it is gone, remove ${this.path}`,
    }]);
  }
}

function parse(text: string): Holder | undefined {
  const [, pid, started, host] = /^(\d+) (\d*) (\S+) \S+\n$/.exec(text) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), started, host };
}

/** Nobody knows of processes of another host; they count as alive. */
function isAlive({ pid, started, host }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
  return startOf(pid) === started;
}

/** Source: man7.org proc_pid_stat(5), field 22, starttime; the second field may hold blanks and brackets. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return '';
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
