import * as fs from 'node:fs';
import { ExitCode } from '../../../src/cli/command';
import { GitRepository } from '../../support/git-repository';
import { deployment, Workplace } from '../run';

let workplace: Workplace;
let repo: GitRepository;
beforeEach(() => {
  workplace = new Workplace();
  repo = new GitRepository(workplace.folder);
});
afterEach(() => workplace.remove());

/** Fills in the image of a template. */
const RENDER = '#!/bin/sh\nsed "s/TAG/$(cat values.txt)/" link.json\n';

function commit(): void {
  fs.rmSync(workplace.path('link.json'), { force: true });
  fs.symlinkSync('template.json', workplace.path('link.json'));
  workplace.write({ 'template.json': deployment('web', 'web:TAG'), 'values.txt': 'v1' });
  fs.writeFileSync(workplace.path('render.sh'), RENDER, { mode: 0o755 });
  repo.commit();
}

const plan = (...args: string[]) => workplace.run(['plan', '--exit-code', '--objects', ...args], '', { PATH: process.env.PATH });

test('a command is run in a copy of both states, and what it writes is compared', async () => {
  commit();
  expect(await plan('--render', './render.sh')).toMatchObject({ code: 0, out: 'Nothing changes.\n', err: '' });
  workplace.write({ 'values.txt': 'v2' });
  const { code, out } = await plan('--render', 'touch written; ./render.sh');
  expect([code, out]).toEqual([2, expect.stringMatching(/changed Deployment .*web: .*image/)]);
  expect(fs.existsSync(workplace.path('written'))).toBe(false);
  repo.commit();
  expect((await plan('--base', 'HEAD^', '--render', './render.sh')).code).toBe(2);
});

test('two folders are rendered, each in its own copy', async () => {
  workplace.write({ 'old/a.json': deployment('web', 'web:1'), 'new/a.json': deployment('web', 'web:2') });
  expect((await plan('--render', 'cat a.json', 'old', 'new')).out).toMatch(/changed Deployment .*web/);
});

test('links that lead out of the files are left out, also by another link', async () => {
  commit();
  workplace.write({ 'd/e/x': '' });
  const links = { 'd/e/up': '../..', 'by-another': 'd/e/up/../../etc/hostname', 'absolute': '/etc/hostname', 'outside': '../outside', 'inside': 'values.txt' };
  for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, workplace.path(name));
  const { err } = await plan('--render', 'for name in by-another absolute outside inside; do test -L "$name" && echo "$name" >&2; done; false');
  expect(err).toContain('failed for . in HEAD: ended with 1');
  repo.commit();
  expect((await plan('--render', 'for name in by-another absolute outside inside; do test -L "$name" && echo "$name" >&2; done; false')).err)
    .toMatch(/failed for \. in HEAD: inside\n/);
});

test.each<[what: string, args: string[], error: string]>([
  ['fails', ['--render', 'echo "no chart" >&2; false'], 'the command of --render failed for . in HEAD: no chart'],
  ['writes no manifests', ['--render', 'echo "a: ["'], '--render, . in HEAD: rendered:2: is no YAML'],
  ['reads standard input', ['--render', 'cat', '-'], '--render runs in a copy of a folder'],
  ['has no folder', ['--render', 'cat', 'absent'], 'there is no folder absent'],
])('a command that %s makes no plan', async (_, args, error) => {
  commit();
  expect(await plan(...args)).toMatchObject({ code: ExitCode.FINDINGS, out: '', err: expect.stringContaining(`error: ${error}`) as string });
});
