import * as fs from 'node:fs';
import * as path from 'node:path';
import * as ts from 'typescript';

const ROOT = path.join(__dirname, '..');

/** The files of the repository that each file imports. */
function importsOf(folders: readonly string[]): Map<string, string[]> {
  const files = folders.flatMap((folder) => {
    const entries = fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    return entries.filter((entry) => entry.endsWith('.ts')).map((entry) => path.join(folder, entry));
  });
  const known = new Set(files);
  return new Map(files.map((file) => {
    const { importedFiles } = ts.preProcessFile(fs.readFileSync(path.join(ROOT, file), 'utf8'));
    const imported = importedFiles.map(({ fileName }) => path.join(path.dirname(file), fileName));
    return [file, imported.flatMap((base) => [`${base}.ts`, path.join(base, 'index.ts')].filter((candidate) => known.has(candidate)))];
  }));
}

/** A path through the imports from a file back to itself, or nothing if no file has one. */
function importCycle(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const finished = new Set<string>();
  const visit = (file: string, route: readonly string[]): string[] => {
    if (route.includes(file)) return [...route.slice(route.indexOf(file)), file];
    if (finished.has(file)) return [];
    for (const next of imports.get(file) ?? []) {
      const found = visit(next, [...route, file]);
      if (found.length > 0) return found;
    }
    finished.add(file);
    return [];
  };
  for (const file of imports.keys()) {
    const found = visit(file, []);
    if (found.length > 0) return found;
  }
  return [];
}

test('no files import each other in a cycle', () => {
  const imports = importsOf(['src', 'test', 'scripts', 'examples', 'templates']);
  expect(imports.size).toBeGreaterThan(1000);
  expect([...imports.values()].flat().length).toBeGreaterThan(5000);
  expect(importCycle(imports)).toEqual([]);
});

test.each<[string, Record<string, string[]>, string[]]>([
  ['of two files behind a third one', { a: ['b'], b: ['c'], c: ['b'] }, ['b', 'c', 'b']],
  ['of a file alone', { a: [], b: ['b'] }, ['b', 'b']],
  ['nowhere, where a file is imported twice', { a: ['b', 'c'], b: ['c'], c: [] }, []],
])('a cycle is found: %s', (_, imports, expected) => {
  expect(importCycle(new Map(Object.entries(imports)))).toEqual(expected);
});
