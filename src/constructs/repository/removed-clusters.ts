import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { GITOPS_RULES } from './rules';
import { Problem } from '../../manifests/values/problem';
import { clusterOf } from '../app/synth/output-place';
import { FileLists } from '../app/synth/tree/file-lists';

/** Words of every `Cluster`, however it is spelled. */
const WORDS = [/\bCluster\b/, /\bcluster\.x-k8s\.io\//];

/** A cluster whose code is gone, and which has not been taken down. */
export interface RemovedCluster {
  /** Its folder, below the app's output. */
  readonly folder: string;

  /** Everything that an earlier synthesis wrote for it, there and among the entry points. */
  readonly files: readonly string[];
}

/**
 * Finds clusters that an earlier synthesis wrote, that the app does not have, and that live on: the `Cluster` is in the files, unless the
 * cluster is being decommissioned.
 *
 * @param outdir the app's output
 * @param before lists of the files that the earlier synthesis wrote
 * @param wanted folders of the app
 */
export function removedClusters(outdir: string, before: FileLists, wanted: ReadonlySet<string>): RemovedCluster[] {
  return [...before].filter(([list]) => clusterOf(list) !== undefined && !wanted.has(list))
    .map(([folder, files]) => ({ folder, files: [...files.keys()] }))
    .filter(({ files }) => files.some((file) => holdsCluster(path.join(outdir, file))))
    .sort((one, other) => (one.folder < other.folder ? -1 : 1));
}

/** What the user is told about them. */
export function keptClusters(removed: readonly RemovedCluster[]): Problem[] {
  return removed.map(({ folder }) => {
    const { namespace, name } = clusterOf(folder)!;
    return {
      rule: GITOPS_RULES.kept,
      message: `the cluster "${name}" in namespace "${namespace}" is in ${folder} and no longer in the code; its files are kept, and it lives on`,
      fix: 'put it back with decommission: true, and remove it when `kubectl get cluster` finds it no more; if it is managed elsewhere now, delete the folder and commit that',
    };
  });
}

/** True if a file has a `Cluster` in any spelling. A file that cannot be read, such as a half merged one, counts as if it had one. */
function holdsCluster(file: string): boolean {
  // The user may have deleted it, or put a folder there.
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const text = fs.readFileSync(file, 'utf8');
  if (!WORDS.every((word) => word.test(text))) return false;
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
