import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { GitOpsApp } from '../../src/gitops/gitops-app';
import { Shard } from '../../src/gitops/shard';
import { readShards } from '../../src/gitops/shard-folder';
import { mergeShards } from '../../src/gitops/shard-merge';
import { readFiles } from '../support/examples';
import { addCluster, addWhatIsShared, clusterNames, ENTRY_POINTS } from '../support/many-clusters';

const OWN = '.cdk8s-cluster-api';
const RECORD = `${OWN}/shard.json`;
const INDEX = `${OWN}/files.sha256`;
const SHARDS = 2;

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'merge-'));
  jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});

afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

function at(...names: string[]): string {
  return path.join(folder, ...names);
}

interface Options {
  readonly names?: readonly string[];
  readonly entryPoints?: string;
  readonly shard?: Shard;
}

/** Writes an app, or a shard of it, to a folder. */
function write(name: string, { names = clusterNames(4), entryPoints = 'flux', shard }: Options = {}): string {
  const app = new GitOpsApp({ outdir: at(name), quiet: true, entryPoints: ENTRY_POINTS[entryPoints], shard });
  addWhatIsShared(app);
  names.forEach((cluster) => addCluster(app, cluster));
  app.synth();
  return name;
}

/** Writes all shards, each with options of its own where there are some; returns their folders. */
function writeShards(options: Options = {}, ofLast: Options = options): string[] {
  return Array.from({ length: SHARDS }, (_, index) => write(`s${index + 1}`, {
    ...index + 1 === SHARDS ? ofLast : options, shard: Shard.of(index + 1, SHARDS),
  }));
}

/** What is wrong with shards. */
function faults(names: readonly string[]): string[] {
  return readShards(names.map((name) => at(name)), (place) => path.basename(place)).faults.map(({ message }) => message);
}

function merge(into: string, names: readonly string[]): string[] {
  const { shards, faults: found } = readShards(names.map((name) => at(name)), (place) => path.basename(place));
  expect(found).toEqual([]);
  return mergeShards(at(into), shards).kept.map((cluster) => cluster.folder);
}

/** Changes what a shard says of itself. */
function changeRecord(name: string, changes: object): void {
  const file = at(name, RECORD);
  fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')) as object, ...changes }));
}

/** A tree on the way to another one, of which no step has been taken when the process ended. */
function interrupt(name: string, next: string): void {
  const [before, after] = [readFiles(at(name)), readFiles(at(next))];
  const changed = Object.keys(after).filter((file) => file !== INDEX && before[file] !== after[file]);
  fs.mkdirSync(at(name, OWN, 'staging'));
  changed.forEach((file, number) => fs.copyFileSync(at(next, file), at(name, OWN, 'staging', `${number}`)));
  fs.copyFileSync(at(next, INDEX), at(name, OWN, 'staging/index'));
  fs.writeFileSync(at(name, OWN, 'journal'), changed.map((file, number) => `${number} ${file}\n`).join(''));
}

test.each(['flux', 'lists'])('a cluster that an interrupted synthesis adds is kept, as one process does (%s)', (entryPoints) => {
  const names = clusterNames(4);
  write('next', { entryPoints, names: [...names, 'added'] });
  for (const output of ['dist', 'one']) {
    write(output, { entryPoints, names });
    interrupt(output, 'next');
  }
  write('one', { entryPoints, names });
  expect(merge('dist', writeShards({ entryPoints, names }))).toEqual(['clusters/tenant-added/added']);
  expect(readFiles(at('dist'))).toEqual(readFiles(at('one')));
  expect(fs.existsSync(at('dist/clusters/tenant-added/added/cluster.yaml'))).toBe(true);
});

test('a record that is in the output goes, even if no file changes', () => {
  const shards = writeShards();
  write('dist');
  fs.copyFileSync(at('s1', RECORD), at('dist', RECORD));
  merge('dist', shards);
  expect(fs.existsSync(at('dist', RECORD))).toBe(false);
});

describe('shards that are not of one output', () => {
  const names = clusterNames(4);
  const second = clusterNames(50).filter((name) => Shard.of(2, SHARDS)._has(`tenant-${name}`, name));

  test.each<[string, Options, Options, string]>([
    ['the last one has another cluster', { names: [] }, { names: [second[0]] }, `the first one does not know clusters/tenant-${second[0]}/${second[0]}`],
    ['the last one lacks a cluster', { names: [second[0]] }, { names: [] }, `the other one lacks clusters/tenant-${second[0]}/${second[0]}`],
    ['their entry points differ', { names }, { names, entryPoints: 'lists' }, 'one has entry points in flux, the other no entry points'],
  ])('%s', (_, options, ofLast, what) => {
    expect(faults(writeShards(options, ofLast))).toEqual([`shard 1/2 in s1 and shard 2/2 in s2 are not of one output: ${what}`]);
  });

  test('versions of the library differ', () => {
    const shards = writeShards();
    const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { version: string };
    changeRecord('s1', { version: '0.0.1-other' });
    expect(faults(shards)).toEqual([
      `shard 1/2 in s1 and shard 2/2 in s2 are not of one output: one was written by cdk8s-cluster-api 0.0.1-other, the other by ${version}`,
    ]);
  });
});

test('a shard need not know the clusters of others', () => {
  const names = clusterNames(4);
  const own = names.filter((name) => Shard.of(2, SHARDS)._has(`tenant-${name}`, name));
  expect(own).not.toHaveLength(names.length);
  write('one', { names });
  merge('dist', writeShards({ names, entryPoints: 'flux' }, { names: own, entryPoints: 'flux' }));
  expect(readFiles(at('dist'))).toEqual(readFiles(at('one')));
});

describe('a folder that holds no shard', () => {
  test.each(['', '{', 'null', '3', '[]', '{"shard":"3/3"}'])('its record is %j', (text) => {
    const shards = writeShards();
    fs.writeFileSync(at('s2', RECORD), text);
    expect(faults(shards)).toEqual(['s2 holds no shard']);
  });

  test.each(['version', 'clusters', 'files', 'programs'])('its record lacks %s', (field) => {
    const shards = writeShards();
    changeRecord('s2', { [field]: undefined });
    expect(faults(shards)).toEqual(['s2 holds no shard']);
    changeRecord('s1', { [field]: [1] });
    expect(faults(shards)).toEqual(['s1 holds no shard', 's2 holds no shard']);
  });

  test('it is a file, or links that lead in a circle', () => {
    fs.writeFileSync(at('file'), '');
    fs.symlinkSync('circle', at('circle'));
    expect(faults(['file', 'circle'])).toEqual(['file holds no shard', expect.stringMatching(/^cannot read .*symbolic links in the path lead in a circle/)]);
  });

  test('its list of files cannot be read', () => {
    const shards = writeShards();
    fs.writeFileSync(at('s2', INDEX), 'nonsense\n');
    expect(faults(shards)).toEqual([expect.stringMatching(/^line 1 of .*s2.*files\.sha256 is no hash and path/)]);
  });
});
