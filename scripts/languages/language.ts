import * as fs from 'node:fs';
import * as path from 'node:path';
import { run, runToEnd } from './run';
import { runExample } from '../examples/run-example';

const ROOT = path.join(__dirname, '..', '..');

/** A language in which a page may be written. */
export interface Language {
  readonly name: string;

  /** The page of the docs, whose shell lines are run. */
  readonly page: string;

  /** Its programs. */
  readonly folder: string;

  /** Requirements on the machine, in words. */
  readonly needs: string;

  /** Succeeds where it is installed. */
  readonly probe: readonly [program: string, ...args: string[]];

  /** Programs that run after the shell lines of the page. */
  readonly checks: readonly (readonly [program: string, ...args: string[]])[];

  /** The programs that write what an example in TypeScript writes, besides that of the README. */
  readonly programs: { readonly [example: string]: readonly [program: string, ...args: string[]] };

  /** The program whose page is refused: the docs show what it prints. */
  readonly refused: readonly [program: string, ...args: string[]];
}

/** The page of the README, which the shell lines run. */
const README = 'blueprint-diy-cloud';

const PYTHON = path.join('..', '..', '.venv', 'bin', 'python');

/** The programs of Go, built once. */
const BUILT = path.join('.', 'bin');

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    page: 'docs/python.md',
    folder: 'examples/python',
    needs: 'Python 3.10 or newer, with its module venv',
    probe: ['python3', '-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))'],
    checks: [],
    programs: { 'diy-cloud': [PYTHON, 'tenant.py'], 'own-addon': [PYTHON, 'own_addon.py'] },
    refused: [PYTHON, 'refused.py'],
  },
  {
    name: 'Go',
    page: 'docs/go.md',
    folder: 'examples/go',
    needs: 'Go 1.25 or newer',
    probe: ['go', 'version'],
    checks: [['go', 'mod', 'tidy', '-diff'], ['go', 'vet', './...'], ['go', 'build', '-o', `${BUILT}/`, './...']],
    programs: { 'diy-cloud': [`${BUILT}/tenant`], 'own-addon': [`${BUILT}/ownaddon`] },
    refused: [`${BUILT}/refused`],
  },
];

/** Output of the examples in TypeScript, by their name. */
export function synthesizedExamples(outdir: string): ReadonlyMap<string, string> {
  return new Map([README, ...Object.keys(LANGUAGES[0].programs)].map((name) => {
    const output = path.join(outdir, name);
    if (runExample(name, output) !== 0) throw new Error(`examples/${name} fails`);
    return [name, output];
  }));
}

/**
 * Runs the shell lines of a page as its reader does, then its programs.
 *
 * @param language the language
 * @param clone a folder like a clone: with the packages in `dist/`, and the programs in their folder
 * @returns the folders that the programs have written, by the name of the example that writes the same
 */
export async function followPage(language: Language, clone: string): Promise<Map<string, string>> {
  const folder = path.join(clone, language.folder);
  const page = fs.readFileSync(path.join(ROOT, language.page), 'utf8');
  // The packages are in the temporary folder, and removed with it.
  const env = { JSII_RUNTIME_PACKAGE_CACHE_ROOT: path.join(clone, 'cache', language.name), PYTHONDONTWRITEBYTECODE: '1' };

  // npm has run already: it is what made the packages.
  const lines = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block).join('').replace(/^npm .*$/gm, '');
  await run('sh', ['-ec', lines], clone, env);
  const written = new Map([[README, path.join(folder, 'dist')]]);
  for (const [program, ...args] of language.checks) await run(program, args, folder, env);
  for (const [example, [program, ...args]] of Object.entries(language.programs)) {
    const output = path.join(clone, language.name, example);
    await run(program, args, folder, { ...env, CDK8S_OUTDIR: output });
    written.set(example, output);
  }

  const [program, ...args] = language.refused;
  const { code, stderr } = await runToEnd(program, args, folder, env);
  const report = stderr.slice(stderr.indexOf('Error: ')).split('\n').filter((line) => /^(Error: | {2}\[)/.test(line)).join('\n');
  if (code !== 1 || !page.includes(`\n${report}\n`)) throw new Error(`${language.page} must show what ${[program, ...args].join(' ')} prints, which ends with ${code}:\n${stderr}`);
  return written;
}

/** Throws if two folders have other files, or a file with another content. */
export function requireSameFiles(what: string, expected: string, actual: string): void {
  const [before, after] = [filesOf(expected), filesOf(actual)];
  const different = [...new Set([...before.keys(), ...after.keys()])].sort().filter((file) => before.get(file) !== after.get(file));
  if (before.size === 0) throw new Error(`${what}: ${expected} is empty`);
  if (different.length > 0) throw new Error(`${what}: these files differ from those of TypeScript, or one has none: ${different.join(', ')}`);
}

/** The files below a folder, by their path. */
function filesOf(folder: string): ReadonlyMap<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => fs.statSync(path.join(folder, name)).isFile());
  return new Map(names.map((name) => [name, fs.readFileSync(path.join(folder, name), 'latin1')]));
}
