import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { controllerObjects, podOf } from './bound';

const [{ command, args }] = podOf(controllerObjects({})).spec.initContainers;
const SCRIPT: string = command[2];

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wait-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Runs the script with a clock that only `sleep` moves, and programs that log what they are called with. */
function wait(programs: { [name: string]: string }, values: string[]): { status: number | null; stderr: string; calls: string[] } {
  const clock = path.join(folder, 'clock');
  const log = path.join(folder, 'log');
  fs.writeFileSync(clock, '1000');
  fs.writeFileSync(log, '');
  const all = { date: `cat ${clock}`, sleep: `echo $(($(cat ${clock}) + $1)) > ${clock}`, nc: 'true', ...programs };
  for (const [name, text] of Object.entries(all)) {
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${log}\n${text}\n`, { mode: 0o755 });
  }
  const { status, stderr } = spawnSync('sh', ['-c', SCRIPT, 'wait', ...values], { encoding: 'utf8', env: { PATH: `${folder}:${process.env.PATH}` }, timeout: 60_000 });
  return { status, stderr, calls: fs.readFileSync(log, 'utf8').split('\n').filter((line) => !line.startsWith('date')) };
}

function kubeconfig(text: string): string {
  const file = path.join(folder, 'kubeconfig');
  fs.writeFileSync(file, text);
  return file;
}

test('ends at once where kubeconfig and API server are there', () => {
  const { status, calls } = wait({}, ['600', kubeconfig('x'), 'api.example', '6443']);

  expect(status).toBe(0);
  expect(calls).toEqual(['nc -z -w 5 api.example 6443', '']);
});

test('asks for no API server where none is named', () => {
  expect(wait({ nc: 'false' }, ['600', kubeconfig('x'), '', ''])).toMatchObject({ status: 0, calls: [''] });
});

test('gives up after its time, and says what was missing', () => {
  const late = wait({}, [args[1], path.join(folder, 'nothing'), 'api.example', '6443']);
  expect(late).toMatchObject({ status: 1, stderr: expect.stringContaining('gave up after 600 seconds: there is no kubeconfig') });
  expect(late.calls.filter((call) => call.startsWith('sleep'))).toHaveLength(120);

  const empty = wait({}, ['10', kubeconfig(''), 'api.example', '6443']);
  expect(empty).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no kubeconfig') });

  const dead = wait({ nc: 'false' }, ['10', kubeconfig('x'), 'api.example', '6443']);
  expect(dead).toMatchObject({ status: 1, stderr: expect.stringContaining('the API server of the tenant does not answer at api.example:6443') });
});

test('goes on when the kubeconfig appears, and then the API server', () => {
  const file = path.join(folder, 'late');
  const { status, calls } = wait({
    sleep: `[ -e ${file} ] && touch ${folder}/up; echo x > ${file}`,
    nc: `[ -e ${folder}/up ]`,
  }, ['600', file, 'api.example', '6443']);

  expect(status).toBe(0);
  expect(calls.filter((call) => call !== '').map((call) => call.split(' ')[0])).toEqual(['sleep', 'nc', 'sleep', 'nc']);
});

test('no value becomes part of the program', () => {
  const { status, stderr } = wait({ nc: 'false' }, ['0', kubeconfig('x'), '$(touch evil); "', '6443']);

  expect(status).toBe(1);
  expect(stderr).toContain('$(touch evil); "');
  expect(fs.existsSync('evil')).toBe(false);
});
