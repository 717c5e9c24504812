import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { ImportedManagementCluster } from '../../../src/constructs/contracts/capabilities/management-cluster';
import { EntryPoints } from '../../../src/constructs/contracts/delivery/entry-points';
import { ArgoCdApplicationSet } from '../../../src/constructs/deliveries/argo-cd/argo-cd-application-set';
import { ArgoCdDelivery } from '../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { ArgoCdEntryPoints } from '../../../src/constructs/deliveries/argo-cd/argo-cd-entry-points';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxSourceKind } from '../../../src/constructs/deliveries/flux/flux-delivery-props';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { GitOpsApp, GitOpsAppProps } from '../../../src/constructs/repository/gitops-app';
import { GitRepository } from '../../support/git-repository';
import { addCluster } from '../../support/many-clusters';

/** The module itself, which the library calls: an import may be a copy. */
const OS = jest.requireActual<typeof import('node:os')>('node:os');

const REPOSITORY = { repoUrl: 'https://git.example.com/tenants.git', targetRevision: 'main' };
const ELSEWHERE = 'if CI copies the output to where the tool reads it, set publishedElsewhere: true.';

const made: { remove(): void }[] = [];
const said: string[] = [];

function repository(): GitRepository {
  const one = new GitRepository();
  made.push(one);
  return one;
}

function flux(folder?: string, sourceKind?: FluxSourceKind): EntryPoints {
  return new FluxEntryPoints({ sourceName: 'flux-system', path: folder, sourceKind });
}

beforeEach(() => {
  said.length = 0;
  jest.spyOn(WARNINGS, 'emit').mockImplementation((text) => { said.push(String(text)); });
});

afterEach(() => {
  jest.restoreAllMocks();
  made.splice(0).forEach((one) => one.remove());
});

/** Errors and warnings of an app. */
function findings(outdir: string, props: GitOpsAppProps, fill: (app: GitOpsApp) => void = (app) => { addCluster(app, 'a'); }): string[] {
  const app = new GitOpsApp({ outdir, quiet: true, ...props });
  fill(app);
  try {
    app.synth();
  } catch (error) {
    return (error as Error).message.split('\n').slice(1).map((line) => line.trim());
  }
  return said;
}

test.each([
  ['Flux', flux('tenants')],
  ['Applications', new ArgoCdEntryPoints({ ...REPOSITORY, path: 'tenants' })],
  ['an ApplicationSet', new ArgoCdApplicationSet({ ...REPOSITORY, path: './tenants/' })],
])('a path of %s that is not the place of the output is refused, with the right one', (_, entryPoints) => {
  expect(findings(repository().at('platform/clusters/dist'), { entryPoints })).toEqual([
    `TC-GITOPS-PATH entryPoints.path: "tenants" is read, and the output is "platform/clusters/dist" of its repository. Fix: write path: 'platform/clusters/dist'; ${ELSEWHERE}`,
  ]);
});

test.each([
  ['dist', 'dist'],
  ['./dist/', 'dist'],
  ['platform/clusters/dist', 'platform/clusters/dist'],
  [undefined, ''],
])('the path %j is right for an output at "%s"', (given, at) => {
  expect(findings(repository().at(at), { entryPoints: flux(given) })).toEqual([]);
});

test('the default is the top of the repository, and refused elsewhere', () => {
  const repo = repository();
  expect(findings(repo.at('dist'), { entryPoints: flux() })).toEqual([
    `TC-GITOPS-PATH entryPoints.path: the top is read, and the output is "dist" of its repository. Fix: write path: 'dist'; ${ELSEWHERE}`,
  ]);
  expect(findings(repo.folder, { entryPoints: flux('dist') })).toEqual([
    `TC-GITOPS-PATH entryPoints.path: "dist" is read, and the output is the top of its repository. Fix: leave path out; ${ELSEWHERE}`,
  ]);
});

