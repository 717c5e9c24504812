import * as fs from 'node:fs';
import { GitOpsApp } from '../../src/gitops/gitops-app';
import { WARNINGS } from '../../src/problems/warnings';
import { readFiles } from '../support/examples';
import { GitRepository } from '../support/git-repository';
import { addCluster } from '../support/many-clusters';

const OTHERS = { 'dist/README.md': 'Ours.\n', 'dist/clusters/tenant-b/b/extra.yaml': 'kind: Note\n' };

let repo: GitRepository;

beforeEach(() => {
  repo = new GitRepository();
});

afterEach(() => {
  jest.restoreAllMocks();
  repo.remove();
});

function warnings(): string[] {
  const said: string[] = [];
  jest.spyOn(WARNINGS, 'emit').mockImplementation((text) => {
    said.push(String(text));
  });
  return said;
}

/** What the program writes, after the output was removed as `cdk8s synth` does. */
function synthesize(ids: readonly string[], clean = true): { [file: string]: string } {
  if (clean) fs.rmSync(repo.at('dist'), { recursive: true, force: true });
  const app = new GitOpsApp({ outdir: repo.at('dist'), quiet: true });
  ids.forEach((id) => addCluster(app, id));
  app.synth();
  return readFiles(repo.at('dist'));
}

function commitTwo(): { [file: string]: string } {
  synthesize(['a', 'b']);
  repo.commit(OTHERS);
  return readFiles(repo.at('dist'));
}

test('a cluster that disappears from the code is kept with a warning, and files of others stay, though the output was removed first', () => {
  const committed = commitTwo();
  const said = warnings();
  expect(synthesize(['a'])).toEqual(committed);
  expect(said).toEqual([expect.stringMatching(/^TC-GITOPS-KEPT the cluster "b" in namespace "tenant-b" is in clusters\/tenant-b\/b and no longer in the code/)]);
});

test('a cluster whose folder was deleted in a commit stays deleted', () => {
  commitTwo();
  repo.git('rm', '-r', '--quiet', 'dist/clusters/tenant-b');
  repo.commit();
  const said = warnings();
  expect(Object.keys(synthesize(['a'])).filter((file) => file.includes('tenant-b'))).toEqual([]);
  expect(said).toEqual([]);
});

test('files that were removed from an output with lists are not restored', () => {
  commitTwo();
  fs.rmSync(repo.at('dist/README.md'));
  fs.rmSync(repo.at('dist/clusters/tenant-b'), { recursive: true });
  const said = warnings();
  expect(Object.keys(synthesize(['a'], false)).filter((file) => /README|tenant-b/.test(file))).toEqual([]);
  expect(said).toEqual([]);
});

test('changes by hand that were committed are noticed', () => {
  const { 'clusters/tenant-a/a/cluster.yaml': text } = commitTwo();
  repo.commit({ 'dist/clusters/tenant-a/a/cluster.yaml': `${text}# by hand\n` });
  const said = warnings();
  expect(synthesize(['a', 'b'])['clusters/tenant-a/a/cluster.yaml']).toBe(text);
  expect(said).toEqual([expect.stringMatching(/^TC-OUTPUT-CHANGED-BY-HAND .*clusters\/tenant-a\/a\/cluster\.yaml/)]);
});

test('a refused synthesis leaves the output as it was committed', () => {
  const committed = commitTwo();
  fs.rmSync(repo.at('dist'), { recursive: true });
  const app = new GitOpsApp({ outdir: repo.at('dist'), quiet: true });
  addCluster(app, 'a', { kubernetesVersion: 'latest' });
  expect(() => app.synth()).toThrow('TC-CLUSTER-VERSION');
  expect(readFiles(repo.at('dist'))).toEqual(committed);
});

test('modes and links of other files are restored', () => {
  synthesize(['a']);
  fs.writeFileSync(repo.at('dist/run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  fs.symlinkSync('run.sh', repo.at('dist/link'));
  repo.commit();
  synthesize(['a']);
  expect(fs.statSync(repo.at('dist/run.sh')).mode.toString(8)).toMatch(/755$/);
  expect(fs.readlinkSync(repo.at('dist/link'))).toBe('run.sh');
});

test('a repository that git cannot read is warned of, and synthesis goes on', () => {
  commitTwo();
  fs.writeFileSync(repo.at('.git/config'), 'no configuration');
  const said = warnings();
  expect(Object.keys(synthesize(['a'])).some((file) => file.includes('tenant-b'))).toBe(false);
  expect(said).toEqual([expect.stringContaining('TC-GIT-UNREAD')]);
});

test('a submodule in the output is warned of', () => {
  const inner = new GitRepository();
  inner.commit({ 'a.yaml': '' });
  synthesize(['a']);
  repo.git('submodule', '--quiet', 'add', inner.folder, 'dist/inner');
  repo.commit();
  const said = warnings();
  synthesize(['a']);
  expect(said).toEqual([expect.stringMatching(/^TC-GIT-UNREAD inner in the output is a submodule/)]);
  inner.remove();
});

test('the index and the refs stay as they are', () => {
  commitTwo();
  repo.write('other.txt', '');
  repo.git('add', 'other.txt');
  const state = () => [repo.git('status', '--porcelain', '--untracked-files=no'), repo.git('for-each-ref'), repo.git('ls-files', '--stage')];
  const before = state();
  synthesize(['a', 'b']);
  expect(state()).toEqual(before);
});
