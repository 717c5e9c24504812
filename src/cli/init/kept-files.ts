import * as fs from 'node:fs';
import * as path from 'node:path';
import { AppFiles } from './app-files';
import { ignoredPaths } from '../../manifests/objects/git/repository-paths';
import { WorkTreePlace } from '../../manifests/objects/git/work-tree';

const RENOVATE = 'renovate.json';

/** The places in which Renovate looks for its settings, besides package.json (docs.renovatebot.com/configuration-options). */
const RENOVATE_FILES = [
  RENOVATE, 'renovate.jsonc', 'renovate.json5', '.github/renovate.json', '.github/renovate.jsonc', '.github/renovate.json5', '.gitlab/renovate.json',
  '.gitlab/renovate.jsonc', '.gitlab/renovate.json5', '.renovaterc', '.renovaterc.json', '.renovaterc.jsonc', '.renovaterc.json5',
];

/** Files that a repository has before an app, of which the app needs lines at most. */
const KEPT = ['README.md', '.gitignore', '.gitattributes', '.editorconfig'];

/** Files that are written after `init`, and belong into commits. */
const WRITTEN_LATER = [
  'package-lock.json', 'tenants.snapshot.yaml', 'dist/clusters/tenant-acme/acme/cluster.yaml', 'dist/clusters/tenant-acme/acme/pools/general.yaml',
  'dist/clusters/tenant-acme/acme/addons/cilium.yaml', 'dist/.cdk8s-cluster-api/files/clusters/tenant-acme/acme.sha256',
];

/**
 * The files of an app that exist already and are left as they are, with what to add to each.
 *
 * @param folder folder of the app
 * @param files contents by path relative to the folder
 */
export function keptFiles(folder: string, files: AppFiles['files']): ReadonlyMap<string, string> {
  return new Map([...files].flatMap(([name, content]): [string, string][] => {
    if (path.posix.basename(name) === RENOVATE) {
      const top = path.join(folder, path.dirname(name));
      const existing = RENOVATE_FILES.find((file) => fs.existsSync(path.join(top, file)));
      return existing === undefined ? [] : [[name, `${existing} has settings: the guide Renovate shows what to add`]];
    }
    const file = path.join(folder, name);
    if (!KEPT.includes(name) || !fs.existsSync(file)) return [];
    return [[name, missingLines(name, fs.readFileSync(file, 'utf8'), String(content))]];
  }));
}

function missingLines(name: string, existing: string, ours: string): string {
  if (!name.startsWith('.git')) return '';
  const lines = ours.split('\n').filter((line) => line !== '' && !existing.split(/\r?\n/).includes(line));
  return lines.length === 0 ? '' : `add: ${lines.join('; ')}`;
}

/** The files of an app that Git ignores, with the line that says so. */
export function ignoredFiles({ top, within }: WorkTreePlace, files: AppFiles['files']): [string, string][] {
  const names = [...files.keys(), ...WRITTEN_LATER].map((name) => path.posix.join(within, name));
  return [...ignoredPaths(top, names)].map(([file, { place, pattern }]) => [path.posix.relative(within, file), `${place} has ${pattern}`]);
}
