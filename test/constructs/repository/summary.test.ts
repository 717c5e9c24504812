import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { GitRepository } from '../../support/git-repository';
import { addCluster } from '../../support/many-clusters';

let repo: GitRepository;
const { isTTY } = process.stderr;

beforeEach(() => { repo = new GitRepository(); });

afterEach(() => {
  jest.restoreAllMocks();
  process.stderr.isTTY = isTTY;
  repo.remove();
});

/** Messages of synthesis about clusters in a version, after its own summary. */
function said(version: string, names: readonly string[], { terminal = true, quiet = false } = {}): string[] {
  process.stderr.isTTY = terminal;
  let text = '';
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  const app = new GitOpsApp({ outdir: repo.at('dist'), quiet });
  for (const name of names) addCluster(app, name, { kubernetesVersion: version });
  app.synth();
  write.mockRestore();
  // eslint-disable-next-line no-control-regex
  return text.replace(/.*\r\u001b\[K/g, '').split('\n').filter((line) => line !== '').slice(1);
}

test('a terminal is told in three lines what will happen', () => {
  said('1.35.3', ['a', 'b', 'c']);
  repo.commit();

  expect(said('1.35.4', ['a', 'b', 'c'])).toEqual([
    expect.stringMatching(/^3 of 3 clusters differ \(3 changed\); \d+ objects; 6 machines replaced, at most 3 at a time, 1 in one cluster\.$/),
    '  tenant-a/a and 2 more: control plane: 2 pods are replaced: version v1.35.3 -> v1.35.4',
    'npx cdk8s-cluster-api plan shows everything.',
  ]);
});

test('it is told of what is new among the clusters that there are', () => {
  said('1.35.3', ['a']);
  repo.commit();

  expect(said('1.35.3', ['a', 'b'])[0]).toMatch(/^1 of 2 clusters differs \(1 new\)/);
});

test('nothing is said where nothing changes, at the first synthesis, and where nothing was to be said', () => {
  expect(said('1.35.3', ['a'])).toEqual([]);
  expect(said('1.35.3', ['a'])).toEqual([]);
  expect(said('1.35.4', ['a'], { terminal: false })).toEqual([]);
  expect(said('1.35.3', ['a'], { quiet: true })).toEqual([]);
});

test('of many clusters it is said only that they differ', () => {
  const names = Array.from({ length: 101 }, (_, number) => `c${number}`);
  said('1.35.3', names);

  expect(said('1.35.4', names)).toEqual(['101 folders differ. npx cdk8s-cluster-api plan shows everything.']);
});
