import * as fs from 'node:fs';
import * as path from 'node:path';
import { Shard } from './shard';
import { readRecord, ShardRecord } from './shard-record';
import { Disk } from '../synth/tree/disk';
import { fileHash } from '../synth/tree/output-folder';
import { TreeError } from '../synth/tree/tree-error';
import { pathFault } from '../synth/tree/tree-paths';
import { writtenIndex } from '../synth/tree/written-files';

/** A shard in a folder. */
export interface ReadShard {
  readonly folder: string;
  readonly record: ShardRecord;

  /** The shard as people are told of it. */
  readonly shown: string;
}

/** Why shards cannot be joined. */
export interface ShardFault {
  readonly message: string;
  readonly fix: string;
}

/** The shards of an output. */
export interface ReadOutput {
  readonly shards: readonly ReadShard[];
  readonly faults: readonly ShardFault[];
}

interface NumberedShard {
  readonly shard: Shard;
  readonly read: ReadShard;
}

const INCOMPLETE = 'copy the whole folder, hidden files too';
const SAME = 'synthesize all shards with the same program, the same inputs and the same number of shards, and pass the folder of each';

/**
 * Reads shards that together are an output.
 *
 * @param folders where they are
 * @param shownOf how people are told of a folder
 * @returns the shards, the first one first, or what is wrong with them
 */
export function readShards(folders: readonly string[], shownOf: (folder: string) => string): ReadOutput {
  const faults: ShardFault[] = [];
  const numbered: NumberedShard[] = [];
  for (const folder of folders) {
    try {
      const record = readRecord(folder);
      const shard = record && Shard._parse(record.shard);
      if (!record || !shard || shard._problems.length > 0) {
        faults.push({ message: `${shownOf(folder)} holds no shard`, fix: `synthesize it with the environment variable CDK8S_CLUSTER_API_SHARD, and ${INCOMPLETE}` });
      } else {
        const read = { folder, record, shown: `shard ${record.shard} in ${shownOf(folder)}` };
        numbered.push({ shard, read });
        faults.push(...damage(read));
      }
    } catch (error) {
      if (!(error instanceof TreeError)) throw error;
      faults.push(...error.problems.map(({ message, fix }) => ({ message, fix })));
    }
  }
  numbered.sort((one, other) => one.shard.number - other.shard.number);
  const shards = numbered.map(({ read }) => read);
  return { shards, faults: faults.length > 0 ? faults : [...incomplete(numbered), ...differences(numbered), ...conflicts(shards)] };
}

/** Files that are not as they were written. */
function damage({ folder, record, shown }: ReadShard): ShardFault[] {
  const index = writtenIndex(folder);
  const disk = new Disk(fs);
  return record.files.flatMap((file): ShardFault[] => {
    const place = path.join(folder, file);
    const content = pathFault(file) === undefined && !disk.look(place)?.isDirectory() ? disk.read(place) : undefined;
    if (content === undefined) return [{ message: `${shown} lacks ${file}`, fix: INCOMPLETE }];
    return index.holds(file, fileHash(content)) ? [] : [{ message: `${shown} has another ${file} than was written`, fix: INCOMPLETE }];
  });
}

function incomplete(numbered: readonly NumberedShard[]): ShardFault[] {
  const [first] = numbered;
  const stranger = numbered.find(({ shard }) => shard.count !== first.shard.count);
  if (stranger) return [{ message: `${first.read.shown} and ${stranger.read.shown} are not of one output`, fix: SAME }];
  const there = new Set(numbered.map(({ shard }) => shard.number));
  const missing = Array.from({ length: first?.shard.count ?? 0 }, (_, index) => index + 1).filter((number) => !there.has(number));
  return missing.map((number) => ({ message: `shard ${number}/${first.shard.count} is missing`, fix: SAME }));
}

/** What tells that shards were made by different programs, though no file does: each is compared with the first one, which knows all clusters. */
function differences([first, ...others]: readonly NumberedShard[]): ShardFault[] {
  if (first?.shard.number !== 1) return [];
  const known = new Set(first.read.record.clusters);
  return others.flatMap(({ shard, read }): ShardFault[] => {
    const [one, other] = [first.read.record, read.record];
    const shown = `${first.read.shown} and ${read.shown}`;
    const differ = (what: string): ShardFault[] => [{ message: `${shown} are not of one output: ${what}`, fix: SAME }];
    if (one.version !== other.version) return differ(`one was written by cdk8s-cluster-api ${one.version}, the other by ${other.version}`);
    if (one.entryPoints !== other.entryPoints) return differ(`one has ${entryPointsIn(one)}, the other ${entryPointsIn(other)}`);
    const there = new Set(other.clusters);
    const unknown = other.clusters.filter((folder) => !known.has(folder)).map((folder) => `the first one does not know ${folder}`);
    const missing = one.clusters.filter((folder) => isOf(shard, folder) && !there.has(folder)).map((folder) => `the other one lacks ${folder}`);
    return [...unknown, ...missing].flatMap(differ);
  });
}

function entryPointsIn({ entryPoints }: ShardRecord): string {
  return entryPoints === undefined ? 'no entry points' : `entry points in ${entryPoints}`;
}

/** Whether a shard has the cluster of a folder: `clusters/<namespace>/<name>`. */
function isOf(shard: Shard, folder: string): boolean {
  const [, namespace, name] = folder.split('/');
  return shard._has(namespace, name);
}

/** Files that two shards have written, each in its way. */
function conflicts(shards: readonly ReadShard[]): ShardFault[] {
  const owners = new Map<string, ReadShard>();
  return shards.flatMap((shard) => shard.record.files.flatMap((file): ShardFault[] => {
    const other = owners.get(file);
    owners.set(file, other ?? shard);
    if (!other || contentOf(other, file).equals(contentOf(shard, file))) return [];
    return [{ message: `${other.shown} and ${shard.shown} have written ${file} with different content`, fix: SAME }];
  }));
}

function contentOf({ folder }: ReadShard, file: string): Buffer {
  return fs.readFileSync(path.join(folder, file));
}
