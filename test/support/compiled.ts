import { hash } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as ts from 'typescript';

const ROOT = path.join(__dirname, '..', '..');

/** Kept from one run to the next: only what has changed is compiled again. */
const TARGET = path.join(ROOT, 'node_modules', '.cache', 'compiled-programs');

const COMPILER_OPTIONS = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };

/**
 * Makes a program, which starts at once, of a file and those that it imports.
 *
 * @param file a file of TypeScript in this repository
 * @returns the file to be run
 */
export function compiledProgram(file: string): string {
  for (const name of ['package.json', 'data', 'templates']) link(name);
  const seen = new Set<string>();
  compile(file, seen);
  return outputOf(file);
}

function compile(file: string, seen: Set<string>): void {
  if (seen.has(file)) return;
  seen.add(file);
  const source = fs.readFileSync(file, 'utf8');
  const output = outputOf(file);
  const mark = `// ${hash('sha256', source)}\n`;
  if (!isCompiled(output, mark)) {
    fs.mkdirSync(path.dirname(output), { recursive: true });
    // Other tests may be at it, too.
    const draft = `${output}.${process.pid}`;
    fs.writeFileSync(draft, `${mark}${ts.transpileModule(source, { compilerOptions: COMPILER_OPTIONS }).outputText}`);
    fs.renameSync(draft, output);
  }
  for (const { fileName } of ts.preProcessFile(source).importedFiles) {
    if (fileName.startsWith('.') && !fileName.endsWith('.json')) compile(`${path.join(path.dirname(file), fileName)}.ts`, seen);
  }
}

function isCompiled(output: string, mark: string): boolean {
  return fs.existsSync(output) && fs.readFileSync(output, 'utf8').startsWith(mark);
}

function outputOf(file: string): string {
  return path.join(TARGET, path.relative(ROOT, file)).replace(/\.ts$/, '.js');
}

function link(name: string): void {
  fs.mkdirSync(TARGET, { recursive: true });
  try {
    fs.symlinkSync(path.join(ROOT, name), path.join(TARGET, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
