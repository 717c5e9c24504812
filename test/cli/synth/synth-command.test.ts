import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ExitCode } from '../../../src/cli/command';
import { compiledProgram } from '../../support/compiled';
import { readFiles } from '../../support/examples';
import { Workplace } from '../run';

const CLUSTERS = '13';
const PATIENCE_MS = 600_000;

let program: string;
let workplace: Workplace;

beforeAll(() => {
  program = compiledProgram(path.join(__dirname, 'program.ts'));
}, PATIENCE_MS);

beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** What one process writes. */
function plainly(...args: string[]): { [file: string]: string } {
  const outdir = workplace.path('plain');
  execFileSync(process.execPath, [program, outdir, ...args], { stdio: 'pipe' });
  return readFiles(outdir);
}

test.each([['1', 'flux'], ['2', 'flux'], ['3', 'flux'], ['2', 'lists'], ['3', 'application-set']])('%s workers write the bytes of one process (%s)', async (workers, entryPoints) => {
  const { code, out, err } = await workplace.run(['synth', '--workers', workers, '--', program, workplace.path('dist'), entryPoints, CLUSTERS]);
  expect([code, err]).toEqual([ExitCode.OK, expect.stringMatching(new RegExp(`^\\[./${workers}\\] .*cluster`, 'm'))]);
  expect(out).toMatch(new RegExp(`^dist: ${workers} shards?; files: \\d+ written, 0 unchanged, 0 removed\\n$`));
  const files = readFiles(workplace.path('dist'));
  expect(files).toEqual(plainly(entryPoints, CLUSTERS));
  expect(Object.keys(files).filter((file) => /^clusters\/tenant-c\d+\/c\d+\/cluster\.yaml$/.test(file))).toHaveLength(Number(CLUSTERS));
  expect(fs.statSync(workplace.path('dist/hosts/join.sh')).mode.toString(8)).toMatch(/755$/);
}, PATIENCE_MS);

test('what is as wanted is not written again, what goes is removed, and what all workers say is said once', async () => {
  plainly('flux', CLUSTERS);
  workplace.write({ 'plain/README.md': 'ours\n', 'plain/charts/README.md': 'ours\n' });
  const before = fs.statSync(workplace.path('plain/flux/tenant-c0.c0.yaml')).mtimeMs;
  const { out, err } = await workplace.run(['synth', '--workers', '2', '--', program, workplace.path('plain'), 'lists', '3']);
  const files = readFiles(workplace.path('plain'));
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['README.md', 'charts/README.md', 'kustomization.yaml', 'clusters/tenant-c12/c12/cluster.yaml']));
  expect(Object.keys(files).filter((file) => file.startsWith('flux/'))).toEqual([]);
  expect(files['clusters/kustomization.yaml']).toContain('tenant-c12');
  expect(err.match(/TC-GITOPS-KEPT/g)).toHaveLength(10);
  expect(err.match(/making clusters/g)).toHaveLength(1);
  expect(out).toContain(' removed');
  await workplace.run(['synth', '--workers', '2', '--', program, workplace.path('plain'), 'flux', CLUSTERS]);
  expect(fs.statSync(workplace.path('plain/flux/tenant-c0.c0.yaml')).mtimeMs).toBeGreaterThan(before);
  expect(fs.statSync(workplace.path('plain/clusters/tenant-c0/c0/cluster.yaml')).mtimeMs).toBeLessThanOrEqual(before);
}, PATIENCE_MS);

test('one worker that fails is named, and nothing changes', async () => {
  const before = plainly('flux', '2');
  const { code, err } = await workplace.run(['synth', '--workers', '3', program, workplace.path('plain'), 'flux', CLUSTERS, '2/3']);
  expect(code).toBe(ExitCode.FAILED);
  expect(err).toContain('[2/3] the program is broken\n');
  expect(err).toContain('error: worker 2/3 ended with 7\n');
  expect(err.match(/^error:/gm)).toHaveLength(1);
  expect(readFiles(workplace.path('plain'))).toEqual(before);
}, PATIENCE_MS);

test('an app without an outdir of its own writes where --outdir says, and each of several apps where it says', async () => {
  workplace.write({
    'preload.js': 'globalThis.preloaded = true;',
    'main.js': `
      if (!globalThis.preloaded) throw new Error('not loaded');
      const { GitOpsApp } = require(${JSON.stringify(path.join(path.dirname(program), '../../../src/gitops/gitops-app.js'))});
      const { OutputFiles } = require(${JSON.stringify(path.join(path.dirname(program), '../../../src/synth/output-files.js'))});
      for (const outdir of [undefined, 'two']) {
        const app = new GitOpsApp({ outdir });
        OutputFiles.of(app).add(() => [{ path: 'mode', content: process.argv.slice(2).join() }]);
        app.synth();
      }`,
  });
  const { code, err } = await workplace.run(['synth', '--workers', '2', '--outdir', 'one', '--require', './preload.js', '--', 'main.js', '--mode', 'a']);
  expect([code, err]).toEqual([ExitCode.OK, expect.any(String)]);
  expect(workplace.read('one/mode')).toBe('--mode,a');
  expect(workplace.read('two/mode')).toBe('--mode,a');
}, PATIENCE_MS);

test.each([
  ['no program', [], 'no program'],
  ['a program that is not there', ['other.js'], 'there is no other.js'],
  ['a number of workers that is none', ['--workers', '0', 'empty.js'], '--workers "0" is no number'],
  ['a program that writes nothing', ['--workers', '1', 'empty.js'], 'the program has written no GitOpsApp'],
  ['a program that is a shard itself', ['--workers', '2', 'shard.js'], 'the program says itself that it is shard 1/3'],
])('%s is refused', async (_what, args, message) => {
  workplace.write({
    'empty.js': '',
    'shard.js': `
      const { GitOpsApp } = require(${JSON.stringify(path.join(path.dirname(program), '../../../src/gitops/gitops-app.js'))});
      const { Shard } = require(${JSON.stringify(path.join(path.dirname(program), '../../../src/gitops/shard.js'))});
      new GitOpsApp({ shard: Shard.of(1, 3) }).synth();`,
  });
  const { code, err } = await workplace.run(['synth', ...args]);
  expect(code).toBe(ExitCode.FAILED);
  expect(err).toContain(`error: ${message}`);
}, PATIENCE_MS);
