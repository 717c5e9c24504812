import * as path from 'node:path';
import { kustomizationFault } from './kustomization-form';
import { isKustomization, isKustomizationFile, Kustomization, KustomizeRoles, KustomizeTree, ReadPaths } from './kustomize-lists';
import { isJsonnet } from './manifest-file-names';
import { Place, Remark } from './place';
import { ForeignText, foreignText } from '../objects/foreign-text';
import { listedObjects } from '../objects/manifest-list';
import { ManifestObject, objectName } from '../objects/manifest-object';
import { decode, readText, ReadText, readWithoutText, TextFault } from '../objects/manifest-text';
import { isTest, isTestStep, isValuesFile, OtherContent, otherContent } from '../objects/other-files';
import { packedManifests } from '../objects/packed-manifests';
import { registerProviders } from '../systems/providers';
import { isComponentRelease } from '../validation/installed-components';
import { FieldPath, Fields, isFields, listAt } from '../values/fields';

/** Names of patches and of their folders, by the convention of kustomize. */
const PATCH_FILE = /(^|\/)patches\/|[_-]patch\.ya?ml$|(^|\/)patch[_-][^/]*\.ya?ml$/;

/** True if a file is a patch of kustomize by its name. */
export function isPatchFile(file: string): boolean {
  return PATCH_FILE.test(file);
}

/** The file that a folder is a Helm chart by. */
const CHART_FILE = /(^|[\\/])Chart\.ya?ml$/;

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

  /**
   * The objects that apply the file that it is in.
   *
   * @default - not looked for
   */
  readonly appliers?: readonly ManifestObject[];

  /** Finds the place of a field; of a missing one, the place where it would be. */
  readonly placeOf: (field: FieldPath) => Place;
}

/** A file with manifests. */
export interface ManifestFile {
  /** Its path, as the user named it. */
  readonly file: string;
  readonly bytes: Buffer;
}

/** Something in a file that is not applied as it stands there. */
export interface UnreadValue {
  readonly file: string;

  /** Kind of the value, in words. */
  readonly what: string;
  readonly value: unknown;

  /** True if nothing of it is applied because of that. */
  readonly fails?: true;

  /** True if no cluster is made of it, unless a kustomization or a chart reads it. */
  readonly isTooling?: boolean;
}

/** Content of files. */
export interface PlacedObjects {
  readonly objects: readonly ReadObject[];

  /** Values beside the objects, apart from kustomizations that do nothing but list other files. */
  readonly unread: readonly UnreadValue[];
  readonly kustomizations: readonly Kustomization[];

  /** Folders of Helm charts. */
  readonly charts: readonly string[];

  /** Patches of kustomize: objects by their form, of which only the fields that change are there. */
  readonly patches: readonly ReadObject[];

  /** Files and documents that were not read, with the reason. */
  readonly notRead: readonly Remark[];

  /** Files and documents that cannot be read. */
  readonly faults: readonly Remark[];
}

/**
 * Reads every object in files: each document, the items of lists, and manifests that objects carry packed.
 *
 * @param files the files
 */
export function placedObjects(files: readonly ManifestFile[]): PlacedObjects {
  return new FileReader().read(files);
}

/** Reads files whose texts are kept: one that is read once more gives the same objects. */
export class FileReader {
  private readonly known = new WeakMap<ManifestFile, ReadText>();

  /**
   * Reads every object in files.
   *
   * @param files the files
   */
  public read(files: readonly ManifestFile[]): PlacedObjects {
    return objectsIn(files, files, (file) => {
      const read = this.known.get(file) ?? textOf(file.bytes);
      this.known.set(file, read);
      return read;
    }, readText);
  }
}

/** Objects as a file without a name, for readers of files. */
export function fileOf(objects: readonly unknown[]): ManifestFile {
  return { file: '', bytes: Buffer.from(objects.flat(Infinity).map((object) => JSON.stringify(object)).join('\n---\n')) };
}

/** Reads the states of files that are compared. */
export class StateReader {
  /** Two states share most of their files. */
  private readonly known = new Map<ManifestFile, ReadText>();
  private readonly strings = new Map<string, string>();
  private readonly readWithout = (text: string): ReadText => readWithoutText(text, this.strings);

