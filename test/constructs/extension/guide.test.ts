import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';

const ROOT = join(__dirname, '../../..');
const GUIDE = readFileSync(join(ROOT, 'docs', 'strategies.md'), 'utf8');
const PACKAGE = join(ROOT, 'examples', 'own-strategies', 'hetzner');

/** The files that the guide writes, by name. */
const FILES = [...GUIDE.matchAll(/`([\w./-]+)`:\n\n```(?:ts|json)\n([^]*?)```/g)].map(([, name, text]) => [name, text] as const);

/** A file of the example from its first import or statement on. */
function example(name: string): string {
  const text = readFileSync(join(PACKAGE, name), 'utf8');
  return text.replace(/^(?:\/\*[^]*?\*\/\n)(?=import )/, '');
}

test('the sources in the guide are the package of the example, whole', () => {
  const sources = FILES.filter(([name]) => name.startsWith('src/')).map(([name, text]) => [name.slice('src/'.length), text]);
  const names = ['regions.ts', 'server-types.ts', 'infrastructure.ts', 'machine.ts', 'provider.ts', 'register.ts', 'index.ts', 'hetzner.test.ts'];

  expect(sources).toEqual(names.map((name) => [name, example(name)]));
  expect(GUIDE.match(/```ts\n/g)?.length).toBe(names.length);
});

test('the tests of the package pass where its definitions are', () => {
  const program = ts.transpileModule(example('hetzner.test.ts'), { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } }).outputText;
  const names: string[] = [];
  const modules: Readonly<Record<string, unknown>> = {
    'node:test': { test: (name: string, body: () => void) => { body(); names.push(name); } },
    './index': jest.requireActual(PACKAGE),
    './register': jest.requireActual(join(PACKAGE, 'register')),
  };
  const cwd = process.cwd();
  process.chdir(PACKAGE);
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    new Function('require', 'exports', program)((name: string) => modules[name] ?? jest.requireActual(name), {});
  } finally {
    process.chdir(cwd);
  }

  expect(names.length).toBe(7);
});

test('the package asks for the peers of this one', () => {
  const [, text] = FILES.find(([name]) => name === 'package.json')!;
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly peerDependencies: Readonly<Record<string, string>> };
  const { peerDependencies } = JSON.parse(text) as typeof own;

  expect(peerDependencies).toMatchObject(own.peerDependencies);
  expect(Object.keys(peerDependencies).filter((name) => !(name in own.peerDependencies))).toEqual(['cdk8s-cluster-api']);
});

test('what the guide links to has an address, because the package has no other page', () => {
  const targets = [...GUIDE.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target);

  expect(targets).toEqual([]);
});

test('the guide is in the package', () => {
  const ignored = readFileSync(join(ROOT, '.npmignore'), 'utf8').split('\n');

  expect(ignored).toEqual(expect.arrayContaining(['/docs/*', '!/docs/strategies.md']));
  expect(ignored).not.toContain('/docs/');
});
