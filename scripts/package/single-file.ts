import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { run } from './run';
import { writeSingleFile } from '../single-file';

const ROOT = path.join(__dirname, '..', '..');
const POOL = (replicas: number): string => `apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: { name: acme-md-0, namespace: acme }
spec:
  clusterName: acme
  replicas: ${replicas}
  selector: {}
  template:
    spec:
      clusterName: acme
      version: v1.36.0
      bootstrap: { dataSecretName: acme-md-0 }
      infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: DockerMachineTemplate, name: acme-md-0 }
`;

/**
 * Runs the program in one file, in a repository of YAML that has no package.json and with Node.js and Git alone, and compares it with the program of
 * the package.
 *
 * @param folder an empty folder
 * @param app folder of an app that has the package and manifests in `dist`
 * @returns what was tried
 */
export async function checkSingleFile(folder: string, app: string): Promise<string> {
  const file = path.join(folder, 'cdk8s-cluster-api.cjs');
  await writeSingleFile(path.join(ROOT, 'lib'), file, '1.2.3');
  const repository = path.join(folder, 'repository');
  fs.mkdirSync(path.join(repository, 'clusters'), { recursive: true });
  const write = (replicas: number) => fs.writeFileSync(path.join(repository, 'clusters', 'acme.yaml'), POOL(replicas));
  write(3);
  run('git', ['init', '--quiet'], repository);
  run('git', ['add', '.'], repository);
  run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'Start'], repository);
  write(5);
  const env = { PATH: process.env.PATH };
  const output = (args: readonly string[], input = '') => execFileSync(process.execPath, args, { cwd: repository, env, input, encoding: 'utf8' });
  const committed = output([file, 'plan', 'clusters']);
  // As of "helm template … | cdk8s-cluster-api plan OLD -".
  const piped = output([file, 'plan', 'clusters/acme.yaml', '-'], POOL(4));
  for (const [plan, scaled] of [[committed, '3 -> 5'], [piped, '5 -> 4']]) {
    if (!plan.includes(scaled)) throw new Error(`the program in one file plans without "${scaled}":\n${plan}`);
  }
  if (output([file, '--version']) !== '1.2.3\n') throw new Error('the program in one file has another version than its release');
  output([file, 'init', path.join(folder, 'app')]);
  const inPackage = path.join(app, 'node_modules', 'cdk8s-cluster-api', 'bin', 'cdk8s-cluster-api');
  const compared = [['validate'], ['inventory'], ['images'], ['explain', 'TC-ADMIT-POOL-COUNT']].map((args) => {
    const given = args[0] === 'explain' ? args : [...args, path.join(app, 'dist')];
    const [own, packaged] = [file, inPackage].map((program) => execFileSync(process.execPath, [program, ...given], { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    if (own !== packaged.replaceAll('npx cdk8s-cluster-api ', 'cdk8s-cluster-api ')) throw new Error(`${args[0]} of the program in one file prints something else than that of the package`);
    return args[0];
  });
  return `${(fs.statSync(file).size / 1e6).toFixed(1)} MB, without a package.json: plan, init, version; and as in the package: ${compared.join(', ')}`;
}
