import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { TreeFile } from '../../../../../src/constructs/app/synth/tree/write-tree';

/** A file that a construct named after it writes. */
export function file(name: string, content = `${name}\n`, executable?: boolean): TreeFile {
  return { path: name, content, executable, producer: `maker-of-${name}`, list: 'all' };
}

/** Runs a test with a folder of its own. */
export function inFolder<T>(run: (folder: string) => T): T {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tree-'));
  try {
    return run(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** All files below a folder, hidden ones too: their content by path. Links are shown by their target; special files are left out. */
export function contents(folder: string): { [file: string]: string } {
  const entries = fs.readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile() || entry.isSymbolicLink());
  return Object.fromEntries(entries.map((entry) => {
    const full = path.join(entry.parentPath, entry.name);
    return [path.relative(folder, full), entry.isSymbolicLink() ? `-> ${fs.readlinkSync(full)}` : fs.readFileSync(full, 'utf8')];
  }).sort());
}

/** The list of the files that `file` makes. */
export const INDEX = '.cdk8s-cluster-api/files/all.sha256';

/** Files for Git, which every output has. */
export const GIT_FILES = {
  '.cdk8s-cluster-api/.gitattributes': '*.sha256 merge=union\n',
  '.cdk8s-cluster-api/.gitignore': '/tmp-*/\n',
};

/** All files below a folder but those that record what synthesis wrote. */
export function visible(folder: string): { [file: string]: string } {
  return Object.fromEntries(Object.entries(contents(folder)).filter(([name]) => !name.startsWith('.cdk8s-cluster-api/')));
}
