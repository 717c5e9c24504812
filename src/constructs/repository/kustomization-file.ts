import * as path from 'node:path';

/** Name of the file by which kustomize, Flux and Argo CD find the files of a folder. */
export const KUSTOMIZATION_FILE = 'kustomization.yaml';

/** Content of such a file. */
export interface KustomizationFile {
  readonly apiVersion: 'kustomize.config.k8s.io/v1beta1';
  readonly kind: 'Kustomization';
  readonly resources: string[];
}

/**
 * The files that list what folders hold: one for each folder, with its files and the folders below it.
 *
 * @param folder the folder at the top, which gets one even if it is empty
 * @param files everything below it that is to be applied, by path
 * @param apart folders below it that are applied separately: those above do not list them
 * @returns the files, by path
 */
export function kustomizationFiles(folder: string, files: readonly string[], apart: readonly string[] = []): Map<string, KustomizationFile> {
  const entries = new Map<string, Set<string>>([[folder, new Set()]]);
  for (const file of files) {
    for (let below = file; below !== folder; below = path.posix.dirname(below)) {
      const above = path.posix.dirname(below);
      const listed = entries.get(above) ?? new Set<string>();
      entries.set(above, listed);
      if (!apart.includes(below)) listed.add(path.posix.basename(below));
    }
  }
  return new Map([...entries].map(([at, listed]) => [`${at}/${KUSTOMIZATION_FILE}`, {
    apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: [...listed].sort(),
  }]));
}

/**
 * The files that lead from the top of an output to folders.
 *
 * @param folders the folders, each of which has a list of its own
 * @returns the files, by path
 */
export function topLists(folders: readonly string[]): Map<string, KustomizationFile> {
  const above = kustomizationFiles('.', folders.map((folder) => `./${folder}`));
  return new Map([...above].map(([file, list]) => [file.replace(/^\.\//, ''), list]));
}
