import * as fs from 'node:fs';
import * as path from 'node:path';
import { parse } from 'yaml';

interface Job {
  readonly permissions: { readonly [scope: string]: string };
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const FILE = path.join(__dirname, '..', '..', '.github', 'workflows', 'release.yml');
const { jobs } = parse(fs.readFileSync(FILE, 'utf8')) as { jobs: { [id: string]: Job } };

/** Jobs that may write, or publish. */
const POWERFUL = Object.keys(jobs).filter((id) => Object.values(jobs[id].permissions).includes('write'));

test('jobs that may write or publish run no code of installed packages', () => {
  expect(POWERFUL.sort()).toEqual(['release_files', 'release_github', 'release_npm', 'release_pages', 'release_pypi']);
  for (const { steps } of [...POWERFUL, 'release_golang'].map((id) => jobs[id])) {
    expect(steps.filter(({ run }) => /npm (ci|install)|npx projen|npm run/.test(run ?? ''))).toEqual([]);
    expect(steps.some(({ uses }) => uses?.startsWith('actions/checkout'))).toBe(false);
  }
});

test('actions of the release are named by commit', () => {
  const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
});
