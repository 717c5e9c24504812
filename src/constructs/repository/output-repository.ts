import * as os from 'node:os';
import * as path from 'node:path';
import { splitTree } from './former-output';
import { ignoredPaths, IgnoreLine, pathInSuperproject } from '../../manifests/objects/git/repository-paths';
import { placeInWorkTree, WorkTreePlace } from '../../manifests/objects/git/work-tree';
import { Problem, Rule } from '../../manifests/values/problem';
import { listPath } from '../app/synth/tree/file-lists';
import { TreeError } from '../app/synth/tree/tree-error';
import { TreeFile } from '../app/synth/tree/write-tree';
import { CheckOutputPath, checkPath, plainPath } from '../contracts/delivery/manifest-folder';

const ELSEWHERE = 'if CI copies the output to where the tool reads it, set publishedElsewhere: true';

/**
 * Returns a check that compares paths of the repository with the place of an output there.
 *
 * @param outdir the output
 */
export function outputPathCheck(outdir: string): CheckOutputPath {
  let check: CheckOutputPath | undefined;
  // Git is asked for the place only if there is a path to compare.
  return (property, read) => (check ??= placeCheck(outdir))(property, read);
}

function placeCheck(outdir: string): CheckOutputPath {
  const place = placeInWorkTree(outdir);
  if (!place) return isTemporary(outdir) ? () => [] : (property, read) => checkNames(outdir, property, plainPath(read));
  // Another warning reports an output that Git ignores; in tests it may be anywhere.
  const file = [place.within, 'file.yaml'].filter((name) => name !== '').join('/');
  if (ignoredPaths(place.top, [file]).size > 0) return () => [];
  // The rules of the tool report what it refuses.
  return (property, read) => (checkPath(read) === undefined ? checkPlace(place, property, plainPath(read)) : []);
}

const PATH_RULE: Rule = {
  id: 'TC-GITOPS-PATH',
  title: 'The path at which a GitOps tool reads the output must be the place of the output in its Git repository.',
  source: 'fluxcd/kustomize-controller docs/spec/v1/kustomizations.md (path), argoproj/argo-cd docs/operator-manual/application.yaml (path)',
};

function checkPlace(place: WorkTreePlace, property: string, read: string): Problem[] {
  const { top, within: at } = place;
  if (read === at) return [];
  const outer = pathInSuperproject(place);
  if (read === outer) return [];
  const where = outer === undefined ? 'its repository' : `the submodule ${top}`;
  const around = outer === undefined ? '' : `, or path: '${outer}' if the tool reads the repository around with its submodules`;
  return [{
    rule: PATH_RULE,
    property,
    message: `${shown(read)} is read, and the output is ${shown(at)} of ${where}`,
    fix: `${rightPath(at)}${around}; ${ELSEWHERE}`,
  }];
}

function rightPath(at: string): string {
  if (at === '') return 'leave path out';
  return checkPath(at) === undefined ? `write path: '${at}'` : 'rename the folders of the output to letters, digits, ".", "_" and "-", and write its path';
}

const PATH_OUTSIDE_RULE: Rule = {
  id: 'TC-GITOPS-PATH-OUTSIDE',
  title: 'Outside of a Git repository, the path at which a GitOps tool reads the output must end like the path of the output folder.',
  warning: true,
};

/** Compares a path with the names of the last folders of an output that is in no repository. */
function checkNames(outdir: string, property: string, read: string): Problem[] {
  const names = path.resolve(outdir).split(path.sep).join('/');
  return checkPath(read) !== undefined || read === '' || names.endsWith(`/${read}`) ? [] : [{
    rule: PATH_OUTSIDE_RULE,
    property,
    message: `${shown(read)} is read, and the output is ${path.resolve(outdir)}, which is in no Git repository`,
    fix: `write the path that the output will have below the top of its repository; ${ELSEWHERE}`,
  }];
}

