import * as fs from 'node:fs';
import * as path from 'node:path';
import { buildSync } from 'esbuild';

const ROOT = path.join(__dirname, '..', '..');

const TARGET = path.join(ROOT, 'node_modules', '.cache', 'compiled-programs');

const COMPILED = new Map<string, string>();

/**
 * Makes a program, which starts at once, of a file and those that it imports. A file of tests makes it once.
 *
 * @param file a file of TypeScript in this repository
 * @returns the file to be run
 */
export function compiledProgram(file: string): string {
  const known = COMPILED.get(file) ?? compile(file);
  COMPILED.set(file, known);
  return known;
}

function compile(file: string): string {
  fs.mkdirSync(TARGET, { recursive: true });
  for (const name of ['package.json', 'data', 'templates']) link(name);
  const program = path.join(TARGET, `${path.basename(file, '.ts')}.js`);
  // Other tests may make it, too.
  const draft = `${program}.${process.pid}`;
  buildSync({ entryPoints: [file], outfile: draft, bundle: true, platform: 'node', target: 'node20', packages: 'external' });
  fs.renameSync(draft, program);
  return program;
}

function link(name: string): void {
  try {
    fs.symlinkSync(path.join(ROOT, name), path.join(TARGET, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
