import { objectKey } from './file-appliers';
import { ManifestState, pathWithin, placesInRepository } from './manifest-state';
import { ReadObject } from './placed-objects';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { RepositoryFiles } from '../rules/repository-files';
import { providers } from '../systems/providers';

/** Two states with the objects that controllers make of others. */
export interface MadeStates {
  readonly objects: readonly (readonly ReadObject[])[];

  /** Keys of the objects of which others are made. */
  readonly makers: ReadonlySet<string>;

  /** Files without manifests that they are made of, by their paths below what was read. */
  readonly files: ReadonlySet<string>;
}

/** Both states with the objects that controllers make, where they are known in both. */
export function bothMade(before: ManifestState, after: ManifestState): MadeStates {
  const states = [before, after].map((state) => ({ state, files: new StateFiles(state), makers: makersIn(state) }));
  if (states.every(({ makers }) => makers.length === 0)) return { objects: [before.objects, after.objects], makers: new Set(), files: new Set() };
  const unknown = new Set(states.flatMap(({ makers, files }) => (
    makers.filter((read) => makerOf(read)!(read.object, files) === undefined).map(({ object }) => objectKey(object)))));
  const read = new Set<string>();
  const objects = states.map(({ state, files, makers }) => {
    files.read.clear();
    const made = makers.filter(({ object }) => !unknown.has(objectKey(object))).flatMap((maker) => madeOf(maker, files));
    files.read.forEach((file) => read.add(file));
    return made.length === 0 ? state.objects : [...state.objects, ...made];
  });
  const makers = new Set(states.flatMap((one) => one.makers.map(({ object }) => objectKey(object))).filter((key) => !unknown.has(key)));
  return { objects, makers, files: read };
}

/** The objects that controllers make of those of a state, as far as they are known. */
export function madeObjects(state: ManifestState): ReadObject[] {
  const files = new StateFiles(state);
  return makersIn(state).flatMap((read) => madeOf(read, files));
}

function makersIn({ objects }: ManifestState): readonly ReadObject[] {
  return objects.filter((read) => !read.pack && makerOf(read));
}

function madeOf(read: ReadObject, files: StateFiles): ReadObject[] {
  return (makerOf(read)!(read.object, files) ?? []).map((object) => ({ ...read, object }));
}

/** Finds the objects that a controller makes of an object. */
function makerOf({ object }: ReadObject): ((object: ManifestObject, files: RepositoryFiles) => readonly ManifestObject[] | undefined) | undefined {
  const kind = groupKind(object);
  return providers().map(({ makes }) => makes?.[kind]).find((make) => make !== undefined);
}

/** Files of a state, found when they are asked for. */
class StateFiles implements RepositoryFiles {
  /** Files whose contents were asked for. */
  public readonly read = new Set<string>();
  private known?: { readonly folders: ReadonlySet<string>; readonly contents: ReadonlyMap<string, readonly unknown[]> };

  public constructor(private readonly state: ManifestState) {}

  public get places(): readonly string[] {
    return placesInRepository(this.state).map((parts) => parts.join('/'));
  }

  public get folders(): ReadonlySet<string> {
    return this.found().folders;
  }

  public get others(): ReadonlySet<string> {
    return new Set(this.found().contents.keys());
  }

  public readonly contentOf = (file: string): readonly unknown[] => {
    this.read.add(file);
    return this.found().contents.get(file) ?? [];
  };

  private found(): NonNullable<StateFiles['known']> {
    if (this.known) return this.known;
    const { objects, unread = [], kustomizations = [], inputs = new Map<string, string>(), files = [] } = this.state;
    const paths = [...objects.map(({ place }) => place.file), ...[...unread, ...kustomizations].map(({ file }) => file), ...files];
    const folders = new Set<string>();
    for (const path of [...new Set(paths)].map((file) => pathWithin(this.state, file)).concat([...inputs.keys()])) {
      for (let end = path.lastIndexOf('/'); end > 0 && !folders.has(path.slice(0, end)); end = path.lastIndexOf('/', end - 1)) folders.add(path.slice(0, end));
    }
    const contents = new Map<string, unknown[]>();
    for (const { file, value } of unread) {
      const path = pathWithin(this.state, file);
      contents.set(path, [...contents.get(path) ?? [], value]);
    }
    return this.known = { folders, contents };
  }
}
