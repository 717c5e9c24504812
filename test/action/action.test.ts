import * as fs from 'node:fs';
import * as path from 'node:path';
import * as jsYaml from 'js-yaml';
import { GitHub } from './github';
import { ACTION, INSTALLED, installPackage, runAction, Surroundings } from './runner';
import { PoolSize } from '../../src/constructs/contracts/node-pool/pool-size';
import { written } from '../manifests/plan/tenant-pages';
import { GitRepository } from '../support/git-repository';

const yaml = (objects: readonly unknown[]): string => objects.map((object) => JSON.stringify(object)).join('\n---\n');
const OLD = yaml(written({}));
const NEW = yaml(written({ machine: { cpu: 8 }, pool: { size: PoolSize.fixed(4) } }));
const MARK = '<!-- cdk8s-cluster-api plan: dist -->';
const REPLACED = '3 machines are replaced, 1 at a time: cpu 4 -> 8';

let github: GitHub;
let origin: GitRepository;
let checkout: string;
const folders: string[] = [];

beforeEach(async () => {
  github = new GitHub();
  await github.start();
  origin = new GitRepository();
  origin.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  folders.push(origin.folder);
});

afterEach(async () => {
  await github.stop();
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** A pull request that changes the manifests, and what actions/checkout makes of it: the merge, without history. */
function pullRequest(change: { readonly [file: string]: string }): Surroundings {
  const start = origin.commit({ 'dist/acme.yaml': OLD });
  origin.git('switch', '--quiet', '--create', 'change');
  origin.commit(change);
  origin.git('switch', '--quiet', 'main');
  // Since the event, somebody else has scaled another cluster.
  origin.commit({ 'dist/other.yaml': yaml(written({}, 'other')) });
  origin.git('merge', '--quiet', '--no-ff', '--message=Merge', 'change');
  checkout = `${origin.folder}-checkout`;
  folders.push(checkout);
  origin.git('clone', '--quiet', '--depth=1', `file://${origin.folder}`, checkout);
  installPackage(checkout);
  return {
    github: { token: 'secret', event: { pull_request: { number: 7, base: { sha: start } } } },
    env: {
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_SHA: origin.git('rev-parse', 'HEAD').trim(),
      GITHUB_REPOSITORY: 'acme/clusters',
      GITHUB_GRAPHQL_URL: github.address,
      GITHUB_SERVER_URL: 'https://github.example.com',
      GITHUB_RUN_ID: '42',
    },
  };
}

/** Replaces the program by one that makes its plan at once, for what comes after the plan. */
function planAtOnce(text: string): void {
  fs.writeFileSync(path.join(checkout, INSTALLED, 'bin/cdk8s-cluster-api'), `if (process.argv[2] === "plan") { console.log(${text}); process.exitCode = 2; }`);
}

test('no expression is part of a script, where its value would be run', () => {
  for (const { run } of ACTION.runs.steps) expect(run).not.toContain('${{');
});

test('the hook of pre-commit validates what it starts for, and its documentation names it', () => {
  const read = (file: string) => fs.readFileSync(path.join(__dirname, '../..', file), 'utf8');
  const hooks = jsYaml.load(read('.pre-commit-hooks.yaml')) as { id: string; files: string; args: string[] }[];

  expect(read('docs/guides/ci-with-plans.md')).toContain(`- id: ${hooks[0].id}\n`);
  expect(hooks.map(({ files, args }) => [args, new RegExp(files).test('dist/clusters/acme.yaml'), new RegExp(files).test('main.ts')])).toEqual([[['dist'], true, false]]);
});

test('its documentation lists its inputs and outputs with their defaults', () => {
  const page = fs.readFileSync(path.join(__dirname, '../../docs/guides/ci-with-plans.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \| (?:`([^`]+)`|[^|]+) \|/gm)].map(([, name, value]) => [name, value ?? '']);

  expect(listed).toEqual(Object.entries(ACTION.inputs).map(([name, { default: value }]) => [name, value.startsWith('$') ? '' : value]));
  for (const name of Object.keys(ACTION.outputs)) expect(page).toContain(`\`steps.clusters.outputs.${name}\``);
});

describe('a pull request', () => {
  test('gets its plan as a comment, which the next run edits', async () => {
    const surroundings = pullRequest({ 'dist/acme.yaml': NEW });
    const { steps, outputs, summary } = await runAction(checkout, surroundings);

    expect(steps).toEqual({ Program: 0, Base: 0, Validate: 0, Plan: 0, Comment: 0 });
    expect(outputs.changes).toBe('true');
    expect(fs.readFileSync(outputs.plan, 'utf8')).toBe(summary);
    expect(summary).toContain(REPLACED);
    expect(github.comments.map(({ body }) => body)).toEqual([`${MARK}\n## What the merge does: \`dist\`\n\n${summary}`]);

    fs.writeFileSync(path.join(checkout, 'dist/acme.yaml'), OLD);
    const second = await runAction(checkout, surroundings);
    expect(second.outputs.changes).toBe('false');
    expect(github.comments.map(({ body }) => body)).toEqual([`${MARK}\n## What the merge does: \`dist\`\n\n**Nothing changes.**\n`]);
  });

  test('is compared with the commit that it is merged into, not with that of the event', async () => {
    const surroundings = pullRequest({ 'dist/acme.yaml': NEW });
    const { summary } = await runAction(checkout, surroundings);
    expect(summary).toContain('acme: changed');
    expect(summary).not.toContain('other: created');
  });

  test('is compared with the commit of the event where something else is checked out', async () => {
    const surroundings = pullRequest({ 'dist/acme.yaml': NEW });
    const { summary } = await runAction(checkout, { ...surroundings, env: { ...surroundings.env, GITHUB_SHA: 'f'.repeat(40) } });
    expect(summary).toContain('other: created');
  });

  test('without changes of manifests gets no comment', async () => {
    const surroundings = pullRequest({ 'README.md': 'Read me.\n' });
    const { steps, outputs } = await runAction(checkout, surroundings);
    expect([steps, outputs.changes, github.comments]).toEqual([{ Program: 0, Base: 0, Validate: 0, Plan: 0, Comment: 0 }, 'false', []]);
  });

  test('keeps the comments of others, also those with the same mark, and the own one is found behind a hundred', async () => {
    const surroundings = pullRequest({ 'dist/acme.yaml': NEW });
    planAtOnce(JSON.stringify(REPLACED));
    const foreign = Array.from({ length: 120 }, (_, index) => ({ id: `F${index}`, viewerDidAuthor: index % 2 === 0, body: index % 2 === 0 ? 'LGTM' : `${MARK} fake` }));
    github.comments.push(...foreign.map((comment) => ({ ...comment })), { id: 'own', viewerDidAuthor: true, body: `${MARK}\nbefore` });
    await runAction(checkout, surroundings);
    expect(github.comments.slice(0, -1)).toEqual(foreign);
    expect(github.comments.at(-1)!.body).toContain(REPLACED);
  });

  test('of a fork has its plan in the summary, with a warning', async () => {
    const surroundings = pullRequest({ 'dist/acme.yaml': NEW });
    planAtOnce(JSON.stringify(REPLACED));
    github.mayWrite = false;
    const { steps, log, summary } = await runAction(checkout, surroundings);
    expect(steps.Comment).toBe(0);
    expect(log).toContain('::warning::The plan is in the summary of the run only: Resource not accessible by integration.');
    expect(summary).toContain(REPLACED);
  });

  test('with a token that GitHub refuses fails', async () => {
    const surroundings = pullRequest({ 'dist/acme.yaml': NEW });
    planAtOnce(JSON.stringify(REPLACED));
    const { steps, log } = await runAction(checkout, { ...surroundings, inputs: { token: 'wrong' } });
    expect(steps.Comment).toBe(1);
    expect(log).toMatch(/^::error::The plan cannot be written as a comment: GitHub answers 401: .*Bad credentials.*\n$/m);
    expect(log).not.toContain('    at ');
  });

  test('has its plan in the summary while GitHub does not answer', async () => {
    const surroundings = pullRequest({ 'dist/acme.yaml': NEW });
    planAtOnce(JSON.stringify(REPLACED));
    github.isDown = true;
    const down = await runAction(checkout, surroundings);
    await github.stop();
    const gone = await runAction(checkout, surroundings);
    await github.start();
    expect([down.steps.Comment, gone.steps.Comment]).toEqual([0, 0]);
    expect(down.log).toContain('::warning::The plan is in the summary of the run only: GitHub answers 502: <html> Bad Gateway </html>\n');
    expect(gone.log).toContain('::warning::The plan is in the summary of the run only: GitHub cannot be reached: connect ECONNREFUSED');
  });

  test('gets no comment if none is wanted', async () => {
    const surroundings = pullRequest({ 'dist/acme.yaml': NEW });
    planAtOnce(JSON.stringify(REPLACED));
    const { steps } = await runAction(checkout, { ...surroundings, inputs: { comment: 'false' } });
    expect([steps, github.comments]).toEqual([{ Program: 0, Base: 0, Validate: 0, Plan: 0 }, []]);
  });

  test('of more than GitHub takes gets the beginning, and where the rest is', async () => {
    const surroundings = pullRequest({ 'dist/acme.yaml': NEW });
    planAtOnce('"| part | what happens |\\n".repeat(4000)');
    const { summary } = await runAction(checkout, surroundings);
    const [{ body }] = github.comments;
    expect(summary.length).toBeGreaterThan(65_000);
    expect(body.length).toBeLessThanOrEqual(65_000);
    expect(body).toContain('[the run](https://github.example.com/acme/clusters/actions/runs/42)');
    expect(body.endsWith('| part | what happens |\n')).toBe(true);
  });
});

describe('manifests that a server refuses', () => {
  test('fail the action with a line for each, and the plan is made all the same', async () => {
    const surroundings = pullRequest({ 'dist/acme.yaml': NEW.replace('"replicas":4', '"replicas":-4') });
    const { steps, log, summary } = await runAction(checkout, surroundings);
    expect(steps).toEqual({ Program: 0, Base: 0, Validate: 1, Plan: 0, Comment: 0 });
    expect(log).toMatch(/^::error file=dist\/acme\.yaml,line=\d+,title=TC-/m);
    expect(summary).toContain('acme');
  });
});

describe('without a pull request', () => {
  test('manifests are validated only', async () => {
    pullRequest({ 'dist/acme.yaml': NEW });
    const { steps, outputs } = await runAction(checkout, { env: { GITHUB_EVENT_NAME: 'push' } });
    expect([steps, outputs]).toEqual([{ Program: 0, Validate: 0 }, { changes: '', plan: '', comment: '' }]);
  });

  test('a base that is named gives a plan', async () => {
    const { github: event } = pullRequest({ 'dist/acme.yaml': NEW });
    const base = (event!.event as { pull_request: { base: { sha: string } } }).pull_request.base.sha;
    const { steps, summary } = await runAction(checkout, { inputs: { base }, env: { GITHUB_EVENT_NAME: 'push' } });
    expect(steps).toEqual({ Program: 0, Base: 0, Validate: 0, Plan: 0 });
    expect(summary).toContain(REPLACED);
  });

  test('a base that the clone does not have is fetched, by the name that it has in other clones', async () => {
    pullRequest({ 'dist/acme.yaml': NEW });
    const fetched = await runAction(checkout, { inputs: { base: 'origin/change' }, env: { GITHUB_EVENT_NAME: 'push' } });
    expect([fetched.steps, fetched.summary]).toEqual([{ Program: 0, Base: 0, Validate: 0, Plan: 0 }, expect.stringContaining('other: created')]);
    const gone = await runAction(checkout, { inputs: { base: 'gone' }, env: { GITHUB_EVENT_NAME: 'push' } });
    expect([gone.steps, gone.log]).toEqual([{ Program: 0, Base: 1, Validate: 0 }, expect.stringContaining('::error::The commit "gone" is not in the clone, and cannot be fetched.')]);
  });
});

test('a whole clone stays whole when the base is fetched, and settings of Git in the environment of the job count', async () => {
  pullRequest({ 'dist/acme.yaml': NEW });
  fs.rmSync(checkout, { recursive: true });
  origin.git('clone', '--quiet', '--single-branch', '--branch=main', `file://${origin.folder}`, checkout);
  installPackage(checkout);
  new GitRepository(checkout).git('remote', 'set-url', 'origin', 'https://git.example.com/clusters.git');
  const env = {
    GITHUB_EVENT_NAME: 'push', GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: `url.file://${origin.folder}.insteadOf`, GIT_CONFIG_VALUE_0: 'https://git.example.com/clusters.git',
  };
  const { steps } = await runAction(checkout, { inputs: { base: 'origin/change' }, env });
  expect(steps).toEqual({ Program: 0, Base: 0, Validate: 0, Plan: 0 });
  expect(new GitRepository(checkout).git('rev-parse', '--is-shallow-repository')).toBe('false\n');
});

test('names with characters of the shell are names', async () => {
  const surroundings = pullRequest({ 'dist $(touch pwned); `touch pwned`/acme.yaml': NEW });
  const folder = 'dist $(touch pwned); `touch pwned`';
  const { steps } = await runAction(checkout, { ...surroundings, inputs: { folder } });
  expect(steps).toEqual({ Program: 0, Base: 0, Validate: 0, Plan: 0, Comment: 0 });
  expect(fs.existsSync(path.join(checkout, 'pwned'))).toBe(false);
});

describe('the action of a release', () => {
  let surroundings: Surroundings;
  let ref: string;

  beforeEach(() => {
    surroundings = pullRequest({ 'dist/acme.yaml': NEW });
    fs.rmdirSync(path.join(checkout, INSTALLED, 'lib'));
    github.releases.set('/acme/action/releases/download/v1.2.3/cdk8s-cluster-api.cjs', fs.readFileSync(path.join(checkout, INSTALLED, 'bin/cdk8s-cluster-api')));
  });

  const run = () => runAction(checkout, {
    ...surroundings, github: { ...surroundings.github!, server_url: github.server, action_repository: 'acme/action', action_ref: ref },
  });

  test('runs the program of its tag', async () => {
    ref = 'v1.2.3';
    const { steps, summary } = await run();
    expect(steps).toEqual({ Program: 0, Base: 0, Validate: 0, Plan: 0, Comment: 0 });
    expect(summary).toContain(REPLACED);
  });

  test('runs the program of the tag that its commit has', async () => {
    ref = 'a'.repeat(40);
    github.tags.set('v1.2.3', ref);
    expect((await run()).steps).toEqual({ Program: 0, Base: 0, Validate: 0, Plan: 0, Comment: 0 });
  });

  test.each(['main', 'b'.repeat(40)])('says what to name in place of %s', async (name) => {
    ref = name;
    const { steps, log } = await run();
    expect(steps).toEqual({ Program: 1 });
    expect(log).toContain(`::error::"${name}" is no release of the action. Name the tag of a release or its commit, or the package that npm has installed`);
  });
});
