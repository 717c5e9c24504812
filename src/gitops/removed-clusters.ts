import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { GITOPS_RULES } from './rules';
import { Disk } from '../synth/tree/disk';
import { Problem } from '../validation/problem';

const OF_CLUSTER = /^(clusters\/[^/]+\/[^/]+)\//;

/** Words of every `Cluster`, however it is spelled. */
const WORDS = [/\bCluster\b/, /\bcluster\.x-k8s\.io\//];

/** A cluster whose code is gone, and which has not been taken down. */
export interface RemovedCluster {
  /** Its folder, below the app's output. */
  readonly folder: string;

  /** Everything that an earlier synthesis wrote there. */
  readonly files: readonly string[];
}

/**
 * Finds clusters that an earlier synthesis wrote, that no code stands for any more, and that live on: the `Cluster` is in the files, which it
 * is not while a cluster is taken down.
 *
 * @param outdir the app's output
 * @param before the files that the earlier synthesis wrote, below it
 * @param wanted folders of the clusters that there are
 */
export function removedClusters(outdir: string, before: readonly string[], wanted: ReadonlySet<string>): RemovedCluster[] {
  const gone = [...clusterFolders(before)].filter(([folder]) => !wanted.has(folder));
  const disk = new Disk(fs);
  return gone.filter(([, files]) => files.some((file) => holdsCluster(disk, path.join(outdir, file)))).map(([folder, files]) => ({ folder, files }));
}

/** Files by the folder of the cluster that they are in; others are left out. */
export function clusterFolders(files: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = OF_CLUSTER.exec(file)?.[1];
    if (folder === undefined) continue;
    const beside = folders.get(folder);
    if (beside) beside.push(file);
    else folders.set(folder, [file]);
  }
  return folders;
}

/** What the user is told about them. */
export function keptClusters(removed: readonly RemovedCluster[]): Problem[] {
  return removed.map(({ folder }) => {
    const [, namespace, name] = folder.split('/');
    return {
      rule: GITOPS_RULES.kept,
      message: `the cluster "${name}" in namespace "${namespace}" is in ${folder} and no longer in the code; its files are kept, and it lives on`,
      fix: 'put it back with decommission: true, and remove it when `kubectl get cluster` finds it no more; if somebody else owns it now, delete the folder',
    };
  });
}

/** Whether a file has a `Cluster`, in whatever spelling. One that cannot be read, half merged perhaps, counts as if it had one. */
function holdsCluster(disk: Disk, file: string): boolean {
  // Somebody may have deleted it.
  const text = disk.look(file)?.isDirectory() ? undefined : disk.read(file)?.toString();
  if (text === undefined || !WORDS.every((word) => word.test(text))) return false;
  try {
    return [...parseAllDocuments(text)].some((document) => document.errors.length > 0 || isCluster(document.toJS()));
  } catch {
    // An alias without its anchor.
    return true;
  }
}

function isCluster(object: unknown): boolean {
  const { apiVersion, kind } = (object ?? {}) as { readonly [field: string]: unknown };
  return kind === 'Cluster' && typeof apiVersion === 'string' && apiVersion.startsWith('cluster.x-k8s.io/');
}