  /**
   * Reads every object in files, and keeps no text: a field stands where its document does. A file that is in both states, as the same object,
   * is read once, and gives the same objects.
   *
   * @param files the files of one state
   * @param all all files of the state, where others are left out
   */
  public read(files: readonly ManifestFile[], all = files): PlacedObjects {
    return objectsIn(files, all, (file) => {
      const read = this.known.get(file) ?? textOf(file.bytes, this.readWithout);
      this.known.set(file, read);
      return read;
    }, this.readWithout);
  }
}

function objectsIn(
  files: readonly ManifestFile[], all: readonly ManifestFile[], readFile: (file: ManifestFile) => ReadText, readPacked: (text: string) => ReadText,
): PlacedObjects {
  const faults: Remark[] = [];
  const notRead: Remark[] = [];
  const unread: UnreadValue[] = [];
  const kustomizations: Kustomization[] = [];
  const paths = ReadPaths.of(all);
  const roles = new KustomizeRoles();
  const tests = new Set(files.flatMap(({ file }) => (isTestStep(file) ? [path.dirname(file)] : [])));
  const found: Found = { faults, notRead, unread, kustomizations, paths, roles, tests };
  const charts = files.flatMap(({ file }) => (CHART_FILE.test(file) ? [path.dirname(file)] : []));
  const isInChart = (file: string, ...below: string[]) => charts.some((chart) => file.startsWith(path.join(chart, ...below, '_').slice(0, -1)));
  const placed = files.flatMap((file) => {
    if (isJsonnet(file.file)) {
      notRead.push({ place: { file: file.file }, message: 'is a file of jsonnet: read what jsonnet gives for it' });
      unread.push({ file: file.file, what: 'file of jsonnet', value: file.bytes.toString('utf8') });
      return [];
    }
    const read = readFile(file);
    const isTemplate = isInChart(file.file, 'templates') ? file.bytes.includes('{{') : read.faults.length > 0 && isInChart(file.file);
    if (!isTemplate) return objectsOf(withForeign(read, file), { file: file.file }, found);
    notRead.push({ place: { file: file.file }, message: 'is a template of a chart: read what "helm template" gives for it' });
    unread.push({ file: file.file, what: 'template of a chart', value: file.bytes.toString('utf8') });
    return [];
  });
  let tree: KustomizeTree | undefined;
  // kubebuilder writes patches whose entries in the list are commented out, and scripts apply others.
  const isLeftOut = (file: string) => kustomizations.length > 0 && (tree ??= new KustomizeTree(kustomizations)).appliersOf(file).size === 0;
  const isStep = (file: string) => found.tests.size > 0 && found.tests.has(path.dirname(file));
  const roleOf = (file: string) => (
    roles.of(file) ?? (isPatchFile(file) && isLeftOut(file) ? 'patch' : undefined) ?? (isStep(file) ? 'step of a test' : undefined));
  const plain = placed.filter(({ place }) => roleOf(place.file) === undefined);
  const patches = placed.filter(({ place }) => roleOf(place.file) === 'patch');
  const noResources = notRead.filter(({ place }) => roleOf(place.file) === undefined);
  const leftOut = new Set(patches.map(({ place }) => place.file).filter((file) => roles.of(file) === undefined));
  noResources.push(...[...leftOut].map((file) => ({ place: { file }, message: 'is a patch by its name that no kustomization lists: it is not read as manifests' })));
  const besides = [...unread, ...placed.flatMap(({ object, place: { file } }) => (roleOf(file) === undefined ? [] : [{ file, what: '', value: object }]))]
    .map((one) => (roleOf(one.file) === undefined ? one : { file: one.file, what: whatOf(roleOf(one.file)!), value: one.value }));

  const places = new Map(plain.map(({ object, place }) => [object, place]));
  registerProviders();
  const { texts, missing } = packedManifests([...places.keys()], (object) => places.get(object)!.file);
  const packed = texts.flatMap(({ object, where, text, target, deliveries }) => (
    objectsOf(readPacked(text), { ...places.get(object)!, inside: `${objectName(object)}, ${where}` }, { ...found, notRead: noResources })
      .map((read) => ({ ...read, target, pack: object, deliveries }))));
  noResources.push(...missing.map(({ object, message }) => ({ place: places.get(object)!, message })));
  return { objects: [...plain, ...packed], unread: besides, kustomizations, charts, patches, notRead: noResources, faults };
}

/** The nature of a file that is no resource, by its role. */
function whatOf(role: string): string {
  return role === 'step of a test' ? role : `${role} of kustomize`;
}

