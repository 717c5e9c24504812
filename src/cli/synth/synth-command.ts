import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { runWorkers, Worker } from './workers';
import { ReadShard } from '../../gitops/shard-folder';
import { readRecord } from '../../gitops/shard-record';
import { readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';
import { demandShards, mergeInto } from '../merge/merge-outputs';

const NAME = 'synth';
const MOST_WORKERS = 8;

const OPTIONS = {
  workers: { type: 'string' },
  outdir: { type: 'string' },
  require: { type: 'string', multiple: true, default: [] as string[] },
} as const;

const HELP = `cdk8s-cluster-api synth: runs a program in several processes, each of which writes a part of the output

Usage: npx cdk8s-cluster-api synth [OPTION…] [--] PROGRAM [ARGUMENT…]

The program makes a GitOpsApp and is run by Node.js. Each worker is a process of its own with a share of the clusters; when all have ended
well, what they have written is joined. The result has the same bytes as if one process had written it. If one of them fails, the output
stays as it was.

  --workers N           how many processes (default: one for each core, ${MOST_WORKERS} at most)
  --outdir OUT          where an app writes to that has no outdir of its own (default: as the program says)
  --require MODULE      have Node.js load a module first, as for TypeScript; may be repeated

What the workers print comes on standard error, each line with the worker's number, and what several of them print once. What the program
does beside its GitOpsApp, each worker does; the output is not there yet when it ends.

Ends with 0 when it is done, 2 when it could not be done; the output is as it was then.

Examples:
  npx cdk8s-cluster-api synth main.js
  npx cdk8s-cluster-api synth --workers 4 --require ts-node/register main.ts
  npx cdk8s-cluster-api synth --outdir dist -- main.js --stage production
`;

/** Synthesizes with several processes. */
export const SYNTH_COMMAND: Command = {
  name: NAME,
  summary: 'run a program in several processes that share its clusters',
  help: HELP,
  async run(args, surroundings) {
    const { values, positionals: [program, ...programArgs] } = readArguments(NAME, args, OPTIONS);
    const { cwd, env } = surroundings;
    const workers = countOf(values.workers);
    if (program === undefined) throw new CommandError(['no program'], 'name the JavaScript file that makes the app');
    if (!fs.existsSync(path.resolve(cwd, program))) throw new CommandError([`there is no ${program}`], 'correct the path of the program');
    const staging = fs.mkdtempSync(path.join(os.tmpdir(), 'cdk8s-cluster-api-'));
    try {
      const command = [...values.require.flatMap((module) => ['--require', module]), path.resolve(cwd, program), ...programArgs];
      const outdir = values.outdir === undefined ? {} : { CDK8S_OUTDIR: path.resolve(cwd, values.outdir) };
      const ran = await runWorkers({ count: workers, command, cwd, env: { ...env, ...outdir }, staging, say: surroundings.err });
      for (const [target, shards] of outputs(ran)) mergeInto(target, shards, surroundings);
    } finally {
      fs.rmSync(staging, { recursive: true, force: true });
    }
    return ExitCode.OK;
  },
};

function countOf(text: string | undefined): number {
  if (text === undefined) return Math.min(os.availableParallelism(), MOST_WORKERS);
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new CommandError([`--workers ${JSON.stringify(text)} is no number of processes`], 'write a whole number from 1 to 999');
}

/** What the workers have written, by the folder that it is for. */
function outputs(workers: readonly Worker[]): Map<string, readonly ReadShard[]> {
  const names = [...new Set(workers.flatMap(({ folder }) => fs.readdirSync(folder)))].sort();
  if (names.length === 0) throw new CommandError(['the program has written no GitOpsApp'], 'call synth() of a GitOpsApp in it');
  return new Map(names.map((name) => {
    const folders = new Map(workers.map(({ shard, folder }) => [path.join(folder, name), shard]));
    for (const [folder, shard] of folders) {
      const said = readRecord(folder)?.shard ?? shard;
      if (said !== shard) throw new CommandError([`the program says itself that it is shard ${said}`], 'leave out the property shard of its GitOpsApp');
    }
    const shards = demandShards([...folders.keys()], (folder) => `worker ${folders.get(folder)!}`);
    return [shards[0].record.outdir!, shards];
  }));
}
