import * as path from 'node:path';
import { ADDRESS, CHART_FIELDS, withoutFetched, withSelectingPatches } from './fetched-parts';
import { FileAppliers, groupedBy, objectKey } from './file-appliers';
import { Kustomization, KustomizeTree } from './kustomize-lists';
import { PLUGIN_FIELDS, pluginConfiguration } from './kustomize-plugins';
import { isVisible } from './manifest-file-names';
import { ManifestState, pathWithin } from './manifest-state';
import { compareTexts } from './place';
import { FileContent, StateContent } from './state-content';
import { ManifestObject } from '../objects/manifest-object';
import { deliveryFacts } from '../systems/providers';
import { Fields, isFields, listAt, sameValue, stringAt } from '../values/fields';
import { hideSecretParts } from '../values/secret-text';

/** The files that units are built from: those of a state before anything is built. */
export interface UnitSources {
  readonly content: StateContent;
  readonly kustomizations: readonly Kustomization[];
}

/** A kustomization that nothing else lists, or that a delivery applies, and all that it reads. */
export interface KustomizeUnit {
  /** The same for the same unit of another state; units of deliveries that have one name in several clusters share it. */
  readonly key: string;

  /** The paths of the files that hold its delivery, or the deliveries of its folder. */
  readonly origins: readonly string[];
  readonly folder: string;

  /** The file that its objects are in, once it is built. */
  readonly file: string;

  /** The delivery that adds to the kustomization. */
  readonly delivery?: ManifestObject;

  /** Kustomizations, by folder. */
  readonly kustomizations: ReadonlyMap<string, Fields>;

  /** The other files that it reads. */
  readonly files: StateContent;

  /** All files that it reads. */
  readonly paths: ReadonlySet<string>;

  /** True if it does nothing but list files, and put their objects into a namespace. */
  readonly isPlain: boolean;

  /** True if a kustomization reads a file outside of its folder: Flux builds it, and kustomize does with `--load-restrictor LoadRestrictionsNone`. */
  readonly readsOutside: boolean;

  /** Parts that only a network has, by the kustomizations that name them, with the fields that change what is fetched. They are left out. */
  readonly fetched: ReadonlyMap<string, Fields>;

  /** Reason that it is not built. */
  readonly fault?: string;

  /** The file that is not there, where that is the reason. */
  readonly missing?: string;
}

/** Fields that name one file or folder in each entry. */
const LISTS: readonly string[] = ['bases', 'components', 'configurations', 'crds', 'patchesStrategicMerge', 'resources'];

/** Fields whose entries name a file by `path`. */
const WITH_PATH: readonly string[] = ['patches', 'patchesJson6902', 'replacements'];
const GENERATORS: readonly string[] = ['configMapGenerator', 'secretGenerator'];

/** Fields that make kustomize start other programs, or read configuration that names files and addresses. */
const REFUSED: readonly string[] = ['helmChartInflationGenerator', 'validators'];


const NAMED: readonly string[] = ['images', 'replicas'];

/** Fields of a kustomization that name files or start programs, and those in them. */
const READ: readonly string[] = [...LISTS, ...WITH_PATH, ...GENERATORS, ...PLUGIN_FIELDS, ...REFUSED, ...CHART_FIELDS, 'openapi'];
const READ_BELOW: readonly string[] = ['env', 'envs', 'files', 'path'];

/** True if two units build the same. */
export function sameUnit(one: KustomizeUnit, other: KustomizeUnit): boolean {
  return one.folder === other.folder && one.fault === other.fault && sameContent(one.files, other.files)
    && sameValue(Object.fromEntries(one.kustomizations), Object.fromEntries(other.kustomizations))
    && sameValue(Object.fromEntries(one.fetched), Object.fromEntries(other.fetched));
}

/** True if files are the same. */
export function sameContent(one: StateContent, other: StateContent): boolean {
  return one.size === other.size && [...one].every(([file, content]) => {
    const found = other.get(file);
    return found !== undefined && (found === content || found.bytes.equals(content.bytes));
  });
}

/** A part of a state that is built by itself. */
type Unit = Pick<KustomizeUnit, 'key' | 'origins' | 'file' | 'delivery' | 'fault'>;

/** The same for the same unit in each round of builds. */
export function unitKey({ key, origins, delivery }: Unit): string {
  return JSON.stringify([key, delivery ? origins : []]);
}

/**
 * Units with a file for each. None is built whose delivery another one has.
 *
 * @param units the units
 * @param builtFor what was built before
 */
