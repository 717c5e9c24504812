import * as fs from 'node:fs';
import * as path from 'node:path';
import { ExitCode } from '../../../src/cli/command';
import { GitOpsApp } from '../../../src/gitops/gitops-app';
import { Shard } from '../../../src/gitops/shard';
import { readFiles } from '../../support/examples';
import { addCluster, addWhatIsShared, clusterNames, ENTRY_POINTS } from '../../support/many-clusters';
import { Workplace } from '../run';

const CLUSTERS = 12;
const SHARDS = 3;

let workplace: Workplace;

beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** Writes an app, or a shard of it, to a folder. */
function write(folder: string, { entryPoints = 'flux', shard, names = clusterNames(CLUSTERS) }: { entryPoints?: string; shard?: Shard; names?: string[] } = {}): void {
  const app = new GitOpsApp({ outdir: workplace.path(folder), quiet: true, entryPoints: ENTRY_POINTS[entryPoints], shard });
  addWhatIsShared(app);
  names.forEach((name) => addCluster(app, name));
  app.synth();
}

/** Writes all shards; returns their folders. */
function writeShards(options: { entryPoints?: string; names?: string[] } = {}, count = SHARDS): string[] {
  return Array.from({ length: count }, (_, index) => {
    write(`s${index + 1}`, { ...options, shard: Shard.of(index + 1, count) });
    return `s${index + 1}`;
  });
}

function files(folder: string): { [file: string]: string } {
  return readFiles(workplace.path(folder));
}

/** Merges folders into `dist`, which is to go well. */
async function merge(...folders: string[]): Promise<string> {
  const { code, out, err } = await workplace.run(['merge', '--into', 'dist', ...folders]);
  expect([code, out]).toEqual([ExitCode.OK, expect.stringMatching(/^dist: \d+ shards?; files: /)]);
  return err;
}

/** Merges folders, which is refused; nothing changes. */
async function refuse(...folders: string[]): Promise<string> {
  const before = fs.existsSync(workplace.path('dist')) ? files('dist') : undefined;
  const { code, err } = await workplace.run(['merge', '--into', 'dist', ...folders]);
  expect(code).toBe(ExitCode.FAILED);
  expect(fs.existsSync(workplace.path('dist')) ? files('dist') : undefined).toEqual(before);
  return err;
}

test.each(Object.keys(ENTRY_POINTS))('shards of several machines are the bytes of one process, in any order (%s)', async (entryPoints) => {
  write('one', { entryPoints });
  const shards = writeShards({ entryPoints });
  expect(await merge(...[...shards].reverse())).toBe('');
  expect(files('dist')).toEqual(files('one'));
  const index = workplace.path('dist/.cdk8s-cluster-api/files.sha256');
  const { mtimeMs } = fs.statSync(index);
  await merge(...shards);
  expect(fs.statSync(index).mtimeMs).toBe(mtimeMs);
});

test('shards that were written over an earlier tree count for what is theirs', async () => {
  ['s1', 's2', 's3'].forEach((folder) => write(folder, { names: ['old', ...clusterNames(2)] }));
  write('one', { names: ['old', ...clusterNames(2)] });
  jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const names = ['old', ...clusterNames(CLUSTERS)];
  write('one', { names });
  await merge(...writeShards({ names }));
  expect(files('dist')).toEqual(files('one'));
});

test.each(['flux', 'lists'])('what no shard has is removed, but for living clusters, and nobody else\'s files are touched (%s)', async (entryPoints) => {
  for (const folder of ['one', 'dist']) {
    write(folder, { entryPoints, names: ['gone', ...clusterNames(CLUSTERS)] });
    workplace.write({ [`${folder}/README.md`]: 'ours\n' });
    fs.rmSync(workplace.path(`${folder}/clusters/tenant-c3`), { recursive: true });
  }
  const names = clusterNames(3);
  jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  write('one', { entryPoints, names });
  const err = await merge(...writeShards({ entryPoints, names }));
  expect(err.match(/^warning: TC-GITOPS-KEPT/gm)).toHaveLength(CLUSTERS - 3);
  expect(files('dist')).toEqual(files('one'));
  expect(files('dist')).toMatchObject({ 'README.md': 'ours\n', 'clusters/tenant-gone/gone/cluster.yaml': expect.any(String) });
  expect(Object.keys(files('dist')).filter((file) => file.includes('tenant-c3'))).toEqual([]);
});

test('programs are programs again, though copies of folders do not always keep that', async () => {
  const shards = writeShards();
  fs.chmodSync(workplace.path('s1/hosts/join.sh'), 0o644);
  await merge(...shards);
  expect(fs.statSync(workplace.path('dist/hosts/join.sh')).mode.toString(8)).toMatch(/755$/);
  expect(fs.statSync(workplace.path('dist/hosts/README.md')).mode.toString(8)).toMatch(/644$/);
});

