/**
 * Proves that the packed package works for somebody who has nothing else: packs it, installs the tarball in an empty
 * TypeScript app, once with the oldest and once with the newest supported peers, synthesizes the README's page there, and runs the
 * program of the package on the result. In the app with the newest peers, each supported release of TypeScript and Node.js gives the same files,
 * an app that `init` writes is tested and synthesized, the documented commands run in it, what a newcomer does from an empty folder to a commit
 * gives one that GitOps tools can read, and the newest cdk8s-cli synthesizes a Git repository with two tenants.
 *
 * With `--quick`, only the newest peers, the app of `init` and the newcomer's way are tried.
 *
 * Needs a compiled library and network access to the package registry.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { checkCdk8sCli } from './cdk8s-cli';
import { checkFirstDay } from './first-day';
import { run } from './run';
import { checkSingleFile } from './single-file';
import { checkStarter } from './starter';
import { checkToolchains } from './toolchains';

const ROOT = path.join(__dirname, '..', '..');

/** With --quick: the newest peers, without other toolchains. */
const IS_QUICK = process.argv.includes('--quick');

const PEERS = ['cdk8s', 'constructs', 'cdk8s-plus-28'];

/** The only file that is loaded when the package is required. */
const INDEX = path.join('cdk8s-cluster-api', 'lib', 'index.js');

/** The bundle, which has each module once. */
const BUNDLE = /^lib\/[^/]+\.js$/;

