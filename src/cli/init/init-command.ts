import * as fs from 'node:fs';
import * as path from 'node:path';
import { appFiles, BLUEPRINTS } from './app-files';
import { compareTexts } from '../../landscape/place';
import { choice, readArguments } from '../arguments';
import { Command, CommandError, ExitCode } from '../command';

const NAME = 'init';
const NAMES = Object.keys(BLUEPRINTS);

const OPTIONS = {
  blueprint: { type: 'string', default: NAMES[0] },
} as const;

const WIDTH = Math.max(...NAMES.map((name) => name.length));

const HELP = `cdk8s-cluster-api init: writes an app with a tenant cluster, its test, and CI

Usage: npx cdk8s-cluster-api init [OPTION…] [FOLDER]

Writes package.json, tsconfig.json, the app (main.ts, tenant.ts), cdk8s.yaml with the validation of manifests, a test with a snapshot, a
workflow for GitHub that tests, synthesizes, validates and comments the plan, settings of Renovate, editors and Git, and a README.
The name is that of the folder (default: the current one). The app depends on the release, tarball or folder that this program is from.

Writes nothing if one of the files exists. The values to replace are listed on standard output and in the README.

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
    const folder = path.resolve(cwd, given);
    const { files, toReplace } = appFiles(folder, blueprint);
    writeNew(folder, files);
    const width = Math.max(...toReplace.map(({ place }) => place.length));
    out([
      `Wrote ${files.size} files to ${given}: ${[...files.keys()].sort(compareTexts).join(', ')}`,
      '',
      'Next:',
      ...[...folder === path.resolve(cwd) ? [] : [`cd ${given}`], 'npm install', 'npm test', 'npx cdk8s synth'].map((line) => `  ${line}`),
      '',
      'Replace before you apply it (README.md has this list, too):',
      ...toReplace.map(({ place, what }) => `  ${place.padEnd(width)}  ${what}`),
      '',
    ].join('\n'));
    return ExitCode.OK;
  },
};

/** Writes files that do not exist; if one does, or cannot be written, none is left. */
function writeNew(folder: string, files: ReadonlyMap<string, string>): void {
  const existing = [...files.keys()].filter((name) => fs.existsSync(path.join(folder, name)));
  if (existing.length > 0) {
    throw new CommandError(existing.map((name) => `${path.join(folder, name)} exists`), 'nothing was written; name a new folder, or move these files');
  }
  const written: string[] = [];
  try {
    for (const [name, text] of files) {
      const file = path.join(folder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      // "wx": not over a file that has just come to be.
      fs.writeFileSync(file, text, { flag: 'wx' });
      written.push(file);
    }
  } catch (error) {
    for (const file of written) fs.rmSync(file, { force: true });
    throw new CommandError([`${folder} cannot be written (${(error as NodeJS.ErrnoException).code})`], 'name a folder that can be written');
  }
}
