import { appendFileSync } from 'node:fs';
import { killAtChange } from './kill-at-change';

/**
 * Writes one round after the other until the process is killed.
 *
 *   node PROGRAM FOLDER LOG FIRST_ROUND LAST_CHANGE
 *
 * @param write writes a round to a folder
 */
export function endlessRounds(write: (folder: string, round: number) => void): void {
  const [,, folder, log, first, change] = process.argv;
  killAtChange(Number(change));
  for (let round = Number(first); ; round++) {
    appendFileSync(log, `begin ${round}\n`);
    write(folder, round);
    appendFileSync(log, `done ${round}\n`);
  }
}