describe('refused', () => {
  beforeEach(() => write('dist', { names: ['a'] }));

  test('a shard is missing', async () => {
    const [one, , three] = writeShards();
    expect(await refuse(one, three)).toContain('error: shard 2/3 is missing\n');
  });

  test('two shards have written one file in different ways', async () => {
    const [one, two, three] = writeShards();
    const name = clusterNames(CLUSTERS).find((cluster) => fs.existsSync(workplace.path(`${two}/clusters/tenant-${cluster}`)))!;
    fs.renameSync(workplace.path(two), workplace.path('other'));
    const app = new GitOpsApp({ outdir: workplace.path(two), quiet: true, entryPoints: ENTRY_POINTS.flux, shard: Shard.of(2, SHARDS) });
    clusterNames(CLUSTERS).forEach((cluster) => addCluster(app, cluster, cluster === name ? { kubernetesVersion: '1.35.3' } : {}));
    app.synth();
    const err = await refuse(one, two, three, 'other');
    expect(err).toContain(`error: shard 2/3 in s2 and shard 2/3 in other have written clusters/tenant-${name}/${name}/cluster.yaml with different content\n`);
    expect(err.match(/^error/gm)!.length).toBeGreaterThan(0);
  });

  test('shards of two outputs', async () => {
    const [one] = writeShards({}, 2);
    write('other', { shard: Shard.of(2, 4) });
    expect(await refuse(one, 'other')).toContain('error: shard 1/2 in s1 and shard 2/4 in other are not of one output\n');
  });

  test('a copy that is not complete', async () => {
    const shards = writeShards();
    fs.rmSync(workplace.path('s1/charts/platform/platform.yaml'));
    workplace.write({ 's1/hosts/README.md': 'cut' });
    const err = await refuse(...shards);
    expect(err).toContain('error: shard 1/3 in s1 lacks charts/platform/platform.yaml\n');
    expect(err).toContain('error: shard 1/3 in s1 has another hosts/README.md than was written\n');
  });

  test('a folder that is no shard, or that lacks its hidden folder', async () => {
    const [one, two, three] = writeShards();
    write('whole');
    workplace.write({ 'garbled/.cdk8s-cluster-api/shard.json': '{', 'strange/.cdk8s-cluster-api/shard.json': '{"shard":"9/3","files":[],"programs":[]}' });
    fs.rmSync(workplace.path(`${three}/.cdk8s-cluster-api`), { recursive: true });
    const err = await refuse(one, two, three, 'whole', 'garbled', 'strange', 'nowhere');
    for (const folder of [three, 'whole', 'garbled', 'strange', 'nowhere']) expect(err).toContain(`error: ${folder} holds no shard\n`);
  });

  test('a file that leaves its folder', async () => {
    const [one, ...others] = writeShards();
    const record = `${one}/.cdk8s-cluster-api/shard.json`;
    workplace.write({ [record]: workplace.read(record).replace('"hosts/README.md"', '"../dist/README.md"'), 'dist/README.md': 'ours' });
    expect(await refuse(one, ...others)).toContain('error: shard 1/3 in s1 lacks ../dist/README.md\n');
  });

  test('somebody else\'s file is in the way', async () => {
    const shards = writeShards();
    workplace.write({ 'dist/charts/platform/platform.yaml': 'mine: true\n', 'dist/.cdk8s-cluster-api/files.sha256': '' });
    expect(await refuse(...shards)).toContain('TC-OUTPUT-FOREIGN');
  });

  test.each([[['--into', 'dist'], 'no folder'], [['s1'], '--into is missing']])('%j', async (args, message) => {
    const { code, err } = await workplace.run(['merge', ...args]);
    expect([code, err]).toEqual([ExitCode.FAILED, expect.stringContaining(`error: ${message}\n`)]);
  });
});

test('what an earlier run left does not count for a shard that fails', async () => {
  const [one, two, three] = writeShards();
  expect(() => write(two, { shard: Shard.of(2, SHARDS), names: ['A_'] })).toThrow(/TC-CLUSTER-NAME/);
  expect(await refuse(one, two, three)).toContain(`error: ${two} holds no shard\n`);
});

test('a record that a shard left in place goes with the next whole synthesis', () => {
  write('dist', { shard: Shard.of(1, 2) });
  const record = workplace.path(path.join('dist', '.cdk8s-cluster-api', 'shard.json'));
  expect(fs.existsSync(record)).toBe(true);
  write('dist');
  expect(fs.existsSync(record)).toBe(false);
});
