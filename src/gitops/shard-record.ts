import * as fs from 'node:fs';
import * as path from 'node:path';
import { EntryPoints } from './entry-points';
import { fileHash } from '../synth/tree/output-folder';
import { TreeFile } from '../synth/tree/tree-file';
import { OWN_FOLDER } from '../synth/tree/tree-paths';

/** Name of the file, in the folder that keeps account of an output. */
const RECORD = path.join(OWN_FOLDER, 'shard.json');

/** Environment variable with a folder that shards are written to, each output in a folder of its own, in place of `outdir`. */
export const STAGING_VARIABLE = 'CDK8S_CLUSTER_API_STAGING';

/** What one of several processes has written to an output folder. */
export interface ShardRecord {
  /** Which shard it is: `2/8`. */
  readonly shard: string;

  /** The output folder that it is for, where it was written to another one. */
  readonly outdir?: string;

  /** Folder of entry points, if there are any. */
  readonly entryPoints?: string;

  /** Files of this shard: others in the folder are of an earlier synthesis. */
  readonly files: readonly string[];

  /** Those of the files that are programs, which not every copy of a folder keeps. */
  readonly programs: readonly string[];
}

/**
 * Where an output is written.
 *
 * @param outdir where it is to be in the end
 */
export function stagedOutdir(outdir: string): string {
  const staging = process.env[STAGING_VARIABLE];
  return staging === undefined ? outdir : path.join(staging, fileHash(path.resolve(outdir)));
}

/** Says that there is no shard in an output folder, as long as one is written. */
export function removeRecord(folder: string): void {
  fs.rmSync(path.join(folder, RECORD), { force: true });
}

/**
 * Says what a shard has written.
 *
 * @param folder the folder that it was written to
 * @param outdir where it is to be in the end
 * @param shard which one it is
 * @param written its files
 * @param entryPoints how a GitOps tool finds them
 */
export function writeRecord(
  folder: string, outdir: string, shard: string, written: readonly Omit<TreeFile, 'content'>[], entryPoints: EntryPoints | undefined,
): void {
  const record: ShardRecord = {
    shard,
    ...(folder !== outdir && { outdir: path.resolve(outdir) }),
    ...(entryPoints && { entryPoints: entryPoints.folder }),
    files: written.map((file) => file.path).sort(),
    programs: written.filter(({ executable }) => executable).map((file) => file.path).sort(),
  };
  const place = path.join(folder, RECORD);
  // An output without any file has no such folder.
  fs.mkdirSync(path.dirname(place), { recursive: true });
  fs.writeFileSync(place, `${JSON.stringify(record, undefined, 2)}\n`);
}

/** What a shard has written to a folder; undefined if nobody says so. */
export function readRecord(folder: string): ShardRecord | undefined {
  let text: string;
  try {
    text = fs.readFileSync(path.join(folder, RECORD), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  return JSON.parse(text) as ShardRecord;
}
