import { CompiledFolder } from './compiled-folder';
import { bundle } from '../../../scripts/bundle/bundle';

const MODULES = {
  'src/index': "export { App } from './app/app';\nexport { Plugin, read } from './plugins/plugin';\nexport { broken } from './broken/broken';\nexport * as types from '../imports/types';\n",
  'src/program': "export { run } from './cli/run';\n",
  // These two require each other, as classes and what makes them do.
  'src/app/app': "import { Part } from './part';\nimport { count } from '../state/state';\n/** What it is. */\nexport class App { public readonly number = count(); public part(load = () => new Part()): Part { return load(); } }\n",
  'src/app/part': "import { Peer } from 'peer';\nimport { App } from './app';\nexport class Part extends Peer { public app(): App { return new App(); } }\n",
  'src/state/state': 'let counted = 0;\nexport function count(): number { return ++counted; }\n',
  'src/plugins/plugin': "import { parse } from 'parser';\nimport { App } from '../app/app';\nexport class Plugin extends App {}\nexport function read(): string { return parse(`${'${'}\\u2026`); }\n",
  'src/broken/broken': "import { count } from '../state/state';\nif (count() < 2) throw new Error('not yet');\nexport const broken = false;\n",
  'src/cli/run': "import { App } from '../app/app';\nexport function run(app: unknown): [boolean, number] { return [app instanceof App, new App().number]; }\n",
  'src/gone': 'throw new Error();\n',
  'imports/types': 'export class Type {}\n',
};

const OPTIONS = { entries: ['src/index', 'src/program'], core: ['App'] };

let folder: CompiledFolder;
beforeEach(() => {
  folder = new CompiledFolder();
  folder.compile(MODULES);
  folder.install({ peer: 'exports.Peer = class Peer {};', parser: 'exports.parse = (text) => `parsed ${text}`;' });
});
afterEach(() => folder.remove());

function chunks(): string[] {
  return Object.keys(folder.files()).filter((file) => file.startsWith('chunks/'));
}

test('what the core needs is one chunk, and of the rest each folder; what nobody requires is in none', () => {
  bundle({ folder: folder.path, ...OPTIONS });

  expect(chunks()).toEqual(['chunks/core.js', 'chunks/imports.js', 'chunks/load.js', 'chunks/src/broken.js', 'chunks/src/cli.js', 'chunks/src/plugins.js']);
  const files = chunks().filter((file) => file !== 'chunks/load.js');
  const modules = folder.run(`console.log(JSON.stringify(${JSON.stringify(files)}.flatMap((file) => Object.keys(require('./' + file)))));`) as string[];
  expect(modules.sort()).toEqual(Object.keys(MODULES).filter((name) => !['src/index', 'src/program', 'src/gone'].includes(name)).sort());
});

test('nothing is loaded but what is used; packages, and modules that need them, when something of them is', () => {
  bundle({ folder: folder.path, ...OPTIONS });

  const steps = [
    ['undefined', []],
    ['index.types', ['chunks/imports.js']],
    ['index.App', ['chunks/core.js', 'chunks/imports.js']],
    ['new index.App().part()', ['../node_modules/peer/index.js', 'chunks/core.js', 'chunks/imports.js']],
    ['index.Plugin', ['../node_modules/peer/index.js', 'chunks/core.js', 'chunks/imports.js', 'chunks/src/plugins.js']],
    ['index.read()', ['../node_modules/parser/index.js', '../node_modules/peer/index.js', 'chunks/core.js', 'chunks/imports.js', 'chunks/src/plugins.js']],
  ] as const;
  expect(folder.run(`
    const index = require('./src/index.js');
    const always = ['chunks/load.js', 'src/index.js'];
    const step = () => loaded().filter((file) => !always.includes(file));
    console.log(JSON.stringify([${steps.map(([code]) => `(${code}, step())`).join(', ')}]));
  `)).toEqual(steps.map(([, files]) => files));
});

test('there is one of each class and of what modules remember, whichever way they are loaded', () => {
  bundle({ folder: folder.path, ...OPTIONS });

  expect(folder.run(`
    const { App, Plugin, read } = require('./src/index.js');
    const app = new App();
    console.log(JSON.stringify([app.number, require('./src/program.js').run(new Plugin()), app.part().app() instanceof App, read(), App.name, app.part().constructor.name]));
  `)).toEqual([1, [true, 3], true, 'parsed ${\u2026', 'App', 'Part']);
});

test('a module that failed is tried again, as by require', () => {
  bundle({ folder: folder.path, ...OPTIONS });

  expect(folder.run(`
    const index = require('./src/index.js');
    const attempt = () => { try { return index.broken; } catch (error) { return [error.message, /src\\/broken\\/broken/.test(error.stack)]; } };
    console.log(JSON.stringify([attempt(), attempt()]));
  `)).toEqual([['not yet', true], false]);
});

test('an ECMAScript module imports names', () => {
  bundle({ folder: folder.path, ...OPTIONS, entries: ['src/program'], core: ['run'] });

  expect(folder.runModule("import { run } from './src/program.js'; console.log(JSON.stringify(run(1)));")).toEqual([false, 1]);
});

test('bundling again changes nothing, and takes what was compiled since', () => {
  bundle({ folder: folder.path, ...OPTIONS });
  const before = folder.files();
  bundle({ folder: folder.path, ...OPTIONS });
  expect(folder.files()).toEqual(before);

  folder.compile({ 'src/state/state': 'export function count(): number { return 42; }\n' });
  bundle({ folder: folder.path, ...OPTIONS });
  expect(folder.run("console.log(new (require('./src/index.js').App)().number)")).toBe(42);

  folder.compile({ 'src/index': "export { App } from './app/app';\n" });
  bundle({ folder: folder.path, ...OPTIONS });
  expect(chunks()).toEqual(['chunks/core.js', 'chunks/load.js', 'chunks/src/cli.js']);
});

test('comments and source maps are left out', () => {
  bundle({ folder: folder.path, ...OPTIONS });

  for (const file of [...chunks(), 'src/index.js']) expect(folder.files()[file]).not.toMatch(/What it is|sourceMappingURL/);
});

test.each([
  ['a core that is not there', {}, { core: ['Nothing'] }, 'no entry exports Nothing'],
  ['an entry of which there would be two', { 'src/state/state': "export { App as count } from '../index';\n" }, {}, 'a module requires src/index'],
  ['exports that are replaced', { 'src/state/state': 'module.exports = {};\n' }, {}, 'src/state/state replaces its exports'],
  ['a name that would hide the loader', { 'src/state/state': 'export function count($load: number): number { return $load; }\n' }, {}, 'named $load'],
  ['a name that would hide require', { 'src/state/state': 'export function count(): number { const { require } = { require: 1 }; return require; }\n' }, {}, 'named require'],
  ['a package that is used as a whole', { 'src/state/state': "import peer = require('peer');\nexport const count = (): unknown => peer;\n" }, {}, 'src/state/state uses peer as a whole'],
  ['what is known only when it runs', { 'src/state/state': 'export const other = require(process.argv[2]);\n' }, {}, 'requires what is not known before it runs'],
])('%s: refused', (_, modules, options, message) => {
  folder.compile(modules as { [name: string]: string });

  expect(() => bundle({ folder: folder.path, ...OPTIONS, ...options })).toThrow(message);
});
