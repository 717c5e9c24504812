import { isKustomization, KustomizeRoles, ReadPaths } from './kustomize-lists';
import { Place, Remark } from './place';
import { listedObjects } from '../manifests/manifest-list';
import { ManifestObject, objectName } from '../manifests/manifest-object';
import { decode, readText, ReadText, withoutText } from '../manifests/manifest-text';
import { packedManifests } from '../manifests/packed-manifests';
import { FieldPath, isFields } from '../values/fields';

/** Names of files with values, by the conventions of Helm and its users. */
const VALUES_FILE = /(^|[/.-])values\.(ya?ml|json)$/i;

/** An object, and where it stands. */
export interface ReadObject {
  readonly object: ManifestObject;
  readonly place: Place;

  /** The clusters or machines that it goes to out of an object that it is packed in. */
  readonly target?: string;

  /** The object that it is packed in. */
  readonly pack?: ManifestObject;

  /** The objects that deliver what it is packed in to clusters. */
  readonly deliveries?: readonly ManifestObject[];

  /** Where a field of it stands; where it would, if it is missing. */
  readonly placeOf: (field: FieldPath) => Place;
}

/** A file with manifests. */
export interface ManifestFile {
  /** Its path, as the user named it. */
  readonly file: string;
  readonly bytes: Buffer;
}

/** What files hold. */
export interface PlacedObjects {
  readonly objects: readonly ReadObject[];

  /** Patches of kustomize: objects by their form, of which only the fields that change are there. */
  readonly patches: readonly ReadObject[];

  /** What was not looked at, and why. */
  readonly notRead: readonly Remark[];

  /** What cannot be read. */
  readonly faults: readonly Remark[];
}

/**
 * Reads every object in files: each document, the items of lists, and manifests that objects carry packed.
 *
 * @param files the files
 */
export function placedObjects(files: readonly ManifestFile[]): PlacedObjects {
  return objectsIn(files, ({ bytes }) => textOf(bytes), readText);
}

/** Reads the states of files that are compared. */
export class StateReader {
  /** Two states share most of their files. */
  private readonly known = new WeakMap<ManifestFile, ReadText>();
  private readonly strings = new Map<string, string>();

  /**
   * Reads every object in files, and keeps no text: a field stands where its document does. A file that is in both states, as the same object,
   * is read once, and gives the same objects.
   *
   * @param files the files of one state
   */
  public read(files: readonly ManifestFile[]): PlacedObjects {
    return objectsIn(files, (file) => {
      const read = this.known.get(file) ?? withoutText(textOf(file.bytes), this.strings);
      this.known.set(file, read);
      return read;
    }, (text) => withoutText(readText(text), this.strings));
  }
}

function objectsIn(
  files: readonly ManifestFile[], readFile: (file: ManifestFile) => ReadText, readPacked: (text: string) => ReadText,
): PlacedObjects {
  const faults: Remark[] = [];
  const notRead: Remark[] = [];
  const paths = new ReadPaths(files.map(({ file }) => file));
  const roles = new KustomizeRoles();
  const all = files.flatMap((file) => objectsOf(readFile(file), { file: file.file }, faults, notRead, paths, roles));
  const plain = all.filter(({ place }) => roles.of(place.file) === undefined);
  const patches = all.filter(({ place }) => roles.of(place.file) === 'patch');
  const noResources = notRead.filter(({ place }) => roles.of(place.file) === undefined);

  const places = new Map(plain.map(({ object, place }) => [object, place]));
  const { texts, missing } = packedManifests([...places.keys()], (object) => places.get(object)!.file);
  const packed = texts.flatMap(({ object, where, text, target, deliveries }) => (
    objectsOf(readPacked(text), { ...places.get(object)!, inside: `${objectName(object)}, ${where}` }, faults, noResources, paths, roles)
      .map((read) => ({ ...read, target, pack: object, deliveries }))));
  noResources.push(...missing.map(({ object, message }) => ({ place: places.get(object)!, message })));
  return { objects: [...plain, ...packed], patches, notRead: noResources, faults };
}

function textOf(bytes: Buffer): ReadText {
  const decoded = decode(bytes);
  return 'text' in decoded ? readText(decoded.text) : { documents: [], faults: [{ message: decoded.fault }] };
}

function objectsOf(
  { documents, faults: broken }: ReadText, around: Place, faults: Remark[], notRead: Remark[], paths: ReadPaths, roles: KustomizeRoles,
): ReadObject[] {
  faults.push(...broken.map(({ line, message }) => ({ place: placeIn(around, line), message })));
  return documents.flatMap(({ line, value, lineOf }) => {
    const place = placeIn(around, line);
    return listedObjects(value).flatMap(({ object, within }) => {
      if (isFields(object) && isKustomization(object, around.file)) roles.add(object, around.file);
      if (paths.isPlainList(object, around.file)) return [];
      const fault = notManifest(object, around);
      if (fault !== undefined) notRead.push({ place, ...fault });
      const placeOf = (field: FieldPath) => placeIn(around, lineOf([...within, ...field]));
      return fault === undefined ? [{ object: object as ManifestObject, place, placeOf }] : [];
    });
  });
}

/** A line number inside a packed manifest is not one of the file, where the manifest may be folded or encoded. */
function placeIn(around: Place, line: number | undefined): Place {
  if (line === undefined) return around;
  return around.inside === undefined ? { ...around, line } : { ...around, inside: `${around.inside}, line ${line}` };
}

function notManifest(value: unknown, { file }: Place): Omit<Remark, 'place'> | undefined {
  if (isFields(value) && isKustomization(value, file)) return { message: 'is input of kustomize: read what "kustomize build" gives for this folder' };
  if (!isFields(value)) return { message: `holds no object but a ${Array.isArray(value) ? 'list' : typeof value}` };
  if (typeof value.kind !== 'string' || typeof value.apiVersion !== 'string') {
    if (Array.isArray(value.write_files)) return { message: 'is cloud-config of a machine: the files and programs that it writes are not looked at' };
    if (VALUES_FILE.test(file)) return { message: 'is no manifest but values of a chart: which chart that is, and which images it runs, does not stand here' };
    const [there, missing] = typeof value.kind === 'string' ? ['kind', 'apiVersion'] : ['apiVersion', 'kind'];
    if (typeof value[there] !== 'string') return { message: 'is no manifest: it has no apiVersion and kind' };
    return { message: `has ${there} ${JSON.stringify(value[there])} and no ${missing}: no server takes it`, isRefused: true };
  }
  return undefined;
}
