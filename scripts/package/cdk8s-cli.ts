import * as fs from 'node:fs';
import * as path from 'node:path';
import { run } from './run';

/** Two tenants, of which the environment chooses. It writes its warnings to a file, because `cdk8s synth` shows them only when it fails. */
const PROGRAM = `
const fs = require('node:fs');
const { Cni, GitOpsApp, KamajiControlPlane, KubevirtCloudControllerManager, KubevirtInfrastructure, KubevirtLoadBalancers, TenantCluster } = require('cdk8s-cluster-api');
process.on('warning', ({ message }) => fs.appendFileSync('warnings.txt', message + '\\n'));
const app = new GitOpsApp();
for (const id of process.env.TENANTS.split(' ')) {
  new TenantCluster(app, id, {
    namespace: id,
    kubernetesVersion: '1.35.4',
    controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default' }),
    infrastructure: new KubevirtInfrastructure({ cloudControllerManager: KubevirtCloudControllerManager.of({ loadBalancers: KubevirtLoadBalancers.none() }) }),
    cni: Cni.none(),
  });
}
app.synth();
`;

/** `cdk8s synth` removes the output before it runs the program: clusters, files of others and changes by hand are protected by the last commit. */
export function checkCdk8sCli(app: string): string {
  run('npm', ['install', '--no-audit', '--no-fund', '--save-dev', 'cdk8s-cli@^2'], app);
  const { version } = JSON.parse(fs.readFileSync(path.join(app, 'node_modules', 'cdk8s-cli', 'package.json'), 'utf8')) as { version: string };
  fs.writeFileSync(path.join(app, 'tenants.js'), PROGRAM);
  fs.writeFileSync(path.join(app, 'cdk8s.yaml'), 'language: typescript\napp: node tenants.js\noutput: tenants\n');
  fs.writeFileSync(path.join(app, '.gitignore'), 'node_modules/\nwarnings.txt\n');
  const git = (...args: string[]) => run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false', ...args], app);
  const synth = (tenants: string) => run('npx', ['--no-install', 'cdk8s', 'synth', '--check-upgrade=false'], app, { TENANTS: tenants });
  const changed = () => git('status', '--porcelain', '--untracked-files=all', 'tenants');

  git('init', '--quiet');
  synth('acme beta');
  fs.writeFileSync(path.join(app, 'tenants', 'README.md'), 'Ours.\n');
  git('add', '--all');
  git('commit', '--quiet', '--message=Two tenants');

  synth('acme');
  expectText('what changed', changed(), /^$/);
  expectText('the warnings', warnings(app), /TC-GITOPS-KEPT the cluster "beta"/);

  fs.appendFileSync(path.join(app, 'tenants', 'clusters', 'acme', 'acme', 'cluster.yaml'), '# by hand\n');
  git('commit', '--quiet', '--all', '--message=By hand');
  synth('acme beta');
  expectText('what changed', changed(), /^ M tenants\/clusters\/acme\/acme\/cluster\.yaml\n$/);
  expectText('the warnings', warnings(app), /TC-OUTPUT-CHANGED-BY-HAND .*clusters\/acme\/acme\/cluster\.yaml/);
  return version;
}

function warnings(app: string): string {
  const file = path.join(app, 'warnings.txt');
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  fs.rmSync(file, { force: true });
  return text;
}

function expectText(what: string, text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`${what} after cdk8s synth should match ${String(pattern)}, and is:\n${text}`);
}
