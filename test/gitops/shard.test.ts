import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import * as fc from 'fast-check';
import { GitOpsApp } from '../../src/gitops/gitops-app';
import { inShard, Shard } from '../../src/gitops/shard';
import { ImageSources } from '../../src/images/image-sources';
import { IManagementCluster } from '../../src/management/capabilities/management-cluster';
import { ManifestValidation } from '../../src/validation/manifests/manifest-validation';
import { readFiles } from '../support/examples';
import { addCluster, addWhatIsShared, clusterNames, ENTRY_POINTS } from '../support/many-clusters';

const RECORD = '.cdk8s-cluster-api/shard.json';
const NAMES = clusterNames(6);

let outdir: string;

beforeEach(() => {
  outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'shard-'));
});

afterEach(() => {
  jest.restoreAllMocks();
  delete process.env.CDK8S_CLUSTER_API_SHARD;
  fs.rmSync(outdir, { recursive: true, force: true });
});

interface Options {
  readonly names?: readonly string[];
  readonly leaving?: readonly string[];
  readonly entryPoints?: string;
  readonly folder?: string;
  readonly shard?: Shard;
}

function appOf({ names = NAMES, leaving = [], entryPoints = 'flux', folder = 'dist', shard }: Options): GitOpsApp {
  const app = new GitOpsApp({ outdir: path.join(outdir, folder), quiet: true, entryPoints: ENTRY_POINTS[entryPoints], shard });
  addWhatIsShared(app);
  names.forEach((name) => addCluster(app, name, { decommission: leaving.includes(name) }));
  return app;
}

/** What is there after an app was written, or a shard of it. */
function write(options: Options = {}): { [file: string]: string } {
  appOf(options).synth();
  const { [RECORD]: record, ...files } = readFiles(path.join(outdir, options.folder ?? 'dist'));
  return files;
}

function allShards(count: number): Shard[] {
  return Array.from({ length: count }, (_, index) => Shard.of(index + 1, count));
}

test('each cluster is in one shard, whatever other clusters there are', () => {
  fc.assert(fc.property(fc.string(), fc.string(), fc.integer({ min: 1, max: 50 }), (namespace, name, count) => {
    expect(allShards(count).filter((shard) => shard._has(namespace, name))).toHaveLength(1);
  }));
});

test('shards are about equal', () => {
  for (const shard of allShards(8)) {
    const share = clusterNames(2000).filter((name) => shard._has(`tenant-${name}`, name)).length;
    expect(share).toBeGreaterThan(200);
    expect(share).toBeLessThan(300);
  }
});

test('which shard a cluster is in stays from release to release', () => {
  expect(NAMES.map((name) => allShards(4).find((shard) => shard._has(`tenant-${name}`, name))!.number)).toMatchInlineSnapshot(`
[
  3,
  3,
  3,
  4,
  2,
  2,
]
`);
});

test('the environment says which shard it is, unless the program does', () => {
  process.env.CDK8S_CLUSTER_API_SHARD = '2/3';
  const files = Object.keys(write());
  expect(files).toEqual(Object.keys(write({ shard: Shard.of(2, 3), folder: 'other' })));
  expect(files.some((file) => file.startsWith('clusters/'))).toBe(true);
  expect(files.filter((file) => file.startsWith('charts/') || file.startsWith('hosts/'))).toEqual([]);
  expect(Object.keys(write({ shard: Shard.of(1, 3), folder: 'third' }))).toEqual(expect.arrayContaining(['hosts/join.sh']));
  process.env.CDK8S_CLUSTER_API_SHARD = '';
  expect(Object.keys(write({ folder: 'whole' }))).toEqual(expect.arrayContaining(files));
});

test.each(['0/3', '4/3', '1', 'a/b', '1/0', '1/3/5'])('TC-GITOPS-SHARD: %s is no shard', (text) => {
  process.env.CDK8S_CLUSTER_API_SHARD = text;
  expect(() => write()).toThrow(new RegExp(`TC-GITOPS-SHARD.*"${text}" is no shard.*CDK8S_CLUSTER_API_SHARD`, 's'));
});