test('a path that the tool does not accept is reported as that alone, and not proposed', () => {
  const repo = repository();
  expect(findings(repo.at('dist'), { entryPoints: flux('../dist') })).toEqual([expect.stringMatching(/^TC-GITOPS-ENTRY entryPoints\.path/)]);
  expect(findings(repo.at('my files/dist'), { entryPoints: flux('dist') })).toEqual([expect.stringMatching(/Fix: rename the folders of the output/)]);
});

test('manifests that a delivery reads are found at the same place', () => {
  const repo = repository();
  for (const delivery of [new FluxDelivery({ manifestSource: { name: 'tenants', path: 'tenants' } }), new ArgoCdDelivery({ manifestSource: { ...REPOSITORY, path: 'tenants' } })]) {
    expect(findings(repo.at('dist'), {}, (app) => { addCluster(app, 'a', { delivery }); })).toEqual([
      `[a] TC-GITOPS-PATH delivery.manifestSource.path: "tenants" is read, and the output is "dist" of its repository. Fix: write path: 'dist'; ${ELSEWHERE}`,
    ]);
  }
});

test.each([FluxSourceKind.OCI_REPOSITORY, FluxSourceKind.BUCKET])('what is in no Git repository for the tool has a place of its own: %s', (kind) => {
  expect(findings(repository().at('dist'), { entryPoints: flux(undefined, kind) }, (app) => {
    addCluster(app, 'a', { delivery: new FluxDelivery({ manifestSource: { name: 'tenants', kind } }) });
  })).toEqual([]);
});

test('an output that CI copies may be anywhere', () => {
  const repo = repository();
  repo.write('.gitignore', 'dist/\n');
  expect(findings(repo.at('dist'), { entryPoints: flux('tenants'), publishedElsewhere: true })).toEqual([]);
});

test.each(['dist/', 'dist', '/dist/*'])('an output that Git ignores by %j is warned of, with and without entry points', (line) => {
  const repo = repository();
  repo.write('.gitignore', `node_modules/\n${line}\n`);
  for (const entryPoints of [flux('dist'), flux('tenants'), undefined]) {
    said.length = 0;
    fs.rmSync(repo.at('dist'), { recursive: true, force: true });
    expect(findings(repo.at('dist'), { entryPoints })).toEqual([
      `TC-GITOPS-IGNORED Git ignores the output "dist" (.gitignore:2: ${line}), so that no commit has it for the GitOps tool to read. `
      + `Fix: remove that line; ${ELSEWHERE}`,
    ]);
  }
  repo.write('.gitignore', `${line}\n!dist/\n!*.yaml\n!/dist/*\n`);
  said.length = 0;
  expect(findings(repo.at('dist'), { entryPoints: flux('dist') })).toEqual([]);
});

test.each([
  ['*.yaml', 'dist/clusters/tenant-a/a/addons/workloads.yaml" and 10 more'],
  ['pools', 'dist/clusters/tenant-a/a/pools/general.yaml"'],
  ['addons/', 'dist/clusters/tenant-a/a/addons/'],
  ['flux', 'dist/flux/'],
])('files of the output that Git ignores by %j are warned of, also if a commit has them', (line, file) => {
  const repo = repository();
  expect(findings(repo.at('dist'), { entryPoints: flux('dist') })).toEqual([]);
  repo.commit({ '.gitignore': `# Ours\n${line}\n` });
  expect(findings(repo.at('dist'), { entryPoints: flux('dist') })).toEqual([expect.stringContaining(`TC-GITOPS-IGNORED Git ignores "${file}`)]);
  expect(said[0]).toContain(` (.gitignore:2: ${line}), so that no commit has that for the GitOps tool to read. `);
});

