import * as fs from 'node:fs';
import * as http from 'node:http';
import { AddressInfo } from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import * as jsYaml from 'js-yaml';
import { runShell, writePrograms } from './runner';
import { written } from '../manifests/plan/tenant-pages';
import { GitRepository } from '../support/git-repository';

const yaml = (objects: readonly unknown[]): string => objects.map((object) => JSON.stringify(object)).join('\n---\n');
const read = (file: string) => fs.readFileSync(path.join(__dirname, '../..', file), 'utf8');
const TEMPLATE = read('templates/plan/template.yml');

interface Job {
  readonly script: readonly string[];
  readonly variables: { readonly [name: string]: string };
  readonly artifacts?: { readonly paths: readonly string[] };
  readonly environment?: object;
}

const { synthesis: SYNTHESIS } = jsYaml.load(/^## GitLab\n[^]*?^```yaml\n([^]*?)^```/m.exec(read('docs/ci.md'))![1]) as { synthesis: Job };

interface Header {
  readonly spec: { readonly inputs: { readonly [name: string]: { readonly default?: string } | null } };
}

const [HEADER] = jsYaml.loadAll(TEMPLATE) as [Header, unknown];

/** The jobs of the template as GitLab fills it in. */
function jobs(inputs: { readonly [name: string]: string }): { plan: Job; note: Job } {
  const text = TEMPLATE.split(/^---$/m)[1].replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => inputs[name] ?? HEADER.spec.inputs[name]!.default!);
  const [plan, note] = Object.values(jsYaml.load(text) as { [name: string]: Job });
  return { plan, note };
}

const MARK = '<!-- cdk8s-cluster-api plan: dist -->';

interface Note {
  readonly id: number;
  readonly author: { readonly id: number };
  body: string;
}

const NOTES = '/api/v4/projects/3/merge_requests/7/notes';
const PER_PAGE = 100;
const ME = 42;

let notes: Note[];
let program: string;
let repo: GitRepository;

/** As much of GitLab's REST API as the notes of one merge request need. */
const gitlab = http.createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part: string) => { text += part; }).on('end', () => {
    const { pathname, searchParams } = new URL(request.url!, 'http://gitlab');
    if (pathname === '/cdk8s-cluster-api.cjs') return response.end(program);
    const body = new URLSearchParams(text).get('body') ?? '';
    if (request.headers['private-token'] !== 'secret') return response.writeHead(401).end();
    if (pathname === '/api/v4/user') return response.end(JSON.stringify({ id: ME }));
    if (request.method === 'GET') {
      const page = Number(searchParams.get('page'));
      const next = notes.length > page * PER_PAGE ? String(page + 1) : '';
      return response.setHeader('X-Next-Page', next).end(JSON.stringify(notes.slice((page - 1) * PER_PAGE, page * PER_PAGE)));
    }
    if (request.method === 'POST' && pathname === NOTES) {
      return response.writeHead(201).end(JSON.stringify(notes.push({ id: notes.length + 1, author: { id: ME }, body })));
    }
    notes.find(({ id }) => pathname === `${NOTES}/${id}`)!.body = body;
    return response.end('{}');
  });
});

beforeAll(async () => new Promise<void>((resolve) => { gitlab.listen(0, '127.0.0.1', resolve); }));
afterAll(async () => new Promise((resolve) => { gitlab.close(resolve); }));

beforeEach(() => {
  notes = [];
  repo = new GitRepository();
  writePrograms(repo);
  program = fs.readFileSync(repo.at('node_modules/cdk8s-cluster-api/bin/cdk8s-cluster-api'), 'utf8');
});

afterEach(() => repo.remove());

const address = () => `http://127.0.0.1:${(gitlab.address() as AddressInfo).port}`;

