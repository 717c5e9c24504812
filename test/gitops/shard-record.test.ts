import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { GitOpsApp } from '../../src/gitops/gitops-app';
import { Shard } from '../../src/gitops/shard';
import { readRecord } from '../../src/gitops/shard-record';
import { addCluster, addWhatIsShared, clusterNames } from '../support/many-clusters';

const RECORD = '.cdk8s-cluster-api/shard.json';

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'record-'));
});

afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function write(outdir: string, { shard, names = clusterNames(2) }: { readonly shard?: Shard; readonly names?: readonly string[] } = {}): string {
  const app = new GitOpsApp({ outdir, quiet: true, shard });
  addWhatIsShared(app);
  names.forEach((name) => addCluster(app, name));
  app.synth();
  return outdir;
}

test('a shard says what it has written, and what it knows', () => {
  const outdir = write(path.join(folder, 'dist'), { shard: Shard.of(1, 2) });
  const record = readRecord(outdir)!;
  expect(record).toMatchObject({
    shard: '1/2', clusters: ['clusters/tenant-c0/c0', 'clusters/tenant-c1/c1'], programs: ['hosts/join.sh'], files: expect.arrayContaining(['hosts/README.md']),
  });
  expect(record.version).toBe((JSON.parse(fs.readFileSync('package.json', 'utf8')) as { version: string }).version);
  expect(record.files.every((file) => fs.existsSync(path.join(outdir, file)))).toBe(true);
});

test('a whole synthesis that fails leaves the record with the tree that it is about; one that does not removes it', () => {
  const outdir = write(path.join(folder, 'dist'), { shard: Shard.of(1, 1) });
  const before = readRecord(outdir);
  expect(before).toBeDefined();
  expect(() => write(outdir, { names: ['A_'] })).toThrow('TC-CLUSTER-NAME');
  expect(readRecord(outdir)).toEqual(before);
  fs.rmSync(path.join(outdir, '.cdk8s-cluster-api/files.sha256'));
  fs.writeFileSync(path.join(outdir, 'hosts/README.md'), 'mine');
  expect(() => write(outdir)).toThrow('TC-OUTPUT-FOREIGN');
  expect(readRecord(outdir)).toEqual(before);
  fs.rmSync(path.join(outdir, 'hosts/README.md'));
  write(outdir);
  expect(fs.existsSync(path.join(outdir, RECORD))).toBe(false);
});

test('a shard that fails leaves none: what an earlier run wrote does not count for it', () => {
  const shard = Shard.of(1, 1);
  const outdir = write(path.join(folder, 'dist'), { shard });
  expect(() => write(outdir, { shard, names: ['A_'] })).toThrow('TC-CLUSTER-NAME');
  expect(readRecord(outdir)).toBeUndefined();
});

describe.each([['a whole synthesis', undefined], ['a shard', Shard.of(1, 2)]])('TC-OUTPUT-FOLDER: %s to', (_, shard) => {
  beforeEach(() => {
    fs.writeFileSync(path.join(folder, 'file'), '');
    fs.symlinkSync('circle', path.join(folder, 'circle'));
    fs.symlinkSync('missing', path.join(folder, 'nowhere'));
  });

  test.each([
    ['file', 'a file is where a folder has to be'],
    ['file/dist', 'a file is where a folder has to be'],
    ['circle', 'symbolic links in the path lead in a circle'],
    ['nowhere', 'is a symbolic link to a folder that is not there'],
  ])('%s', (outdir, text) => {
    expect(() => write(path.join(folder, outdir), { shard })).toThrow(new RegExp(`TC-OUTPUT-FOLDER .*${text}`));
  });

  test('a file, with something wrong in the program, says what is wrong there', () => {
    expect(() => write(path.join(folder, 'file'), { shard, names: ['A_'] })).toThrow('TC-CLUSTER-NAME');
  });
});
