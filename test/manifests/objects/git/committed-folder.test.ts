import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { CommittedFolder } from '../../../../src/manifests/objects/git/committed-folder';
import { formatProblem } from '../../../../src/manifests/values/problem';
import { GitRepository } from '../../../support/git-repository';

const made: { remove(): void }[] = [];

function repository(folder?: string): GitRepository {
  const one = new GitRepository(folder);
  made.push(one);
  return one;
}

afterEach(() => made.splice(0).forEach((one) => one.remove()));

function contents(folder: CommittedFolder): { [file: string]: string } {
  return Object.fromEntries([...folder.read(folder.paths)].map(([file, { content }]) => [file, content.toString()]));
}

function refused(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return formatProblem((error as { problem: never }).problem);
  }
  throw new Error('nothing was refused');
}

test('the committed files are read, whatever is on disk', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': 'a: 1\n', 'dist/sub/grüße b.yaml': 'b: ü\n', 'other.txt': '' });
  repo.write('dist/a.yaml', 'a: 2\n');
  repo.write('dist/new.yaml', '');
  fs.rmSync(repo.at('dist/sub'), { recursive: true });
  expect(contents(CommittedFolder.of(repo.at('dist'))!)).toEqual({ 'a.yaml': 'a: 1\n', 'sub/grüße b.yaml': 'b: ü\n' });
  fs.rmSync(repo.at('dist'), { recursive: true });
  expect(CommittedFolder.of(repo.at('dist'))!.paths).toEqual(['a.yaml', 'sub/grüße b.yaml']);
  expect(CommittedFolder.of(repo.at('dist/sub/deeper'))!.paths).toEqual([]);
  expect(CommittedFolder.of(repo.folder)!.paths).toEqual(['dist/a.yaml', 'dist/sub/grüße b.yaml', 'other.txt']);
});

test('a file is a folder with itself alone', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': 'a: 1\n', 'dist/a.yaml.bak': '' });
  expect(contents(CommittedFolder.of(repo.at('dist/a.yaml'))!)).toEqual({ '': 'a: 1\n' });
  fs.rmSync(repo.at('dist'), { recursive: true });
  expect(contents(CommittedFolder.of(repo.at('dist/a.yaml'))!)).toEqual({ '': 'a: 1\n' });
});

test('configuration of Git in the environment counts', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': '' });
  Object.assign(process.env, { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.ignorecase', GIT_CONFIG_VALUE_0: 'maybe' });
  try {
    expect(refused(() => CommittedFolder.of(repo.at('dist')))).toContain('TC-GIT-UNREAD');
  } finally {
    for (const name of ['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0']) delete process.env[name];
  }
});

test('contents are compared by their ids', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': 'a: ü\n' });
  const folder = CommittedFolder.of(repo.at('dist'))!;
  expect(folder.holds('a.yaml', 'a: ü\n')).toBe(true);
  expect(folder.holds('a.yaml', Buffer.from('a: ü\n'))).toBe(true);
  expect(folder.holds('a.yaml', 'a: u\n')).toBe(false);
  expect(folder.holds('b.yaml', 'a: ü\n')).toBe(false);
});

test('a repository with SHA-256 is read as well', () => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'git-'));
  const repo = repository(folder);
  fs.rmSync(repo.at('.git'), { recursive: true });
  repo.git('init', '--quiet', '--object-format=sha256');
  repo.commit({ 'dist/a.yaml': 'a: 1\n' });
  const committed = CommittedFolder.of(repo.at('dist'))!;
  expect(committed.commit).toHaveLength(64);
  expect(committed.holds('a.yaml', 'a: 1\n')).toBe(true);
});

test('modes and links are told, submodules are not read', () => {
  const inner = repository();
  inner.commit({ 'a.yaml': '' });
  const repo = repository();
  repo.write('dist/run.sh', '#!/bin/sh\n');
  fs.chmodSync(repo.at('dist/run.sh'), 0o755);
  fs.symlinkSync('run.sh', repo.at('dist/link'));
  repo.git('submodule', '--quiet', 'add', inner.folder, 'dist/inner');
  repo.commit();
  const folder = CommittedFolder.of(repo.at('dist'))!;
  expect([...folder.read(folder.paths)].map(([file, { executable, link }]) => [file, executable, link])).toEqual([['link', false, true], ['run.sh', true, false]]);
  expect([folder.links, folder.submodules]).toEqual([['link'], ['inner']]);
  expect(folder.holds('link', 'run.sh')).toBe(false);
  expect(CommittedFolder.of(repo.at('dist/inner'))!.paths).toEqual(['a.yaml']);
  expect(refused(() => CommittedFolder.of(repo.at('dist/inner'), 'nothing'))).toContain(`the repository ${repo.at('dist/inner')} has no commit "nothing".`);
});

