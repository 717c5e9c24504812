import { hash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { CommittedFile, CommittedFolder } from '../../manifests/objects/git/committed-folder';
import { GIT_RULES } from '../../manifests/objects/git/rules';
import { OWN_FOLDER } from '../../manifests/objects/own-folder';
import { makeFolder } from '../../manifests/values/make-folder';
import { Problem, Rule } from '../../manifests/values/problem';
import { ANY_CONTENT, FileLists, isListPath, listName, LISTS, parseList, readLists } from '../app/synth/tree/file-lists';
import { ofFileSystem } from '../app/synth/tree/tree-error';

/** Splits a path below an output into the tree that it is in, and the path below that. */
export function splitTree(file: string): readonly [tree: string, path: string] {
  const end = file.indexOf('/');
  return [file.slice(0, end), file.slice(end + 1)];
}

/** The trees of an output on disk that has one for each management cluster. */
function treesOnDisk(outdir: string): string[] {
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

/** The output of an earlier synthesis. */
export interface FormerOutput {
  /** The files that it wrote, by list. */
  lists(): FileLists;

  /** True if it wrote a file with this content. */
  holds(file: string, content: string): boolean;

  /** The content of the files that exist. */
  read(files: readonly string[]): Iterable<readonly [file: string, content: Buffer]>;
}

/**
 * The output as a commit has it; undefined if the commit has no output of a synthesis.
 *
 * @param committed the output
 * @param trees true if the output has a tree for each management cluster
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

/** The output on disk; undefined if it has no output of a synthesis. */
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

const EXECUTABLE = 0o755;
const NOT_EXECUTABLE = 0o644;

const EMPTIED_RULE: Rule = {
  id: 'TC-GITOPS-EMPTIED',
  title: 'The output must not be removed before synthesis: files that are not committed are lost.',
  source: 'cdk8s-team/cdk8s-cli src/cli/cmds/synth.ts (fs.rmSync)',
  warning: true,
};

/**
 * Restores an output that was emptied from the last commit. `cdk8s synth` removes the output before it runs the program, with the lists of
 * written files, the files of others, and the clusters that are no longer in the code.
 *
 * @param outdir the output
 * @param committed its last commit
 * @param trees true if it has a tree for each management cluster
 * @returns warnings that it was emptied, and about submodules that were not restored
 */
export function restoreEmptied(outdir: string, committed: CommittedFolder, trees: boolean): Problem[] {
  const isOwn = (file: string) => file.startsWith(`${OWN_FOLDER}/`);
  // An output that has the folder of the lists was not emptied: files that are missing there were removed on purpose.
  if (fs.existsSync(path.join(outdir, OWN_FOLDER)) || (trees && treesOnDisk(outdir).length > 0)) return [];
  if (!committed.paths.some((file) => isOwn(file) || (trees && isOwn(splitTree(file)[1])))) return [];
  ofFileSystem(() => {
    for (const [file, content] of committed.read(committed.paths)) restore(path.join(outdir, file), content);
  });
  const submodules = committed.submodules.filter((folder) => !fs.existsSync(path.join(outdir, folder)));
  return [{
    rule: EMPTIED_RULE,
    message: `${outdir} was removed before the program ran, as by "cdk8s synth"; the last commit was restored, and files in it that were not committed are lost`,
    fix: 'run the program itself, e.g. by "npm run synth" with the script "tsx main.ts && cdk8s-cluster-api validate"',
  }, ...submodules.map((folder) => ({
    rule: GIT_RULES.submodule,
    message: `${folder} in the output is a submodule, which was removed with the output`,
    fix: 'restore it with "git submodule update", and keep it outside of the output',
  }))];
}

function restore(file: string, { content, executable, link }: CommittedFile): void {
  if (fs.lstatSync(file, { throwIfNoEntry: false })) return;
  makeFolder(path.dirname(file));
  if (link) fs.symlinkSync(content.toString(), file);
  else fs.writeFileSync(file, content, { mode: executable ? EXECUTABLE : NOT_EXECUTABLE });
}
