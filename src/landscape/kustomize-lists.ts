import * as path from 'node:path';
import { isFields, listAt, stringAt } from '../values/fields';

const LISTING = ['apiVersion', 'kind', 'metadata', 'resources'];

/** Names of the file that kustomize reads first in a folder; it may leave out its apiVersion and kind. */
const KUSTOMIZATION_FILE = /(^|\/)(kustomization\.ya?ml|Kustomization)$/;

/** What a file is to kustomize that is no resource: a patch of objects elsewhere, or configuration of kustomize itself. */
type KustomizeRole = 'patch' | 'configuration';

/** Fields of a kustomization that name files or folders by themselves, or by `path`. Source: kubernetes-sigs/kustomize api/types/kustomization.go. */
const ROLES: Readonly<Record<string, KustomizeRole>> = {
  patches: 'patch',
  patchesJson6902: 'patch',
  patchesStrategicMerge: 'patch',
  configurations: 'configuration',
  generators: 'configuration',
  replacements: 'configuration',
  transformers: 'configuration',
  validators: 'configuration',
};

/** Whether a value is input of kustomize. */
export function isKustomization(value: { readonly [field: string]: unknown }, file: string): boolean {
  if (typeof value.apiVersion === 'string') return value.apiVersion.startsWith('kustomize.config.k8s.io/');
  return value.apiVersion === undefined && KUSTOMIZATION_FILE.test(file);
}

/** What files are to kustomize that a kustomization names for something else than resources. */
export class KustomizeRoles {
  private readonly roles = new Map<string, KustomizeRole>();

  /** Takes what a kustomization names. */
  public add(kustomization: { readonly [field: string]: unknown }, file: string): void {
    for (const [field, role] of Object.entries(ROLES)) {
      for (const entry of listAt(kustomization, field)) {
        const named = typeof entry === 'string' ? entry : stringAt(entry, 'path');
        // A patch may stand in the kustomization itself.
        if (named !== undefined && !named.includes('\n')) this.roles.set(path.join(path.dirname(file), named), role);
      }
    }
  }

  /** What a file is; undefined for one that is named nowhere, neither itself nor a folder that it is in. */
  public of(file: string): KustomizeRole | undefined {
    if (this.roles.size === 0) return undefined;
    let at = path.normalize(file);
    while (!this.roles.has(at) && at !== path.dirname(at)) at = path.dirname(at);
    return this.roles.get(at);
  }
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
    if (!isFields(value) || !isKustomization(value, file) || !Array.isArray(value.resources)) return false;
    if (Object.keys(value).some((key) => !LISTING.includes(key))) return false;
    const folder = path.dirname(file);
    return value.resources.every((entry) => typeof entry === 'string' && !entry.split('/').includes('..') && this.paths.has(path.join(folder, entry)));
  }
}
