/*
 * Compiles the samples of docstrings against the compiled library, and fails on a construct, an addon or a strategy that has none.
 */
import { join } from 'node:path';
import * as ts from 'typescript';
import { program, samplesOf, withoutSample } from './samples';
import { Library, ROOT } from '../api-reference/library';

const library = new Library();
const samples = samplesOf(library);
// Beside package.json, so that the package finds itself by its name.
const files = new Map(samples.map((sample) => [join(ROOT, `sample-${sample.type}.ts`), program(sample, library)]));
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  types: ['node'],
};
const host = ts.createCompilerHost(options);
const { fileExists, readFile } = host;
host.fileExists = (file) => files.has(file) || fileExists(file);
host.readFile = (file) => files.get(file) ?? readFile(file);
const { getSourceFile } = host;
host.getSourceFile = (file, version, ...rest) => (
  files.has(file) ? ts.createSourceFile(file, files.get(file)!, version) : getSourceFile(file, version, ...rest));

const faults = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host));
for (const name of withoutSample(library)) {
  console.error(`${name}: it has no sample. Fix: add an @example to its docstring.`);
  process.exitCode = 1;
}
if (faults.length > 0) {
  console.error(ts.formatDiagnostics(faults, { getCanonicalFileName: (file) => file, getCurrentDirectory: () => ROOT, getNewLine: () => '\n' }));
  process.exitCode = 1;
}
console.log(`${samples.length} samples compiled`);
