import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { prepareUpstream, upstreamSources } from '../../../scripts/conformance/upstream';
import * as versions from '../../../src/manifests/values/versions';

const AUTOSCALER = 'cluster-autoscaler-1.36.1';
const SIDECARS = path.resolve(__dirname, '..', '..', '..', 'conformance', 'sidecars', 'go.mod');

let folder: string;
let fetched: jest.SpyInstance;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'upstream-'));
  process.env.SOURCES_DIR = path.join(folder, 'archives');
  fs.mkdirSync(process.env.SOURCES_DIR);
  fetched = jest.spyOn(globalThis, 'fetch');
});
afterEach(() => {
  delete process.env.SOURCES_DIR;
  fetched.mockRestore();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Answers as upstream does: the archive of a commit, which has one folder. */
function answerWith(files: Record<string, string>): void {
  const tree = path.join(folder, 'tree');
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(tree, 'project-0123', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  execFileSync('tar', ['-czf', path.join(folder, 'answer.tar.gz'), '-C', tree, 'project-0123']);
  fetched.mockImplementation(async () => new Response(fs.readFileSync(path.join(folder, 'answer.tar.gz'))));
}

function unpacked(...names: string[]): string {
  return fs.readFileSync(path.join(folder, 'upstream', ...names), 'utf8');
}

test('sources that are in no archive here are downloaded once at their commit, and get what is added to them', async () => {
  answerWith({ 'cluster-autoscaler/main.go': 'package main' });
  await prepareUpstream(AUTOSCALER, path.join(folder, 'upstream'));
  await prepareUpstream(AUTOSCALER, path.join(folder, 'upstream'));
  expect(fetched.mock.calls).toEqual([['https://codeload.github.com/kubernetes/autoscaler/tar.gz/35e8a280425c76a4040f57ae0fa232a952c02024']]);
  expect(unpacked(AUTOSCALER, 'cluster-autoscaler', 'main.go')).toBe('package main');
  expect(unpacked(AUTOSCALER, 'cluster-autoscaler', 'cloudprovider', 'router', 'router_clusterapi.go')).toContain('package router');
});

test('sources of another commit are replaced', async () => {
  answerWith({ 'new.go': 'package main' });
  const old = path.join(folder, 'upstream', 'kamaji');
  fs.mkdirSync(old, { recursive: true });
  fs.writeFileSync(path.join(old, '.commit'), '0123');
  fs.writeFileSync(path.join(old, 'old.go'), 'package main');
  await prepareUpstream('kamaji', path.join(folder, 'upstream'));
  expect(fs.readdirSync(old).sort()).toEqual(['.commit', 'new.go']);
});

test('sources bring those that they are built with', async () => {
  answerWith({ 'controllers/main.go': 'package controllers' });
  await prepareUpstream('cluster-api-control-plane-provider-kamaji', path.join(folder, 'upstream'));
  expect(fs.readdirSync(path.join(folder, 'upstream')).sort()).toEqual(['cluster-api-control-plane-provider-kamaji', 'go.mod', 'kamaji']);
});

test('an archive with another checksum is refused', async () => {
  const archive = path.join(process.env.SOURCES_DIR!, 'kamaji-26.8.2-edge.tar.xz');
  fs.writeFileSync(archive, 'x');
  await expect(prepareUpstream('kamaji', path.join(folder, 'upstream'))).rejects.toThrow(
    `${archive} has the SHA-256 checksum 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881, and conformance/sources.json expects `
    + '78758e4713a18ea403e06a5f70ca9adabb2612a1f50aa921e4f083010e476531.',
  );
});

test('sources that cannot be had are named, with what helps', async () => {
  fetched.mockResolvedValue(new Response('', { status: 403 }));
  await expect(prepareUpstream('kamaji', path.join(folder, 'upstream'))).rejects.toThrow(
    'https://codeload.github.com/clastix/kamaji/tar.gz/ddbabd87ed0e8d7c319414383e153c46f21733a9 cannot be downloaded: the server answered 403. '
    + 'Set SOURCES_DIR to a directory that has kamaji-26.8.2-edge.tar.xz, or allow network access.',
  );
  await expect(prepareUpstream('cilium')).rejects.toThrow(/no sources "cilium": it has .*livenessprobe/);
});

test('what is built is what the library pins', () => {
  const built = new Map(upstreamSources().map(({ name, version }) => [name, version]));
  expect(built.get('kamaji')).toBe(versions.KAMAJI.version);
  expect(built.get('cluster-api-control-plane-provider-kamaji')).toBe(versions.KAMAJI_PROVIDER.version);
  expect(built.get('kubevirt-cloud-controller-manager')).toBe(versions.KUBEVIRT_CLOUD_CONTROLLER_MANAGER.version);
  expect(built.get('livenessprobe')).toBe(versions.CSI_LIVENESS_PROBE.version);
  const autoscalers = [...built].filter(([name]) => name.startsWith('cluster-autoscaler')).map(([, version]) => version);
  expect(versions.CLUSTER_AUTOSCALER.map(({ version }) => version)).toEqual(expect.arrayContaining(autoscalers));
});

test.each([
  ['attacher/v4', versions.CSI_ATTACHER], ['provisioner/v6', versions.CSI_PROVISIONER], ['resizer/v2', versions.CSI_RESIZER], ['snapshotter/v8', versions.CSI_SNAPSHOTTER],
])('%s is built in the version that the library pins', (module, { version }) => {
  expect(fs.readFileSync(SIDECARS, 'utf8')).toContain(`github.com/kubernetes-csi/external-${module} ${version} `);
});
