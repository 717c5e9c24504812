import * as fs from 'node:fs';
import * as path from 'node:path';
import * as ts from 'typescript';
import { lazyIndex } from '../../scripts/lazy-index';

function compiled(source: string): string {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

function load(source: string): { exported: object; required: string[] } {
  const required: string[] = [];
  const exported = {};
  new Function('exports', 'require', source)(exported, (name: string) => {
    required.push(name);
    return { A: 'a', B: 'b' };
  });
  return { exported, required };
}

const INDEX = "export { A, B } from './one';\nexport * as two from './two';\n";

test('nothing is loaded until a name is used', () => {
  const { exported, required } = load(lazyIndex(compiled(INDEX)));

  expect(required).toEqual([]);
  expect(Object.keys(exported)).toEqual(['A', 'B', 'two']);
  expect(exported).toMatchObject({ A: 'a', two: { B: 'b' } });
  expect(required).toEqual(['./one', './two']);
});

test('rewriting twice changes nothing', () => {
  const once = lazyIndex(compiled(INDEX));

  expect(lazyIndex(once)).toBe(once);
});

test('code that would run at once is refused', () => {
  expect(() => lazyIndex(compiled("import { A } from './one';\nexport const c = A + 1;\n"))).toThrow('may only re-export');
});

test('the index of the library can be rewritten, and keeps every name', () => {
  const source = fs.readFileSync(path.join(__dirname, '..', '..', 'src', 'index.ts'), 'utf8');
  const names = [...source.matchAll(/^export \* as (\w+)/gm)].map((match) => match[1]);

  expect(Object.keys(load(lazyIndex(compiled(source))).exported)).toEqual(expect.arrayContaining([...names, 'TenantCluster', 'PoolSize', 'KubevirtMachine']));
});
