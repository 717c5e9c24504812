import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { addCluster, addWhatIsShared, ENTRY_POINTS } from '../../support/many-clusters';

/** The clusters of a program: their pools, or none if they are being decommissioned. */
interface Clusters {
  readonly [name: string]: readonly string[];
}

const BASE: Clusters = { alpha: ['general'], bravo: ['general'], charlie: ['general'], delta: ['general'], golf: [], hotel: [] };
const OURS: Clusters = { alpha: ['general', 'gpu'], bravo: ['general'], charlie: ['general'], delta: ['general'], echo: ['general'], golf: [] };
const THEIRS: Clusters = { alpha: ['general'], bravo: ['general'], charlie: ['gpu'], delta: ['general'], foxtrot: ['general'], hotel: [] };
const BOTH: Clusters = { alpha: ['general', 'gpu'], bravo: ['general'], charlie: ['gpu'], delta: ['general'], echo: ['general'], foxtrot: ['general'] };

let repository: string;

beforeEach(() => {
  repository = fs.mkdtempSync(path.join(os.tmpdir(), 'branches-'));
  git('init', '--quiet', '--initial-branch=main');
});

afterEach(() => fs.rmSync(repository, { recursive: true, force: true }));

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  return execFileSync('git', [...identity, ...args], { cwd: repository, encoding: 'utf8', stdio: 'pipe' });
}

function synthesize(clusters: Clusters, entryPoints: string, kubernetesVersion = '1.35.4'): void {
  const app = new GitOpsApp({ outdir: path.join(repository, 'dist'), quiet: true, entryPoints: ENTRY_POINTS[entryPoints] });
  addWhatIsShared(app);
  for (const [name, pools] of Object.entries(clusters)) addCluster(app, name, { kubernetesVersion, decommission: pools.length === 0 }, pools);
  app.synth();
}

/** Commits the output of a program on a branch. */
function commit(branch: string, clusters: Clusters, entryPoints: string, kubernetesVersion?: string): void {
  git('checkout', '--quiet', '-B', branch);
  synthesize(clusters, entryPoints, kubernetesVersion);
  git('add', '--all');
  git('commit', '--quiet', '--message', branch);
}

/** Merges two branches off a third one, and synthesizes the program of both. Returns what that changes. */
function merged(entryPoints: string, [base, ours, theirs, both]: readonly Clusters[]): string {
  commit('main', base, entryPoints);
  commit('ours', ours, entryPoints);
  git('checkout', '--quiet', 'main');
  commit('theirs', theirs, entryPoints);
  git('merge', '--quiet', '--message', 'both', 'ours');
  synthesize(both, entryPoints);
  return git('status', '--porcelain');
}

test.each(['flux', 'application-set'])('branches that add, change and remove different clusters merge, and nothing is left to synthesize (%s)', (entryPoints) => {
  expect(merged(entryPoints, [BASE, OURS, THEIRS, BOTH])).toBe('');
});

test('lists at the top merge where the clusters are not neighbors', () => {
  const [base, ours, theirs] = [{ bravo: ['general'], charlie: ['general'] }, { alpha: ['general'] }, { delta: ['general'] }];
  expect(merged('lists', [base, { ...base, ...ours }, { ...base, ...theirs }, { ...base, ...ours, ...theirs }])).toBe('');
});

test('changes of different files of one cluster merge, and synthesis completes the list of its files', () => {
  const warnings = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  const commits = [['main', ['general'], '1.35.3'], ['ours', ['general'], '1.35.4'], ['theirs', ['general', 'gpu'], '1.35.3']] as const;
  for (const [branch, pools, version] of commits) {
    if (branch === 'theirs') git('checkout', '--quiet', 'main');
    commit(branch, { alpha: pools }, 'flux', version);
  }
  git('merge', '--quiet', '--message', 'both', 'ours');
  synthesize({ alpha: ['general', 'gpu'] }, 'flux');
  expect(git('status', '--porcelain')).toBe([
    ' M dist/.cdk8s-cluster-api/files/clusters/tenant-alpha/alpha.sha256', ' M dist/clusters/tenant-alpha/alpha/pools/gpu.yaml', '',
  ].join('\n'));
  expect(warnings).not.toHaveBeenCalled();
  warnings.mockRestore();
});
