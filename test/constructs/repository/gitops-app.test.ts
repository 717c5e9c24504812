import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import { parse } from 'yaml';
import { WARNINGS } from '../../../src/constructs/app/problems/warnings';
import { OutputFiles } from '../../../src/constructs/app/synth/output-files';
import { FluxEntryPoints } from '../../../src/constructs/deliveries/flux/flux-entry-points';
import { GitOpsApp, GitOpsAppProps } from '../../../src/constructs/repository/gitops-app';
import { FileLayout } from '../../../src/constructs/repository/output-folders';
import { readFiles } from '../../support/examples';
import { addCluster } from '../../support/many-clusters';
import { problemsOf } from '../../support/problems';

const FLUX = new FluxEntryPoints({ sourceName: 'flux-system' });
const LISTS = '.cdk8s-cluster-api/files';

let outdir: string;

beforeEach(() => {
  outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'gitops-'));
});

afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(outdir, { recursive: true, force: true });
});

/** Writes clusters to the output; returns what is there afterwards. */
function synthesize(fill: (app: GitOpsApp) => void, props: GitOpsAppProps = {}): { [file: string]: string } {
  const app = new GitOpsApp({ outdir, quiet: true, ...props });
  fill(app);
  app.synth();
  return readFiles(outdir);
}

function changed(before: { [file: string]: string }, after: { [file: string]: string }): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((file) => before[file] !== after[file]).sort();
}

function warnings(): jest.SpyInstance {
  return jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
}

test('a cluster that is added or changed touches its own folder, entry and list of files', () => {
  const one = synthesize((app) => { addCluster(app, 'a'); }, { entryPoints: FLUX });
  const two = synthesize((app) => ['b', 'a'].forEach((id) => addCluster(app, id)), { entryPoints: FLUX });
  expect(changed(one, two).filter((file) => !file.startsWith('clusters/tenant-b/b/'))).toEqual([
    `${LISTS}/clusters/tenant-b/b.sha256`, 'flux/tenant-b.b.yaml',
  ]);

  const grown = synthesize((app) => {
    addCluster(app, 'a', {}, ['general', 'gpu']);
    addCluster(app, 'b');
  }, { entryPoints: FLUX });
  expect(changed(two, grown)).toEqual([
    `${LISTS}/clusters/tenant-a/a.sha256`, 'clusters/tenant-a/a/pools/gpu.yaml', 'clusters/tenant-a/a/pools/kustomization.yaml',
  ]);
});

test('the same program writes the same bytes, and no file a second time', () => {
  const fill = (app: App) => ['a', 'b'].forEach((id) => addCluster(app, id));
  const first = synthesize(fill);
  const stamps = Object.keys(first).map((file) => fs.statSync(path.join(outdir, file)).mtimeMs);
  expect(synthesize(fill)).toEqual(first);
  expect(Object.keys(first).map((file) => fs.statSync(path.join(outdir, file)).mtimeMs)).toEqual(stamps);
});

test('an app that is synthesized twice writes the same', () => {
  const app = new GitOpsApp({ outdir, quiet: true });
  addCluster(app, 'a');
  app.synth();
  const first = readFiles(outdir);
  app.synth();
  expect(readFiles(outdir)).toEqual(first);
});