/** A text whose faults say what it is instead of a manifest. */
function withForeign({ documents, faults }: ReadText, file: ManifestFile): PlaceableText {
  if (faults.length === 0) return { documents, faults };
  const decoded = decode(file.bytes);
  const foreign: ForeignText | undefined = isValuesFile(file.file) ? { mayHoldObjects: false } : 'text' in decoded ? foreignText(decoded.text) : undefined;
  return { documents, faults: foreign ? [{ ...faults[0], ...(foreign.message !== undefined && { message: foreign.message }), foreign }] : faults };
}

/** Documents, and faults that may be none of a manifest. */
interface PlaceableText extends ReadText {
  readonly faults: readonly (TextFault & Pick<Remark, 'foreign'>)[];
}

/** Contents of files that are no objects. */
interface Found {
  readonly faults: Remark[];
  readonly notRead: Remark[];
  readonly unread: UnreadValue[];
  readonly kustomizations: Kustomization[];
  readonly paths: ReadPaths;
  readonly roles: KustomizeRoles;

  /** Folders of tests. */
  readonly tests: Set<string>;
}

function textOf(bytes: Buffer, read = readText): ReadText {
  const decoded = decode(bytes);
  return 'text' in decoded ? read(decoded.text) : { documents: [], faults: [{ message: decoded.fault }] };
}

function objectsOf(
  { documents, faults: broken }: PlaceableText, around: Place, { faults, notRead, unread, kustomizations, paths, roles, tests }: Found,
): ReadObject[] {
  faults.push(...broken.map(({ line, message, foreign }) => ({ place: placeIn(around, line), message, foreign })));
  return documents.flatMap(({ line, value, lineOf }) => {
    const place = placeIn(around, line);
    return listedObjects(value).flatMap(({ object, within }) => {
      const isPlain = paths.isPlainList(object, around.file);
      let isListed = isPlain;
      if (isFields(object) && isKustomization(object, around.file)) {
        roles.add(object, around.file);
        const { namespace, ...listing } = object;
        // An object that two kustomizations list is there once for each namespace.
        const fetched = listAt(listing, 'resources').filter(isComponentRelease);
        const rest = fetched.length === 0 ? listing : { ...listing, resources: listAt(listing, 'resources').filter((entry) => !fetched.includes(entry)) };
        isListed = paths.isPlainList(rest, around.file, typeof namespace === 'string');
        if (around.inside === undefined && isKustomizationFile(around.file)) {
          kustomizations.push({ file: around.file, value: object, isPlain: isListed });
        }
      }
      if (isTest(object)) tests.add(path.dirname(around.file));
      if (isPlain) return [];
      const fault = notManifest(object, around);
      const placeOf = (field: FieldPath) => placeIn(around, lineOf([...within, ...field]));
      if (fault === undefined) return [{ object: object as ManifestObject, place, placeOf }];
      const { what, isTooling, ...remark } = fault;
      notRead.push({ place, ...remark });
      // An object that it is packed in differs with it.
      if (around.inside === undefined && !isListed) unread.push({ file: around.file, what, value: object, isTooling });
      return isFields(object) && listAt(object, 'resources').some(isComponentRelease) ? [{ object: withKind(object), place, placeOf }] : [];
    });
  });
}

/** A kustomization with the apiVersion and kind that it may leave out (kubernetes-sigs/kustomize api/types/kustomization.go). */
function withKind(kustomization: Fields): ManifestObject {
  return { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...kustomization };
}

/** A line number inside a packed manifest is not one of the file, where the manifest may be folded or encoded. */
function placeIn(around: Place, line: number | undefined): Place {
  if (line === undefined) return around;
  return around.inside === undefined ? { ...around, line } : { ...around, inside: `${around.inside}, line ${line}` };
}

/** Description of a value that is no manifest, and the same as a remark. */
function notManifest(value: unknown, { file }: Place): (OtherContent & Pick<Remark, 'isUnreadable'>) | undefined {
  if (isFields(value) && isKustomization(value, file)) {
    const fault = kustomizationFault(value);
    return fault === undefined
      ? { what: 'input of kustomize', message: 'is input of kustomize: read what "kustomize build" gives for this folder' }
      : { what: 'input of kustomize', message: `is input of kustomize that it cannot read: ${fault}`, isUnreadable: true };
  }
  return otherContent(value, file);
}
