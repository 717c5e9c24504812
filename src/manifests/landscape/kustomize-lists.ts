import * as path from 'node:path';
import { isVisible } from './manifest-file-names';
import { isClearPath, joined } from './plain-paths';
import { fieldAt, Fields, isFields, listAt, stringAt } from '../values/fields';

const LISTING = ['apiVersion', 'kind', 'metadata', 'resources'];

/** Names of the file that kustomize reads first in a folder, apart from one that no manifest has. */
export const KUSTOMIZATION_FILES: readonly string[] = ['kustomization.yaml', 'kustomization.yml'];

/** Such a file; it may leave out its apiVersion and kind. */
const KUSTOMIZATION_FILE = /(^|\/)(kustomization\.ya?ml|Kustomization)$/;

/** Role in kustomize of a file that is no resource: a patch of objects elsewhere, or configuration of kustomize itself. */
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

/** Fields of a kustomization that list what it applies. */
export const APPLIED: readonly string[] = ['resources', 'bases', 'components'];

/** Fields of a kustomization whose entries name files that need not hold manifests, by these of their fields. */
const CONTENTS: Readonly<Record<string, readonly string[]>> = {
  configMapGenerator: ['files', 'envs', 'env'],
  secretGenerator: ['files', 'envs', 'env'],
  helmCharts: ['valuesFile', 'additionalValuesFiles'],
  helmChartInflationGenerator: ['values'],
  patches: ['path'],
  patchesJson6902: ['path'],
  replacements: ['path'],
};

/** True if a value is input of kustomize. */
export function isKustomization(value: { readonly [field: string]: unknown }, file: string): boolean {
  if (typeof value.apiVersion === 'string') return value.apiVersion.startsWith('kustomize.config.k8s.io/');
  return value.apiVersion === undefined && KUSTOMIZATION_FILE.test(file);
}

/** True if kustomize reads a file of this name as the kustomization of its folder. Source: kubernetes-sigs/kustomize api/konfig/general.go (RecognizedKustomizationFileNames). */
export function isKustomizationFile(file: string): boolean {
  return KUSTOMIZATION_FILE.test(file);
}

/** Roles of files that a kustomization names for something else than resources. */
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

  /** The role of a file; undefined if neither the file nor a folder that it is in is named. */
  public of(file: string): KustomizeRole | undefined {
    if (this.roles.size === 0) return undefined;
    let at = path.normalize(file);
    while (!this.roles.has(at) && at !== path.dirname(at)) at = path.dirname(at);
    return this.roles.get(at);
  }
}

/** A kustomization, and where it stands. */
export interface Kustomization {
  readonly file: string;
  readonly value: Fields;

  /** True if it does nothing but list other files, and put their objects into a namespace. */
  readonly isPlain: boolean;

  /** True if its file holds what was built of it. */
  readonly isBuilt?: boolean;
}

/** Files that kustomizations apply, by paths with `/` between their parts. */
export class KustomizeTree {
  /** By folder. */
  private readonly kustomizations = new Map<string, Kustomization>();

  /** The folders whose kustomizations list a file or folder. */
  private readonly listedBy = new Map<string, string[]>();

  /** The folders whose kustomizations apply a file, by the file: a file may have many objects. */
  private readonly appliers = new Map<string, ReadonlySet<string>>();

  /** @param all the kustomizations, with their paths */
  public constructor(private readonly all: readonly Kustomization[]) {
    for (const kustomization of all) {
      const folder = path.posix.dirname(kustomization.file);
      this.kustomizations.set(folder, kustomization);
      for (const entry of APPLIED.flatMap((field) => listAt(kustomization.value, field))) {
        if (typeof entry !== 'string') continue;
        const listed = isClearPath(entry) && isClearPath(folder) ? `${folder}/${entry}` : path.posix.join(folder, entry).replace(/\/$/, '');
        const others = this.listedBy.get(listed);
        if (others) others.push(folder);
        else this.listedBy.set(listed, [folder]);
      }
    }
  }

  /** True if another tree has the same kustomizations, which are read once for both. */
  public equals({ all }: KustomizeTree): boolean {
    return this.all.length === all.length && this.all.every(({ file, value }, index) => value === all[index].value && file === all[index].file);
  }

  /** True if a folder has a kustomization. */
  public has(folder: string): boolean {
    return this.kustomizations.has(folder);
  }

  /** True if a file is the kustomization of its folder. */
  public isFile(file: string): boolean {
    return this.kustomizations.get(path.posix.dirname(file))?.file === file;
  }

  /** The folders whose kustomizations apply a file: those that list it, or a folder around it, and those that list these. */
  public appliersOf(file: string): ReadonlySet<string> {
    let found = this.appliers.get(file);
    if (!found) this.appliers.set(file, found = this.findAppliers(file));
    return found;
  }

  private findAppliers(file: string): ReadonlySet<string> {
    const found = new Set<string>();
    const add = (listed: string) => this.listedBy.get(listed)?.forEach((folder) => {
      if (found.has(folder)) return;
      found.add(folder);
      add(folder);
    });
    if (this.kustomizations.size === 0) return found;
    add(file);
    for (let at = path.posix.dirname(file); !this.has(at); at = path.posix.dirname(at)) {
      add(at);
      if (at === path.posix.dirname(at)) break;
    }
    return found;
  }

