import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** The module itself: what is imported are its functions. */
const fs = createRequire(__filename)('node:fs') as typeof import('node:fs');

/** The calls that change files. */
const CHANGES = ['chmodSync', 'mkdirSync', 'renameSync', 'rmSync', 'rmdirSync', 'unlinkSync', 'writeFileSync'] as const;

const [READY, NOW] = [0, 1];

/** Says that it is there, and kills the process when it is told to. */
const KILLER = `
  const { workerData: flags } = require('node:worker_threads');
  Atomics.store(flags, ${READY}, 1);
  Atomics.notify(flags, ${READY});
  Atomics.wait(flags, ${NOW}, 0);
  process.kill(process.pid, 'SIGKILL');
`;

/**
 * Has this process killed when it is about to change files for the nth time, or a moment later: another thread does it, while this one goes
 * on. How fast the machine is does not matter.
 *
 * @param number which change
 */
export function killAtChange(number: number): void {
  const flags = new Int32Array(new SharedArrayBuffer(8));
  new Worker(KILLER, { eval: true, workerData: flags });
  Atomics.wait(flags, READY, 0);
  let count = 0;
  for (const name of CHANGES) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]): unknown => {
        count += 1;
        if (count === number) {
          Atomics.store(flags, NOW, 1);
          Atomics.notify(flags, NOW);
        }
        return original(...args);
      },
    });
  }
}