interface PackageFile {
  readonly peerDependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

const own = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as PackageFile;

/** The TypeScript page of the README. */
function readmePage(): string {
  const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const page = /^```ts\n([\s\S]*?)^```$/m.exec(readme);
  if (!page) throw new Error('README.md has no TypeScript page');
  return page[1];
}

function peersFor(age: 'oldest' | 'newest'): { [name: string]: string } {
  return Object.fromEntries(PEERS.map((name) => [name, age === 'oldest' ? own.peerDependencies[name].replace('^', '') : own.peerDependencies[name]]));
}

/** The program finds the images of the page and nothing wrong with it. */
function checkProgram(app: string): number {
  const { images } = JSON.parse(run('npx', ['--no-install', 'cdk8s-cluster-api', 'images', '--format', 'json', 'dist'], app)) as { images: unknown[] };
  if (images.length === 0) throw new Error('cdk8s-cluster-api images finds no image in the page');
  run('npx', ['--no-install', 'cdk8s-cluster-api', 'validate', '--strict', 'dist'], app);
  return images.length;
}

/** The index checks the arguments of what it exports. */
function checkArguments(app: string): void {
  const program = 'try { new (require("cdk8s-cluster-api").KubevirtMachine)({}) } catch (error) { error.message }';
  const message = run(process.execPath, ['-p', program], app);
  if (!message.startsWith('TC-ARGUMENT-MISSING new KubevirtMachine(')) throw new Error(`a call without arguments gives ${message}`);
}

/** Requiring the package loads its index alone, manifests need no cdk8s, and an ECMAScript module can import the names of both. */
function checkLoading(app: string): void {
  const loaded = run(process.execPath, ['-p', 'require("cdk8s-cluster-api"); Object.keys(require.cache).join("\\n")'], app).trim().split('\n');
  const early = loaded.filter((file) => !file.endsWith(INDEX));
  if (early.length > 0) throw new Error(`requiring the package loads ${early.join(', ')}`);
  run(process.execPath, ['--input-type=module', '-e', 'import { TenantCluster } from "cdk8s-cluster-api"'], app);
  const plain = run(process.execPath, ['-p', 'require("cdk8s-cluster-api/manifests").validate([]); Object.keys(require.cache).join("\\n")'], app);
  if (/node_modules\/(cdk8s|constructs)\//.test(plain)) throw new Error(`cdk8s-cluster-api/manifests loads ${plain}`);
  run(process.execPath, ['--input-type=module', '-e', 'import { validate } from "cdk8s-cluster-api/manifests"'], app);
}

/** A module that registers a provider serves the command line as well: both share the registered providers (docs/strategies.md). */
function checkRegistration(app: string): void {
  fs.writeFileSync(path.join(app, 'register.js'), `require('cdk8s-cluster-api/manifests').registerProvider({
    name: 'site', title: 'Site', kinds: [{ kind: 'example.com/Site' }],
    rules: [{ id: 'ACME-SITE', title: 'A site.', source: 'site', kinds: ['example.com/Site'], example: { failing: '', corrected: '' }, check: () => [] }],
  });\n`);
  const rules = run('npx', ['cdk8s-cluster-api', 'validate', '--list-rules'], app, { NODE_OPTIONS: '--require ./register.js' });
  if (!rules.includes('ACME-SITE')) throw new Error('the command line does not know the rules of a provider that is registered by NODE_OPTIONS');
}

async function tryPackage(tarball: string, age: 'oldest' | 'newest'): Promise<void> {
  const app = fs.mkdtempSync(path.join(os.tmpdir(), `cdk8s-cluster-api-${age}-`));
  try {
    fs.writeFileSync(path.join(app, 'package.json'), JSON.stringify({
      private: true,
      dependencies: { ...peersFor(age), 'cdk8s-cluster-api': `file:${tarball}` },
      devDependencies: { 'typescript': own.devDependencies.typescript, '@types/node': own.devDependencies['@types/node'] },
    }));
    fs.writeFileSync(path.join(app, 'tsconfig.json'), JSON.stringify({
      compilerOptions: { target: 'ES2022', module: 'node16', strict: true, types: ['node'], outDir: 'build' }, files: ['main.ts'],
    }));
    fs.writeFileSync(path.join(app, 'main.ts'), readmePage());
    run('npm', ['install', '--no-audit', '--no-fund', '--strict-peer-deps'], app);
    run('npx', ['tsc'], app);
    run(process.execPath, ['build/main.js'], app);
    const dist = path.join(app, 'dist');
    const manifests = fs.readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'));
    const kinds = manifests.flatMap((file) => fs.readFileSync(path.join(dist, file), 'utf8').match(/^kind: \w+$/gm) ?? []);
    if (!kinds.includes('kind: MachineDeployment')) throw new Error(`the page gave ${kinds.length} objects and no MachineDeployment`);
    const images = checkProgram(app);
    checkLoading(app);
    checkArguments(app);
    checkRegistration(app);
    const installed = PEERS.map((name) => `${name} ${(JSON.parse(fs.readFileSync(path.join(app, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version}`);
    console.log(`${age} peers (${installed.join(', ')}): the README's page gives ${kinds.length} objects, and these ${images} images`);
    if (age === 'oldest') return;
    console.log(`the program in one file: ${await checkSingleFile(path.join(app, 'single-file'), app)}`);
    if (!IS_QUICK) console.log(`each gives the same files: ${checkToolchains(app)}`);
    console.log(`the app of init: ${checkStarter(app, tarball, !IS_QUICK)}`);
    console.log(`from an empty folder to a commit, with the number of paths that GitOps tools read: ${checkFirstDay(app, path.join(app, 'starter'))}`);
    if (!IS_QUICK) console.log(`cdk8s synth (cdk8s-cli ${checkCdk8sCli(app)}) protects what is committed`);
  } finally {
    fs.rmSync(app, { recursive: true, force: true });
  }
}

async function tryPackages(folder: string): Promise<void> {
  const [{ filename, size, unpackedSize, entryCount, files }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], ROOT)) as
    { filename: string; size: number; unpackedSize: number; entryCount: number; files: { path: string }[] }[];
  const twice = files.map((file) => file.path).filter((file) => file.startsWith('lib/') && file.endsWith('.js') && !BUNDLE.test(file));
  if (twice.length > 0) throw new Error(`the package has modules that are in the bundle: ${twice.slice(0, 3).join(', ')}`);
  console.log(`${filename}: ${(size / 1e6).toFixed(2)} MB packed, ${(unpackedSize / 1e6).toFixed(2)} MB unpacked, ${entryCount} files`);
  if (!IS_QUICK) await tryPackage(path.join(folder, filename), 'oldest');
  await tryPackage(path.join(folder, filename), 'newest');
}

const packs = fs.mkdtempSync(path.join(os.tmpdir(), 'cdk8s-cluster-api-pack-'));
void tryPackages(packs).finally(() => fs.rmSync(packs, { recursive: true, force: true }));
