import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { bundle } from '../../scripts/bundle';

const FILES = {
  'lib/src/index.js': "export { App } from './app';\nexport { read } from './read';\nexport * as parts from './parts';\n",
  'lib/src/program.js': "export { run } from './run';\n",
  'lib/src/manifests.js': 'export const plan = 1;\n',
  'lib/src/constructs/app/arguments/checked-exports.js': 'export const checkedExports = ({ parts, ...exports }) => ({ ...exports, parts: { ...parts, isChecked: true } });\n',
  'lib/src/app.js': "import { Peer } from 'peer';\nexport class App extends Peer {}\n",
  'lib/src/read.js': "import { parse } from 'parser';\nexport const read = () => parse();\n",
  'lib/src/parts.js': "import { App } from './app';\nexport class Part extends App {}\n",
  'lib/src/run.js': "import { App } from './app';\nexport const run = (app) => app instanceof App;\n",
  'node_modules/peer/index.js': 'exports.Peer = class Peer {};',
  'node_modules/parser/index.js': "exports.parse = () => 'parsed';",
  'node_modules/parser/package.json': '{"name":"parser","version":"1.2.3"}',
  'node_modules/parser/LICENSE': 'Free for all.\n',
};

let root: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'bundle-')));
  for (const [file, text] of Object.entries(FILES)) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
});
afterEach(() => fs.rmSync(root, { recursive: true }));

function bundled(): Promise<void> {
  return bundle(path.join(root, 'lib'), ['peer']);
}

/** The JSON that a program prints, where `loaded()` returns the files that it has required. */
function run(program: string): unknown {
  const loaded = "const loaded = () => Object.keys(require.cache).map((file) => require('node:path').basename(file));";
  return JSON.parse(execFileSync(process.execPath, ['-e', `${loaded} console.log(JSON.stringify(${program}))`], { cwd: root, encoding: 'utf8' }));
}

test('the index alone is loaded first, and namespaces when one is used', async () => {
  await bundled();

  expect(run("[Object.keys(require('./lib')), loaded()]")).toEqual([['App', 'read', 'parts'], ['index.js']]);
  expect(run("(require('./lib').App, loaded())")).not.toContain('namespaces.js');
  expect(run("(require('./lib').parts, loaded())")).toContain('namespaces.js');
});

test('the index checks the arguments of what it exports', async () => {
  await bundled();

  expect(run("require('./lib').parts.isChecked")).toBe(true);
});

test('each class exists once, whichever file loads it', async () => {
  await bundled();

  expect(run("(({ App, parts }, { run }) => [new parts.Part() instanceof App, run(new App())])(require('./lib'), require('./lib/program'))")).toEqual([true, true]);
});

test('peers stay outside; other packages come in with their license', async () => {
  await bundled();
  fs.rmSync(path.join(root, 'node_modules/parser'), { recursive: true });

  expect(run("(({ App, read }) => [Object.getPrototypeOf(App) === require('peer').Peer, read()])(require('./lib'))")).toEqual([true, 'parsed']);
  expect(fs.readFileSync(path.join(root, 'lib/THIRD-PARTY-LICENSES'), 'utf8')).toBe('parser@1.2.3\n\nFree for all.\n');
});

test('a package without a license text is rejected', async () => {
  fs.rmSync(path.join(root, 'node_modules/parser/LICENSE'));

  await expect(bundled()).rejects.toThrow('parser has no license text');
});

test('an ECMAScript module can import the names', async () => {
  await bundled();

  const program = "import { App, parts } from './lib/index.js'; console.log(parts.Part.name, App.name);";
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' })).toBe('Part App\n');
});