test('another base is any name of a commit', () => {
  const repo = repository();
  const first = repo.commit({ 'dist/a.yaml': 'a: 1\n' });
  repo.git('tag', 'v1');
  repo.commit({ 'dist/a.yaml': 'a: 2\n' });
  for (const base of [first, first.slice(0, 10), 'v1', 'HEAD~1', 'main^']) expect(contents(CommittedFolder.of(repo.at('dist'), base)!)).toEqual({ 'a.yaml': 'a: 1\n' });
  expect(contents(CommittedFolder.of(repo.at('dist'))!)).toEqual({ 'a.yaml': 'a: 2\n' });
});

test.each(['nothing', '--help', '-x', '', 'HEAD:dist', '^main', '^HEAD'])('the base %j is refused', (base) => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': '' });
  expect(refused(() => CommittedFolder.of(repo.at('dist'), base))).toBe(
    `TC-GIT-BASE the repository ${repo.folder} has no commit ${JSON.stringify(base)}. Fix: name an existing branch, tag or commit; "git fetch" brings those of the remote, such as "origin/main".`,
  );
});

test('a shallow clone is told as the reason of a missing base', () => {
  const repo = repository();
  const first = repo.commit({ 'dist/a.yaml': 'a: 1\n' });
  repo.commit({ 'dist/a.yaml': 'a: 2\n' });
  const clone = fs.mkdtempSync(path.join(os.tmpdir(), 'git-'));
  made.push({ remove: () => fs.rmSync(clone, { recursive: true }) });
  repo.git('clone', '--quiet', '--depth=1', `file://${repo.folder}`, clone);
  expect(contents(CommittedFolder.of(path.join(clone, 'dist'))!)).toEqual({ 'a.yaml': 'a: 2\n' });
  expect(refused(() => CommittedFolder.of(path.join(clone, 'dist'), first))).toMatch(/shallow clone, .*"git fetch --unshallow".*fetch-depth: 0/);
});

test('without a repository or a commit there is no committed state, unless a base is named', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'plain-'));
  made.push({ remove: () => fs.rmSync(folder, { recursive: true }) });
  expect(CommittedFolder.of(folder)).toBeUndefined();
  expect(refused(() => CommittedFolder.of(folder, 'main'))).toContain('TC-GIT-REPOSITORY');
  const repo = repository();
  expect(CommittedFolder.of(repo.at('dist'))).toBeUndefined();
  expect(refused(() => CommittedFolder.of(repo.at('dist'), 'main'))).toContain('TC-GIT-BASE');
});

test('the folder of Git has no work tree, and a bare repository is a folder like others', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': '' });
  expect(refused(() => CommittedFolder.of(repo.at('.git/dist')))).toMatch(/^TC-GIT-REPOSITORY .* is in the folder of Git itself/);
  const bare = fs.mkdtempSync(path.join(os.tmpdir(), 'bare-'));
  made.push({ remove: () => fs.rmSync(bare, { recursive: true }) });
  repo.git('clone', '--quiet', '--bare', repo.folder, bare);
  expect(CommittedFolder.of(path.join(bare, 'dist'))).toBeUndefined();
});

describe('a base that HEAD is not on', () => {
  let repo: GitRepository;
  let left: string;

  beforeEach(() => {
    repo = repository();
    left = repo.commit({ 'dist/a.yaml': 'a: 1\n' });
    repo.git('switch', '--quiet', '--create', 'topic');
    repo.commit({ 'dist/a.yaml': 'a: 2\n' });
    repo.git('switch', '--quiet', 'main');
    repo.commit({ 'dist/b.yaml': 'b: 1\n' });
    repo.git('switch', '--quiet', 'topic');
  });

  test('is read where HEAD left it', () => {
    const folder = CommittedFolder.of(repo.at('dist'), 'main')!;
    expect([contents(folder), folder.commit]).toEqual([{ 'a.yaml': 'a: 1\n' }, left]);
    expect(folder.note).toBe(`compared with ${left.slice(0, 10)}, where HEAD left main, which has 1 commit more`);
  });

  test('is read as it is where it has no commit in common with HEAD', () => {
    repo.git('switch', '--quiet', '--orphan', 'deployed');
    repo.commit({ 'dist/c.yaml': 'c: 1\n' });
    repo.git('switch', '--quiet', 'topic');
    const folder = CommittedFolder.of(repo.at('dist'), 'deployed')!;
    expect([contents(folder), folder.note]).toEqual([{ 'c.yaml': 'c: 1\n' }, 'compared with deployed itself: it has no commit in common with HEAD']);
  });

  test('is the one that was named if HEAD has it', () => {
    for (const base of [left, 'HEAD~1', 'topic']) expect(CommittedFolder.of(repo.at('dist'), base)!.note).toBeUndefined();
  });

  test('is refused in a shallow clone that lacks the commits between, but not as a parent of a merge', () => {
    repo.git('merge', '--quiet', '--message=Merge', 'main');
    const clone = fs.mkdtempSync(path.join(os.tmpdir(), 'git-'));
    made.push({ remove: () => fs.rmSync(clone, { recursive: true }) });
    repo.git('clone', '--quiet', '--depth=1', `file://${repo.folder}`, clone);
    const shallow = new GitRepository(clone);
    shallow.git('fetch', '--quiet', '--depth=1', 'origin', 'main');
    expect(Object.keys(contents(CommittedFolder.of(shallow.at('dist'), 'FETCH_HEAD')!))).toEqual(['a.yaml', 'b.yaml']);
    repo.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    shallow.git('fetch', '--quiet', '--depth=1', 'origin', left);
    expect(refused(() => CommittedFolder.of(shallow.at('dist'), left))).toMatch(/^TC-GIT-BASE where HEAD left .* is not in the repository .*shallow clone.*"git fetch --unshallow"/);
  });
});

