import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { readFiles } from '../../support/examples';
import { GitRepository } from '../../support/git-repository';
import { addCluster } from '../../support/many-clusters';

const OTHERS = { 'dist/README.md': 'Ours.\n', 'dist/clusters/tenant-b/b/extra.yaml': 'kind: Note\n' };

let repo: GitRepository;

beforeEach(() => {
  repo = new GitRepository();
});

afterEach(() => {
  jest.restoreAllMocks();
  repo.remove();
});

const EMPTIED = expect.stringMatching(/^TC-GITOPS-EMPTIED .*\/dist was removed before the program ran, as by "cdk8s synth"; .* not committed are lost. Fix: run the program itself/) as string;

function warnings(): string[] {
  const said: string[] = [];
  jest.spyOn(WARNINGS, 'emit').mockImplementation((text) => {
    said.push(String(text));
  });
  return said;
}

/** Output of the program, after the former output was removed as `cdk8s synth` does. */
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
  expect(said).toEqual([EMPTIED, expect.stringMatching(/^TC-GITOPS-KEPT the cluster "b" in namespace "tenant-b" is in clusters\/tenant-b\/b and no longer in the code/)]);
});

test('a cluster whose folder was deleted in a commit stays deleted', () => {
  commitTwo();
  repo.git('rm', '-r', '--quiet', 'dist/clusters/tenant-b');
  repo.commit();
  const said = warnings();
  expect(Object.keys(synthesize(['a'])).filter((file) => file.includes('tenant-b'))).toEqual([]);
  expect(said).toEqual([EMPTIED]);
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
  expect(said).toEqual([EMPTIED, expect.stringMatching(/^TC-OUTPUT-CHANGED-BY-HAND .*clusters\/tenant-a\/a\/cluster\.yaml/)]);
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

describe('TC-GIT-UNREAD: a repository that git cannot read refuses synthesis, and nothing is written', () => {
  const objects = (folder = repo.at('.git/objects')) => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name)).filter((file) => fs.statSync(file).isFile());
  const withPath = (folder: string, run: () => void) => {
    const before = process.env.PATH;
    process.env.PATH = folder;
    try {
      run();
    } finally {
      process.env.PATH = before;
    }
  };

  beforeEach(() => {
    commitTwo();
    fs.rmSync(repo.at('dist'), { recursive: true });
  });
  afterEach(() => expect(fs.existsSync(repo.at('dist'))).toBe(false));

  test('without git', () => {
    withPath(repo.folder, () => expect(() => synthesize(['a'])).toThrow(/TC-GIT-UNREAD there is no git on this machine. Fix: install git/));
  });

  test('with a configuration that is none', () => {
    fs.writeFileSync(repo.at('.git/config'), 'no configuration');
    expect(() => synthesize(['a'])).toThrow(/TC-GIT-UNREAD git cannot read the repository of .*: bad config line 1/);
  });

  test('of another owner', () => {
    withPath(`${fakeGit('detected dubious ownership in repository')}:${process.env.PATH}`, () => {
      expect(() => synthesize(['a'])).toThrow(/TC-GIT-UNREAD .*dubious ownership.* Fix: .*git config --global --add safe\.directory/);
    });
  });

  test.each<[string, () => void]>([
    ['objects are damaged', () => objects().forEach((file) => fs.chmodSync(file, 0o644) ?? fs.writeFileSync(file, ''))],
    ['objects are missing', () => objects().forEach((file) => fs.rmSync(file))],
    ['branch is damaged', () => fs.writeFileSync(repo.at('.git/refs/heads/main'), '')],
    ['HEAD is damaged', () => fs.writeFileSync(repo.at('.git/HEAD'), '')],
    ['work tree is elsewhere', () => repo.git('config', 'core.worktree', os.tmpdir())],
  ])('whose %s', (_, damage) => {
    damage();
    expect(() => synthesize(['a'])).toThrow('TC-GIT-UNREAD');
  });
});

/** A folder with a program "git" that fails with a message. */
function fakeGit(message: string): string {
  const folder = repo.at('bin');
  repo.write('bin/git', `#!/bin/sh\necho 'fatal: ${message}' >&2\nexit 128\n`);
  fs.chmodSync(path.join(folder, 'git'), 0o755);
  return folder;
}

test('a submodule in the output is warned of', () => {
  const inner = new GitRepository();
  inner.commit({ 'a.yaml': '' });
  synthesize(['a']);
  repo.git('submodule', '--quiet', 'add', inner.folder, 'dist/inner');
  repo.commit();
  const said = warnings();
  synthesize(['a']);
  expect(said).toEqual([EMPTIED, expect.stringMatching(/^TC-GIT-SUBMODULE inner in the output is a submodule/)]);
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

test('without any cluster, files of others and those of synthesis itself are restored', () => {
  synthesize(['a']);
  repo.commit({ 'dist/README.md': 'Ours.\n' });
  repo.git('rm', '-r', '--quiet', 'dist/clusters', 'dist/kustomization.yaml');
  jest.spyOn(WARNINGS, 'emit').mockReturnValue(undefined);
  synthesize([], false);
  repo.commit();
  const committed = readFiles(repo.at('dist'));

  expect(committed).toHaveProperty(['README.md']);
  expect(synthesize([])).toEqual(committed);
});
