import * as fs from 'node:fs';
import * as path from 'node:path';
import { run } from './run';

/** The major releases of Node.js that the package is tried with; the registry has their programs as packages. */
export const NODES: readonly string[] = ['20', '22', '24', '26'];

/** The major releases of TypeScript that a user's app may be compiled with. */
export const TYPESCRIPTS: readonly string[] = ['5', '6', '7'];

/** The newest constructs for Kubernetes' own kinds; the package itself is compiled against an older release of another name. */
export const NEWEST_PLUS = 'cdk8s-plus-34';

/** A tenant whose workloads are constructs of another release than the package's. */
const PLUS_PAGE = `
import { App } from 'cdk8s';
import { Cni, FluxDelivery, KamajiControlPlane, KubevirtInfrastructure, TenantCluster } from 'cdk8s-cluster-api';
import { ConfigMap } from '${NEWEST_PLUS}';

const app = new App({ outdir: 'plus' });
const tenant = new TenantCluster(app, 'acme', {
  namespace: 'tenant-acme',
  kubernetesVersion: '1.35.4',
  controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
  infrastructure: new KubevirtInfrastructure(),
  cni: Cni.none(),
  delivery: new FluxDelivery(),
});
new ConfigMap(tenant.workloads, 'settings', { metadata: { name: 'settings', namespace: 'default' }, data: { colour: 'blue' } });
app.synth();
`;

/**
 * Compiles and runs the page of an app with each release of the toolchain: each accepts it, and each gives the same files.
 *
 * @param app folder of the app, which has been compiled and run once
 * @returns what was tried
 */
export function checkToolchains(app: string): string {
  const names = [...NODES.map((major) => `node-${major}@npm:${nodePackage()}@${major}`), ...TYPESCRIPTS.map((major) => `typescript-${major}@npm:typescript@${major}`)];
  run('npm', ['install', '--no-audit', '--no-fund', '--no-save', NEWEST_PLUS, ...names], app);
  fs.writeFileSync(path.join(app, 'plus.ts'), PLUS_PAGE);
  const compiled = TYPESCRIPTS.map((major) => {
    const folder = path.join(app, 'node_modules', `typescript-${major}`);
    const options = ['--target', 'es2022', '--module', 'node16', '--strict', '--types', 'node', '--outDir', 'build'];
    // TypeScript 6 and later refuse names of files beside a tsconfig.json.
    fs.rmSync(path.join(app, 'tsconfig.json'), { force: true });
    run(process.execPath, [path.join(folder, 'bin', 'tsc'), ...options, 'main.ts', 'plus.ts'], app);
    return versionOf(folder);
  });
  const expected = filesOf(path.join(app, 'dist'));
  const ran = NODES.map((major) => {
    const folder = path.join(app, 'node_modules', `node-${major}`);
    for (const output of ['dist', 'plus']) fs.rmSync(path.join(app, output), { recursive: true, force: true });
    for (const page of ['main.js', 'plus.js']) run(nodeProgram(app, major), [path.join('build', page)], app);
    if (filesOf(path.join(app, 'dist')) !== expected) throw new Error(`Node.js ${versionOf(folder)} gives other files than ${process.version}`);
    if (!filesOf(path.join(app, 'plus')).includes('colour: blue')) throw new Error(`Node.js ${versionOf(folder)}: the constructs of ${NEWEST_PLUS} are not delivered`);
    return versionOf(folder);
  });
  return `TypeScript ${compiled.join(', ')}; Node.js ${ran.join(', ')}; ${NEWEST_PLUS} ${versionOf(path.join(app, 'node_modules', NEWEST_PLUS))}`;
}

/** The program of a release of Node.js, which `checkToolchains` has installed in the app. */
export function nodeProgram(app: string, major: string): string {
  return path.join(app, 'node_modules', `node-${major}`, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** The package that has the program of Node.js for this machine. */
export function nodePackage(): string {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

function versionOf(folder: string): string {
  return (JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

/** All files of a folder as one text. */
function filesOf(folder: string): string {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => fs.statSync(path.join(folder, file)).isFile()).sort();
  return files.map((file) => `${file}\n${fs.readFileSync(path.join(folder, file), 'utf8')}`).join('\n');
}
