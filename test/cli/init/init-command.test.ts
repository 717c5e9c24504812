import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { Testing } from 'cdk8s';
import * as jsYaml from 'js-yaml';
import { ExitCode } from '../../../src/cli/command';
import { BLUEPRINTS, packageSource } from '../../../src/cli/init/app-files';
import { ManifestValidation } from '../../../src/constructs/app/validation/manifest-validation';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { ownVersion } from '../../../src/manifests/values/package-files';
import { Workplace } from '../run';

const ROOT = path.join(__dirname, '../../..');
const WORKFLOW = '.github/workflows/a.yml';
const FILES = [
  '.editorconfig', '.gitattributes', WORKFLOW, '.gitignore', 'README.md', 'cdk8s.yaml', 'main.ts', 'package.json', 'renovate.json',
  'tenant.ts', 'tenants.test.ts', 'tenants.ts', 'tsconfig.json',
];

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

function filesIn(folder: string): string[] {
  return fs.readdirSync(workplace.path(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(workplace.path(path.join(folder, name))).isFile()).sort();
}

test('every file of an app is written, and listed', async () => {
  const { code, out, err } = await workplace.run(['init', 'a']);

  expect({ code, err }).toEqual({ code: ExitCode.OK, err: '' });
  expect(filesIn('a')).toEqual(FILES);
  expect(out).toContain(`Wrote ${FILES.length} files to a: ${FILES.join(', ')}\n`);
});

test('the help names the files of the app', async () => {
  const { out } = await workplace.run(['init', '--help']);

  for (const name of FILES.filter((file) => /^(?!.*test).*\.(ts|json|yaml)$/.test(file) && file !== 'renovate.json')) expect(out).toContain(name);
});

test('the commands to go on with end in a commit, which a shell makes of the name of any folder', async () => {
  const { out } = await workplace.run(['init', "Acme's Clusters"]);
  const commands = /^Next:\n((?: {2}.*\n)+)/m.exec(out)![1].replace(/^ {2}(npm|npx) .*$/gm, '').replace('git init', 'git init --quiet');
  const identity = { GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@example.com', GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@example.com' };
  const committed = execFileSync('sh', ['-ec', `${commands}\ngit ls-files`], { cwd: workplace.folder, encoding: 'utf8', env: { ...process.env, ...identity } });

  expect(out).toContain("  cd 'Acme'\\''s Clusters'\n  git init -b main\n  npm install\n  npm test\n  npm run synth\n  git add .\n  git commit ");
  expect(committed).toContain('tenant.ts\n');
  expect(committed).toContain('.github/workflows/acme-s-clusters.yml\n');
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

test('nothing is written if one of the files exists that the app cannot do without', async () => {
  workplace.write({ 'a/tenant.ts': 'mine', 'a/package.json': '{}', 'a/README.md': 'mine' });
  const { code, out, err } = await workplace.run(['init', 'a']);

  expect({ code, out }).toEqual({ code: ExitCode.FAILED, out: '' });
  expect(err).toBe(`error: ${workplace.path('a/package.json')} exists\nerror: ${workplace.path('a/tenant.ts')} exists\n`
    + 'nothing was written; name a new folder, or move these files\n');
  expect(filesIn('a')).toEqual(['README.md', 'package.json', 'tenant.ts']);
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

test('files that a repository begins with stay as they are', async () => {
  const mine = { 'a/README.md': '# Ours\n', 'a/LICENSE': 'Ours.\n', 'a/.gitignore': '*.log\n', 'a/renovate.json5': '{}\n', 'a/.editorconfig': 'root = true\n' };
  workplace.write(mine);
  const { code, out } = await workplace.run(['init', 'a']);

  expect(code).toBe(ExitCode.OK);
  for (const [file, text] of Object.entries(mine)) expect(workplace.read(file)).toBe(text);
  expect(fs.existsSync(workplace.path('a/renovate.json'))).toBe(false);
  expect(out).toContain(`Left alone, because they exist:
  .editorconfig
  .gitignore     add: node_modules/
  README.md
  renovate.json  renovate.json5 has settings: the guide Renovate shows what to add
`);
  expect(out).toContain('Replace before you apply it:\n');
});

describe('in a Git repository', () => {
  beforeEach(() => {
    workplace.write({ 'README.md': '# Platform\n', '.gitignore': 'dist\n*.log\n', '.github/workflows/ci.yml': 'name: ci\n' });
    execFileSync('git', ['init', '--quiet', workplace.folder]);
  });

  test('an app at the top has the paths of any other, beside what exists', async () => {
    const { code, out } = await workplace.run(['init', '.']);
    const name = path.basename(workplace.folder).toLowerCase();

    expect(code).toBe(ExitCode.OK);
    expect(out).not.toContain('git init');
    expect(workplace.read('main.ts')).toContain("path: 'dist' }");
    expect(workplace.read(`.github/workflows/${name}.yml`)).not.toMatch(/working-directory|cache-dependency|subfolder|\n\n\n/);
    expect(workplace.read('.github/workflows/ci.yml')).toBe('name: ci\n');
  });

  test('an app in a subfolder has the paths that Flux, GitHub and Renovate see from the top', async () => {
    const { out } = await workplace.run(['init', 'platform/clusters']);
    const up = '../../';

    expect(filesIn('platform/clusters').filter((name) => name.startsWith('.github') || name === 'renovate.json')).toEqual([]);
    expect(workplace.read('platform/clusters/main.ts')).toContain("path: 'platform/clusters/dist' }");
    expect(workplace.read('platform/clusters/README.md')).toContain(' --path=platform/clusters/dist/flux\n');
    expect(JSON.parse(workplace.read('renovate.json'))).toMatchObject({ ignorePaths: ['platform/clusters/dist/**', '**/node_modules/**'] });
    const { defaults, jobs } = jsYaml.load(workplace.read('.github/workflows/platform-clusters.yml')) as {
      defaults: object; jobs: { check: { steps: { uses?: string; with?: object }[] } };
    };
    expect(defaults).toEqual({ run: { 'working-directory': 'platform/clusters' } });
    expect(jobs.check.steps).toContainEqual(expect.objectContaining({
      uses: './platform/clusters/node_modules/cdk8s-cluster-api', with: expect.objectContaining({ folder: 'platform/clusters/dist' }) as object,
    }));
    expect(jobs.check.steps).toContainEqual(expect.objectContaining({
      with: { 'node-version': 24, 'cache': 'npm', 'cache-dependency-path': 'platform/clusters/package-lock.json' },
    }));
    expect(out).toContain(`  git add . ${up}.github/workflows/platform-clusters.yml ${up}renovate.json\n`);
  });

  test('an app behind a link is written where the link leads, and nothing outside of the repository', async () => {
    workplace.write({ 'deep/er/apps/keep': '' });
    fs.symlinkSync('deep/er/apps', workplace.path('apps'));
    const { code, out } = await workplace.run(['init', 'apps/clusters']);
    expect([code, out]).toEqual([ExitCode.OK, expect.stringContaining('  git add . ../../../../.github/workflows/deep-er-apps-clusters.yml ../../../../renovate.json\n')]);
    expect(workplace.read('deep/er/apps/clusters/main.ts')).toContain("path: 'deep/er/apps/clusters/dist' }");
    expect(fs.readdirSync(workplace.path('.github/workflows')).sort()).toEqual(['ci.yml', 'deep-er-apps-clusters.yml']);
    expect(fs.readdirSync(workplace.folder).sort()).toEqual(['.git', '.github', '.gitignore', 'README.md', 'apps', 'deep', 'renovate.json']);
  });

  test('a folder of the repository that is a link to another place is refused', async () => {
    const other = new Workplace();
    fs.rmSync(workplace.path('.github'), { recursive: true });
    fs.symlinkSync(other.folder, workplace.path('.github'));
    const { code, err } = await workplace.run(['init', 'clusters']);
    expect([code, err]).toEqual([ExitCode.FAILED, expect.stringContaining('clusters.yml is outside of the repository, behind a link\n')]);
    expect([fs.readdirSync(other.folder), fs.existsSync(workplace.path('clusters'))]).toEqual([[], false]);
    other.remove();
  });

  test.each(['.git/foo', '.git'])('the folder of Git is refused: %s', async (folder) => {
    expect(await workplace.run(['init', folder])).toMatchObject({ code: ExitCode.FAILED, err: expect.stringContaining('is in the folder of Git itself') as string });
    expect(fs.existsSync(workplace.path('.git/foo'))).toBe(false);
  });

  test.each(['README.md/x', 'loop/x'])('a path that leads through no folder is refused: %s', async (folder) => {
    fs.symlinkSync('loop', workplace.path('loop'));
    expect(await workplace.run(['init', folder])).toMatchObject({ code: ExitCode.FAILED, err: expect.stringMatching(/ cannot be written \(/) as string });
  });

  test('a second app has its own workflow', async () => {
    for (const name of ['one', 'two']) expect(await workplace.run(['init', name])).toMatchObject({ code: ExitCode.OK });
    expect(fs.readdirSync(workplace.path('.github/workflows')).sort()).toEqual(['ci.yml', 'one.yml', 'two.yml']);
  });

  test('apps whose last folders have the same name have a workflow each, named after the path', async () => {
    for (const name of ['one/tenants', 'other/tenants']) expect(await workplace.run(['init', name])).toMatchObject({ code: ExitCode.OK });
    expect(fs.readdirSync(workplace.path('.github/workflows')).sort()).toEqual(['ci.yml', 'one-tenants.yml', 'other-tenants.yml']);
    expect(workplace.read('other/tenants/README.md')).toContain('`.github/workflows/other-tenants.yml`');
    expect(JSON.parse(workplace.read('other/tenants/package.json'))).toMatchObject({ name: 'tenants' });
  });

  test.each(['1.10', 'null', '-x'])('a folder named %j is a string in YAML, and a folder to cd', async (name) => {
    const { out } = await workplace.run(['init', '--', name]);
    const workflow = name.replace('-', '');
    expect(jsYaml.load(workplace.read(`.github/workflows/${workflow}.yml`))).toMatchObject({ name: workflow, defaults: { run: { 'working-directory': name } } });
    expect(out).toContain(`  cd ${name === '-x' ? './-x' : name}\n`);
  });

  test('what Git ignores and must not is named', async () => {
    const { out } = await workplace.run(['init', 'clusters']);
    expect(out).toContain('Git ignores these, and must not: ');
    expect(out).toMatch(/^ {2}dist\/clusters\/tenant-acme\/acme\/cluster\.yaml +\.gitignore:1 has dist$/m);
  });

  test('a folder whose path Flux does not accept is refused', async () => {
    const { code, err } = await workplace.run(['init', 'My Clusters']);
    expect(code).toBe(ExitCode.FAILED);
    expect(err).toContain('error: "My Clusters" is a path with characters other than letters, digits, ".", "_", "-" and "/"\n');
    expect(fs.existsSync(workplace.path('My Clusters'))).toBe(false);
  });
});

describe('the app depends on the package as this program was installed', () => {
  const installed = (resolved: string) => {
    workplace.write({
      'node_modules/.package-lock.json': JSON.stringify({ packages: { 'node_modules/cdk8s-cluster-api': { resolved } } }),
      'node_modules/cdk8s-cluster-api/package.json': '{}',
    });
    return packageSource(workplace.path('node_modules/cdk8s-cluster-api'), workplace.path('app'));
  };

  test('from a tarball, of which it gets a copy', () => {
    workplace.write({ 'packed/cdk8s-cluster-api-1.2.3.tgz': 'packed' });
    expect(installed('file:packed/cdk8s-cluster-api-1.2.3.tgz')).toEqual({
      spec: 'file:vendor/cdk8s-cluster-api-1.2.3.tgz', tarball: { place: 'vendor/cdk8s-cluster-api-1.2.3.tgz', content: Buffer.from('packed') },
    });
  });

  test('from a tarball that is gone', () => {
    expect(() => installed('file:packed/gone.tgz')).toThrow(/was installed from .*gone\.tgz, which is gone/);
  });

  test('from a registry', () => {
    expect(installed('https://registry.example.com/cdk8s-cluster-api.tgz')).toEqual({ spec: ownVersion() });
  });

  test('by another package manager', () => {
    workplace.write({ 'node_modules/cdk8s-cluster-api/package.json': '{}' });
    expect(packageSource(workplace.path('node_modules/cdk8s-cluster-api'), workplace.path('app'))).toEqual({ spec: ownVersion() });
  });

  test('from a clone, which another machine does not have', async () => {
    expect(packageSource(workplace.path('clone'), workplace.path('app'))).toEqual({ spec: 'file:../clone', linkedTo: workplace.path('clone') });
    expect((await workplace.run(['init', 'a'])).out).toContain(`The app depends on the folder ${ROOT}, which a clone of its repository does not have.`);
  });
});