  /** The folders whose kustomizations list a file or folder by itself. */
  public listersOf(listed: string): readonly string[] {
    return this.listedBy.get(listed) ?? [];
  }

  /** True if the kustomization of a folder is a component, which other kustomizations use. */
  public isComponent(folder: string): boolean {
    return this.kustomizations.get(folder)?.value.kind === 'Component';
  }

  /** The namespace that the kustomization of a folder puts everything into. */
  public namespaceOf(folder: string): string | undefined {
    return stringAt(this.kustomizations.get(folder)?.value, 'namespace');
  }

  /** Of the kustomizations that apply a file, the folders of those that no other one lists. */
  public topsOf(file: string): string[] {
    return [...this.appliersOf(file)].filter((folder) => !this.listedBy.has(folder));
  }

  /** True if the nearest kustomization around a file leaves it out, and all others do. */
  public leavesOut(file: string): boolean {
    // A kustomization itself applies what it lists.
    if (this.isFile(file) || this.listedBy.has(file)) return false;
    for (let at = path.posix.dirname(file); !this.has(at); at = path.posix.dirname(at)) {
      if (this.listedBy.has(at) || at === path.posix.dirname(at)) return false;
    }
    return true;
  }

  /** The kustomizations that apply a file, and do more than list it. */
  public changersOf(file: string): readonly Kustomization[] {
    return [...this.appliersOf(file)].flatMap((folder) => this.kustomizations.get(folder) ?? []).filter(({ isPlain }) => !isPlain);
  }
}

/** True if a file that holds no manifests is input of kustomizations or charts. */
export class InputFiles {
  private readonly named = new Set<string>();
  private readonly contents = new Set<string>();
  private readonly charts = new Set<string>();

  /**
   * @param kustomizations the kustomizations
   * @param charts the folders of charts
   */
  public constructor(kustomizations: readonly Kustomization[], charts: readonly string[]) {
    charts.forEach((folder) => this.charts.add(folder));
    for (const { file, value, isPlain } of kustomizations) {
      // All that it lists was read.
      if (isPlain) continue;
      const texts = Object.entries(CONTENTS).flatMap(([field, names]) => (
        listAt(value, field).flatMap((entry) => names.flatMap((name) => [fieldAt(entry, name)].flat()))));
      const lists = ['crds', 'configurations', 'resources', 'patchesStrategicMerge'].flatMap((field) => listAt(value, field));
      // Files of generators may have a key before them.
      const within = (all: readonly unknown[]) => all.flatMap((text) => (
        typeof text === 'string' && !text.includes('\n') ? [path.posix.join(path.posix.dirname(file), text.replace(/^[^/=]*=/, ''))] : []));
      within(texts).forEach((one) => this.contents.add(one));
      within([...texts, ...lists, stringAt(value, 'openapi', 'path')]).forEach((one) => this.named.add(one));
    }
  }

  /** True if there are any. */
  public get isEmpty(): boolean {
    return this.named.size === 0 && this.charts.size === 0;
  }

  /** The paths of those that are named; undefined where any file of a folder may be one. */
  public get paths(): readonly string[] | undefined {
    return this.charts.size === 0 ? [...this.named] : undefined;
  }

  /** True if a file is content of what kustomizations make or patch, and not listed as manifests. */
  public isContent(file: string): boolean {
    return this.contents.has(file);
  }

  public has(file: string): boolean {
    if (this.named.has(file)) return true;
    // Hidden files count if a list names them.
    if (!isVisible(file)) return false;
    for (let at = path.posix.dirname(file); this.charts.size > 0; at = path.posix.dirname(at)) {
      if (this.charts.has(at)) return true;
      if (at === path.posix.dirname(at)) return false;
    }
    return false;
  }
}

/** The files that are read, by which a list of files is known to name nothing else. */
export class ReadPaths {
  /**
   * The paths of files, which are gone through once.
   *
   * @param files the files, and nothing of what may be in folders beside them
   */
  public static of(files: readonly { readonly file: string }[]): ReadPaths {
    let found = ReadPaths.known.get(files);
    if (!found) ReadPaths.known.set(files, found = new ReadPaths(files));
    return found;
  }

  private static readonly known = new WeakMap<readonly { readonly file: string }[], ReadPaths>();

  private paths: Set<string> | undefined;

  private constructor(private readonly files: readonly { readonly file: string }[]) {}

  /**
   * True if input of kustomize does nothing but list what is read anyway: other files of its folder, and folders below.
   *
   * @param value the input
   * @param file where it stands
   * @param fromElsewhere whether it may list folders beside its own, too
   */
  public isPlainList(value: unknown, file: string, fromElsewhere = false): boolean {
    if (!isFields(value) || !isKustomization(value, file) || !Array.isArray(value.resources)) return false;
    if (Object.keys(value).some((key) => !LISTING.includes(key))) return false;
    const folder = path.dirname(file);
    return value.resources.every((entry) => typeof entry === 'string' && (fromElsewhere || !entry.split('/').includes('..')) && this.has(joined(folder, entry) ?? path.join(folder, entry)));
  }

  private has(file: string): boolean {
    if (!this.paths) {
      this.paths = new Set<string>();
      for (const read of this.files) {
        const normal = isClearPath(read.file) ? read.file : path.normalize(read.file);
        for (let at = normal; !this.paths.has(at); at = path.dirname(at)) this.paths.add(at);
      }
    }
    return this.paths.has(file);
  }
}
