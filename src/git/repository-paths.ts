import * as path from 'node:path';
import { git } from './git-command';
import { WorkTreePlace } from './work-tree';

/** The path of a place below the top of the repository around; undefined if the work tree is not that of a submodule. */
export function pathInSuperproject({ top, within }: WorkTreePlace): string | undefined {
  const { output } = git(top, ['rev-parse', '--show-superproject-working-tree']);
  const above = output.toString().trim();
  return above === '' ? undefined : [...path.relative(path.resolve(above), top).split(path.sep), within].filter((name) => name !== '').join('/');
}

/**
 * The line that has Git ignore the files of a folder, as `.gitignore:3: dist/`; undefined if it does not.
 *
 * @param place the folder
 */
export function ignoredBy({ top, within }: WorkTreePlace): string | undefined {
  // One file stands for all: the folder may not exist, and Git does not call files ignored that a commit has already.
  const file = [within, 'file.yaml'].filter((name) => name !== '').join('/');
  const { ok, output } = git(top, ['check-ignore', '--verbose', '-z', '--stdin'], `${file}\0`);
  const [source, line, pattern] = output.toString().split('\0');
  return !ok || pattern.startsWith('!') ? undefined : `${source}:${line}: ${pattern}`;
}
