import * as fs from 'node:fs';
import * as path from 'node:path';
import { Document, parseAllDocuments } from 'yaml';
import { KUSTOMIZATION_FILE } from './kustomization-file';
import { FilledFolder } from './output-folders';
import { RemovedCluster } from './removed-clusters';
import { GITOPS_RULES } from './rules';
import { groupKind, ManifestObject } from '../../manifests/objects/manifest-object';
import { isFields, stringAt } from '../../manifests/values/fields';
import { Problem } from '../../manifests/values/problem';
import { clusterOf, inTree } from '../app/synth/output-place';
import { DELIVERED } from '../contracts/delivery/manifest-folder';

/**
 * What a cluster that is kept and one of the code both make, such as the Namespace of both. Where one list leads to all folders, kustomize
 * refuses the whole of them: nothing would be applied any more.
 *
 * @param outdir the app's output
 * @param kept clusters that are kept, and their files
 * @param folders what the code makes
 */
export function keptConflicts(outdir: string, kept: readonly RemovedCluster[], folders: readonly FilledFolder[]): Problem[] {
  if (kept.length === 0) return [];
  const made = new Map(folders.flatMap(({ folder, files }) => (
    [...files.values()].flat().map((object) => [inTree(folder.tree, idOf(object.toJson() as ManifestObject)), folder.path] as const))));
  return kept.flatMap(({ folder, files }) => objectsIn(outdir, folder, files).flatMap((object) => {
    const other = made.get(inTree(clusterOf(folder)?.tree, idOf(object)));
    return other === undefined ? [] : [{
      rule: GITOPS_RULES.keptConflict,
      message: `${String(object.kind)} "${stringAt(object, 'metadata', 'name') ?? ''}" is in ${folder}, which is kept because its cluster is no longer in the code, and in ${other}`,
      fix: 'put the cluster back with decommission: true until it is gone; if both are to have a namespace, only one makes it (createNamespace: false)',
    }];
  }));
}

function idOf(object: ManifestObject): string {
  return [groupKind(object), stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')].join(' ');
}

/** The objects of a folder that its list leads to. What cannot be read is no worse than it was. */
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
