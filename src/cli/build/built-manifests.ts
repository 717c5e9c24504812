import * as path from 'node:path';
import { BuildUnit, isChart } from './built-pair';
import { builtStates, ReadState, UnbuiltPart } from './built-states';
import { objectOrigins } from './object-origins';
import { FileAppliers } from '../../manifests/landscape/file-appliers';
import { InputFiles } from '../../manifests/landscape/kustomize-lists';
import { addingDeliveries } from '../../manifests/landscape/kustomize-units';
import { isManifestFile } from '../../manifests/landscape/manifest-file-names';
import { inputFiles, ManifestState, pathWithin } from '../../manifests/landscape/manifest-state';
import { Remark } from '../../manifests/landscape/place';
import { FileReader, ManifestFile, PlacedObjects, ReadObject } from '../../manifests/landscape/placed-objects';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { statusOf } from '../../manifests/values/file-status';
import { STANDARD_INPUT } from '../manifests/read-files';
import { stateRoot } from '../manifests/state-root';
import { Surroundings } from '../surroundings';

/** The files of a state, and access to those beside them that kustomizations and charts read. */
export interface StateSource {
  /** Files and folders, as the user named them. */
  readonly given: readonly string[];
  readonly files: readonly ManifestFile[];

  /**
   * Contents of other files below a folder, by their paths below it.
   *
   * @param folder one of the folders that the user named
   * @param isWanted returns true for the path of a file that is read
   * @param paths the paths of all that may be wanted; undefined if any file may be
   */
  readonly inputs: (folder: string, isWanted: (file: string) => boolean, paths: readonly string[] | undefined) => ReadonlyMap<string, string>;
}

/** The contents of files, with the output of builds in place of their input. */
export interface BuiltManifests extends PlacedObjects, Pick<ManifestState, 'root' | 'builtFor'> {
  /** The kustomization or chart that an object was built from, by its file. */
  readonly builtFrom: ReadonlyMap<ManifestObject, string>;

  /** The deliveries whose charts were rendered. */
  readonly rendered: ReadonlySet<ManifestObject>;

  /** Kustomizations and charts that were to be built, and the reasons that they were not. */
  readonly notBuilt: readonly Remark[];
}

const NOTHING_BUILT: Pick<BuiltManifests, 'builtFrom' | 'rendered' | 'notBuilt'> = { builtFrom: new Map(), rendered: new Set(), notBuilt: [] };

/**
 * Reads states, and builds their kustomizations and charts. Fields of objects that were built are placed where they come from: in the file that
 * they are written in, or else in the kustomization or chart, with the file of origin inside.
 *
 * @param sources one state, or a later and an earlier one, which are built alike
 * @param build true if kustomizations and charts are built
 */
export async function builtManifests(
  sources: readonly StateSource[], build: boolean, surroundings: Surroundings,
): Promise<readonly BuiltManifests[]> {
  const reader = new FileReader();
  const read = sources.map(({ files }) => reader.read(files));
  const roots = sources.map(({ given }) => rootOf(given, surroundings.cwd));
  if (!build || !read.some(isBuildable) || roots.includes(undefined)) {
    return read.map((state, index) => ({
      ...state,
      ...(roots[index] !== undefined && { objects: withAppliers({ ...state, ...stateRoot([roots[index]], surroundings) }) }),
      ...NOTHING_BUILT,
    }));
  }
  const states = read.map((state, index) => ({ ...state, ...stateRoot([roots[index]!], surroundings), root: roots[index]! }));
  const inputs = inputFiles(states);
  const none = new Map<string, string>();
  const built = await builtStates(states.map((state, index): ReadState => ({
    files: sources[index].files,
    broken: [],
    state: { ...state, inputs: inputs.isEmpty ? none : inputsOf(sources[index], state.root, inputs, surroundings) },
  })), { read: (files) => reader.read(files), all: true }, surroundings);
  return built.map((one, index) => withOrigins(one, read[index]));
}

