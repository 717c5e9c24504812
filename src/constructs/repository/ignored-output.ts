import { splitTree } from './output-trees';
import { GITOPS_RULES } from './rules';
import { ignoredPaths, IgnoreLine } from '../../manifests/objects/git/repository-paths';
import { placeInWorkTree } from '../../manifests/objects/git/work-tree';
import { Problem } from '../../manifests/values/problem';
import { listPath } from '../app/synth/tree/file-lists';
import { TreeError } from '../app/synth/tree/tree-error';
import { TreeFile } from '../app/synth/tree/write-tree';

const FIX = 'remove or narrow that line';
const ELSEWHERE = 'if CI copies the output to where the tool reads it, set publishedElsewhere: true';

/**
 * Passes on the files of an output, and asks Git which of them it ignores when all are known.
 *
 * @param outdir the output
 * @param trees whether it has a tree for each management cluster
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
      rule: GITOPS_RULES.ignored,
      message: `Git ignores the output ${JSON.stringify(within)} (${line}: ${pattern}), so that no commit has it for the GitOps tool to read`,
      fix: `remove that line; ${ELSEWHERE}`,
    }];
  }
  const ignoredLists = byLine(lists.map(below), ignored);
  if (ignoredLists.length > 0) {
    return ignoredLists.map(([line, names]) => ({
      rule: GITOPS_RULES.listsIgnored,
      message: `Git ignores ${shown(names)} (${line}), so that no commit has what was written, and a cluster that disappears from the code would be removed`,
      fix: FIX,
    }));
  }
  return byLine(files.map(below), ignored).map(([line, names]) => ({
    rule: GITOPS_RULES.ignored,
    message: `Git ignores ${shown(names)} (${line}), so that no commit has that for the GitOps tool to read`,
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

function shown([first, ...rest]: readonly string[]): string {
  return `${JSON.stringify(first)}${rest.length === 0 ? '' : ` and ${rest.length} more`}`;
}
