import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { main } from '../../../../src/cli/main';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { GitOpsApp } from '../../../../src/constructs/repository/gitops-app';
import { CommittedFolder } from '../../../../src/manifests/objects/git/committed-folder';
import { git } from '../../../../src/manifests/objects/git/repository-paths';
import { installPackage, runAction } from '../../../action/runner';
import { GitRepository } from '../../../support/git-repository';
import { addCluster } from '../../../support/many-clusters';

const NAMESPACE = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n';

let origin: GitRepository;
let clone: string;
let proof: string;
const folders: string[] = [];

/** Settings of a repository that can run a command when git reads objects: each writes the same file. */
function configuration(run: string): string {
  return [
    '[core]', '\trepositoryformatversion = 1', '\tbare = false', '\tworktree = ..', `\tfsmonitor = "${run}"`, `\tsshCommand = "${run}"`, '\thooksPath = .',
    `\tpager = "${run}"`, `\taskPass = "${run}"`, `\tgitProxy = "${run}"`, `\talternateRefsCommand = "${run}"`,
    '[extensions]', '\tpartialClone = origin',
    '[remote "origin"]', '\turl = ./dist', '\tpromisor = true', '\tpartialclonefilter = blob:none', `\tuploadpack = "${run}; false "`,
    '',
  ].join('\n');
}

beforeEach(() => {
  jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
  proof = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'proof-')), 'executed');
  origin = new GitRepository();
  clone = `${origin.folder}-clone`;
  folders.push(path.dirname(proof), origin.folder, clone);
  origin.commit({ 'dist/clusters/a.yaml': NAMESPACE });
});

afterEach(() => {
  jest.restoreAllMocks();
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** A clone of a pull request that adds ordinary files: below `dist`, they look like a bare repository. Returns the commit before. */
function pullRequest(run = `echo executed > ${proof}`): string {
  const base = origin.git('rev-parse', 'HEAD').trim();
  origin.git('switch', '--quiet', '--create', 'pr');
  origin.write('dist/objects/info/keep', '');
  origin.write('dist/refs/heads/keep', '');
  origin.write('dist/refs/heads/main', `dead${'0'.repeat(32)}beef\n`);
  origin.write('dist/HEAD', 'ref: refs/heads/main\n');
  origin.write('dist/config', configuration(run));
  origin.git('add', '--all', '--force');
  origin.git('commit', '--quiet', '--message=A pull request');
  origin.git('clone', '--quiet', '--branch=pr', origin.folder, clone);
  return base;
}

async function program(...args: string[]): Promise<{ readonly code: number; readonly out: string }> {
  let out = '';
  const print = (text: string) => { out += text; };
  const code = await main(args, { cwd: clone, env: { HOME: clone }, readInput: async () => Buffer.from(''), out: print, err: print });
  return { code, out };
}

test('the files are an attack: git itself runs the command', () => {
  pullRequest();
  const victim = new GitRepository(clone);
  expect(() => victim.git('-C', 'dist', 'rev-parse', '--verify', 'main^{commit}')).toThrow();
  expect(fs.existsSync(proof)).toBe(true);
});

describe('files that look like a bare repository run nothing', () => {
  test.each([
    ['plan', 'plan', 'dist'],
    ['plan of a folder below', 'plan', 'dist/clusters'],
    ['plan of a file', 'plan', 'dist/clusters/a.yaml'],
    ['plan --base', 'plan', '--base', 'BASE', '--format', 'markdown', 'dist'],
    ['plan --base with a branch', 'plan', '--base', 'origin/main', 'dist'],
    ['graph --base', 'graph', '--base', 'BASE', '--format', 'mermaid', 'dist'],
    ['validate', 'validate', 'dist'],
    ['inventory', 'inventory', 'dist'],
    ['images', 'images', 'dist'],
  ])('%s', async (_, ...args) => {
    const base = pullRequest();
    const { out } = await program(...args.map((arg) => (arg === 'BASE' ? base : arg)));
    expect(out).not.toContain('TC-GIT-');
    expect(fs.existsSync(proof)).toBe(false);
  });

  test('synthesis', () => {
    pullRequest();
    const app = new GitOpsApp({ outdir: path.join(clone, 'dist'), base: 'origin/main', quiet: true });
    addCluster(app, 'a');
    app.synth();
    expect(fs.existsSync(proof)).toBe(false);
  });

  test('the action', async () => {
    const base = pullRequest();
    installPackage(clone);
    const { steps } = await runAction(clone, { inputs: { base }, env: { GITHUB_EVENT_NAME: 'pull_request_target' } });
    expect(steps).toEqual({ Program: 0, Base: 0, Validate: 0, Plan: 0 });
    expect(fs.existsSync(proof)).toBe(false);
  });
});

test('a repository that came with its configuration, as in an archive, runs nothing either', async () => {
  const base = pullRequest();
  fs.writeFileSync(path.join(clone, '.git/config'), configuration(`echo executed > ${proof}`).replace('worktree = ..', ''));
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction']) {
    fs.writeFileSync(path.join(clone, '.git/hooks', hook), `#!/bin/sh\necho executed > ${proof}\n`, { mode: 0o755 });
  }
  expect((await program('plan', '--base', base, 'dist')).out).toContain('Nothing changes.');
  fs.rmSync(path.join(clone, '.git/objects'), { recursive: true });
  fs.mkdirSync(path.join(clone, '.git/objects'));
  expect((await program('plan', '--base', base, 'dist')).out).toContain('TC-GIT-BASE');
  expect(() => CommittedFolder.of(path.join(clone, 'dist'))).toThrow('TC-GIT-UNREAD');
  expect(fs.existsSync(proof)).toBe(false);
});

test('a named pipe in place of a file of a repository stops no command', () => {
  const index = path.join(origin.folder, '.git/index');
  fs.rmSync(index);
  execFileSync('mkfifo', [index]);
  expect(() => git(origin.folder, ['ls-files'], '', 0.5)).toThrow(/TC-GIT-UNREAD "git ls-files" did not end in 0\.5 seconds in the repository .* has no named pipe/);
});

test('a partial clone is not completed from its remote: the message says how', async () => {
  origin.git('config', 'uploadpack.allowFilter', 'true');
  const base = origin.git('rev-parse', 'HEAD').trim();
  origin.commit({ 'dist/clusters/a.yaml': NAMESPACE.replace('name: a', 'name: b') });
  origin.git('clone', '--quiet', '--filter=blob:none', `file://${origin.folder}`, clone);
  const { code, out } = await program('plan', '--base', base, 'dist');
  expect([code, out]).toEqual([2, expect.stringMatching(/TC-GIT-UNREAD git cannot read .* Fix: the clone is partial: .*git archive/)]);
  new GitRepository(clone).git('archive', '--output=/dev/null', base);
  expect((await program('plan', '--base', base, 'dist')).code).toBe(0);
});

test.each(['--upload-pack=touch executed', '-c', 'main:refs/heads/other', '+main'])('the action fetches no base that is an option or a refspec: %s', async (base) => {
  pullRequest();
  installPackage(clone);
  const { steps, log } = await runAction(clone, { inputs: { base }, env: { GITHUB_EVENT_NAME: 'workflow_dispatch' } });
  expect([steps, log]).toEqual([{ Program: 0, Base: 1, Validate: 0 }, expect.stringContaining('::error::')]);
  expect(fs.existsSync(path.join(clone, 'executed'))).toBe(false);
});
