import * as fs from 'node:fs';
import * as path from 'node:path';
import { Shard } from './shard';
import { readRecord, ShardRecord } from './shard-record';
import { fileHash } from '../synth/tree/output-folder';
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
  const numbered: { readonly shard: Shard; readonly read: ReadShard }[] = [];
  for (const folder of folders) {
    const record = recordIn(folder);
    const shard = record && Shard._parse(record.shard);
    if (!record || !shard || shard._problems.length > 0) {
      faults.push({ message: `${shownOf(folder)} holds no shard`, fix: `synthesize it with the environment variable CDK8S_CLUSTER_API_SHARD, and ${INCOMPLETE}` });
    } else {
      const read = { folder, record, shown: `shard ${record.shard} in ${shownOf(folder)}` };
      numbered.push({ shard, read });
      faults.push(...damage(read));
    }
  }
  numbered.sort((one, other) => one.shard.number - other.shard.number);
  const shards = numbered.map(({ read }) => read);
  return { shards, faults: faults.length > 0 ? faults : [...incomplete(numbered), ...conflicts(shards)] };
}

function recordIn(folder: string): ShardRecord | undefined {
  try {
    return readRecord(folder);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Files that are not as they were written. */
function damage({ folder, record, shown }: ReadShard): ShardFault[] {
  const index = writtenIndex(folder);
  return record.files.flatMap((file): ShardFault[] => {
    const content = pathFault(file) === undefined ? readIfThere(path.join(folder, file)) : undefined;
    if (content === undefined) return [{ message: `${shown} lacks ${file}`, fix: INCOMPLETE }];
    return index.holds(file, fileHash(content)) ? [] : [{ message: `${shown} has another ${file} than was written`, fix: INCOMPLETE }];
  });
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function incomplete(numbered: readonly { readonly shard: Shard; readonly read: ReadShard }[]): ShardFault[] {
  const [first] = numbered;
  const stranger = numbered.find(({ shard }) => shard.count !== first.shard.count);
  if (stranger) return [{ message: `${first.read.shown} and ${stranger.read.shown} are not of one output`, fix: SAME }];
  const there = new Set(numbered.map(({ shard }) => shard.number));
  const missing = Array.from({ length: first?.shard.count ?? 0 }, (_, index) => index + 1).filter((number) => !there.has(number));
  return missing.map((number) => ({ message: `shard ${number}/${first.shard.count} is missing`, fix: SAME }));
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
