import * as fs from 'node:fs';
import * as path from 'node:path';
import { statusOf } from '../../values/file-status';

/** Name that Git uses at the top of a work tree: a folder, or a file that names one. */
const GIT = '.git';

/** A place in the work tree of a repository. */
export interface WorkTreePlace {
  /** The top of the work tree, which has `.git`, by its real path. */
  readonly top: string;

  /** The place below the top, with `/` between folders; '' for the top itself. */
  readonly within: string;
}

/**
 * Finds the work tree that a file or folder is in, by `.git` alone: other files, which a commit can have, do not make a repository.
 *
 * @param folder the file or folder, which may be missing on disk
 * @returns its place; undefined outside of a work tree
 */
export function placeInWorkTree(folder: string): WorkTreePlace | undefined {
  const { existing, missing } = existingPart(path.resolve(folder));
  const top = topOf(existing);
  if (top === undefined) return undefined;
  return { top, within: [...path.relative(top, existing).split(path.sep), ...missing].filter((name) => name !== '').join('/') };
}

/** The path of a file or folder, which may be missing on disk, without links. */
export function realPathOf(folder: string): string {
  const { existing, missing } = existingPart(path.resolve(folder));
  return path.join(existing, ...missing);
}

/** The path of a place below the top as it was named, with the links that lead to it; undefined if it is named by a path outside of the top. */
export function namedWithin(folder: string, top: string): string | undefined {
  const absolute = path.resolve(folder);
  for (let at = absolute; ; at = path.dirname(at)) {
    if (realPathOf(at) === top) return path.relative(at, absolute).split(path.sep).join('/');
    if (path.dirname(at) === at) return undefined;
  }
}

/** True if a place is inside the folder of Git itself. */
export function isInGitFolder({ within }: WorkTreePlace): boolean {
  return within.split('/').includes(GIT);
}

function topOf(folder: string): string | undefined {
  if (fs.existsSync(path.join(folder, GIT))) return folder;
  return path.dirname(folder) === folder ? undefined : topOf(path.dirname(folder));
}

/** The part of a path that exists, by its real name, and the names behind it. */
function existingPart(folder: string): { readonly existing: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  let existing = folder;
  while (!statusOf(existing)?.isDirectory() && path.dirname(existing) !== existing) {
    missing.unshift(path.basename(existing));
    existing = path.dirname(existing);
  }
  return { existing: fs.realpathSync(existing), missing };
}