export function distinctUnits<T extends Unit>(units: readonly T[], { builtFor }: Pick<ManifestState, 'builtFor'>): T[] {
  const keys = groupedBy((key) => key, units.map(unitKey));
  const files = groupedBy((file) => file, [...units.map(({ file }) => file), ...builtFor?.keys() ?? []]);
  return units.map((unit) => {
    // Clusters may share a folder. A slash would make folders of the name.
    const file = files.get(unit.file)!.length === 1 ? unit.file : unit.file.replace(/\)$/, ` of ${unit.origins.join(' ').replaceAll('/', ':')})`);
    const fault = keys.get(unitKey(unit))!.length === 1 ? unit.fault : unit.fault ?? 'one file has several deliveries of this name, or this one applies several folders';
    return file === unit.file && fault === unit.fault ? unit : { ...unit, file, fault };
  });
}

/** The keys of deliveries that add to the kustomizations of their folders. */
export function addingDeliveries(state: ManifestState): string[] {
  return state.objects.filter(({ object, pack }) => !pack && deliveryFacts(object)?.kustomizes?.(object) !== undefined)
    .map(({ object }) => objectKey(object));
}

/** The kustomizations of a state, and what they read. */
export class KustomizeUnits {
  public readonly all: readonly KustomizeUnit[];
  private readonly appliers: FileAppliers;
  private readonly tree: KustomizeTree;
  private readonly byFolder = new Map<string, Kustomization>();
  private readonly content: StateContent;

  /** Kustomizations as they were before anything was built. */
  private readonly sources = new Map<string, Kustomization>();

  /** Folders with two kustomizations, which kustomize refuses. */
  private readonly ambiguous = new Set<string>();

  /**
   * @param state the state
   * @param sources what is built
   * @param adding keys of the deliveries that add to kustomizations, in this state or the other one
   */
  public constructor(private readonly state: ManifestState, sources: UnitSources, adding: ReadonlySet<string>) {
    this.content = sources.content;
    for (const one of sources.kustomizations) {
      const file = pathWithin(state, one.file);
      const folder = path.posix.dirname(file);
      if (this.sources.has(folder)) this.ambiguous.add(folder);
      this.sources.set(folder, { ...one, file });
    }
    for (const one of state.kustomizations ?? []) {
      const file = pathWithin(state, one.file);
      this.byFolder.set(path.posix.dirname(file), { ...one, file });
    }
    this.appliers = new FileAppliers(state);
    this.tree = this.appliers.tree;
    const applied = this.appliers.appliedFolders;
    const delivered = groupedBy(({ folder }) => folder, applied);
    // A folder that was built before its delivery was known to add to it is not built once more.
    const ofDeliveries = applied.filter(({ folder, delivery }) => adding.has(objectKey(delivery)) && !this.byFolder.get(folder)?.isBuilt)
      .map(({ folder, delivery, path: origin }) => this.unit({
        key: objectKey(delivery),
        origins: [origin],
        folder,
        delivery,
        file: `${path.posix.join(folder, 'kustomization.yaml')} (${String(delivery.kind)} ${stringAt(delivery, 'metadata', 'name') ?? ''})`,
      }));
    // Of a folder without a kustomization, a delivery builds those below.
    const inDeliveries = new Set(ofDeliveries.flatMap(({ kustomizations, fault }) => (fault === undefined ? [...kustomizations.keys()] : [])));
    const tops = [...this.byFolder].filter(([folder, { value }]) => {
      const by = delivered.get(folder) ?? [];
      if (by.length === 0 && this.appliers.isOff(folder)) return false;
      if (by.length > 0) return by.some(({ delivery }) => !adding.has(objectKey(delivery)));
      return this.tree.listersOf(folder).length === 0 && value.kind !== 'Component' && !inDeliveries.has(folder);
    });
    const originsOf = (folder: string) => (delivered.get(folder) ?? []).map((one) => one.path);
    const ofFolders = tops.map(([folder, { file }]) => this.unit({ key: folder, origins: originsOf(folder), folder, file }));
    this.all = [...ofFolders, ...distinctUnits(ofDeliveries, state)]
      .sort((one, other) => compareTexts(one.key, other.key));
  }

  /** The paths of files with deliveries that kustomizations leave out. */
  public get leftOutFiles(): readonly string[] {
    return this.appliers.leftOutFiles;
  }

  /** True if kustomizations around a file leave it out. */
  public leavesOut(file: string): boolean {
    const folders = [...this.tree.appliersOf(file)];
    // A component that nothing lists applies nothing.
    return this.tree.isFile(file) || this.tree.leavesOut(file) || (folders.length > 0 && folders.every((folder) => this.byFolder.get(folder)?.value.kind === 'Component'));
  }