test('a work tree beside the repository is read at its own commit', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': 'a: 1\n' });
  repo.git('worktree', 'add', '--quiet', '-b', 'topic', repo.at('other'));
  repo.commit({ 'dist/a.yaml': 'a: 2\n' });
  expect(contents(CommittedFolder.of(repo.at('other/dist'))!)).toEqual({ 'a.yaml': 'a: 1\n' });
});

test('a link to the folder leads to its repository', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': 'a: 1\n' });
  const link = path.join(os.tmpdir(), `link-${process.pid}`);
  fs.symlinkSync(repo.at('dist'), link);
  made.push({ remove: () => fs.rmSync(link) });
  expect(contents(CommittedFolder.of(link)!)).toEqual({ 'a.yaml': 'a: 1\n' });
});

test('what hooks of Git set for another folder does not count', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': 'a: 1\n' });
  process.env.GIT_DIR = '.git';
  process.env.GIT_INDEX_FILE = '/nowhere';
  try {
    expect(contents(CommittedFolder.of(repo.at('dist'))!)).toEqual({ 'a.yaml': 'a: 1\n' });
  } finally {
    delete process.env.GIT_DIR;
    delete process.env.GIT_INDEX_FILE;
  }
});

test('reading changes nothing in the repository', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': 'a: 1\n' });
  repo.write('dist/b.yaml', '');
  repo.git('add', 'dist/b.yaml');
  fs.utimesSync(repo.at('dist/a.yaml'), 1, 1);
  const state = () => [...fs.readdirSync(repo.at('.git'), { recursive: true, encoding: 'utf8' })].sort().map((file) => {
    const { mtimeMs, size } = fs.statSync(repo.at(`.git/${file}`));
    return [file, mtimeMs, size];
  });
  const before = state();
  contents(CommittedFolder.of(repo.at('dist'), 'main')!);
  expect(state()).toEqual(before);
});

test('a machine without git is told so', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': '' });
  const before = process.env.PATH;
  process.env.PATH = repo.folder;
  try {
    expect(refused(() => CommittedFolder.of(repo.at('dist')))).toBe('TC-GIT-UNREAD there is no git on this machine. Fix: install git.');
  } finally {
    process.env.PATH = before;
  }
});

test('a repository of another user is told with the words of git', () => {
  const repo = repository();
  repo.commit({ 'dist/a.yaml': '' });
  fs.writeFileSync(repo.at('.git/config'), 'no configuration');
  expect(refused(() => CommittedFolder.of(repo.at('dist')))).toMatch(
    /^TC-GIT-UNREAD git cannot read the repository of .*dist: bad config line 1 .* Fix: correct .*\.git, or remove it/);
});

test('a project folder with a bare repository and its work trees is told of these', () => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'project-'));
  made.push({ remove: () => fs.rmSync(folder, { recursive: true }) });
  const repo = repository();
  repo.commit({ 'dist/a.yaml': 'a: 1\n' });
  repo.git('clone', '--quiet', '--bare', repo.folder, path.join(folder, '.bare'));
  fs.writeFileSync(path.join(folder, '.git'), 'gitdir: .bare\n');
  expect(refused(() => CommittedFolder.of(path.join(folder, 'dist')))).toMatch(/^TC-GIT-UNREAD .* Fix: the repository is bare: name a folder of one of its work trees/);
  repo.git('-C', folder, 'worktree', 'add', '--quiet', 'main');
  expect(contents(CommittedFolder.of(path.join(folder, 'main/dist'))!)).toEqual({ 'a.yaml': 'a: 1\n' });
  fs.writeFileSync(path.join(folder, '.git'), '');
  expect(refused(() => CommittedFolder.of(path.join(folder, 'dist')))).toMatch(/ Fix: correct .*\.git, or remove it if .* is no repository\.$/);
});

test('a folder whose name begins or ends with a space is read', () => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'spaces-'));
  made.push({ remove: () => fs.rmSync(folder, { recursive: true }) });
  fs.mkdirSync(path.join(folder, ' repo '));
  const repo = repository(path.join(folder, ' repo '));
  repo.commit({ 'dist/a.yaml': 'a: 1\n' });
  expect(contents(CommittedFolder.of(repo.at('dist'))!)).toEqual({ 'a.yaml': 'a: 1\n' });
});
