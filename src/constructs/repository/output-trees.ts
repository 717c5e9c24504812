import * as fs from 'node:fs';
import * as path from 'node:path';
import { FileLists, LISTS, readLists } from '../app/synth/tree/file-lists';
import { ofFileSystem } from '../app/synth/tree/tree-error';

/** Splits a path below an output into the tree that it is in, and the path below that. */
export function splitTree(file: string): readonly [tree: string, path: string] {
  const end = file.indexOf('/');
  return [file.slice(0, end), file.slice(end + 1)];
}

/** The trees of an output on disk that has one for each management cluster. */
export function treesOnDisk(outdir: string): string[] {
  if (!fs.existsSync(outdir)) return [];
  return ofFileSystem(() => fs.readdirSync(outdir).filter((name) => fs.existsSync(path.join(outdir, name, LISTS))).sort());
}

/** The lists of all trees of an output, with names and paths below the output. */
export function readTreeLists(outdir: string): FileLists {
  return new Map(treesOnDisk(outdir).flatMap((tree) => [...readLists(path.join(outdir, tree))].map(([name, files]) => [
    `${tree}/${name}`, new Map([...files].map(([file, hashes]) => [`${tree}/${file}`, hashes])),
  ])));
}

/** The lists of one tree, with names and paths below it. */
export function listsOfTree(lists: FileLists, tree: string): FileLists {
  const below = (file: string) => file.slice(tree.length + 1);
  return new Map([...lists].filter(([name]) => name.startsWith(`${tree}/`)).map(([name, files]) => [
    below(name), new Map([...files].map(([file, hashes]) => [below(file), hashes])),
  ]));
}
