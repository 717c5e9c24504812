import * as fs from 'node:fs';
import * as path from 'node:path';
import { Document, parseAllDocuments } from 'yaml';
import { KUSTOMIZATION_FILE } from './kustomization-file';
import { FilledFolder } from './output-folders';
import { groupKind, ManifestObject } from '../../manifests/objects/manifest-object';
import { isFields, stringAt } from '../../manifests/values/fields';
import { Problem, Rule } from '../../manifests/values/problem';
import { clusterOf, inTree } from '../app/synth/output-place';
import { FileLists } from '../app/synth/tree/file-lists';
import { DELIVERED } from '../contracts/delivery/manifest-folder';

/** Words of every `Cluster` in any YAML style. */
const WORDS = [/\bCluster\b/, /\bcluster\.x-k8s\.io\//];

/** A cluster that is no longer in the code and has not been decommissioned. */
export interface RemovedCluster {
  /** Its folder, below the app's output. */
  readonly folder: string;

  /** Everything that an earlier synthesis wrote for it, there and among the entry points. */
  readonly files: readonly string[];
}

/**
 * Finds clusters of an earlier synthesis that the app does not have and that are not being decommissioned: their files have the `Cluster`.
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

const KEPT_RULE: Rule = {
  id: 'TC-GITOPS-KEPT',
  title: 'A cluster should be decommissioned before it is removed from the code: its files are kept until then.',
  source: 'kubernetes-sigs/cluster-api issues 1444 and 13536 (the Cluster is deleted, and nothing else before it is gone)',
  warning: true,
};

/** Warnings about clusters that are kept. */
export function keptClusters(removed: readonly RemovedCluster[]): Problem[] {
  return removed.map(({ folder }) => {
    const { namespace, name } = clusterOf(folder)!;
    return {
      rule: KEPT_RULE,
      message: `the cluster "${name}" in namespace "${namespace}" is in ${folder} and no longer in the code; its files are kept, and it lives on`,
      fix: 'put it back with decommission: true, and remove it when `kubectl get cluster` finds it no more; if it is managed elsewhere now, delete the folder and commit that',
    };
  });
}

/** True if a file has a `Cluster` in any spelling. A file that cannot be read, such as a half merged one, counts as if it had one. */
function holdsCluster(file: string): boolean {
  // The user may have deleted it, or replaced it by a folder.
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

const KEPT_CONFLICT_RULE: Rule = {
  id: 'TC-GITOPS-KEPT-CONFLICT',
  title: 'A cluster must not have an object of a kept cluster if one list leads to both: kustomize would apply nothing of it.',
  source: 'kubernetes-sigs/kustomize api/resmap/reswrangler.go (may not add resource with an already registered id)',
};

/**
 * Finds objects that both a kept cluster and one of the code have, such as the Namespace of both. If one list leads to all folders,
 * kustomize rejects the whole list: nothing would be applied any more.
 *
 * @param outdir the app's output
 * @param kept clusters that are kept, and their files
 * @param folders the folders of the code
 */
export function keptConflicts(outdir: string, kept: readonly RemovedCluster[], folders: readonly FilledFolder[]): Problem[] {
  if (kept.length === 0) return [];
  const made = new Map(folders.flatMap(({ folder, files }) => (
    [...files.values()].flat().map((object) => [inTree(folder.tree, idOf(object.toJson() as ManifestObject)), folder.path] as const))));
  return kept.flatMap(({ folder, files }) => objectsIn(outdir, folder, files).flatMap((object) => {
    const other = made.get(inTree(clusterOf(folder)?.tree, idOf(object)));
    return other === undefined ? [] : [{
      rule: KEPT_CONFLICT_RULE,
      message: `${String(object.kind)} "${stringAt(object, 'metadata', 'name') ?? ''}" is in ${folder}, which is kept because its cluster is no longer in the code, and in ${other}`,
      fix: 'put the cluster back with decommission: true until it is gone; if both are to have a namespace, only one makes it (createNamespace: false)',
    }];
  }));
}

function idOf(object: ManifestObject): string {
  return [groupKind(object), stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')].join(' ');
}

/** The objects of a folder that its list leads to. Unreadable files are skipped. */
function objectsIn(outdir: string, folder: string, files: readonly string[]): ManifestObject[] {
  const listed = files.filter((file) => file.startsWith(`${folder}/`) && !file.startsWith(`${folder}/${DELIVERED}/`) && path.posix.basename(file) !== KUSTOMIZATION_FILE);
  return listed.map((file) => path.join(outdir, file)).filter((file) => fs.existsSync(file)).flatMap((file) => (
    parseAllDocuments(fs.readFileSync(file, 'utf8')).map(contentOf).filter(isFields)));
}

function contentOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch {
    // An alias without its anchor.
    return undefined;
  }
}