/** True if a folder is temporary, as in tests. */
function isTemporary(folder: string): boolean {
  return `${path.resolve(folder)}${path.sep}`.startsWith(`${path.resolve(os.tmpdir())}${path.sep}`);
}

function shown(folder: string): string {
  return folder === '' ? 'the top' : JSON.stringify(folder);
}

const FIX = 'remove or narrow that line';

/**
 * Passes on the files of an output, then checks that Git ignores none of them.
 *
 * @param outdir the output
 * @param trees true if it has a tree for each management cluster
 * @param files the files
 * @param warn gets a warning for each line that ignores files
 * @throws TreeError if lists of files are ignored, and the files are not
 */
export function* withIgnoredFiles(outdir: string, trees: boolean, files: Iterable<TreeFile>, warn: (problem: Problem) => void): Generator<TreeFile> {
  const paths = new Set<string>();
  const lists = new Set<string>();
  for (const file of files) {
    paths.add(file.path);
    lists.add(file.list);
    yield file;
  }
  const listPaths = [...lists].map((list) => {
    if (!trees) return listPath(list);
    const [tree, below] = splitTree(list);
    return `${tree}/${listPath(below)}`;
  });
  const problems = ignoredFiles(outdir, [...paths], listPaths);
  const refused = problems.filter(({ rule }) => !rule.warning);
  if (refused.length > 0) throw new TreeError(refused);
  problems.forEach(warn);
}

const IGNORED_RULE: Rule = {
  id: 'TC-GITOPS-IGNORED',
  title: 'Files that a GitOps tool reads from Git must not be ignored by Git: no commit would have them.',
  source: 'git-scm.com/docs/gitignore',
  warning: true,
};

const LISTS_IGNORED_RULE: Rule = {
  id: 'TC-GITOPS-LISTS-IGNORED',
  title: 'Git must not ignore the lists of written files: without them, synthesis does not know which clusters live.',
  source: 'git-scm.com/docs/gitignore',
};

function ignoredFiles(outdir: string, files: readonly string[], lists: readonly string[]): Problem[] {
  const place = placeInWorkTree(outdir);
  if (!place) return [];
  const { top, within } = place;
  const below = (file: string) => (within === '' ? file : `${within}/${file}`);
  const all = [...lists, ...files].map(below);
  const ignored = ignoredPaths(top, all);
  if (ignored.size === 0) return [];
  if (ignored.size === all.length) {
    const [{ place: line, pattern }] = ignored.values();
    return [{
      rule: IGNORED_RULE,
      message: `Git ignores the output ${JSON.stringify(within)} (${line}: ${pattern}), so that no commit has it for the GitOps tool to read`,
      fix: `remove that line; ${ELSEWHERE}`,
    }];
  }
  const ignoredLists = byLine(lists.map(below), ignored);
  if (ignoredLists.length > 0) {
    return ignoredLists.map(([line, names]) => ({
      rule: LISTS_IGNORED_RULE,
      message: `Git ignores ${shownPaths(names)} (${line}), so that no commit has what was written, and a cluster that disappears from the code would be removed`,
      fix: FIX,
    }));
  }
  return byLine(files.map(below), ignored).map(([line, names]) => ({
    rule: IGNORED_RULE,
    message: `Git ignores ${shownPaths(names)} (${line}), so that no commit has that for the GitOps tool to read`,
    fix: `${FIX}; ${ELSEWHERE}`,
  }));
}

/** The ignored paths among some, by the line that matches them. */
function byLine(paths: readonly string[], ignored: ReadonlyMap<string, IgnoreLine>): [line: string, paths: string[]][] {
  const lines = new Map<string, string[]>();
  for (const file of paths) {
    const found = ignored.get(file);
    if (!found) continue;
    const line = `${found.place}: ${found.pattern}`;
    lines.set(line, [...lines.get(line) ?? [], file]);
  }
  return [...lines];
}

function shownPaths([first, ...rest]: readonly string[]): string {
  return `${JSON.stringify(first)}${rest.length === 0 ? '' : ` and ${rest.length} more`}`;
}
