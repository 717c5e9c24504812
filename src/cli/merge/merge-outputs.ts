import * as path from 'node:path';
import { keptClusters } from '../../gitops/removed-clusters';
import { ReadShard, readShards } from '../../gitops/shard-folder';
import { mergeShards } from '../../gitops/shard-merge';
import { TreeError } from '../../synth/tree/tree-error';
import { formatProblem } from '../../validation/problem';
import { CommandError } from '../command';
import { Surroundings } from '../surroundings';

/** More would hide the first ones. */
const MOST_FAULTS = 20;

/**
 * Reads the shards of an output.
 *
 * @param folders where they are
 * @param shownOf how people are told of a folder
 * @throws CommandError if something is wrong with them
 */
export function demandShards(folders: readonly string[], shownOf: (folder: string) => string): readonly ReadShard[] {
  const { shards, faults } = readShards(folders, shownOf);
  if (faults.length === 0) return shards;
  const rest = faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : [];
  throw new CommandError([...faults.slice(0, MOST_FAULTS).map(({ message }) => message), ...rest], [...new Set(faults.map(({ fix }) => fix))].join('\n'));
}

/**
 * Makes an output of shards, and says what became of it.
 *
 * @param outdir where it is to be
 * @param shards its shards
 * @param surroundings where to say it
 * @throws CommandError if it cannot be written; it is as it was then
 */
export function mergeInto(outdir: string, shards: readonly ReadShard[], { cwd, out, err }: Surroundings): void {
  try {
    const { summary: { written, unchanged, adopted, removed }, kept } = mergeShards(outdir, shards);
    keptClusters(kept).forEach((problem) => err(`warning: ${formatProblem(problem)}\n`));
    const shown = path.relative(cwd, outdir);
    out(`${shown === '' || shown.startsWith('..') ? outdir : shown}: ${shards.length} ${shards.length === 1 ? 'shard' : 'shards'}; `
      + `files: ${written.length} written, ${unchanged.length + adopted.length} unchanged, ${removed.length} removed\n`);
  } catch (error) {
    if (error instanceof TreeError) throw new CommandError(error.message.split('\n'));
    throw error;
  }
}
