import { hash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { splitTree } from './output-trees';
import { CommittedFolder } from '../../manifests/objects/git/committed-folder';
import { ANY_CONTENT, FileLists, isListPath, listName, parseList } from '../app/synth/tree/file-lists';

/** What an earlier synthesis wrote to an output. */
export interface FormerOutput {
  /** The files that it wrote, by list. */
  lists(): FileLists;

  /** True if it wrote a file with this content. */
  holds(file: string, content: string): boolean;

  /** The content of files; those that there are not are left out. */
  read(files: readonly string[]): Iterable<readonly [file: string, content: Buffer]>;
}

/**
 * The output as a commit has it; undefined if the commit has no output of a synthesis.
 *
 * @param committed the output
 * @param trees whether the output has a tree for each management cluster
 */
export function committedOutput(committed: CommittedFolder, trees: boolean): FormerOutput | undefined {
  const lists = committed.paths.filter((file) => isListPath(trees ? splitTree(file)[1] : file));
  if (lists.length === 0) return undefined;
  return {
    lists: () => new Map([...committed.read(lists)].map(([file, { content }]) => {
      const files = parseList(content.toString(), file);
      if (!trees) return [listName(file), files];
      const [tree, list] = splitTree(file);
      return [`${tree}/${listName(list)}`, new Map([...files].map(([below, hashes]) => [`${tree}/${below}`, hashes]))];
    })),
    holds: (file, content) => committed.holds(file, content),
    * read(files) {
      for (const [file, { content, link }] of committed.read(files)) if (!link) yield [file, content];
    },
  };
}

/** What is on disk of an output; undefined if it has no output of a synthesis. */
export function outputOnDisk(outdir: string, lists: FileLists): FormerOutput | undefined {
  if (lists.size === 0) return undefined;
  const hashes = new Map([...lists.values()].flatMap((list) => [...list]));
  return {
    lists: () => lists,
    holds: (file, content) => {
      const known = hashes.get(file);
      // After a merge, a path has the hashes of both sides.
      return known?.size === 1 && !known.has(ANY_CONTENT) && known.has(hash('sha256', content));
    },
    * read(files) {
      for (const file of files) {
        const place = path.join(outdir, file);
        if (hashes.has(file) && fs.statSync(place, { throwIfNoEntry: false })?.isFile()) yield [file, fs.readFileSync(place)];
      }
    },
  };
}
