import * as path from 'node:path';
import { git, lineOf } from './git-command';
import { WorkTreePlace } from './work-tree';

/** The path of a place below the top of the repository around; undefined if the work tree is not that of a submodule. */
export function pathInSuperproject({ top, within }: WorkTreePlace): string | undefined {
  const { output } = git(top, ['rev-parse', '--show-superproject-working-tree']);
  const above = lineOf(output);
  return above === '' ? undefined : [...path.relative(path.resolve(above), top).split(path.sep), within].filter((name) => name !== '').join('/');
}

/** A line that has Git ignore a path. */
export interface IgnoreLine {
  /** File and line, e.g. `.gitignore:3`. */
  readonly place: string;
  readonly pattern: string;
}

/**
 * The paths that Git ignores, each with the line that matches it. A committed path counts, too: a new one beside it would be ignored.
 *
 * @param top the top of a work tree
 * @param paths paths below the top, which may be missing on disk
 */
export function ignoredPaths(top: string, paths: readonly string[]): ReadonlyMap<string, IgnoreLine> {
  // With "./", a path that begins with ":" is no pattern.
  const { output } = git(top, ['check-ignore', '--no-index', '--verbose', '-z', '--stdin'], paths.map((file) => `./${file}\0`).join(''));
  const fields = output.toString().split('\0');
  const found = new Map<string, IgnoreLine>();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source, line, pattern, file] = fields.slice(at, at + 4);
    if (!pattern.startsWith('!')) found.set(file.slice('./'.length), { place: `${source}:${line}`, pattern });
  }
  return found;
}

/** Paths below a place that a sparse checkout leaves out, relative to it; '' for the place itself. */
export function sparsePaths({ top, within }: WorkTreePlace): string[] {
  const { output } = git(top, ['ls-files', '-t', '-z', ...(within === '' ? [] : ['--', within])]);
  const skipped = output.toString().split('\0').filter((line) => line.startsWith('S ')).map((line) => line.slice('S '.length));
  return skipped.map((file) => path.posix.relative(within, file));
}
