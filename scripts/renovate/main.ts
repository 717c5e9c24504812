/**
 * Proves that Renovate accepts the preset and the configuration that `init` writes, and finds the versions of an app and of examples with it.
 *
 * Needs a compiled library and network access to the package registry: Renovate has 500 MB.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { run } from '../package/run';
import { nodePackage } from '../package/toolchains';

const ROOT = path.join(__dirname, '..', '..');
const RENOVATE = 'renovate@44.121.2';

/** Renovate needs it, whatever runs this script. */
const NODE = `${nodePackage()}@24`;

const EXAMPLES = ['air-gap', 'cluster-api-only', 'diy-cloud'];

/** Expected dependencies: the file, the manager, the name and the version. */
const EXPECTED = [
  'air-gap.ts docker ghcr.io/stefanprodan/charts/podinfo 6.9.0',
  'air-gap.ts docker ghcr.io/stefanprodan/podinfo 6.9.0',
  'air-gap.ts docker ghcr.io/team-a/web 2.3.1',
  'air-gap.ts docker quay.io/capk/ubuntu-2404-container-disk v1.34.1',
  'air-gap.ts github-releases kubernetes/kubernetes 1.34.1',
  'cluster-api-only.ts docker registry.example.com/charts/team-operator 1.4.2',
  'cluster-api-only.ts docker registry.example.com/nodes/ubuntu-24.04-kubernetes 1.34.4',
  'cluster-api-only.ts docker registry.example.com/team-a/api 1.0.7',
  'cluster-api-only.ts github-releases kubernetes/kubernetes 1.34.4',
  'commented.ts helm cert-manager v1.19.1 of https://charts.jetstack.io/',
  'diy-cloud.ts docker quay.io/capk/ubuntu-2404-container-disk v1.34.1',
  'diy-cloud.ts docker quay.io/capk/ubuntu-2404-container-disk v1.34.1',
  'diy-cloud.ts github-releases kubernetes/kubernetes 1.34.1',
  'tenant.ts docker quay.io/capk/ubuntu-2404-container-disk v1.34.1',
  'tenant.ts github-releases kubernetes/kubernetes 1.34.1',
];

interface Dependency {
  readonly packageName: string;
  readonly currentValue: string;
  readonly datasource: string;
  readonly registryUrls?: readonly string[];
}

interface Message {
  readonly packageFiles?: { readonly regex?: readonly { readonly packageFile: string; readonly deps: readonly Dependency[] }[] };
}

function writeApp(app: string): void {
  run('node', [path.join(ROOT, 'bin/cdk8s-cluster-api'), 'init', app], ROOT);
  for (const name of EXAMPLES) fs.copyFileSync(path.join(ROOT, 'examples', name, 'main.ts'), path.join(app, `${name}.ts`));
  // The example of the guide.
  const guide = fs.readFileSync(path.join(ROOT, 'docs/guides/renovate.md'), 'utf8');
  fs.writeFileSync(path.join(app, 'commented.ts'), /^```ts\n([^]*?)^```/m.exec(guide)![1]);
  // Synthesis writes it, so Renovate must not.
  fs.mkdirSync(path.join(app, 'dist'));
  fs.copyFileSync(path.join(app, 'tenant.ts'), path.join(app, 'dist', 'generated.ts'));
  for (const args of [['init', '--quiet'], ['add', '--all'], ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message=App']]) run('git', args, app);
}

function found(log: string): string[] {
  const messages = log.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Message);
  const files = messages.flatMap(({ packageFiles }) => packageFiles?.regex ?? []);
  return files.flatMap(({ packageFile, deps }) => deps.map(({ packageName, currentValue, datasource, registryUrls }) => (
    `${packageFile} ${datasource} ${packageName} ${currentValue}${registryUrls === undefined ? '' : ` of ${registryUrls.join(', ')}`}`))).sort();
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cdk8s-cluster-api-renovate-'));
try {
  run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', RENOVATE, NODE], folder);
  const program = (name: string, args: readonly string[], cwd: string, env = {}) => (
    run(path.join(folder, 'node_modules', nodePackage(), 'bin', 'node'), [path.join(folder, 'node_modules', 'renovate', 'dist', name), ...args], cwd, env));
  program('config-validator.js', ['--strict', '--no-global', 'default.json', 'templates/app/renovate.json'], ROOT);

  const app = path.join(folder, 'app');
  writeApp(app);
  const env = { LOG_LEVEL: 'debug', LOG_FORMAT: 'json', RENOVATE_BASE_DIR: path.join(folder, 'work') };
  const versions = found(program('renovate.js', ['--platform=local', '--dry-run=extract'], app, env));
  if (versions.join('\n') !== EXPECTED.join('\n')) throw new Error(`Renovate should find\n${EXPECTED.join('\n')}\nand finds\n${versions.join('\n')}`);
  console.log(`${RENOVATE} accepts the preset, and finds ${versions.length} versions by it`);
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