test('lists lead from the top to every manifest, where no tool is told of folders', () => {
  const files = synthesize((app) => {
    addCluster(app, 'a');
    new ApiObject(new Chart(app, 'platform'), 'object', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'object', namespace: 'default' } });
  });
  const follow = (folder: string): string[] => (parse(files[path.posix.join(folder, 'kustomization.yaml')]) as { resources: string[] }).resources
    .map((entry) => path.posix.join(folder, entry)).flatMap((entry) => (entry in files ? [entry] : follow(entry)));
  expect(follow('.').sort()).toEqual(Object.keys(files).filter((file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml')));
});

test('one file for each object', () => {
  const files = synthesize((app) => { addCluster(app, 'a'); }, { layout: FileLayout.FILE_PER_OBJECT });
  expect(Object.keys(files)).toEqual(expect.arrayContaining([
    'clusters/tenant-a/a/cluster/cluster-a.yaml', 'clusters/tenant-a/a/pools/general/machinedeployment-a-general.yaml',
  ]));
  for (const [file, text] of Object.entries(files)) expect([file, text.includes('\n---\n')]).toEqual([file, false]);
});

describe('a cluster that disappears from the code', () => {
  test('TC-GITOPS-KEPT: is kept as it is, with its entry, and said so', () => {
    const before = synthesize((app) => ['a', 'b'].forEach((id) => addCluster(app, id)), { entryPoints: FLUX });
    const warn = warnings();
    const after = synthesize((app) => { addCluster(app, 'a'); }, { entryPoints: FLUX });
    expect(changed(before, after)).toEqual([]);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^TC-GITOPS-KEPT.*"b" in namespace "tenant-b".*decommission: true/s), { code: 'TC-GITOPS-KEPT' }]]);
  });

  test('is in the lists from the top as long as it is kept', () => {
    const before = synthesize((app) => ['a', 'b'].forEach((id) => addCluster(app, id)));
    warnings();
    expect(changed(before, synthesize((app) => { addCluster(app, 'a'); }))).toEqual([]);
  });

  test('TC-GITOPS-KEPT-CONFLICT: must not share objects with another one in the lists from the top', () => {
    const shared = { namespace: 'shared' };
    const before = synthesize((app) => { addCluster(app, 'a', shared); });
    const renamed = () => synthesize((app) => { addCluster(app, 'b', shared); });
    expect(renamed).toThrow(/TC-GITOPS-KEPT-CONFLICT.*Namespace "shared" is in clusters\/shared\/a, .* and in clusters\/shared\/b.*decommission: true/);
    expect(readFiles(outdir)).toEqual(before);
    const warn = warnings();
    // A file that was made unreadable by hand does not stop synthesis.
    fs.appendFileSync(path.join(outdir, 'clusters/shared/a/pools/general.yaml'), '---\nkind: *nothing\n');
    const both = synthesize((app) => { addCluster(app, 'b', { ...shared, createNamespace: false }); });
    expect(Object.keys(both)).toEqual(expect.arrayContaining(['clusters/shared/a/cluster.yaml', 'clusters/shared/b/cluster.yaml']));
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('goes when it has been taken down', () => {
    synthesize((app) => ['a', 'b'].forEach((id) => addCluster(app, id)), { entryPoints: FLUX });
    const leaving = synthesize((app) => {
      addCluster(app, 'a');
      addCluster(app, 'b', { decommission: true });
    }, { entryPoints: FLUX });
    expect(Object.keys(leaving)).toContain('clusters/tenant-b/b/cluster.yaml');
    const warn = warnings();
    const after = synthesize((app) => { addCluster(app, 'a'); }, { entryPoints: FLUX });
    expect(Object.keys(after).filter((file) => file.includes('tenant-b'))).toEqual([]);
    expect(warn.mock.calls.map(([text]) => text)).toEqual([expect.stringMatching(/^TC-CHANGE-KEPT-REMOVED Namespace tenant-b, /)]);
  });

  test('goes when somebody deletes its folder', () => {
    synthesize((app) => ['a', 'b'].forEach((id) => addCluster(app, id)), { entryPoints: FLUX });
    fs.rmSync(path.join(outdir, 'clusters/tenant-b'), { recursive: true });
    expect(Object.keys(synthesize((app) => { addCluster(app, 'a'); }, { entryPoints: FLUX })).filter((file) => file.includes('tenant-b'))).toEqual([]);
  });
});

test('an error leaves the output as it was', () => {
  const before = synthesize((app) => { addCluster(app, 'a'); });
  expect(() => synthesize((app) => { addCluster(app, 'A_'); })).toThrow(/TC-CLUSTER-NAME/);
  expect(readFiles(outdir)).toEqual(before);
});

test('what a validation makes is refused, as nothing would validate it', () => {
  expect(() => synthesize((app) => {
    const chart = new Chart(app, 'chart');
    chart.node.addValidation({
      validate: () => {
        new ApiObject(chart, 'late', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } });
        return [];
      },
    });
  })).toThrow('[chart/late] a validation made the construct');
});