test.each(['.*', '.cdk8s-cluster-api/', '*.sha256', 'files'])('lists of files that Git ignores by %j are refused, and nothing is written', (line) => {
  const repo = repository();
  repo.write('.gitignore', `${line}\n`);
  for (const entryPoints of [flux('dist'), undefined]) {
    expect(findings(repo.at('dist'), { entryPoints })).toEqual([
      expect.stringMatching(/^TC-GITOPS-LISTS-IGNORED Git ignores "dist\/\.cdk8s-cluster-api\/files\/.*\.sha256".* \(\.gitignore:1: /),
    ]);
  }
  expect(fs.existsSync(repo.at('dist'))).toBe(false);
  expect(findings(repo.at('dist'), { publishedElsewhere: true })).toEqual([]);
});

test('lists of each management cluster that Git ignores are refused', () => {
  const repo = repository();
  repo.write('.gitignore', '.*\n');
  const managementCluster = new ImportedManagementCluster({ name: 'hall-a' });
  expect(findings(repo.at('dist'), { folderPerManagementCluster: true }, (app) => { addCluster(app, 'a', { managementCluster }); })).toEqual([
    expect.stringContaining('Git ignores "dist/hall-a/.cdk8s-cluster-api/files/'),
  ]);
});

test('an output below packages that are installed is ignored as they are', () => {
  const repo = repository();
  repo.write('.gitignore', 'node_modules/\n');
  expect(findings(repo.at('node_modules/some/dist'), { entryPoints: flux('dist') })).toEqual([expect.stringMatching(/^TC-GITOPS-IGNORED .*node_modules/)]);
});

test('in a submodule, the path below its own top or below that of the repository around is right', () => {
  const inner = repository();
  inner.commit({ 'a.txt': '' });
  const repo = repository();
  repo.git('submodule', '--quiet', 'add', inner.folder, 'vendor/inner');
  const outdir = repo.at('vendor/inner/dist');
  expect(findings(outdir, { entryPoints: flux('dist') })).toEqual([]);
  expect(findings(outdir, { entryPoints: flux('vendor/inner/dist') })).toEqual([]);
  expect(findings(outdir, { entryPoints: flux('inner/dist') })).toEqual([
    `TC-GITOPS-PATH entryPoints.path: "inner/dist" is read, and the output is "dist" of the submodule ${repo.at('vendor/inner')}. `
    + `Fix: write path: 'dist', or path: 'vendor/inner/dist' if the tool reads the repository around with its submodules; ${ELSEWHERE}`,
  ]);
});

test('behind a link, the real place counts', () => {
  const repo = repository();
  fs.mkdirSync(repo.at('deep/dist'), { recursive: true });
  fs.symlinkSync('deep/dist', repo.at('dist'));
  expect(findings(repo.at('dist'), { entryPoints: flux('dist') })).toEqual([expect.stringContaining('write path: \'deep/dist\'')]);
});

test('outside of a repository, names that cannot fit are warned of, except in the folder for temporary files', () => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'plain-'));
  made.push({ remove: () => fs.rmSync(folder, { recursive: true }) });
  const outdir = path.join(folder, 'clusters/dist');
  // A former output would be compared.
  const found = (given?: string) => {
    fs.rmSync(outdir, { recursive: true, force: true });
    return findings(outdir, { entryPoints: flux(given) });
  };
  expect(found('tenants')).toEqual([]);
  jest.spyOn(OS, 'tmpdir').mockReturnValue(path.join(folder, 'tmp'));
  for (const right of ['dist', 'clusters/dist', undefined]) expect(found(right)).toEqual([]);
  expect(found('tenants')).toEqual([
    `TC-GITOPS-PATH-OUTSIDE entryPoints.path: "tenants" is read, and the output is ${outdir}, which is in no Git repository. `
    + `Fix: write the path that the output will have below the top of its repository; ${ELSEWHERE}`,
  ]);
});

test('a repository that Git cannot read is refused as that alone', () => {
  const repo = repository();
  repo.write('.git/config', '[core\n');
  expect(findings(repo.at('dist'), { entryPoints: flux('tenants') })).toEqual([expect.stringMatching(/^TC-GIT-UNREAD /)]);
});

test.each(['file.yaml/x', 'loop/x'])('an output whose path leads through no folder is refused: %s', (outdir) => {
  const repo = repository();
  repo.commit({ 'file.yaml': '' });
  fs.symlinkSync('loop', repo.at('loop'));
  expect(findings(repo.at(outdir), {})).toEqual([expect.stringMatching(/^TC-OUTPUT-/)]);
});
