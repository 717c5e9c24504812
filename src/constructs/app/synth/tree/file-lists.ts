import * as fs from 'node:fs';
import * as path from 'node:path';
import { ofFileSystem, TreeError } from './tree-error';
import { pathFault } from './tree-paths';
import { OWN_FOLDER } from '../../../../manifests/objects/own-folder';
import { Rule } from '../../../../manifests/values/problem';

/** Folder of the lists. No extension in it is one that kustomize, Flux, or a directory source of Argo CD reads. */
export const LISTS = `${OWN_FOLDER}/files`;
const EXTENSION = '.sha256';

/** The one list of earlier versions. */
const FORMER_LIST = `${OWN_FOLDER}/files.sha256`;

/** A line of `sha256sum`, or a path without a hash. */
const LINE = /^([0-9a-f]{64}|-) [ *](.+)$/;

/** The lines that Git writes around both sides of a conflict. */
const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?$/;

/** Name of the list of the files at the top of an output. */
export const TOP = 'top';

/** In place of a hash: the file may have any content. */
export const ANY_CONTENT = '-';

/** Hashes of the content of files by path. A path has two after a merge, or after a synthesis that was killed. */
export type FileList = ReadonlyMap<string, ReadonlySet<string>>;

/** The lists of an output, by name. */
export type FileLists = ReadonlyMap<string, FileList>;

/** The path of a list below the output. */
export function listPath(name: string): string {
  return `${LISTS}/${name}${EXTENSION}`;
}

/** True if a path below the output is that of a list. */
export function isListPath(file: string): boolean {
  return file.startsWith(`${LISTS}/`) && file.endsWith(EXTENSION);
}

/** The name of the list that has a path below the output. */
export function listName(file: string): string {
  return file.slice(LISTS.length + 1, -EXTENSION.length);
}

const INDEX_RULE: Rule = {
  id: 'TC-OUTPUT-INDEX',
  title: 'The lists of the files that synthesis has written must be valid.',
};

/**
 * Reads which files synthesis has written.
 *
 * @param outdir the output
 */
export function readLists(outdir: string): FileLists {
  if (fs.existsSync(path.join(outdir, FORMER_LIST))) {
    throw new TreeError([{
      rule: INDEX_RULE,
      message: `${path.join(outdir, FORMER_LIST)} was written by an earlier version, which had one list for all files`,
      fix: `remove ${OWN_FOLDER} and the generated files, then synthesize`,
    }]);
  }
  const folder = path.join(outdir, LISTS);
  if (!fs.existsSync(folder)) return new Map();
  const files = ofFileSystem(() => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(EXTENSION)).map((file) => (
    { name: file.slice(0, -EXTENSION.length).replaceAll(path.sep, '/'), place: path.join(folder, file), text: fs.readFileSync(path.join(folder, file), 'utf8') })));
  return new Map(files.map(({ name, place, text }) => [name, parseList(text, place)]));
}

/** The files of several lists. */
export function union(...lists: readonly FileList[]): FileList {
  const all = new Map<string, Set<string>>();
  for (const list of lists) list.forEach((hashes, file) => all.set(file, new Set([...all.get(file) ?? [], ...hashes])));
  return all;
}

/** The content of a list: sorted lines, so that changes of different files merge. */
export function listText(list: FileList): string {
  return [...list].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([file, hashes]) => [...hashes].map((hash) => `${hash}  ${file}\n`)).join('');
}

/**
 * Reads a list.
 *
 * @param text its content
 * @param place where it is, for errors
 */
export function parseList(text: string, place: string): FileList {
  const list = new Map<string, Set<string>>();
  text.split(/\r?\n/).forEach((line, index) => {
    if (line === '' || CONFLICT.test(line)) return;
    const [, hash, file] = LINE.exec(line) ?? [];
    if (file === undefined || pathFault(file) !== undefined) {
      throw new TreeError([{
        rule: INDEX_RULE,
        message: `${place}:${index + 1}: ${JSON.stringify(line)} is not a hash and a path`,
        fix: 'restore the list from the repository',
      }]);
    }
    list.set(file, new Set([...list.get(file) ?? [], hash]));
  });
  return list;
}
