import * as path from 'node:path';
import { ManifestFile, readFiles } from './manifest-files';
import { decode, ReadText, readText } from './manifest-text';
import { objectName } from './object-name';
import { packedManifests } from './packed-manifests';
import { Finding, findingText, Place } from './place';
import { isFields, ManifestObject } from '../../images/manifest-object';
import { CommandError } from '../command';
import { Surroundings } from '../surroundings';

/** An object, and where it stands. */
export interface ReadObject {
  readonly object: ManifestObject;
  readonly place: Place;
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
  return documents.flatMap(({ line, value }) => {
    const place = placeIn(around, line);
    return flatten(value).flatMap((object) => {
      const fault = notManifest(object);
      if (fault !== undefined) notRead.push({ place, message: fault });
      return fault === undefined ? [{ object: object as ManifestObject, place }] : [];
    });
  });
}

/** A line of packed text does not count in the file: the text may be folded there, or encoded. */
function placeIn(around: Place, line: number | undefined): Place {
  if (line === undefined) return around;
  return around.inside === undefined ? { ...around, line } : { ...around, inside: `${around.inside}, line ${line}` };
}

/** The items of a list, which in a list of one kind need not say what they are; everything else as it is. */
function flatten(value: unknown): unknown[] {
  if (!isFields(value) || typeof value.kind !== 'string' || !value.kind.endsWith('List') || !Array.isArray(value.items)) return [value];
  const own = value.kind === 'List' ? {} : { apiVersion: value.apiVersion, kind: value.kind.slice(0, -'List'.length) };
  return value.items.flatMap((item: unknown) => flatten(isFields(item) ? { ...own, ...item } : item));
}

function notManifest(value: unknown): string | undefined {
  if (!isFields(value)) return `holds no object but ${Array.isArray(value) ? 'a list' : `the ${typeof value} ${JSON.stringify(value)?.slice(0, 40)}`}`;
  if (typeof value.kind !== 'string' || typeof value.apiVersion !== 'string') return 'is no manifest: it has no apiVersion and kind';
  return value.apiVersion.startsWith('kustomize.config.k8s.io/') ? 'is input of kustomize: read what "kustomize build" gives for this folder' : undefined;
}
