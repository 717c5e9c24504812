import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Chart } from 'cdk8s';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { readFiles } from '../../support/examples';
import { addCluster, addWhatIsShared, ENTRY_POINTS } from '../../support/many-clusters';

const NAMES = ['alpha', 'bravo', 'charlie'];
const PARTS = [['tenant-alpha/alpha', 'tenant-charlie/charlie'], ['shared'], ['tenant-bravo/bravo']];

type Files = { readonly [file: string]: string };

let place: string;

beforeEach(() => {
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'only-'));
});

afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(place, { recursive: true, force: true });
});

interface Options {
  readonly kubernetesVersion?: string;
  readonly decommission?: boolean;
  readonly names?: readonly string[];
  readonly entryPoints?: string;
  readonly folder?: string;
  readonly only?: string[];
}

/** Writes an app, or a part of it. Returns what the output holds then. */
function write({ names = NAMES, entryPoints = 'flux', folder = 'dist', only, ...props }: Options = {}): Files {
  const app = new GitOpsApp({ outdir: path.join(place, folder), quiet: true, entryPoints: ENTRY_POINTS[entryPoints], only });
  names.forEach((name) => addCluster(app, name, props));
  addWhatIsShared(app);
  app.synth();
  return readFiles(app.outdir);
}

function changed(before: Files, after: Files): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((file) => before[file] !== after[file]).sort();
}

test('a cluster is written with its entry, and all other files stay as they are', () => {
  const before = write({ kubernetesVersion: '1.35.3' });
  const after = write({ names: [...NAMES, 'delta'], only: ['tenant-alpha/alpha'] });
  const files = changed(before, after);
  expect(files).toContain('clusters/tenant-alpha/alpha/cluster.yaml');
  const list = '.cdk8s-cluster-api/files/clusters/tenant-alpha/alpha.sha256';
  expect(files.filter((file) => file !== list && !file.startsWith('clusters/tenant-alpha/alpha/'))).toEqual([]);
  const added = write({ names: [...NAMES, 'delta'], only: ['tenant-delta/delta'] });
  expect(changed(after, added).filter((file) => !file.startsWith('clusters/tenant-delta/delta/'))).toEqual([
    list.replaceAll('alpha', 'delta'), 'flux/tenant-delta.delta.yaml',
  ]);
});

test.each(Object.keys(ENTRY_POINTS))('parts that are written one after the other are the whole (%s)', (entryPoints) => {
  const parts = PARTS.map((only) => write({ entryPoints, only }));
  expect(parts[2]).toEqual(write({ entryPoints, folder: 'whole' }));
  expect(Object.keys(parts[0]).filter((file) => /charts|hosts|bravo|\/kustomization\.yaml/.test(file) && !/alpha|charlie/.test(file))).toEqual([]);
});

test('parts that jobs write are joined as patches', () => {
  const git = (...args: string[]): string => execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
    cwd: place, encoding: 'utf8', stdio: 'pipe',
  });
  git('init', '--quiet');
  write({ kubernetesVersion: '1.35.3' });
  git('add', '--all');
  git('commit', '--quiet', '--message', 'base');
  const patches = PARTS.map((only, index) => {
    write({ only });
    git('add', '--all');
    const patch = path.join(place, '.git', `${index}.patch`);
    fs.writeFileSync(patch, git('diff', '--cached', '--binary'));
    git('reset', '--quiet', '--hard');
    return patch;
  });
  git('apply', '--index', '--allow-empty', ...patches);
  write();
  expect(git('status', '--porcelain').split('\n').filter((line) => line !== '' && !/^[AMD] {2}/.test(line))).toEqual([]);
  expect(git('diff', '--cached', '--stat')).toContain('alpha/cluster.yaml');
});

test('clusters that the app does not have any more are of the shared part', () => {
  const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  const before = write();
  const names = NAMES.slice(1);
  expect(write({ names, only: ['tenant-bravo/bravo'] })).toEqual(before);
  expect(warn).not.toHaveBeenCalled();
  expect(write({ names, only: ['shared'] })).toEqual(before);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('TC-GITOPS-KEPT'), { code: 'TC-GITOPS-KEPT' });

  write({ decommission: true });
  expect(Object.keys(write({ names, only: ['tenant-bravo/bravo'] })).filter((file) => file.includes('alpha'))).not.toEqual([]);
  expect(Object.keys(write({ names, only: ['shared'] })).filter((file) => file.includes('alpha'))).toEqual([]);
});

test('checks see the whole app', () => {
  const app = new GitOpsApp({ outdir: path.join(place, 'dist'), quiet: true, only: ['tenant-alpha/alpha'] });
  addCluster(app, 'alpha');
  addCluster(new Chart(app, 'other'), 'alpha');
  expect(() => app.synth()).toThrow('TC-CLUSTER-');
  expect(fs.existsSync(path.join(place, 'dist'))).toBe(false);
});

test.each([
  ['tenant-alpha/alhpa', 'did you mean "tenant-alpha/alpha"?'],
  ['share', 'did you mean "shared"?'],
  ['clusters/tenant-alpha/alpha', 'did you mean "tenant-alpha/alpha"?'],
  ['tenant-zulu/zulu', 'correct the name'],
  ['', 'correct the name'],
])('TC-GITOPS-ONLY: %j', (name, fix) => {
  expect(() => write({ only: ['shared', name] })).toThrow(`TC-GITOPS-ONLY only: the app has no cluster ${JSON.stringify(name)}. Accepted: <namespace>/<name> of clusters, and "shared". Fix: ${fix}`);
});