/** Runs the lines of both jobs as GitLab's runner does: one after the other in one shell, until one fails. */
async function pipeline(variables: { readonly [name: string]: string }): Promise<{ plan: number; note: number; text: string }> {
  const { plan, note } = jobs({ program: `${address()}/cdk8s-cluster-api.cjs` });
  const planned = await runShell(plan.script.join('\n'), repo.folder, { PATH: process.env.PATH!, ...plan.variables, ...variables, PLAN_TOKEN: '' });
  // The second job has the artifacts only.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'job-'));
  plan.artifacts!.paths.forEach((file) => fs.copyFileSync(repo.at(file), path.join(folder, file)));
  const noted = await runShell(note.script.join('\n'), folder, {
    PATH: process.env.PATH!,
    CI_API_V4_URL: `${address()}/api/v4`,
    CI_PROJECT_ID: '9',
    CI_MERGE_REQUEST_PROJECT_ID: '3',
    CI_MERGE_REQUEST_IID: '7',
    PLAN_TOKEN: 'secret',
    ...note.variables,
    ...variables,
  });
  fs.rmSync(folder, { recursive: true });
  return { plan: planned.code, note: noted.code, text: planned.text + noted.text };
}

test('the plan is one note, which the next pipeline edits; notes of others stay', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  repo.commit({ 'dist/acme.yaml': yaml(written({ machine: { cpu: 8 } })) });
  notes.push({ id: 1, author: { id: 1 }, body: `${MARK} fake` });

  expect(await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).toMatchObject({ plan: 0, note: 0 });
  expect(notes.map(({ body }) => body)).toEqual([`${MARK} fake`, expect.stringContaining('3 machines are replaced')]);
  expect(notes[1].body).toMatch(/^<!-- cdk8s-cluster-api plan: dist -->\n\*\*DISRUPTS: 1 of 1 cluster differs/);

  const head = repo.git('rev-parse', 'HEAD').trim();
  expect(await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: head })).toMatchObject({ plan: 0, note: 0 });
  expect(notes.map(({ body }) => body).slice(1)).toEqual([`${MARK}\n**Nothing changes.**\n`]);
});

test('manifests that a server refuses end the pipeline, and have their plan', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  repo.commit({ 'dist/more.yaml': yaml(written({}, 'more')).replace('"replicas":3', '"replicas":-3') });
  const { plan, note, text } = await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
  expect([plan, note, notes.map(({ body }) => body)]).toEqual([1, 0, [expect.stringContaining('more: created')]]);
  expect(text).toContain('-3');
});

test('manifests that are not what the code of an app says end its pipeline', async () => {
  repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  const synthesis = () => runShell(SYNTHESIS.script.join('\n'), repo.folder, { PATH: `${repo.at('bin')}:${process.env.PATH}` });
  expect((await synthesis()).code).toBe(0);
  repo.write('dist/more.yaml', yaml(written({}, 'more')));
  expect(await synthesis()).toEqual({ code: 1, text: expect.stringContaining('?? dist/more.yaml') });
});

test('a token that GitLab refuses ends the pipeline', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  const { note, text } = await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base, PLAN_TOKEN: 'other' });
  expect(note).not.toBe(0);
  expect(text).toContain('401');
});

test('the job with the token checks nothing out, and the token is for its environment', () => {
  const { plan, note } = jobs({ program: 'https://example.com/cdk8s-cluster-api.cjs' });
  expect([note.variables.GIT_STRATEGY, note.environment, plan.environment]).toEqual(['none', { name: 'plan-notes', action: 'access' }, undefined]);
  expect(plan.script.join('\n')).not.toContain('PLAN_TOKEN');
});

test('the merge request of a fork, which has no token, passes without a note', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  const { note, text } = await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base, PLAN_TOKEN: '' });
  expect([note, text, notes]).toEqual([0, expect.stringContaining('There is no PLAN_TOKEN, as in a fork'), []]);
});

test('the note is found on a later page, and lines of the plan are no commands of GitLab', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  notes = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, author: { id: index === 220 ? ME : 1 }, body: MARK }));
  program = 'if (process.argv[2] === "plan") console.log("one\\n/approve\\n  /merge\\na/b");';
  expect(await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).toMatchObject({ plan: 0, note: 0 });
  expect([notes.length, notes[220].body]).toEqual([250, `${MARK}\none\n\\/approve\n\\/merge\na/b\n`]);
});
