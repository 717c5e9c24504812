import * as fs from 'node:fs';
import * as path from 'node:path';
import { Testing } from 'cdk8s';
import * as jsYaml from 'js-yaml';
import { ExitCode } from '../../../src/cli/command';
import { BLUEPRINTS } from '../../../src/cli/init/app-files';
import { packageSpec } from '../../../src/cli/init/package-spec';
import { GitOpsApp } from '../../../src/gitops/gitops-app';
import { TenantCluster } from '../../../src/tenant-cluster/tenant-cluster';
import { ManifestValidation } from '../../../src/validation/manifest-validation';
import { ownVersion } from '../../../src/values/own-version';
import { Workplace } from '../run';

const ROOT = path.join(__dirname, '../../..');
const FILES = [
  '.editorconfig', '.gitattributes', '.github/workflows/ci.yml', '.gitignore', 'README.md', 'cdk8s.yaml', 'main.ts', 'package.json', 'renovate.json',
  'tenant.test.ts', 'tenant.ts', 'tsconfig.json',
];

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

function filesIn(folder: string): string[] {
  return fs.readdirSync(workplace.path(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(workplace.path(path.join(folder, name))).isFile()).sort();
}

test('every file of an app is written, and listed', async () => {
  const { code, out, err } = await workplace.run(['init', 'Acme Clusters']);

  expect({ code, err }).toEqual({ code: ExitCode.OK, err: '' });
  expect(filesIn('Acme Clusters')).toEqual(FILES);
  expect(out).toContain(`Wrote ${FILES.length} files to Acme Clusters: ${FILES.join(', ')}\n`);
  expect(out).toContain('  cd Acme Clusters\n  npm install\n  npm test\n  npx cdk8s synth\n');
});

test('package.json has the name of the folder and what this package accepts', async () => {
  await workplace.run(['init', 'Acme Clusters']);
  const { name, dependencies } = JSON.parse(workplace.read('Acme Clusters/package.json')) as { name: string; dependencies: object };
  const { peerDependencies } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { peerDependencies: object };

  expect(name).toBe('acme-clusters');
  expect(dependencies).toEqual({
    ...peerDependencies, 'cdk8s-cluster-api': `file:${path.relative(workplace.path('Acme Clusters'), ROOT)}`,
  });
});

test('cdk8s.yaml names the plug-in by its folder, with the version of the package', async () => {
  await workplace.run(['init', 'a']);

  expect(jsYaml.load(workplace.read('a/cdk8s.yaml'))).toEqual({
    language: 'typescript',
    app: 'npx tsx main.ts',
    output: 'dist',
    validations: [{ package: './node_modules/cdk8s-cluster-api', version: ownVersion(), class: 'ManifestValidationPlugin' }],
  });
});

test.each(FILES.filter((name) => !name.endsWith('.ts')))('%s has no placeholder left', async (name) => {
  await workplace.run(['init', 'a']);

  expect(workplace.read(`a/${name}`)).not.toMatch(/__[A-Z]/);
  if (name.endsWith('.json')) JSON.parse(workplace.read(`a/${name}`));
  if (/\.ya?ml$/.test(name)) jsYaml.load(workplace.read(`a/${name}`));
});

describe.each(Object.keys(BLUEPRINTS))('%s', (blueprint) => {
  test('what is to be replaced is listed with its lines, on the terminal and in the README', async () => {
    const { out } = await workplace.run(['init', '--blueprint', blueprint, 'a']);
    const lines = workplace.read('a/tenant.ts').split('\n');
    const listed = [...out.matchAll(/^ {2}tenant\.ts:(\d+) +(.*)$/gm)];

    expect(listed.length).toBe(lines.filter((line) => line.includes('Replace:')).length);
    expect(listed.length).toBeGreaterThan(2);
    for (const [, line, what] of listed) {
      expect(lines[Number(line) - 2]).toContain(`// Replace: ${what}.`);
      expect(workplace.read('a/README.md')).toContain(`- \`tenant.ts:${line}\`: ${what}\n`);
    }
  });

  test('its cluster synthesizes, and servers accept it', () => {
    const { addTenant } = jest.requireActual<{ addTenant(app: GitOpsApp): TenantCluster }>(path.join(ROOT, 'templates/blueprints', blueprint));
    const app = new GitOpsApp({ outdir: workplace.path('dist'), quiet: true });
    const acme = addTenant(app);

    expect(ManifestValidation.check(Testing.synth(acme)).refused).toEqual([]);
    app.synth();
    expect(filesIn('dist').length).toBeGreaterThan(10);
  });
});

test('there is a template for every blueprint', () => {
  expect(fs.readdirSync(path.join(ROOT, 'templates/blueprints')).sort()).toEqual(Object.keys(BLUEPRINTS).map((name) => `${name}.ts`).sort());
});

test('nothing is written if one of the files exists', async () => {
  workplace.write({ 'a/tenant.ts': 'mine', 'a/README.md': 'mine', 'a/other.txt': 'mine' });
  const { code, out, err } = await workplace.run(['init', 'a']);

  expect({ code, out }).toEqual({ code: ExitCode.FAILED, out: '' });
  expect(err).toBe(`error: ${workplace.path('a/README.md')} exists\nerror: ${workplace.path('a/tenant.ts')} exists\n`
    + 'nothing was written; name a new folder, or move these files\n');
  expect(filesIn('a')).toEqual(['README.md', 'other.txt', 'tenant.ts']);
});

test('nothing is left of an app that cannot be written', async () => {
  workplace.write({ 'a/.github': 'a file' });
  const { code, err } = await workplace.run(['init', 'a']);

  expect(code).toBe(ExitCode.FAILED);
  expect(err).toContain('cannot be written (');
  expect(filesIn('a')).toEqual(['.github']);
});

test.each([
  [['--blueprint', 'diy'], '--blueprint "diy" is not known'],
  [['a', 'b'], 'init writes one app'],
])('%j is refused', async (args, fault) => {
  const { code, err } = await workplace.run(['init', ...args]);

  expect(code).toBe(ExitCode.FAILED);
  expect(err).toContain(`error: ${fault}`);
  expect(filesIn('.')).toEqual([]);
});

describe('the app depends on the package as this program was installed', () => {
  const installed = (resolved: string) => {
    workplace.write({
      'node_modules/.package-lock.json': JSON.stringify({ packages: { 'node_modules/cdk8s-cluster-api': { resolved } } }),
      'node_modules/cdk8s-cluster-api/package.json': '{}',
    });
    return workplace.path('node_modules/cdk8s-cluster-api');
  };

  test('from a tarball', () => {
    expect(packageSpec(installed('file:../packed/cdk8s-cluster-api.tgz'), workplace.path('app'))).toBe('file:../../packed/cdk8s-cluster-api.tgz');
  });

  test('from a registry', () => {
    expect(packageSpec(installed('https://registry.example.com/cdk8s-cluster-api.tgz'), workplace.path('app'))).toBe(ownVersion());
  });

  test('by another package manager', () => {
    workplace.write({ 'node_modules/cdk8s-cluster-api/package.json': '{}' });
    expect(packageSpec(workplace.path('node_modules/cdk8s-cluster-api'), workplace.path('app'))).toBe(ownVersion());
  });

  test('from a clone', () => {
    expect(packageSpec(workplace.path('clone'), workplace.path('app'))).toBe('file:../clone');
  });
});