  /**
   * The files that hold the deliveries of a file.
   *
   * @param file a path below what was read
   */
  public originsOf(file: string): readonly string[] {
    return this.appliers.originsOf(path.join(this.state.root ?? '', file));
  }

  /**
   * The paths of files that are applied otherwise.
   *
   * @param units kustomizations that apply them
   * @param deliveries deliveries that apply them
   */
  public besides(units: ReadonlySet<KustomizeUnit>, deliveries: ReadonlySet<ManifestObject>): ReadonlySet<string> {
    const others = new Set(this.all.filter((unit) => !units.has(unit)).flatMap(({ paths }) => [...paths]));
    const flat = new Set(this.appliers.appliedFolders.filter(({ folder }) => !this.byFolder.has(folder))
      .filter(({ delivery }) => !deliveries.has(delivery)).map(({ folder }) => folder));
    for (const file of flat.size === 0 ? [] : this.content.keys()) {
      let at = path.posix.dirname(file);
      while (!flat.has(at) && !this.byFolder.has(at) && at !== '.') at = path.posix.dirname(at);
      if (flat.has(at)) others.add(file);
    }
    return others;
  }

  private unit(unit: Pick<KustomizeUnit, 'key' | 'origins' | 'folder' | 'file' | 'delivery'>): KustomizeUnit {
    const added = unit.delivery && deliveryFacts(unit.delivery)?.kustomizes?.(unit.delivery);
    const own = this.sources.get(unit.folder)?.value;
    const reading = new Reading(this.sources, this.ambiguous, this.content);
    reading.enter(unit.folder, withAdded(own ?? { resources: this.resourcesOf(unit.folder) }, added ?? {}));
    return { ...unit, ...reading.read, isPlain: reading.isPlain && added === undefined };
  }

  /** Files that Flux lists of a folder without a kustomization (fluxcd/pkg kustomize/kustomize_generator.go). */
  private resourcesOf(folder: string): string[] {
    const below = (file: string) => folder === '.' || file.startsWith(`${folder}/`);
    const found = new Set<string>();
    for (const file of this.content.keys()) {
      if (!below(file) || !/\.ya?ml$/.test(file)) continue;
      const relative = path.posix.relative(folder, file);
      if (!isVisible(relative)) continue;
      const nearest = foldersBetween(folder, file).find((at) => this.byFolder.has(at));
      found.add(nearest === undefined ? relative : path.posix.relative(folder, nearest));
    }
    return [...found].sort(compareTexts);
  }
}

/** Files that a kustomization reads, with those of the kustomizations that it lists. */
class Reading {
  public isPlain = true;
  private readsOutside = false;
  private readonly kustomizations = new Map<string, Fields>();
  private readonly files = new Map<string, FileContent>();
  private readonly paths = new Set<string>();
  private readonly fetched = new Map<string, Fields>();
  private fault?: string;
  private missing?: string;

  public constructor(
    private readonly byFolder: ReadonlyMap<string, Kustomization>, private readonly ambiguous: ReadonlySet<string>,
    private readonly content: StateContent,
  ) {}

  public get read() {
    const { files, paths, readsOutside, fetched, fault, missing } = this;
    const kustomizations = fetched.size === 0 ? this.kustomizations
      : new Map([...this.kustomizations].map(([folder, value]) => [folder, withSelectingPatches(folder, value, files)]));
    return { kustomizations, files, paths, readsOutside, fetched, fault, ...(missing !== undefined && { missing }) };
  }

  public enter(folder: string, given: Fields): void {
    if (this.kustomizations.has(folder)) return;
    const divided = withoutFetched(folder, given, this.content);
    const value = divided?.local ?? given;
    if (divided) this.fetched.set(folder, divided.fetched);
    divided?.files.forEach((file) => this.paths.add(file));
    this.kustomizations.set(folder, value);
    const own = this.byFolder.get(folder);
    if (own) this.paths.add(own.file);
    if (!own?.isPlain) this.isPlain = false;
    if (this.ambiguous.has(folder)) this.fail(`${folder} has two kustomizations`);
    const refused = REFUSED.find((field) => value[field] !== undefined);
    if (refused !== undefined) this.fail(`${refused} of a kustomization are not run`);
    const misspelled = misspelledField(value);
    if (misspelled !== undefined) this.fail(`${misspelled[0]} of a kustomization is spelled otherwise: ${misspelled[1]}`);
    namesIn(value).forEach((name) => this.add(folder, name));
    for (const field of PLUGIN_FIELDS) if (value[field] !== undefined) this.addPlugins(folder, field);
  }

