import * as path from 'node:path';
import { isFields } from '../values/fields';

const LISTING = ['apiVersion', 'kind', 'metadata', 'resources'];

/** Whether a value is input of kustomize. */
export function isKustomization(value: { readonly [field: string]: unknown }): boolean {
  return typeof value.apiVersion === 'string' && value.apiVersion.startsWith('kustomize.config.k8s.io/');
}

/** The files that are read, by which a list of files is known to name nothing else. */
export class ReadPaths {
  private readonly paths = new Set<string>();

  /** @param files the files, and nothing of what may be in folders beside them */
  public constructor(files: readonly string[]) {
    for (const file of files) {
      for (let at = path.normalize(file); !this.paths.has(at); at = path.dirname(at)) this.paths.add(at);
    }
  }

  /**
   * Whether input of kustomize does nothing but list what is read anyway: other files of its folder, and folders below.
   *
   * @param value the input
   * @param file where it stands
   */
  public isPlainList(value: unknown, file: string): boolean {
    if (!isFields(value) || !isKustomization(value) || !Array.isArray(value.resources)) return false;
    if (Object.keys(value).some((key) => !LISTING.includes(key))) return false;
    const folder = path.dirname(file);
    return value.resources.every((entry) => typeof entry === 'string' && !entry.split('/').includes('..') && this.paths.has(path.join(folder, entry)));
  }
}