test('what is wrong with many in the same way is said once, with some of them', () => {
  const wrong = (count: number) => () => synthesize((app) => {
    for (let index = 0; index < count; index++) addCluster(app, `c${index}`, { kubernetesVersion: '1.2.3' });
  });
  expect(wrong(2)).toThrow(/\n {2}\[c0, c1\] TC-CLUSTER-VERSION/);
  expect(wrong(5)).toThrow(/\n {2}\[c0, c1, c2 and 2 more\] TC-CLUSTER-VERSION/);
});

test('constructs are named for cdk8s synth on request', () => {
  const name = 'construct-metadata.json';
  const recorded = synthesize((app) => { addCluster(app, 'a'); }, { recordConstructMetadata: true })[name];
  expect(JSON.parse(recorded)).toMatchObject({ version: '1.0.0', resources: { 'a-general': { path: expect.stringMatching(/^a\/general\//) } } });
  expect(synthesize((app) => { addCluster(app, 'a'); })).not.toHaveProperty([name]);
});

test('what somebody else has put there stays', () => {
  fs.writeFileSync(path.join(outdir, 'README.md'), 'ours\n');
  fs.mkdirSync(path.join(outdir, 'flux/flux-system'), { recursive: true });
  fs.writeFileSync(path.join(outdir, 'flux/flux-system/gotk-sync.yaml'), 'theirs\n');
  const files = synthesize((app) => { addCluster(app, 'a'); }, { entryPoints: FLUX });
  expect(files['README.md']).toBe('ours\n');
  expect(files['flux/flux-system/gotk-sync.yaml']).toBe('theirs\n');
});

test('a line on standard error says how it went, unless nobody wants to know', () => {
  const write = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  synthesize((app) => { addCluster(app, 'a'); });
  expect(write).not.toHaveBeenCalled();
  synthesize((app) => { addCluster(app, 'a'); }, { quiet: false });
  expect(write.mock.calls.map(([text]) => text)).toEqual([expect.stringMatching(/^1 cluster; \d+ objects; files: 0 written, \d+ unchanged, 0 removed; \d+\.\d s\n$/)]);
});

describe('files for hosts are no clusters and no objects: ', () => {
  test.each<[string, string, (app: GitOpsApp) => void]>([
    ['alone', '^files: 1 written', () => {}],
    ['beside objects of no cluster', '^1 object; files: \\d+ written', (app) => {
      new ApiObject(new Chart(app, 'host'), 'settings', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
    }],
    ['beside a cluster', '^1 cluster; \\d+ objects; files: \\d+ written', (app) => { addCluster(app, 'a'); }],
  ])('%s', (_, line, build) => {
    const write = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
    synthesize((app) => {
      OutputFiles.of(app).add(() => [{ path: 'metal/install.sh', content: 'echo\n', executable: true }]);
      build(app);
    }, { quiet: false });
    expect(write.mock.calls.map(([text]) => text)).toEqual([expect.stringMatching(new RegExp(line))]);
  });

  test('without them nothing is said to be nothing', () => {
    const write = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
    synthesize(() => {}, { quiet: false });
    expect(write.mock.calls.map(([text]) => text)).toEqual([expect.stringMatching(/^0 clusters; 0 objects; files: 0 written/)]);
  });
});

test('TC-OUTPUT-FOLDER: the root of the file system', () => {
  const text = expect.stringContaining('outdir: "/" is the root of the file system') as string;
  expect(problemsOf(new GitOpsApp({ outdir: '/' }))).toEqual([{ path: '', id: 'TC-OUTPUT-FOLDER', text }]);
  expect(() => new GitOpsApp({ outdir: '/tmp/..', quiet: true }).synth()).toThrow('is the root of the file system');
});

test('TC-OUTPUT-FOLDER: a name that is empty', () => {
  expect(problemsOf(new GitOpsApp({ outdir: '' }))).toEqual([{ path: '', id: 'TC-OUTPUT-FOLDER', text: expect.stringContaining('outdir: it is empty') as string }]);
});
