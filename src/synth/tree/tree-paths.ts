import { OUTPUT_RULES } from './rules';
import { TreeFile } from './tree-file';
import { Problem } from '../../validation/problem';

/** The folder below the output that tells what of it was written by synthesis. */
export const OWN_FOLDER = '.cdk8s-cluster-api';

/** Characters that Windows has no names with, and those that nobody sees. */
// eslint-disable-next-line no-control-regex
const NOT_PORTABLE = /[<>:"|?*\\\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/u;

/** Devices to Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

const LONGEST_NAME = 255;

/** Says what is wrong with the path of a file; undefined if it is one that every file system has. */
export function pathFault(path: string): string | undefined {
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute';
  for (const name of path.split('/')) {
    const fault = nameFault(name);
    if (fault !== undefined) return fault;
  }
  const [first] = path.split('/');
  return first.toLowerCase() === OWN_FOLDER ? `is in ${OWN_FOLDER}, which is kept for the list of files` : undefined;
}

function nameFault(name: string): string | undefined {
  const shown = JSON.stringify(name);
  if (name === '' || name === '.') return 'has a folder or file without a name';
  if (name === '..') return 'leaves the output';
  if (NOT_PORTABLE.test(name)) return `has characters in ${shown} that not every file system has in names`;
  if (/[. ]$/.test(name)) return `has ${shown}, which Windows reads without its last character`;
  if (DEVICE.test(name)) return `has ${shown}, which is a device to Windows`;
  if (name.toLowerCase() === '.git') return 'is in .git, which belongs to Git';
  return Buffer.byteLength(name) > LONGEST_NAME ? `has a name of more than ${LONGEST_NAME} bytes, ${shown}` : undefined;
}

/** A path as a file system sees it that tells neither upper from lower case nor two spellings of an accent. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

interface Claim {
  readonly path: string;
  readonly producer: string;
  readonly folder: boolean;
}

/** The paths of a tree, each of which one file has. */
export class TreePaths {
  private readonly claims = new Map<string, Claim>();
  private readonly folders = new Set<string>();

  /** Claims the path of a file; says what keeps it from having it. */
  public claim({ path, producer }: TreeFile): Problem | undefined {
    const fault = pathFault(path);
    if (fault !== undefined) {
      return {
        rule: OUTPUT_RULES.path, message: `the path ${JSON.stringify(path)} of a file of ${producer} ${fault}`, fix: 'give it another name',
      };
    }
    return this.claimFolders(path, producer) ?? this.take({ path, producer, folder: false });
  }

  /** Claims the folders that a file is in; they may be shared, in one spelling. */
  private claimFolders(path: string, producer: string): Problem | undefined {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (this.folders.has(folder)) return undefined;
      const problem = this.take({ path: folder, producer, folder: true });
      if (problem) return problem;
      this.folders.add(folder);
    }
    return undefined;
  }

  private take(claim: Claim): Problem | undefined {
    const key = foldedPath(claim.path);
    const rival = this.claims.get(key);
    if (rival === undefined) {
      this.claims.set(key, claim);
      return undefined;
    }
    const why = claim.folder !== rival.folder ? ': one needs a folder where the other is a file'
      : claim.path !== rival.path ? ': to some file systems they are the same name' : '';
    return {
      rule: OUTPUT_RULES.pathTwice,
      message: `${rival.producer} writes ${spelled(rival)}, and ${claim.producer} writes ${spelled(claim)}${why}`,
      fix: 'give one of them another name',
    };
  }
}

function spelled({ path, folder }: Claim): string {
  return folder ? `files below ${JSON.stringify(path)}` : JSON.stringify(path);
}