function isBuildable(state: PlacedObjects): boolean {
  return state.charts.length > 0 || state.kustomizations.some(({ isPlain }) => !isPlain) || addingDeliveries(state).length > 0;
}

/** The folder around all that was named, as the user named it; undefined if no folder was named. */
function rootOf(given: readonly string[], cwd: string): string | undefined {
  const folders = given.map((one) => path.resolve(cwd, one)).filter((one, index) => given[index] !== STANDARD_INPUT && statusOf(one)?.isDirectory());
  if (given.length === 1 && folders.length === 1) return given[0];
  if (folders.length < given.length || folders.length === 0) return undefined;
  let [root] = folders;
  while (folders.some((folder) => path.relative(root, folder).startsWith('..'))) root = path.dirname(root);
  return given.some((one) => path.isAbsolute(one)) ? root : path.relative(cwd, root) || '.';
}

function inputsOf({ given, inputs }: StateSource, root: string, wanted: InputFiles, { cwd }: Surroundings): ReadonlyMap<string, string> {
  const top = path.resolve(cwd, root);
  return new Map(given.flatMap((folder) => {
    const below = path.relative(top, path.resolve(cwd, folder)).split(path.sep).join('/');
    const named = (file: string) => (below === '' ? file : `${below}/${file}`);
    const paths = wanted.paths?.flatMap((file) => (file === named('') || !file.startsWith(named('')) ? [] : [file.slice(named('').length)]));
    const found = inputs(folder, (file) => !isManifestFile(file) && wanted.has(named(file)), paths);
    return [...found].map(([file, content]) => [named(file), content] as const);
  }));
}

/** The objects of a state, with the deliveries that apply the folders that they are in. */
function withAppliers(state: ManifestState, appliers = new FileAppliers(state)): readonly ReadObject[] {
  if (!appliers.hasFolders) return state.objects;
  return state.objects.map((read) => (read.pack ? read : { ...read, appliers: appliers.of(read.place.file) }));
}

/** A state whose built objects are placed where they come from, and that names what was not built. */
function withOrigins(
  { state, files, built = new Map<string, BuildUnit>(), notBuilt = new Map<string, UnbuiltPart>() }: ReadState, read: PlacedObjects,
): BuiltManifests {
  const { patches = [], notRead = [], faults = [], unread = [], kustomizations = [], charts = [] } = state;
  const { unbuilt } = state;
  const appliers = new FileAppliers(state);
  const place = objectOrigins(state, read, new Map(files.map((file) => [file.file, file])));
  const builtFrom = new Map<ManifestObject, string>();
  const placed = withAppliers(state, appliers).map((one) => {
    const unit = built.get(one.place.file);
    if (!unit) return one;
    builtFrom.set(one.object, one.place.file);
    return place({ ...one, appliers: one.appliers ?? (one.pack ? [] : appliers.of(one.place.file)) }, unit);
  });
  const remarked = new Set(notRead.map((remark) => pathWithin(state, remark.place.file)));
  const remarks = [...notBuilt].map(([file, { reason, paths }]) => ({
    remark: { place: { file: path.join(state.root, file) }, message: reason }, isNamed: [...paths].some((one) => remarked.has(one)),
  }));
  return {
    objects: placed,
    patches,
    faults,
    unread,
    kustomizations,
    charts,
    notRead: [...notRead.map((remark) => {
      const reason = unbuilt?.get(pathWithin(state, remark.place.file));
      return reason === undefined || remark.isUnreadable ? remark : { ...remark, message: `${remark.message.split(':')[0]}, ${reason}` };
    }), ...remarks.filter(({ isNamed }) => !isNamed).map(({ remark }) => remark)],
    root: state.root,
    builtFor: state.builtFor,
    builtFrom,
    rendered: new Set([...built.values()].flatMap((unit) => (isChart(unit) ? [unit.delivery] : []))),
    notBuilt: remarks.map(({ remark }) => remark),
  };
}
