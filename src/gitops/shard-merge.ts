import * as fs from 'node:fs';
import * as path from 'node:path';
import { parse } from 'yaml';
import { entryFile } from './entry-files';
import { KustomizationFile, topLists } from './kustomization-file';
import { clusterFolders, RemovedCluster, removedClusters } from './removed-clusters';
import { ReadShard } from './shard-folder';
import { SHARD_RECORD } from './shard-record';
import { TreeFile, TreeSummary } from '../synth/tree/tree-file';
import { writeTree } from '../synth/tree/write-tree';
import { keptFiles, writtenFiles } from '../synth/tree/written-files';
import { manifestsText } from '../synth/yaml/manifests-text';

const MERGE = 'merge';

/** What became of an output. */
export interface MergedOutput {
  readonly summary: TreeSummary;

  /** Clusters that were kept though no shard has them any more. */
  readonly kept: readonly RemovedCluster[];
}

/**
 * Makes an output folder what one process would have made it.
 *
 * @param outdir the folder
 * @param shards all shards, the first one first, without anything wrong
 */
export function mergeShards(outdir: string, shards: readonly ReadShard[]): MergedOutput {
  const kept: RemovedCluster[] = [];
  const summary = writeTree(outdir, merged(outdir, shards, kept), { record: { name: SHARD_RECORD } });
  return { summary, kept };
}

/**
 * The files of all shards and of clusters that are kept. What there was before is read when the first file is asked for: an interrupted
 * synthesis has been completed then.
 *
 * @param kept becomes those clusters
 */
function* merged(outdir: string, shards: readonly ReadShard[], kept: RemovedCluster[]): Generator<TreeFile> {
  const before = writtenFiles(outdir);
  const wanted = clusterFolders(shards.flatMap(({ record }) => record.files));
  kept.push(...removedClusters(outdir, before, new Set(wanted.keys())));
  const { entryPoints } = shards[0].record;
  // Clusters that are kept are in the lists, too.
  const lists = entryPoints === undefined && kept.length > 0 ? topLists(kept.map(({ folder }) => folder)) : new Map<string, KustomizationFile>();
  const seen = new Set<string>();
  for (const { folder, record, shown } of shards) {
    const programs = new Set(record.programs);
    for (const file of record.files) {
      if (seen.has(file)) continue;
      seen.add(file);
      if (!lists.has(file)) yield { path: file, content: fs.readFileSync(path.join(folder, file), 'utf8'), executable: programs.has(file), producer: shown };
    }
  }
  for (const [file, list] of lists) {
    const resources = [...new Set([...resourcesOf(file, shards), ...list.resources])].sort();
    yield { path: file, content: manifestsText([{ ...list, resources }]), producer: MERGE };
  }
  for (const { folder, files } of kept) {
    yield* keptFiles(outdir, files, `the cluster that was in ${folder}`);
    const entry = entryPoints === undefined ? undefined : entryFile({ folder: entryPoints }, folder);
    if (entry !== undefined && before.includes(entry)) yield* keptFiles(outdir, [entry], MERGE);
  }
}

/** What a list of the shards holds. */
function resourcesOf(file: string, shards: readonly ReadShard[]): readonly string[] {
  const owner = shards.find(({ record }) => record.files.includes(file));
  return owner ? (parse(fs.readFileSync(path.join(owner.folder, file), 'utf8')) as KustomizationFile).resources : [];
}
