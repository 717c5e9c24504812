import * as fs from 'node:fs';
import * as path from 'node:path';
import { EntryPoints } from './entry-points';
import { FilledFolder } from './output-folders';
import { Shard } from './shard';
import { ownVersion } from '../own-version';
import { Disk } from '../synth/tree/disk';
import { fileHash } from '../synth/tree/output-folder';
import { TreeFile } from '../synth/tree/tree-file';
import { OWN_FOLDER } from '../synth/tree/tree-paths';

/** Name of the file, in the folder that keeps account of an output. */
export const SHARD_RECORD = 'shard.json';

/** Environment variable with a folder that shards are written to, each output in a folder of its own, in place of `outdir`. */
export const STAGING_VARIABLE = 'CDK8S_CLUSTER_API_STAGING';

/** What one of several processes has written to an output folder. */
export interface ShardRecord {
  /** Version of this package that wrote it. */
  readonly version: string;

  /** Which shard it is: `2/8`. */
  readonly shard: string;

  /** The output folder that it is for, where it was written to another one. */
  readonly outdir?: string;

  /** Folder of entry points, if there are any. */
  readonly entryPoints?: string;

  /** Folders of the tenant clusters that the process has built: its own, and others that it needed. The first shard has all. */
  readonly clusters: readonly string[];

  /** Files of this shard: others in the folder are of an earlier synthesis. */
  readonly files: readonly string[];

  /** Those of the files that are programs, which not every copy of a folder keeps. */
  readonly programs: readonly string[];
}

/** A shard that was written. */
export interface WrittenShard {
  readonly shard: Shard;

  /** The folder that it was written to. */
  readonly folder: string;

  /** Where it is to be in the end. */
  readonly outdir: string;

  /** How a GitOps tool finds its files. */
  readonly entryPoints?: EntryPoints;

  /** The folders that the process knows. */
  readonly folders: readonly FilledFolder[];

  /** Its files. */
  readonly files: readonly Omit<TreeFile, 'content'>[];
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

/** Says that there is no shard in an output folder: if one that is to be written fails, the one of an earlier run does not count for it. */
export function forgetRecord(folder: string): void {
  new Disk(fs).remove(placeIn(folder));
}

/** What is said of a shard, as a file. */
export function recordText({ shard, folder, outdir, entryPoints, folders, files }: WrittenShard): string {
  const record: ShardRecord = {
    version: ownVersion(),
    shard: shard._text,
    ...(folder !== outdir && { outdir: path.resolve(outdir) }),
    ...(entryPoints && { entryPoints: entryPoints.folder }),
    clusters: folders.filter(({ folder: { tenant } }) => tenant).map(({ folder: place }) => place.path),
    files: files.map((file) => file.path).sort(),
    programs: files.filter(({ executable }) => executable).map((file) => file.path).sort(),
  };
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

/** What a shard has written to a folder; undefined if nothing says so, or only a part of it. */
export function readRecord(folder: string): ShardRecord | undefined {
  const text = new Disk(fs).read(placeIn(folder))?.toString();
  if (text === undefined) return undefined;
  try {
    const record: unknown = JSON.parse(text);
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function placeIn(folder: string): string {
  return path.join(folder, OWN_FOLDER, SHARD_RECORD);
}

function isRecord(value: unknown): value is ShardRecord {
  const { version, shard, outdir = '', entryPoints = '', clusters, files, programs } = (value ?? {}) as { [field: string]: unknown };
  return [version, shard, outdir, entryPoints].every((text) => typeof text === 'string')
    && [clusters, files, programs].every((list) => Array.isArray(list) && list.every((item) => typeof item === 'string'));
}