test.each([[0, 3], [1.5, 3], [4, 3], [1, NaN]])('TC-GITOPS-SHARD: %d of %d is no shard', (number, count) => {
  expect(() => write({ shard: Shard.of(number, count) })).toThrow(/TC-GITOPS-SHARD/);
});

test.each(['flux', 'lists', 'application-set'])('shards that are written to one folder, one after the other, are the whole (%s)', (entryPoints) => {
  const whole = write({ entryPoints, folder: 'whole' });
  const trees = allShards(3).map((shard) => write({ entryPoints, shard }));
  expect(trees[2]).toEqual(whole);
  // Each adds to what is there.
  expect(trees[0]).not.toEqual(whole);
  expect(trees[1]).toMatchObject(Object.fromEntries(Object.entries(trees[0]).filter(([file]) => !file.endsWith('files.sha256'))));
});

describe('over an earlier tree', () => {
  test('a shard changes nothing of the others', () => {
    const before = write();
    const [changed, kept] = [allShards(2)[1], allShards(2)[0]].map((shard) => NAMES.filter((name) => shard._has(`tenant-${name}`, name)));
    const after = write({ leaving: NAMES, shard: Shard.of(2, 2) });
    const touched = Object.keys({ ...before, ...after }).filter((file) => before[file] !== after[file] && !file.endsWith('files.sha256'));
    for (const name of changed) expect(touched).toContain(`flux/tenant-${name}.${name}.yaml`);
    for (const name of kept) expect(touched.filter((file) => file.includes(`tenant-${name}/`) || file.includes(`tenant-${name}.`))).toEqual([]);
    expect(write({ leaving: NAMES, shard: Shard.of(1, 2) })).toEqual(write({ leaving: NAMES, folder: 'whole' }));
  });

  test.each(['flux', 'lists'])('TC-GITOPS-KEPT: a cluster that disappears is kept, and the shard that has it says so (%s)', (entryPoints) => {
    const before = write({ entryPoints });
    const names = NAMES.slice(1);
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const owner = allShards(3).find((shard) => shard._has(`tenant-${NAMES[0]}`, NAMES[0]))!;
    for (const shard of allShards(3)) {
      warn.mockClear();
      expect(write({ entryPoints, names, shard })).toEqual(before);
      expect(warn.mock.calls.length).toBe(shard.number === owner.number ? 1 : 0);
    }
  });

  test('what was taken down is removed by the shard that has it', () => {
    write();
    write({ leaving: [NAMES[0]] });
    const names = NAMES.slice(1);
    const owner = allShards(3).find((shard) => shard._has(`tenant-${NAMES[0]}`, NAMES[0]))!;
    const of = (files: object): string[] => Object.keys(files).filter((file) => file.includes(`tenant-${NAMES[0]}`));
    for (const shard of allShards(3).filter(({ number }) => number !== owner.number)) expect(of(write({ names, shard }))).not.toEqual([]);
    expect(of(write({ names, shard: owner }))).toEqual([]);
    expect(write({ names, shard: owner })).toEqual(write({ names, folder: 'whole' }));
  });
});

