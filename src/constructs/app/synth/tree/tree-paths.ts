import { OWN_FOLDER } from '../../../../manifests/objects/own-folder';
import { Problem, Rule } from '../../../../manifests/values/problem';

/** Characters that Windows does not allow in names, and invisible ones. */
// eslint-disable-next-line no-control-regex
const NOT_PORTABLE = /[<>:"|?*\\\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

/** Devices of Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

const LONGEST_NAME = 255;

/** The reason why a file system rejects a path below the output; undefined if all accept it. */
export function pathFault(path: string): string | undefined {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute';
  const names = path.split('/');
  const fault = names.map(nameFault).find((found) => found !== undefined);
  return fault ?? (names[0].toLowerCase() === OWN_FOLDER ? `is in ${OWN_FOLDER}, which is reserved for the lists of files` : undefined);
}

function nameFault(name: string): string | undefined {
  const shown = JSON.stringify(name);
  if (name === '' || name === '.') return 'has a folder or file without a name';
  if (name === '..') return 'leaves the output';
  if (NOT_PORTABLE.test(name)) return `has characters in ${shown} that not every file system allows in names`;
  if (/[. ]$/.test(name)) return `has ${shown}, which Windows reads without its last character`;
  if (DEVICE.test(name)) return `has ${shown}, which is a device of Windows`;
  if (name.toLowerCase() === '.git') return 'is in .git, which belongs to Git';
  return Buffer.byteLength(name) > LONGEST_NAME ? `has a name of more than ${LONGEST_NAME} bytes, ${shown}` : undefined;
}

/** A path as seen by a file system that ignores case and the normal form of Unicode. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

interface Claim {
  readonly path: string;
  readonly producer: string;
  readonly folder: boolean;
}

const PATH_RULE: Rule = {
  id: 'TC-OUTPUT-PATH',
  title: 'The path of a file must be relative, stay below the output, and be valid on every file system.',
  source: 'learn.microsoft.com/windows/win32/fileio/naming-a-file, git-scm.com/docs/git-config (core.protectNTFS)',
};

const PATH_TWICE_RULE: Rule = {
  id: 'TC-OUTPUT-PATH-TWICE',
  title: 'Paths of the output must be unique, also if a file system ignores case, and must not need a folder at the path of a file.',
};

/** The paths of a tree, each for one file. */
export class TreePaths {
  private readonly claims = new Map<string, Claim>();

  /** Claims the path of a file and the folders around it. */
  public claim({ path, producer }: { readonly path: string; readonly producer: string }): Problem | undefined {
    const fault = pathFault(path);
    if (fault !== undefined) {
      return { rule: PATH_RULE, message: `the path ${JSON.stringify(path)} of a file of ${producer} ${fault}`, fix: 'give it another name' };
    }
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = { path: path.slice(0, end), producer, folder: true };
      const known = this.claims.get(foldedPath(folder.path));
      if (known?.folder && known.path === folder.path) break;
      const problem = this.add(folder, known);
      if (problem) return problem;
    }
    return this.add({ path, producer, folder: false }, this.claims.get(foldedPath(path)));
  }

  private add(claim: Claim, known: Claim | undefined): Problem | undefined {
    if (known === undefined) {
      this.claims.set(foldedPath(claim.path), claim);
      return undefined;
    }
    const why = claim.folder !== known.folder ? ': one needs a folder where the other is a file'
      : claim.path !== known.path ? ': to some file systems they are the same name' : '';
    return {
      rule: PATH_TWICE_RULE,
      message: `${known.producer} writes ${claimed(known)}, and ${claim.producer} writes ${claimed(claim)}${why}`,
      fix: 'give one of them another name',
    };
  }
}

function claimed({ path, folder }: Claim): string {
  return folder ? `files below ${JSON.stringify(path)}` : JSON.stringify(path);
}
