import * as fs from 'node:fs';
import * as path from 'node:path';
import * as jsYaml from 'js-yaml';
import { INSTALLED, runAction, runShell, writePrograms } from './runner';
import { appFiles } from '../../src/cli/init/app-files';
import { written } from '../manifests/plan/tenant-pages';
import { GitRepository } from '../support/git-repository';

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: { readonly [name: string]: string };
}

interface Job {
  readonly permissions: object;
  readonly steps: readonly Step[];
}

const yaml = (objects: readonly unknown[]): string => objects.map((object) => JSON.stringify(object)).join('\n---\n');

const WORKFLOW = String(appFiles(path.resolve('/clusters'), undefined, 'diy-cloud').files.get('.github/workflows/clusters.yml'));
const { permissions, jobs: { check: CHECK, comment: COMMENT } } = jsYaml.load(WORKFLOW) as {
  permissions: object; jobs: { [name in 'check' | 'comment']: Job };
};

let repo: GitRepository;
beforeEach(() => {
  repo = new GitRepository();
  writePrograms(repo);
});
afterEach(() => repo.remove());

/** Runs the steps of the job that checks, until one fails: those of a push, or those against a base. */
async function workflow(base?: string): Promise<{ code: number; log: string; comment?: string }> {
  let log = '';
  for (const { run, uses, with: inputs = {} } of CHECK.steps) {
    if (uses === `./${INSTALLED}`) {
      const { steps, outputs, log: text } = await runAction(repo.folder, { inputs: { ...inputs, ...base === undefined ? {} : { base } } });
      return { code: Math.max(...Object.values(steps)), log: log + text, comment: outputs.comment };
    }
    if (run === undefined) continue;
    const { code, text } = await runShell(run, repo.folder, { PATH: `${repo.at('bin')}:${process.env.PATH}` });
    log += text;
    if (code !== 0) return { code, log };
  }
  throw new Error('the workflow does not use the action');
}

test('the workflow that init writes validates what is committed', async () => {
  repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  expect(await workflow()).toMatchObject({ code: 0 });
});

test('it fails where the committed manifests are not what the code says', async () => {
  repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  repo.write('dist/acme.yaml', yaml(written({ machine: { cpu: 8 } })));
  expect(await workflow()).toMatchObject({ code: 1, log: expect.stringContaining('acme-general-') as string });
});

test('it fails where files are committed that the code no longer writes, and where others are new', async () => {
  repo.commit({ 'dist/acme.yaml': yaml(written({})), 'dist/other.yaml': yaml(written({}, 'other')) });
  fs.rmSync(repo.at('dist/other.yaml'));
  expect(await workflow()).toMatchObject({ code: 1, log: expect.stringContaining('deleted file mode') as string });
  repo.git('restore', 'dist');
  repo.write('dist/more.yaml', yaml(written({}, 'more')));
  expect(await workflow()).toMatchObject({ code: 1, log: expect.stringContaining('?? dist/more.yaml') as string });
});

test('it fails with an annotation where a server refuses a manifest', async () => {
  repo.commit({ 'dist/acme.yaml': yaml(written({})).replace('"replicas":3', '"replicas":-3') });
  expect(await workflow()).toMatchObject({ code: 1, log: expect.stringMatching(/^::error file=dist\/acme\.yaml,line=\d+,title=TC-/m) as string });
});

test('only the job that runs no code of the branch may write', () => {
  expect([permissions, CHECK.permissions, COMMENT.permissions]).toEqual([{}, { contents: 'read' }, { 'pull-requests': 'write' }]);
  expect(COMMENT.steps.map(({ uses, run }) => run ?? uses?.split('@')[0])).toEqual(['actions/download-artifact', 'actions/github-script']);
});

test('actions are pinned by commit, with the version for Renovate', () => {
  const used = [...WORKFLOW.matchAll(/uses: (?!\.\/)(.*)$/gm)].map(([, action]) => action);
  expect(used).toHaveLength(5);
  for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

describe('the job that comments', () => {
  const MARK = '<!-- cdk8s-cluster-api plan: dist -->';
  type Comment = { id: number; user: { login: string } | null; body?: string };

  /** The text that the other job hands over. */
  let text: string | undefined;

  async function planned(): Promise<string> {
    repo.commit({ 'dist/acme.yaml': yaml(written({})) });
    repo.commit({ 'dist/acme.yaml': yaml(written({ machine: { cpu: 8 } })) });
    const { comment: file } = await workflow('HEAD^');
    return fs.readFileSync(file!, 'utf8');
  }

  /** Runs its script. */
  async function comment(comments: Comment[], { changes = 'true', status }: { changes?: string; status?: number } = {}): Promise<string[]> {
    text ??= await planned();
    const done: string[] = [];
    const act = (what: string) => ({ comment_id: id, body }: { comment_id?: number; body: string }) => {
      if (status !== undefined) throw Object.assign(new Error(`GitHub answers ${status}`), { status });
      done.push(`${what} ${id ?? ''}: ${body.split('\n')[0]}${body.includes('cpu 4 -> 8') ? ' with the plan' : ''}`);
    };
    const github = { paginate: async () => comments, rest: { issues: { listComments: undefined, updateComment: act('update'), createComment: act('create') } } };
    const require = () => ({ readFileSync: () => text });
    const core = { warning: (message: string) => done.push(message) };
    // As actions/github-script does.
    const script = new Function('github', 'context', 'core', 'require', 'process', `return (async () => {${COMMENT.steps[1].with!.script}})()`);
    await script(github, { repo: { owner: 'acme', repo: 'clusters' }, issue: { number: 7 } }, core, require, { env: { CHANGES: changes } });
    return done;
  }

  test('writes the plan once, and edits it later', async () => {
    const others = [{ id: 1, user: { login: 'lea' }, body: `${MARK} fake` }, { id: 2, user: null, body: MARK }, { id: 3, user: { login: 'github-actions[bot]' }, body: 'LGTM' }];
    expect(await comment(others)).toEqual([`create : ${MARK} with the plan`]);
    expect(await comment([...others, { id: 4, user: { login: 'github-actions[bot]' }, body: `${MARK}\nbefore` }])).toEqual([`update 4: ${MARK} with the plan`]);
  });

  test('writes none where nothing changes', async () => {
    expect(await comment([], { changes: 'false' })).toEqual([]);
  });

  test('warns where its token only reads, and fails otherwise', async () => {
    expect(await comment([], { status: 403 })).toEqual(['The plan is in the summary of the run only: GitHub answers 403']);
    await expect(comment([], { status: 500 })).rejects.toThrow('GitHub answers 500');
  });
});