describe('validation', () => {
  function broken(shard?: Shard): GitOpsApp {
    const app = appOf({ names: NAMES.slice(1), shard });
    addCluster(app, NAMES[0]).cluster.addJsonPatch(JsonPatch.add('/spec/nowhere', 'x'));
    return app;
  }

  test('what a cluster writes is validated by the shard that has it', () => {
    expect(() => broken().synth()).toThrow(/TC-ADMIT-FIELD-UNKNOWN/);
    for (const shard of allShards(3)) {
      if (shard._has(`tenant-${NAMES[0]}`, NAMES[0])) expect(() => broken(shard).synth()).toThrow(/TC-ADMIT-FIELD-UNKNOWN/);
      else expect(() => broken(shard).synth()).not.toThrow();
    }
  });

  test('clusters of one namespace are validated together, because one may refer to the other', () => {
    for (const shard of allShards(2)) {
      const app = appOf({ names: [], shard });
      NAMES.forEach((name, index) => addCluster(app, name, { namespace: 'shared', createNamespace: index === 0 }));
      addCluster(app, 'broken', { namespace: 'shared', createNamespace: false }).cluster.addJsonPatch(JsonPatch.add('/spec/nowhere', 'x'));
      expect(() => app.synth()).toThrow(/TC-ADMIT-FIELD-UNKNOWN/);
    }
  });

  test('what a shard does not see may need a silence, or an image override', () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const validation = ManifestValidation.of({ silences: [{ rule: 'TC-ADMIT-FIELD-UNKNOWN', reason: 'for one of them' }] });
    for (const shard of allShards(3)) {
      const app = new GitOpsApp({ outdir: path.join(outdir, shard._text), quiet: true, shard, validation });
      for (const name of NAMES) if (inShard(`tenant-${name}`, name, app)) addCluster(app, name);
      app.synth();
    }
    expect(warn).not.toHaveBeenCalled();
    const whole = new GitOpsApp({ outdir: path.join(outdir, 'whole'), quiet: true, validation });
    addCluster(whole, 'a');
    whole.synth();
    expect(warn.mock.calls).toEqual([[expect.stringContaining('TC-SILENCE-UNUSED'), expect.anything()]]);
  });

  test('TC-IMAGE-OVERRIDE-UNUSED: the shard that knows all clusters says it', () => {
    const images = new ImageSources({ overrides: { 'registry.example.com/nobody': 'registry.example.com/other' } });
    for (const shard of allShards(3)) {
      const app = new GitOpsApp({ outdir: path.join(outdir, 'images'), quiet: true, shard });
      for (const name of NAMES) if (inShard(`tenant-${name}`, name, app)) addCluster(app, name, { images });
      if (shard.number === 1) expect(() => app.synth()).toThrow(/TC-IMAGE-OVERRIDE-UNUSED/);
      else expect(() => app.synth()).not.toThrow();
    }
  });
});

describe('clusters that are built by other processes only', () => {
  /** A management cluster in the app, which all clusters come after: its entry says so. */
  function addManagement(app: GitOpsApp): IManagementCluster & Chart {
    const chart = new Chart(app, 'management');
    new ApiObject(chart, 'object', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'management', namespace: 'default' } });
    return Object.assign(chart, { capabilities: {} });
  }

  /** As a fleet does it: a cluster that this process does not need is not built. */
  function writeLazily(entryPoints: string, shard?: Shard): { readonly files: { [file: string]: string }; readonly built: number } {
    const app = appOf({ names: [], entryPoints, folder: shard ? 'dist' : 'whole', shard });
    const managementCluster = addManagement(app);
    for (const name of NAMES) {
      if (inShard(`tenant-${name}`, name, app)) addCluster(app, name, { managementCluster });
    }
    app.synth();
    const { [RECORD]: record, ...files } = readFiles(app.outdir);
    return { files, built: NAMES.filter((name) => app.node.tryFindChild(name)).length };
  }

  test.each(Object.keys(ENTRY_POINTS))('all shards are the whole, and the first one knows all (%s)', (entryPoints) => {
    const whole = writeLazily(entryPoints);
    const shards = allShards(3).map((shard) => writeLazily(entryPoints, shard));
    expect(shards[2].files).toEqual(whole.files);
    const owned = allShards(3).map((shard) => NAMES.filter((name) => shard._has(`tenant-${name}`, name)).length);
    expect([whole.built, ...shards.map(({ built }) => built)]).toEqual([NAMES.length, NAMES.length, owned[1], owned[2]]);
  });

  test('in an app of cdk8s, and in a whole GitOpsApp, everything is built', () => {
    for (const app of [new App(), new GitOpsApp({ outdir })]) expect(NAMES.every((name) => inShard('a', name, new Chart(app, name)))).toBe(true);
  });
});
