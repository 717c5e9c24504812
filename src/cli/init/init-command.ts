import * as fs from 'node:fs';
import * as path from 'node:path';
import { AppFiles, appFiles, BLUEPRINTS } from './app-files';
import { compareTexts } from '../../manifests/landscape/place';
import { ignoredPaths } from '../../manifests/objects/git/repository-paths';
import { isInGitFolder, placeInWorkTree, realPathOf, WorkTreePlace } from '../../manifests/objects/git/work-tree';
import { makeFolder } from '../../manifests/values/make-folder';
import { choice, readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';

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
function ignoredFiles({ top, within }: WorkTreePlace, files: AppFiles['files']): [string, string][] {
  const names = [...files.keys(), ...WRITTEN_LATER].map((name) => path.posix.join(within, name));
  return [...ignoredPaths(top, names)].map(([file, { place, pattern }]) => [path.posix.relative(within, file), `${place} has ${pattern}`]);
}

const NAME = 'init';
const NAMES = Object.keys(BLUEPRINTS);

const OPTIONS = {
  blueprint: { type: 'string', default: NAMES[0] },
} as const;

const WIDTH = Math.max(...NAMES.map((name) => name.length));

const HELP = `cdk8s-cluster-api init: writes an app with a tenant cluster, its test, and CI

Usage: npx cdk8s-cluster-api init [OPTION…] [FOLDER]

Writes package.json, tsconfig.json, the app (main.ts, tenants.ts, tenant.ts), cdk8s.yaml with the validation of manifests, a test with a
snapshot, a workflow for GitHub that tests, synthesizes, validates and comments the plan, settings of Renovate, editors and Git, and a
README. The name is that of the folder (default: the current one). The app depends on the release or folder that this program is from, or
on a copy of its tarball in vendor/.

In a Git repository, the app may be in any folder: paths are those from the top of the repository, where the workflow and the settings of
Renovate are written. README, .gitignore, .gitattributes, .editorconfig and settings of Renovate are left alone if they exist. If another of
the files exists, nothing is written. The values to replace are listed on standard output and in the README.

  --blueprint NAME      what the cluster is for (default: ${NAMES[0]}):
${NAMES.map((name) => `                          ${name.padEnd(WIDTH)}  ${BLUEPRINTS[name]}`).join('\n')}

Exit codes: 0 written, 2 usage error, or a file exists.

Examples:
  npx cdk8s-cluster-api init acme-clusters
  npx cdk8s-cluster-api init --blueprint gpu-cluster .
`;

/** Writes an app to start from. */
export const INIT_COMMAND: Command = {
  name: NAME,
  summary: 'write an app with a tenant cluster, its test, and CI',
  help: HELP,
  options: OPTIONS,
  choices: { blueprint: NAMES },
  async run(args, { cwd, out }) {
    const { values, positionals } = readArguments(NAME, args, OPTIONS);
    const blueprint = choice('blueprint', values.blueprint, NAMES);
    if (positionals.length > 1) throw new CommandError(['init writes one app'], `leave out ${positionals.slice(1).join(' ')}`);
    const [given = '.'] = positionals;
    const named = path.resolve(cwd, given);
    const tree = placeInWorkTree(named);
    if (tree && isInGitFolder(tree)) throw new CommandError([`${given} is in the folder of Git itself`], 'name a folder of the work tree');
    // A path such as "../.github" leads elsewhere behind a link.
    const folder = realPathOf(named);
    const app = appFiles(folder, tree, blueprint);
    const kept = keptFiles(folder, app.files);
    const files = new Map([...app.files].filter(([name]) => !kept.has(name)));
    writeNew(folder, tree, files);
    out([
      `Wrote ${files.size} files to ${given}: ${[...files.keys()].sort(compareTexts).join(', ')}`,
      '',
      ...section('Left alone, because they exist:', [...kept].sort(([one], [other]) => compareTexts(one, other))),
      ...section('Git ignores these, and must not: what is not committed is not applied, or is missing in CI:', tree ? ignoredFiles(tree, files) : []),
      ...app.linkedTo === undefined ? [] : [
        `The app depends on the folder ${app.linkedTo}, which a clone of its repository does not have. For CI, run init from a tarball:`,
        'npm pack writes one.',
        '',
      ],
      'Next:',
      ...nextCommands(given, named === path.resolve(cwd), tree, files).map((line) => `  ${line}`),
      '',
      ...section(`Replace before you apply it${kept.has('README.md') ? '' : ' (README.md has this list, too)'}:`, app.toReplace.map(({ place, what }) => [place, what])),
    ].join('\n'));
    return ExitCode.OK;
  },
};

/** Names with what is to be said about each, in two columns; nothing if there are none. */
export function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.length === 0 ? [] : [title, ...rows.map(([name, what]) => `  ${name.padEnd(width)}  ${what}`.trimEnd()), ''];
}

/** Commands from the written files to a commit, which later plans are compared with. */
export function nextCommands(given: string, isHere: boolean, tree: WorkTreePlace | undefined, files: AppFiles['files']): string[] {
  const outside = [...files.keys()].filter((name) => name.startsWith('../'));
  return [
    ...isHere ? [] : [`cd ${shellWord(given.startsWith('-') ? `./${given}` : given)}`],
    ...tree ? [] : ['git init -b main'],
    'npm install',
    'npm test',
    'npm run synth',
    `git add ${['.', ...outside].map(shellWord).join(' ')}`,
    "git commit --message 'Declare the first tenant'",
  ];
}

/** A word for a shell of POSIX. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9._/-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

/** Writes files that do not exist; if one does, or cannot be written, none is left. */
export function writeNew(folder: string, tree: WorkTreePlace | undefined, files: AppFiles['files']): void {
  const existing = [...files.keys()].filter((name) => fs.existsSync(path.join(folder, name)));
  if (existing.length > 0) {
    throw new CommandError(existing.map((name) => `${path.join(folder, name)} exists`), 'nothing was written; name a new folder, or move these files');
  }
  const outside = tree ? [...files.keys()].filter((name) => placeInWorkTree(path.join(folder, path.dirname(name)))?.top !== tree.top) : [];
  if (outside.length > 0) {
    throw new CommandError(outside.map((name) => `${path.join(folder, name)} is outside of the repository, behind a link`), 'nothing was written; remove the link');
  }
  const [root, linked] = [realPathOf(folder), (name: string) => realPathOf(path.join(folder, path.dirname(name)))];
  const strayed = tree ? [] : [...files.keys()].filter((name) => path.relative(root, linked(name)).split(path.sep)[0] === '..');
  if (strayed.length > 0) {
    throw new CommandError(strayed.map((name) => `${path.join(folder, name)} is outside of the folder, behind a link`), 'nothing was written; remove the link');
  }
  const written: string[] = [];
  try {
    for (const [name, content] of files) {
      const file = path.join(folder, name);
      makeFolder(path.dirname(file));
      // "wx": not over a file that has just come to be.
      fs.writeFileSync(file, content, { flag: 'wx' });
      written.push(file);
    }
  } catch (error) {
    for (const file of written) fs.rmSync(file, { force: true });
    throw new CommandError([`${folder} cannot be written (${(error as NodeJS.ErrnoException).code})`], 'name a folder that can be written');
  }
}
