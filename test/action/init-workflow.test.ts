import * as fs from 'node:fs';
import * as path from 'node:path';
import * as jsYaml from 'js-yaml';
import { runShell, writePrograms } from './runner';
import { written } from '../plan/tenant-pages';
import { GitRepository } from '../support/git-repository';

interface Workflow {
  readonly jobs: { readonly check: { readonly steps: readonly { readonly run?: string }[] } };
}

const yaml = (objects: readonly unknown[]): string => objects.map((object) => JSON.stringify(object)).join('\n---\n');
const WORKFLOW = jsYaml.load(fs.readFileSync(path.join(__dirname, '../../templates/app/github/workflows/ci.yml'), 'utf8')) as Workflow;
const SCRIPTS = WORKFLOW.jobs.check.steps.flatMap(({ run }) => run ?? []);

let repo: GitRepository;
beforeEach(() => {
  repo = new GitRepository();
  writePrograms(repo);
  // Keeps what it is called with, and the comment.
  repo.write('bin/gh', '#!/bin/sh\necho "$@" > bin/called\nfor file; do :; done\ncat "$file" > bin/comment\n');
  fs.chmodSync(repo.at('bin/gh'), 0o755);
});
afterEach(() => repo.remove());

/** Runs the steps of the workflow that `init` writes, until one fails. */
async function workflow(BASE: string): Promise<{ code: number; log: string }> {
  let log = '';
  for (const script of SCRIPTS) {
    const env = { PATH: `${repo.at('bin')}:${process.env.PATH}`, BASE, NUMBER: '7', RUNNER_TEMP: repo.at('bin'), GITHUB_STEP_SUMMARY: repo.at('bin/summary') };
    const { code, text } = await runShell(script, repo.folder, env);
    log += text;
    if (code !== 0) return { code, log };
  }
  return { code: 0, log };
}

test('the workflow that init writes validates, and comments the plan', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  repo.commit({ 'dist/acme.yaml': yaml(written({ machine: { cpu: 8 } })) });

  expect(await workflow(base)).toMatchObject({ code: 0 });
  const [called, comment, summary] = ['called', 'comment', 'summary'].map((name) => fs.readFileSync(repo.at(`bin/${name}`), 'utf8'));
  expect(called).toMatch(/^pr comment 7 --edit-last --create-if-none --body-file /);
  expect(comment).toContain('3 machines are replaced');
  expect(summary).toBe(comment);
});

test('it fails where the committed manifests are not what the code says', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  repo.write('dist/acme.yaml', yaml(written({ machine: { cpu: 8 } })));
  expect(await workflow(base)).toMatchObject({ code: 1, log: expect.stringContaining('acme-general-') as string });
});

test('it fails with an annotation where a server refuses a manifest', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})).replace('"replicas":3', '"replicas":-3') });
  expect(await workflow(base)).toMatchObject({ code: 1, log: expect.stringMatching(/^::error file=dist\/acme\.yaml,line=\d+,title=TC-/m) as string });
});
