import * as fs from 'node:fs';
import * as path from 'node:path';
import { compiled } from './compiled-folder';
import { entryText, readEntry } from '../../../scripts/bundle/entry';

const INDEX = "export { A, B as C } from './one';\nexport * as two from '../imports/two';\n";

/** Loads an entry; modules have the names A and B. */
function load(source: string): { exported: object; loaded: string[] } {
  const loaded: string[] = [];
  const exported = {};
  new Function('exports', 'require', source)(exported, (file: string) => (chunk: string, name: string) => {
    loaded.push(`${file} ${chunk} ${name}`);
    return { A: 'a', B: 'b' };
  });
  return { exported, loaded };
}

function rewritten(source: string): string {
  return entryText('src/index', readEntry('src/index', source), (module) => `chunk-of-${path.basename(module)}`);
}

test('nothing is loaded until a name is used, and then from its chunk', () => {
  const { exported, loaded } = load(rewritten(compiled(INDEX)));

  expect(loaded).toEqual([]);
  expect(Object.keys(exported)).toEqual(['A', 'C', 'two']);
  expect(exported).toMatchObject({ A: 'a', C: 'b', two: { B: 'b' } });
  expect(loaded).toEqual(['../chunks/load.js chunk-of-one src/one', '../chunks/load.js chunk-of-one src/one', '../chunks/load.js chunk-of-two imports/two']);
});

test('rewriting twice changes nothing', () => {
  const once = rewritten(compiled(INDEX));

  expect(rewritten(once)).toBe(once);
});

test('code that would run at once is refused', () => {
  expect(() => rewritten(compiled("import { A } from './one';\nexport const c = A + 1;\n"))).toThrow('src/index may only re-export');
});

test('what is no module of CommonJS is refused', () => {
  expect(() => readEntry('src/index', "export { A } from './one';\n")).toThrow('the compiled src/index is not a CommonJS module');
});

test.each(['index', 'program'])('the %s of the library can be rewritten, and keeps every name', (name) => {
  const source = fs.readFileSync(path.join(__dirname, '../../../src', `${name}.ts`), 'utf8');
  const names = [...source.matchAll(/^export (?:\* as (\w+)|\{([^}]*)\})/gm)].flatMap(([, namespace, list]) => namespace ?? list.split(',').map((one) => one.trim()));

  expect(names.length).toBeGreaterThan(1);
  expect(Object.keys(load(rewritten(compiled(source))).exported)).toEqual(names.filter((one) => one !== ''));
});
