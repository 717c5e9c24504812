import * as path from 'node:path';
import { demandShards, mergeInto } from './merge-outputs';
import { readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';

const NAME = 'merge';

const OPTIONS = { into: { type: 'string' } } as const;

const HELP = `cdk8s-cluster-api merge: joins what several machines have written of one GitOpsApp

Usage: npx cdk8s-cluster-api merge --into OUT FOLDER…

Each machine runs the same program with another shard, CDK8S_CLUSTER_API_SHARD=1/4 to 4/4, and keeps the whole output folder, with the
hidden folder in it. The folders of all shards are joined here, in any order. The result has the same bytes as if one process had
written it.

  --into OUT            the output folder of the repository

OUT is written as synthesis writes it: when everything is complete and nothing is wrong. Files whose content is as wanted are not touched,
nor is what somebody else has put there; what an earlier synthesis wrote and no shard has is removed, but for clusters that have not been
taken down (TC-GITOPS-KEPT). If the folders hold an earlier tree, too, only what the shard itself has written counts.

A shard that is missing, one that is not complete, and two that have written one file in different ways are refused.

Ends with 0 when it is done, 2 when it could not be done; OUT is as it was then.

Example:
  CDK8S_CLUSTER_API_SHARD=1/2 CDK8S_OUTDIR=shards/1 node main.js
  CDK8S_CLUSTER_API_SHARD=2/2 CDK8S_OUTDIR=shards/2 node main.js
  npx cdk8s-cluster-api merge --into dist shards/*
`;

/** Joins shards. */
export const MERGE_COMMAND: Command = {
  name: NAME,
  summary: 'join what several machines have written of one app',
  help: HELP,
  async run(args, surroundings) {
    const { values: { into }, positionals } = readArguments(NAME, args, OPTIONS);
    if (into === undefined) throw new CommandError(['--into is missing'], 'say which folder the result goes to');
    if (positionals.length === 0) throw new CommandError(['no folder'], 'name the folder of each shard');
    const shards = demandShards(positionals.map((folder) => path.resolve(surroundings.cwd, folder)), (folder) => path.relative(surroundings.cwd, folder) || '.');
    mergeInto(path.resolve(surroundings.cwd, into), shards, surroundings);
    return ExitCode.OK;
  },
};