  /** Puts the configuration of plug-ins into the kustomization, so that what was checked is what is run. */
  private addPlugins(folder: string, field: typeof PLUGIN_FIELDS[number]): void {
    const value = this.kustomizations.get(folder)!;
    const configuration = pluginConfiguration(field, listAt(value, field), folder, (at) => {
      const [bytes, kustomization] = [this.content.get(at)?.bytes, this.byFolder.get(at)];
      return kustomization ? { kustomization: kustomization.value } : bytes && { bytes };
    });
    if (typeof configuration === 'string') {
      this.fail(configuration);
      return;
    }
    this.kustomizations.set(folder, { ...value, [field]: configuration.inline });
    configuration.files.forEach((file) => this.paths.add(file));
    configuration.names.forEach((name) => this.add(folder, name));
  }

  private add(folder: string, name: string): void {
    if (ADDRESS.test(name)) {
      this.fail(`${hideSecretParts(name)} is not fetched`);
      return;
    }
    const at = path.posix.join(folder, name).replace(/(?<=.)\/$/, '');
    const listed = this.byFolder.get(at);
    const content = this.content.get(at);
    if (listed) {
      this.enter(at, listed.value);
    } else if (content && !path.posix.isAbsolute(name)) {
      this.files.set(at, content);
      this.paths.add(at);
      if (path.posix.relative(folder, at).startsWith('../')) this.readsOutside = true;
    } else {
      if (this.fault === undefined) this.missing = at;
      this.fail(`${at} is not among the files that are read`);
    }
  }

  private fail(why: string): void {
    this.fault ??= why;
  }
}

/** The files and folders that a kustomization names. */
function namesIn(value: Fields): string[] {
  const names = [
    ...LISTS.flatMap((field) => listAt(value, field)),
    ...WITH_PATH.flatMap((field) => listAt(value, field)).map((entry) => stringAt(entry, 'path')),
    stringAt(value, 'openapi', 'path'),
    ...GENERATORS.flatMap((field) => listAt(value, field)).flatMap((entry) => [
      // A file may have a key before it.
      ...listAt(entry, 'files').map((file) => (typeof file === 'string' ? file.replace(/^[^=]*=/, '') : file)), ...listAt(entry, 'envs'), stringAt(entry, 'env'),
    ]),
  ];
  // A patch may stand in the kustomization itself.
  return names.filter((name): name is string => typeof name === 'string' && name !== '' && !name.includes('\n'));
}

/**
 * A field of a kustomization that kustomize takes for one that names files or starts programs, and its right spelling.
 *
 * Source: kubernetes-sigs/kustomize api/types/kustomization.go (Unmarshal: encoding/json, which takes names of any case).
 */
function misspelledField(value: Fields): readonly [string, string] | undefined {
  const entries = [...[...WITH_PATH, ...GENERATORS].flatMap((field) => listAt(value, field)), value.openapi].filter(isFields);
  const misspelled = (fields: Fields, known: readonly string[]) => Object.keys(fields).flatMap((name) => {
    const right = known.includes(name) ? undefined : known.find((one) => folded(one) === folded(name));
    return right === undefined ? [] : [[name, right] as const];
  });
  return [...misspelled(value, READ), ...entries.flatMap((entry) => misspelled(entry, READ_BELOW))][0];
}

/** A name as encoding/json of Go compares it: it folds more than ASCII. */
function folded(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** A kustomization with what a delivery adds to it. */
function withAdded(value: Fields, added: Fields): Fields {
  const merged: Record<string, unknown> = { ...value };
  for (const [field, more] of Object.entries(added)) {
    const own = merged[field];
    if (Array.isArray(more)) merged[field] = NAMED.includes(field) ? byName(listAt(merged, field), more) : [...listAt(merged, field), ...more];
    else merged[field] = isFields(own) && isFields(more) ? { ...own, ...more } : more;
  }
  return merged;
}

/** Entries of one name are one: a tag and a digest replace each other. */
function byName(own: readonly unknown[], more: readonly unknown[]): unknown[] {
  const found = new Map(own.map((entry) => [stringAt(entry, 'name'), entry]));
  for (const entry of more) {
    const name = stringAt(entry, 'name');
    const { newTag, digest, ...rest } = (found.get(name) ?? {}) as Fields;
    const isVersioned = isFields(entry) && (entry.newTag !== undefined || entry.digest !== undefined);
    found.set(name, { ...rest, ...(!isVersioned && { newTag, digest }), ...entry as Fields });
  }
  return [...found.values()];
}

/** The folders between a folder and a file in it, the outermost first, without the folder itself. */
function foldersBetween(folder: string, file: string): string[] {
  const parts = path.posix.relative(folder, path.posix.dirname(file)).split('/').filter((part) => part !== '');
  return parts.map((_, index) => path.posix.join(folder, ...parts.slice(0, index + 1)));
}
