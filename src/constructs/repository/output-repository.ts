import * as os from 'node:os';
import * as path from 'node:path';
import { GITOPS_RULES } from './rules';
import { ignoredPaths, pathInSuperproject } from '../../manifests/objects/git/repository-paths';
import { placeInWorkTree, WorkTreePlace } from '../../manifests/objects/git/work-tree';
import { Problem } from '../../manifests/values/problem';
import { checkPath, CheckOutputPath, plainPath } from '../contracts/delivery/manifest-folder';

const ELSEWHERE = 'if CI copies the output to where the tool reads it, set publishedElsewhere: true';

/**
 * Compares paths of the repository with the place that an output has there.
 *
 * @param outdir the output
 */
export function outputPathCheck(outdir: string): CheckOutputPath {
  const place = placeInWorkTree(outdir);
  if (!place) return isTemporary(outdir) ? () => [] : (property, read) => checkNames(outdir, property, plainPath(read));
  // An output that Git ignores is warned of by itself; in tests it may be anywhere.
  const file = [place.within, 'file.yaml'].filter((name) => name !== '').join('/');
  if (ignoredPaths(place.top, [file]).size > 0) return () => [];
  // The rules of the tool report what it refuses.
  return (property, read) => (checkPath(read) === undefined ? checkPlace(place, property, plainPath(read)) : []);
}

function checkPlace(place: WorkTreePlace, property: string, read: string): Problem[] {
  const { top, within: at } = place;
  if (read === at) return [];
  const outer = pathInSuperproject(place);
  if (read === outer) return [];
  const where = outer === undefined ? 'its repository' : `the submodule ${top}`;
  const around = outer === undefined ? '' : `, or path: '${outer}' if the tool reads the repository around with its submodules`;
  return [{
    rule: GITOPS_RULES.path,
    property,
    message: `${shown(read)} is read, and the output is ${shown(at)} of ${where}`,
    fix: `${rightPath(at)}${around}; ${ELSEWHERE}`,
  }];
}

function rightPath(at: string): string {
  if (at === '') return 'leave path out';
  return checkPath(at) === undefined ? `write path: '${at}'` : 'rename the folders of the output to letters, digits, ".", "_" and "-", and write its path';
}

/** Without a repository, the names of the last folders are all that is known. */
function checkNames(outdir: string, property: string, read: string): Problem[] {
  const names = path.resolve(outdir).split(path.sep).join('/');
  return checkPath(read) !== undefined || read === '' || names.endsWith(`/${read}`) ? [] : [{
    rule: GITOPS_RULES.pathOutside,
    property,
    message: `${shown(read)} is read, and the output is ${path.resolve(outdir)}, which is in no Git repository`,
    fix: `write the path that the output will have below the top of its repository; ${ELSEWHERE}`,
  }];
}

/** True if a folder is one of those that tests write to. */
function isTemporary(folder: string): boolean {
  return `${path.resolve(folder)}${path.sep}`.startsWith(`${path.resolve(os.tmpdir())}${path.sep}`);
}

function shown(folder: string): string {
  return folder === '' ? 'the top' : JSON.stringify(folder);
}
