import * as path from 'node:path';
import { ManifestFile, readFiles } from './manifest-files';
import { decode, ReadText, readText } from './manifest-text';
import { packedManifests } from './packed-manifests';
import { Finding, findingText, Place } from './place';
import { isFields, ManifestObject, objectName } from '../../images/manifest-object';
import { listedObjects } from '../../validation/manifests/manifest-list';
import { FieldPath } from '../../validation/manifests/manifest-rule';
import { CommandError } from '../command';
import { Surroundings } from '../surroundings';

/** How files of values are called, by Helm and by whoever installs charts with it. */
const VALUES_FILE = /(^|[/.-])values\.(ya?ml|json)$/i;

/** An object, and where it stands. */
export interface ReadObject {
  readonly object: ManifestObject;
  readonly place: Place;

  /** Where a field of it stands; where it would, if it is missing. */
  readonly placeOf: (field: FieldPath) => Place;
}

/** What files and folders hold. */
export interface Manifests {
  readonly objects: readonly ReadObject[];

  /** Absolute paths of the folders that the files are in, with `/` between their parts. */
  readonly folders: readonly string[];

  /** What was not looked at, and why. */
  readonly notRead: readonly Finding[];
}

/**
 * Reads every object in files and folders: each document, the items of lists, and manifests that objects carry packed. Throws a
 * `CommandError` that names everything that cannot be read.
 *
 * @param paths files, folders, and `-` for standard input
 */
export async function readManifests(paths: readonly string[], surroundings: Surroundings): Promise<Manifests> {
  const faults: Finding[] = [];
  const notRead: Finding[] = [];
  const files = await readFiles(paths, surroundings);
  const plain = files.flatMap((file) => objectsOf(textOf(file), { file: file.file }, faults, notRead));

  const places = new Map(plain.map(({ object, place }) => [object, place]));
  const { texts, missing } = packedManifests([...places.keys()]);
  const packed = texts.flatMap(({ object, where, text }) => (
    objectsOf(readText(text), { ...places.get(object)!, inside: `${objectName(object)}, ${where}` }, faults, notRead)));
  notRead.push(...missing.map(({ object, message }) => ({ place: places.get(object)!, message })));

  if (faults.length > 0) throw new CommandError(faults.map(findingText), 'nothing was done, because the rest alone would give a wrong picture');
  const folders = files.map(({ file }) => path.dirname(path.resolve(surroundings.cwd, file)).split(path.sep).join('/'));
  return { objects: [...plain, ...packed], folders: [...new Set(folders)], notRead };
}

function textOf({ bytes }: ManifestFile): ReadText {
  const decoded = decode(bytes);
  return 'text' in decoded ? readText(decoded.text) : { documents: [], faults: [{ message: decoded.fault }] };
}

function objectsOf({ documents, faults: broken }: ReadText, around: Place, faults: Finding[], notRead: Finding[]): ReadObject[] {
  faults.push(...broken.map(({ line, message }) => ({ place: placeIn(around, line), message })));
  return documents.flatMap(({ line, value, lineOf }) => {
    const place = placeIn(around, line);
    return listedObjects(value).flatMap(({ object, within }) => {
      const fault = notManifest(object, around);
      if (fault !== undefined) notRead.push({ place, message: fault });
      const placeOf = (field: FieldPath) => placeIn(around, lineOf([...within, ...field]));
      return fault === undefined ? [{ object: object as ManifestObject, place, placeOf }] : [];
    });
  });
}

/** A line of packed text does not count in the file: the text may be folded there, or encoded. */
function placeIn(around: Place, line: number | undefined): Place {
  if (line === undefined) return around;
  return around.inside === undefined ? { ...around, line } : { ...around, inside: `${around.inside}, line ${line}` };
}

function notManifest(value: unknown, { file }: Place): string | undefined {
  if (!isFields(value)) return `holds no object but ${Array.isArray(value) ? 'a list' : `the ${typeof value} ${JSON.stringify(value)?.slice(0, 40)}`}`;
  if (typeof value.kind !== 'string' || typeof value.apiVersion !== 'string') {
    if (Array.isArray(value.write_files)) return 'is cloud-config of a machine: the files and programs that it writes are not looked at';
    if (VALUES_FILE.test(file)) return 'is no manifest but values of a chart: which chart that is, and which images it runs, does not stand here';
    const [there, missing] = typeof value.kind === 'string' ? ['kind', 'apiVersion'] : ['apiVersion', 'kind'];
    return typeof value[there] === 'string' ? `has ${there} ${JSON.stringify(value[there])} and no ${missing}: no server takes it` : 'is no manifest: it has no apiVersion and kind';
  }
  return value.apiVersion.startsWith('kustomize.config.k8s.io/') ? 'is input of kustomize: read what "kustomize build" gives for this folder' : undefined;
}
