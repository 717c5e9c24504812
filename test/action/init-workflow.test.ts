import * as fs from 'node:fs';
import * as path from 'node:path';
import * as jsYaml from 'js-yaml';
import { INSTALLED, runAction, runShell, writePrograms } from './runner';
import { written } from '../plan/tenant-pages';
import { GitRepository } from '../support/git-repository';

interface Workflow {
  readonly jobs: { readonly check: { readonly permissions: object; readonly steps: readonly { readonly run?: string; readonly uses?: string }[] } };
}

const yaml = (objects: readonly unknown[]): string => objects.map((object) => JSON.stringify(object)).join('\n---\n');
const { jobs: { check: JOB } } = jsYaml.load(fs.readFileSync(path.join(__dirname, '../../templates/app/github/workflows/ci.yml'), 'utf8')) as Workflow;

let repo: GitRepository;
beforeEach(() => {
  repo = new GitRepository();
  writePrograms(repo);
});
afterEach(() => repo.remove());

/** Runs the steps of the workflow that `init` writes, until one fails: those of a push. */
async function workflow(): Promise<{ code: number; log: string }> {
  let log = '';
  for (const { run, uses } of JOB.steps) {
    if (uses === `./${INSTALLED}`) {
      const { steps, log: text } = await runAction(repo.folder, {});
      return { code: Math.max(...Object.values(steps)), log: log + text };
    }
    if (run === undefined) continue;
    const { code, text } = await runShell(run, repo.folder, { PATH: `${repo.at('bin')}:${process.env.PATH}` });
    log += text;
    if (code !== 0) return { code, log };
  }
  throw new Error('the workflow does not use the action');
}

test('the workflow that init writes validates what is committed, and may comment', async () => {
  repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  expect(await workflow()).toMatchObject({ code: 0 });
  expect(JOB.permissions).toEqual({ 'contents': 'read', 'pull-requests': 'write' });
});

test('it fails where the committed manifests are not what the code says', async () => {
  repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  repo.write('dist/acme.yaml', yaml(written({ machine: { cpu: 8 } })));
  expect(await workflow()).toMatchObject({ code: 1, log: expect.stringContaining('acme-general-') as string });
});

test('it fails with an annotation where a server refuses a manifest', async () => {
  repo.commit({ 'dist/acme.yaml': yaml(written({})).replace('"replicas":3', '"replicas":-3') });
  expect(await workflow()).toMatchObject({ code: 1, log: expect.stringMatching(/^::error file=dist\/acme\.yaml,line=\d+,title=TC-/m) as string });
});
