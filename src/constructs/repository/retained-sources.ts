import * as fs from 'node:fs';
import * as path from 'node:path';
import { KUSTOMIZATION_FILE } from './kustomization-file';
import { FilledFolder } from './output-folders';
import { RemovedCluster } from './removed-clusters';
import { isSharedFolder } from '../app/synth/output-place';
import { FileLists } from '../app/synth/tree/file-lists';

/**
 * The files with what clusters share that stay although no construct makes them: clusters that are not written now refer to them. What is shared is in the
 * files of a cluster by its name, which is that of its own file.
 *
 * @param outdir the app's output
 * @param before lists of the files that the earlier synthesis wrote
 * @param folders folders of the app, with everything in them
 * @param kept clusters whose files are kept; undefined if only a part of the clusters is written, and all others are kept
 */
export function retainedSources(
  outdir: string, before: FileLists, folders: readonly FilledFolder[], kept: readonly RemovedCluster[] | undefined,
): Map<string, readonly string[]> {
  const written = new Set(folders.flatMap(({ files }) => [...files.keys()]));
  const texts = kept?.flatMap(({ files }) => files.map((file) => textAt(path.join(outdir, file))));
  const retained = new Map<string, readonly string[]>();
  for (const [list, files] of [...before].filter(([name]) => isSharedFolder(name))) {
    const isSource = (file: string) => file.startsWith(`${list}/`) && path.basename(file) !== KUSTOMIZATION_FILE && fs.existsSync(path.join(outdir, file));
    const nameOf = (file: string) => file.slice(list.length + 1).split('/')[0].replace(/\.yaml$/, '');
    const stay = [...files.keys()].filter((file) => !written.has(file) && isSource(file))
      .filter((file) => !texts || texts.some((text) => text.includes(nameOf(file))));
    if (stay.length > 0) retained.set(list, stay);
  }
  return retained;
}

function textAt(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}
