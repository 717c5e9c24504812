import * as fs from 'node:fs';
import * as path from 'node:path';
import { ExitCode } from '../../../src/cli/command';
import { expectFile } from '../golden-file';
import { deployment, Workplace } from '../run';

const FLEET = fs.readFileSync(path.join(__dirname, '../../manifests/landscape/fleet/fleet.yaml'), 'utf8');
const GOLDEN = path.join(__dirname, 'golden');

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

async function inventory(...args: string[]): Promise<string> {
  const { code, out, err } = await workplace.run(['inventory', ...args, '-'], FLEET);
  expect([code, err]).toEqual([ExitCode.OK, '']);
  return out;
}

describe('a table', () => {
  test('has a row for each cluster, pool and addon', async () => {
    const out = await inventory();
    expect(out).toMatch(/^site\/edge +v1\.34\.1 +Kubeadm x3 +Vultr +- +- +edge\.example\.com:6443 +1 +paused$/m);
    expect(out).toMatch(/^site\/old +- +- +- +- +- +- +0 +decommission$/m);
    expect(out).toMatch(/^tenant-acme\/acme +general +v1\.35\.4 +1\.\.10 +4 +16 GiB +0 +- +- +-$/m);
    expect(out).toMatch(/^tenant-acme\/acme +cilium +cilium +1\.20\.0 +HelmRelease +kube-system$/m);
    expect(out).toMatch(/^\(management\) +kamaji +kamaji +1\.2\.3 +HelmRelease +kamaji-system$/m);
    expectFile(path.join(GOLDEN, 'fleet.txt'), out);
  });

  test.each(['cluster', 'pool'])('by %s has no other rows', async (by) => {
    const heads = (await inventory('--by', by)).split('\n').filter((line) => line.startsWith('CLUSTER'));
    expect(heads).toEqual([expect.stringContaining(by === 'cluster' ? 'CONTROL PLANE' : 'MACHINES')]);
  });

  test('says on the last line what it comes to', async () => {
    expect((await inventory('--by', 'cluster')).trimEnd().split('\n').at(-1)).toBe('4 clusters, 4 pools, 6 addons, '
      + '7..16 machines in pools (without 1 pool whose size is not known), 3 of control planes; '
      + '10..46 CPUs and 28 GiB..172 GiB of memory, without 6 machines whose size is not known');
  });

  test('shows nothing that a terminal obeys', async () => {
    const { out } = await workplace.run(['inventory', '-'], JSON.stringify({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'a\u001b[31mb\nc' } }));
    expect(out).toContain('a\\u001b[31mb\\u000ac');
    expect(out).not.toContain('\u001b');
  });
});

test('JSON has everything, and null for what is not known', async () => {
  const { clusters, otherAddons, totals } = JSON.parse(await inventory('--format', 'json'));
  expect(clusters.map(({ name }: { name: string }) => name)).toEqual(['edge', 'old', 'quick', 'acme']);
  expect(clusters[0]).toMatchObject({
    state: 'paused',
    controlPlane: { kind: 'KubeadmControlPlane', replicas: 3, machine: { instanceType: 'vc2-2c-4gb', cpu: 2, memory: 4 * 1024 ** 3, gpus: null } },
    pools: [{ minimum: null, maximum: null, machine: { kind: 'AWSMachinePool' } }],
    endpoint: 'edge.example.com:6443',
    clusterClass: null,
  });
  expect(clusters[3].pools).toMatchObject([
    { name: 'acme-general', minimum: 1, maximum: 10, machine: { cpu: 4, memory: 16 * 1024 ** 3, gpus: [] } },
    { labels: { 'node-role.kubernetes.io/gpu': '' } },
  ]);
  expect(otherAddons.map(({ name }: { name: string }) => name)).toEqual(['cert-manager', 'kamaji']);
  expect(totals).toMatchObject({
    clusters: 4,
    machines: { minimum: 7, maximum: 16 },
    controlPlaneMachines: 3,
    poolsOfUnknownSize: 1,
    machinesOfUnknownSize: { minimum: 6, maximum: 6 },
  });
  expectFile(path.join(GOLDEN, 'fleet.json'), await inventory('--format', 'json'));
});

test.each(['cluster', 'pool'])('CSV by %s', async (by) => {
  const out = await inventory('--format', 'csv', '--by', by);
  const lines = out.split('\r\n');
  expect(lines.pop()).toBe('');
  expect(lines.every((line) => !line.includes('\n'))).toBe(true);
  expect(lines).toContain(by === 'cluster' ? 'site,old,decommission,,,,,,,,0,0,0,0,' : 'tenant-acme,acme,acme-general,MachineDeployment,v1.35.4,1,10,KubevirtMachine,,4,16,0,,');
  // Git gives text files its own line ends.
  expectFile(path.join(GOLDEN, `fleet-by-${by}.csv`), lines.map((line) => `${line}\n`).join(''));
});

test('CSV quotes what needs it', async () => {
  const { out } = await workplace.run(['inventory', '--format', 'csv', '-'], JSON.stringify({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'a"b,c\nd' } }));
  expect(out.slice(out.indexOf('\r\n') + 2)).toMatch(/^,"a""b,c\\u000ad",declared,/);
});

test.each(['=HYPERLINK("http://example.com")', '+1', '-2', '@SUM(1)'])('CSV makes no formula of %s', async (name) => {
  const { out } = await workplace.run(['inventory', '--format', 'csv', '-'], JSON.stringify({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name } }));
  expect(out.slice(out.indexOf('\r\n') + 2)).toMatch(/^,"?'[=+@-]/);
});

test('the order of the manifests does not matter', async () => {
  const reversed = FLEET.split('\n---\n').reverse().join('\n---\n');
  for (const format of ['table', 'json', 'csv']) {
    expect((await workplace.run(['inventory', '--format', format, '-'], reversed)).out).toBe(await inventory('--format', format));
  }
});

test('the folder "dist" is read unless another is named', async () => {
  expect(await workplace.run(['inventory'])).toMatchObject({ code: ExitCode.FAILED, err: expect.stringContaining('there is no dist') });
  workplace.write({ 'dist/a.yaml': FLEET, 'dist/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n' });
  expect(await workplace.run(['inventory', '--by', 'cluster'])).toMatchObject({ code: ExitCode.OK, err: '', out: expect.stringContaining('site/edge') });
});

test.each<[string[], string, ExitCode, string]>([
  [['-'], deployment('a', 'x'), ExitCode.FINDINGS, 'found: no cluster among these manifests\n'],
  [['-'], 'a: [', ExitCode.FAILED, 'standard input:2: is no YAML'],
  [['--format', 'xml', '-'], FLEET, ExitCode.FAILED, '--format "xml" is not known'],
  [['--by', 'node', '-'], FLEET, ExitCode.FAILED, '--by "node" is not known'],
  [['--by', 'pool', '--format', 'json', '-'], FLEET, ExitCode.FAILED, 'leave out --by'],
  [['nowhere'], '', ExitCode.FAILED, 'there is no nowhere'],
])('%j ends as it should', async (args, input, code, err) => {
  expect(await workplace.run(['inventory', ...args], input)).toMatchObject({ code, err: expect.stringContaining(err) });
});

test('what is meant for a server and is no object is told', async () => {
  const { code, err } = await workplace.run(['inventory', '-'], `${FLEET}---\nkind: Cluster\n---\nkind: Cluster\n`);
  expect(code).toBe(ExitCode.OK);
  expect(err).toMatch(/^note: standard input:\d+: has kind "Cluster" and no apiVersion: no server takes it; and 1 more that no server takes\n$/);
});
