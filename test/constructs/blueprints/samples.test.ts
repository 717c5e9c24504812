import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const ROOT = join(__dirname, '../../..');
const FOLDER = join(ROOT, 'docs/blueprints');

/** Every block of TypeScript in the pages, as a file beside them. */
const SAMPLES = new Map(readdirSync(FOLDER).flatMap((page) => (
  [...readFileSync(join(FOLDER, page), 'utf8').matchAll(/```ts\n([^]*?)```/g)].map(([, text], index) => [join(FOLDER, `${page}-${index}.ts`), text])
)));

test('the samples in the pages have no faults of types', () => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: { 'cdk8s-cluster-api': [join(ROOT, 'src/index.ts')] },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => SAMPLES.has(file) || fileExists(file);
  host.getSourceFile = (file, ...rest) => {
    const text = SAMPLES.get(file);
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram([...SAMPLES.keys()], options, host);
  const faults = [...SAMPLES.keys()].flatMap((file) => {
    const source = program.getSourceFile(file)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });

  expect(SAMPLES.size).toBeGreaterThan(6);
  expect(faults.map(({ file, messageText }) => `${file?.fileName} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)).toEqual([]);
});
