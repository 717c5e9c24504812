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
const PAGE = fs.readFileSync(path.join(__dirname, '../../docs/ci.md'), 'utf8');

interface Job {
  readonly script: readonly string[];
  readonly variables: object;
  readonly artifacts?: { readonly paths: readonly string[] };
  readonly environment?: object;
}

const { plan: PLAN, note: NOTE } = jsYaml.load(/^## GitLab\n[^]*?^```yaml\n([^]*?)^```/m.exec(PAGE)![1]) as { plan: Job; note: Job };

interface Note {
  readonly id: number;
  readonly author: { readonly id: number };
  body: string;
}

const NOTES = '/api/v4/projects/3/merge_requests/7/notes';
const PER_PAGE = 100;
const ME = 42;

let notes: Note[];
let repo: GitRepository;

/** As much of GitLab's REST API as the notes of one merge request need. */
const gitlab = http.createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part: string) => { text += part; }).on('end', () => {
    const { pathname, searchParams } = new URL(request.url!, 'http://gitlab');
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
});

afterEach(() => repo.remove());

/** Runs the lines of both jobs as GitLab's runner does: one after the other in one shell, until one fails. */
async function pipeline(variables: { readonly [name: string]: string }): Promise<{ code: number; text: string }> {
  const PATH = `${repo.at('bin')}:${process.env.PATH}`;
  const plan = await runShell(PLAN.script.join('\n'), repo.folder, { PATH, ...variables, PLAN_TOKEN: '' });
  if (plan.code !== 0) return plan;
  // The second job has the artifacts only.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'job-'));
  PLAN.artifacts!.paths.forEach((file) => fs.copyFileSync(repo.at(file), path.join(folder, file)));
  const note = await runShell(NOTE.script.join('\n'), folder, {
    PATH,
    CI_API_V4_URL: `http://127.0.0.1:${(gitlab.address() as AddressInfo).port}/api/v4`,
    CI_PROJECT_ID: '9',
    CI_MERGE_REQUEST_PROJECT_ID: '3',
    CI_MERGE_REQUEST_IID: '7',
    PLAN_TOKEN: 'secret',
    ...variables,
  });
  fs.rmSync(folder, { recursive: true });
  return note;
}

test('the plan is one note, which the next pipeline edits; notes of others stay', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  repo.commit({ 'dist/acme.yaml': yaml(written({ machine: { cpu: 8 } })) });
  notes.push({ id: 1, author: { id: 1 }, body: '<!-- cdk8s-cluster-api plan --> fake' });

  expect(await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).toMatchObject({ code: 0 });
  expect(notes.map(({ body }) => body)).toEqual(['<!-- cdk8s-cluster-api plan --> fake', expect.stringContaining('3 machines are replaced')]);
  expect(notes[1].body).toMatch(/^<!-- cdk8s-cluster-api plan -->\n\*\*1 of 1 cluster differs/);

  const head = repo.git('rev-parse', 'HEAD').trim();
  expect(await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: head })).toMatchObject({ code: 0 });
  expect(notes.map(({ body }) => body).slice(1)).toEqual(['<!-- cdk8s-cluster-api plan -->\n**Nothing changes.**\n']);
});

test('manifests that are not committed, or that a server refuses, end the pipeline', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  repo.write('dist/more.yaml', yaml(written({}, 'more')));
  expect((await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).text).toContain('?? dist/more.yaml');

  repo.commit({ 'dist/more.yaml': yaml(written({}, 'more')).replace('"replicas":3', '"replicas":-3') });
  const { code, text } = await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
  expect([code, notes]).toEqual([1, []]);
  expect(text).toContain('-3');
});

test('a token that GitLab refuses ends the pipeline', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  const { code, text } = await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base, PLAN_TOKEN: 'other' });
  expect(code).not.toBe(0);
  expect(text).toContain('401');
});

test('the job with the token checks nothing out, and the token is for its environment', () => {
  expect([NOTE.variables, NOTE.environment, PLAN.environment]).toEqual([{ GIT_STRATEGY: 'none' }, { name: 'plan-notes', action: 'access' }, undefined]);
  expect(PLAN.script.join('\n')).not.toContain('PLAN_TOKEN');
});

test('the merge request of a fork, which has no token, passes without a note', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  const { code, text } = await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base, PLAN_TOKEN: '' });
  expect([code, text, notes]).toEqual([0, expect.stringContaining('There is no PLAN_TOKEN, as in a fork'), []]);
});

test('the note is found on a later page, and lines of the plan are no commands of GitLab', async () => {
  const base = repo.commit({ 'dist/acme.yaml': yaml(written({})) });
  notes = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, author: { id: index === 220 ? ME : 1 }, body: '<!-- cdk8s-cluster-api plan -->' }));
  repo.write('bin/npx', '#!/bin/sh\nprintf "one\\n/approve\\n  /merge\\na/b\\n"\n');
  expect(await pipeline({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).toMatchObject({ code: 0 });
  expect([notes.length, notes[220].body]).toEqual([250, '<!-- cdk8s-cluster-api plan -->\none\n\\/approve\n\\/merge\na/b\n']);
});
