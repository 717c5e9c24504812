import { FormerOutput } from './former-output';
import { KUSTOMIZATION_FILE } from './kustomization-file';
import { ObjectFile, RepositoryFiles } from './repository-files';
import { clusterOf, isChartFolder } from '../app/synth/output-place';

/** A folder of which something differs. */
export interface TouchedFolder {
  readonly path: string;

  /** Files that are written now, and were not in the same way before. */
  readonly changed: readonly ObjectFile[];
  readonly unchanged: readonly ObjectFile[];

  /** Files that were written before. */
  readonly gone: readonly string[];
}

/** Folders whose files are not what an earlier synthesis wrote. */
export function touchedFolders(files: RepositoryFiles, former: FormerOutput): TouchedFolder[] {
  const now = new Map<string, ObjectFile[]>();
  for (const file of files.objectFiles()) {
    const beside = now.get(file.list);
    if (beside) beside.push(file);
    else now.set(file.list, [file]);
  }
  const lists = new Map([...former.lists()].filter(([list]) => (clusterOf(list) !== undefined || isChartFolder(list)) && files.writes(list)));
  return [...new Set([...lists.keys(), ...now.keys()])].map((path) => {
    const own = now.get(path) ?? [];
    const changed = own.filter((file) => !isSame(file, files, former));
    const paths = new Set(own.map((file) => file.path));
    const gone = [...lists.get(path)?.keys() ?? []].filter((file) => (
      file.startsWith(`${path}/`) && file.endsWith('.yaml') && !file.endsWith(`/${KUSTOMIZATION_FILE}`) && !paths.has(file)));
    return { path, changed, unchanged: own.filter((file) => !changed.includes(file)), gone };
  }).filter(({ changed, gone }) => changed.length + gone.length > 0);
}

function isSame(file: ObjectFile, files: RepositoryFiles, former: FormerOutput): boolean {
  try {
    return former.holds(file.path, files.textOf(file));
  } catch {
    // An object cannot be written, which is reported.
    return false;
  }
}
