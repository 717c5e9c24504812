import { execFileSync } from 'node:child_process';
import { ExitCode } from '../../../src/cli/command';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

/** A cluster with a hosted control plane and a pool of virtual machines. */
function cluster(name: string, maximum: number, domain = 'cpu: {cores: 4, dedicatedCpuPlacement: true}, memory: {guest: 16Gi}, devices: {}'): string {
  return `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: ${name}, namespace: tenants, labels: {ring: main}}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KamajiControlPlane, name: ${name}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1alpha2
kind: KamajiControlPlane
metadata: {name: ${name}, namespace: tenants}
spec:
  replicas: 2
  apiServer: {resources: {requests: {cpu: 200m, memory: 2Gi}}}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: ${name}-general
  namespace: tenants
  annotations:
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "1"
    cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "${maximum}"
spec:
  clusterName: ${name}
  template:
    spec:
      clusterName: ${name}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtMachineTemplate, name: ${name}-general}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtMachineTemplate
metadata: {name: ${name}-general, namespace: tenants}
spec: {template: {spec: {virtualMachineTemplate: {spec: {template: {spec: {domain: {${domain}}}}}}}}}
`;
}

function hosts(count: number): string {
  return `hosts:\n  - {name: general, count: ${count}, zones: [a, b], cpu: 30, memory: 120Gi}\n`;
}

async function run(...args: string[]) {
  return workplace.run(['capacity', ...args]);
}

/** The JSON of a run. */
async function json(...args: string[]) {
  return JSON.parse((await run(...args, '--format', 'json')).out);
}

test('everything fits: the exit code is 0', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 10), 'hosts.yaml': hosts(4) });
  const { code, out, err } = await run('--hosts', 'hosts.yaml');
  expect([code, err]).toEqual([ExitCode.OK, '']);
  expect(out).toMatch(/^FITS: 1 cluster at its largest, with a rollout of any one cluster, after the loss of any host, on 4 hosts\n/);
  expect(out).toContain('Placed: 1 to 10 machines, 2 pods of control planes, 0 pods of controllers.');
});

test('what does not fit is named, with the clusters that are hit and the hosts that are missing', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 10), 'hosts.yaml': hosts(2) });
  const { code, out } = await run('--hosts', 'hosts.yaml');
  expect(code).toBe(ExitCode.FINDINGS);
  expect(out).toMatch(/^DOES NOT FIT: .*; does not fit/);
  expect(out).toMatch(/everything at its largest {5}fits\n/);
  expect(out).toMatch(/and one host less {13}does not fit without host general-1 in the rollout of tenants\/acme\n {3}(cpu|memory) is short: /);
  expect(out).toContain('1 cluster hit: tenants/acme\n');
  expect(out).toContain('Everything fits with 1 host more of general.\n');
});

test('the pod of a machine requests what KubeVirt makes of it', async () => {
  const overhead = (25 + 100 + 25 + 40 + 30 + 8 + 32 + 8 * 4 + 32 + 100) * 1024 ** 2;
  workplace.write({ 'dist/acme.yaml': cluster('acme', 10), 'hosts.yaml': hosts(4) });
  const { pods } = await json('--hosts', 'hosts.yaml');
  expect(pods.map(({ use, minimum, maximum, surge, requests }: Record<string, unknown>) => ({ use, minimum, maximum, surge, requests }))).toEqual([
    { use: 'controlPlane', minimum: 2, maximum: 2, surge: 2, requests: { cpu: 200, memory: 2 * 1024 ** 3, pods: 1 } },
    // The container with the console requests its limits beside dedicated CPUs.
    { use: 'machine', minimum: 1, maximum: 10, surge: 1, requests: { cpu: 4015, memory: 16 * 1024 ** 3 + overhead + 60e6, pods: 1 } },
  ]);
});

test('ratios are those of the configuration among the manifests', async () => {
  const shared = cluster('acme', 10, 'cpu: {cores: 4}, memory: {guest: 16Gi}, devices: {autoattachSerialConsole: false}');
  workplace.write({ 'dist/acme.yaml': shared, 'hosts.yaml': hosts(4) });
  expect((await json('--hosts', 'hosts.yaml')).pods[1].requests.cpu).toBe(400);
  workplace.write({
    'dist/kubevirt.yaml': 'apiVersion: kubevirt.io/v1\nkind: KubeVirt\nmetadata: {name: kubevirt, namespace: kubevirt}\nspec: {configuration: {developerConfiguration: {cpuAllocationRatio: 2}}}\n',
  });
  const found = await json('--hosts', 'hosts.yaml');
  expect([found.pods[1].requests.cpu, found.notes]).toEqual([2000, []]);
});

test('machines whose size is not known are named, and not counted as nothing', async () => {
  const typed = cluster('acme', 10).replace('{template: {spec: {domain', '{instancetype: {name: large}, template: {spec: {domain').replace(/\{domain: .*$/m, '{domain: {devices: {}}}}}}}}}');
  workplace.write({ 'dist/acme.yaml': typed, 'hosts.yaml': hosts(4) });
  const { code, out } = await run('--hosts', 'hosts.yaml');
  expect(code).toBe(ExitCode.FINDINGS);
  expect(out).toMatch(/^NOT DECIDED: .*, since the size of some machines is not known\n/);
  expect(out).toContain('Not placed, since their size is not known: 10 of pool acme-general of tenants/acme (KubevirtMachine).');
  workplace.write({
    'dist/types.yaml': 'apiVersion: instancetype.kubevirt.io/v1beta1\nkind: VirtualMachineClusterInstancetype\nmetadata: {name: large}\nspec: {cpu: {guest: 8}, memory: {guest: 32Gi}}\n',
  });
  workplace.write({ 'hosts.yaml': hosts(6) });
  expect((await run('--hosts', 'hosts.yaml')).code).toBe(ExitCode.OK);
});

test('machines of other infrastructures are named', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 3).replaceAll('KubevirtMachineTemplate', 'OpenStackMachineTemplate'), 'hosts.yaml': hosts(4) });
  const { code, out } = await run('--hosts', 'hosts.yaml');
  expect([code, out]).toEqual([ExitCode.OK, expect.stringContaining('Not placed, since they are no pods of these hosts: 3 of OpenStackMachine.\n')]);
  expect(out).toMatch(/^FITS: 1 cluster at its largest, without 3 machines that run elsewhere, with /);
});

test('nodes and pods of kubectl are hosts, whose other pods keep what they request', async () => {
  const node = (name: string) => ({
    apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { 'kubevirt.io/schedulable': 'true', 'cpumanager': 'true' } }, status: { allocatable: { cpu: '30', memory: '120Gi', pods: '110' } },
  });
  const pod = (host: string, labels: object) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'tenants', labels },
    spec: { nodeName: host, containers: [{ name: 'a', env: [{ name: 'PASSWORD', value: 'secret-value' }], resources: { requests: { cpu: '26' } } }] },
  });
  workplace.write({
    'dist/acme.yaml': cluster('acme', 2),
    'hosts.json': JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [
        node('h1'), node('h2'), pod('h1', { app: 'other' }), pod('h2', { 'kubevirt.io': 'virt-launcher', 'cluster.x-k8s.io/cluster-name': 'acme' }),
      ],
    }),
  });
  const { out } = await run('--hosts', 'hosts.json', '--lose', 'none', '--hosts-table');
  expect(out).toMatch(/^FITS: /);
  expect(out).not.toContain('secret-value');
  expect(out).toMatch(/h2 +30-CPU 120Gi hosts .* tenants\/acme\n/);
  expect((await json('--hosts', 'hosts.json', '--lose', 'host')).verdict).toBe('short');
});

test('a change costs hosts and money', async () => {
  workplace.write({
    'old/acme.yaml': cluster('acme', 10),
    'new/acme.yaml': cluster('acme', 20),
    'hosts.yaml': hosts(6),
    'prices.yaml': 'currency: EUR\nper: month\nhosts: {general: 410}\nrequests: {cpu: 10}\n',
  });
  const { code, out } = await run('--hosts', 'hosts.yaml', '--prices', 'prices.yaml', '--against', 'old', 'new');
  expect(code).toBe(ExitCode.OK);
  expect(out).toContain('All hosts: 2460.00 EUR per month.\n');
  expect(out).toMatch(/tenants\/acme +44.15 to 807.00 EUR per month\n/);
  expect(out).toMatch(/The change requests \+40 cpu, \+\d+Gi memory, \+10 pods at the largest size.\n {3}general: 3 needed before, 4 needed after, \+1; there are 6 \(\+410.00 EUR per month\)\n/);
  expect(out).toContain('requests: +0.00 at the smallest size, +401.50 at the largest, in EUR per month\n');
});

test('a commit is the former state', async () => {
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: workplace.folder });
  workplace.write({ 'dist/acme.yaml': cluster('acme', 10), 'dist/blue.yaml': cluster('blue', 10), 'hosts.yaml': hosts(8) });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  workplace.write({ 'dist/acme.yaml': cluster('acme', 20) });
  const { change } = await json('--hosts', 'hosts.yaml', '--base', 'HEAD');
  expect(change.hosts).toEqual([{ kind: 'general', given: 8, before: 4, after: 6 }]);
});

test('rings roll out together', async () => {
  workplace.write({ 'dist/a.yaml': cluster('acme', 6), 'dist/b.yaml': cluster('blue', 6), 'hosts.yaml': hosts(2) });
  expect((await json('--hosts', 'hosts.yaml', '--lose', 'none', '--rollout', 'cluster')).verdict).toBe('fits');
  expect((await json('--hosts', 'hosts.yaml', '--lose', 'none', '--rollout', 'ring', '--ring-label', 'ring')).scenarios[1]).toMatchObject({ verdict: 'short', rollout: 'ring main' });
});

test('an instance type brings devices, huge pages, dedicated CPUs and labels of nodes', async () => {
  const typed = cluster('acme', 2).replace('{template: {spec: {domain', '{instancetype: {name: large}, template: {spec: {domain').replace(/\{domain: .*$/m, '{domain: {devices: {}}}}}}}}}');
  const type = (memory: string) => `apiVersion: instancetype.kubevirt.io/v1beta1
kind: VirtualMachineClusterInstancetype
metadata: {name: large}
spec: {cpu: {guest: 8, dedicatedCPUPlacement: true}, memory: {guest: 32Gi${memory}}, gpus: [{name: a, deviceName: example.com/gpu}], nodeSelector: {gpu: "yes"}}
`;
  workplace.write({ 'dist/acme.yaml': typed, 'dist/types.yaml': type(', hugepages: {pageSize: 1Gi}'), 'hosts.yaml': hosts(4) });
  const { pods, verdict } = await json('--hosts', 'hosts.yaml');
  expect([verdict, pods[1].requests]).toEqual(['short', expect.objectContaining({ 'cpu': 8015, 'hugepages-1Gi': 32 * 1024 ** 3, 'example.com/gpu': 1 })]);
  workplace.write({ 'dist/types.yaml': type(', overcommitPercent: 25') });
  const [, { requests }] = (await json('--hosts', 'hosts.yaml')).pods;
  expect(Math.floor(requests.memory / 1024 ** 3)).toBe(25);
});

test.each([
  ['no maximum that the autoscaler can read', '""', 4],
  ['more replicas than the maximum', '"3"', 4],
  ['fewer replicas than the maximum', '"6"', 6],
])('a pool with %s has machines', async (_, maximum, count) => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 0).replace('max-size: "0"', `max-size: ${maximum}`).replace('  template:\n', '  replicas: 4\n  template:\n'), 'hosts.yaml': hosts(4) });
  expect((await json('--hosts', 'hosts.yaml')).pods[1]).toMatchObject({ what: 'pool acme-general', minimum: 1, maximum: count });
});

test('pods without a host that is left are told apart from those that no host is for', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 3), 'hosts.yaml': 'hosts:\n  - {name: only, cpu: 300, memory: 1200Gi}\n' });
  const { out } = await run('--hosts', 'hosts.yaml');
  expect(out).toContain('all hosts that pool acme-general of tenants/acme may run on are lost\n');
  expect(out).toContain('Everything fits with 1 host more of only.\n');
});

test('pods of Jobs are named, since they are not placed', async () => {
  const job = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: load, namespace: tenants}\nspec: {template: {spec: {containers: [{name: a, resources: {requests: {cpu: 400}}}]}}}\n';
  workplace.write({ 'dist/acme.yaml': cluster('acme', 3), 'dist/job.yaml': job, 'hosts.yaml': hosts(4) });
  expect((await run('--hosts', 'hosts.yaml')).out).toContain('Note: not placed: pods of 1 object of kind Job.\n');
});

test('huge pages are priced by the GiB', async () => {
  const paged = cluster('acme', 10, 'cpu: {cores: 4}, memory: {guest: 16Gi, hugepages: {pageSize: 1Gi}}, devices: {}');
  workplace.write({
    'dist/acme.yaml': paged,
    'hosts.yaml': 'hosts:\n  - {name: general, count: 4, cpu: 30, memory: 60Gi, resources: {hugepages-1Gi: 60Gi}}\n',
    'prices.yaml': 'currency: EUR\nper: month\nrequests: {hugepages-1Gi: 2}\n',
  });
  expect((await json('--hosts', 'hosts.yaml', '--prices', 'prices.yaml')).costs.clusters).toEqual([{ cluster: 'tenants/acme', minimum: 32, maximum: 320 }]);
});

test.each([
  [[], '--hosts is missing'],
  [['--hosts', 'no.yaml'], 'no.yaml'],
  [['--hosts', 'wrong.yaml'], '--hosts: wrong.yaml: hosts[0] (general): there is no field "cpus"; did you mean cpu?'],
  [['--hosts', 'broken.yaml'], '--hosts: broken.yaml: line 2: '],
  [['--hosts', 'dist/acme.yaml'], '--hosts: dist/acme.yaml: Cluster acme is neither a Node nor a Pod'],
  [['--hosts', 'hosts.yaml', '--hosts', 'again.yaml'], '--hosts: the host general-1 is there twice'],
  [['--hosts', 'hosts.yaml', '--prices', 'wrong.yaml'], '--prices: wrong.yaml: currency is missing'],
  [['--hosts', 'hosts.yaml', '--prices', 'unknown.yaml'], '--prices: unknown.yaml: requests.mem: pods do not request it'],
  [['--hosts', 'tainted.yaml'], '--hosts: tainted.yaml: hosts[0] (general).taints: "gpu=yes:NoSchedule" is not a list'],
  [['--hosts', 'hosts.yaml', '--lose', 'two'], '--lose "two" is not known'],
  [['--hosts', 'hosts.yaml', '--rollout', 'ring'], '--rollout ring and --ring-label go together'],
  [['--hosts', 'one-zone.yaml', '--lose', 'zone'], '--lose zone needs hosts in several zones'],
  [['--hosts', 'hosts.yaml', '--against', 'dist', '--base', 'HEAD'], '--against and --base both name the former state'],
  [['--hosts', '-', '-'], 'standard input is named twice'],
  [['--hosts', 'hosts.yaml', 'empty.yaml'], 'empty.yaml: nothing needs room on the hosts of a management cluster'],
])('%j is refused', async (args, message) => {
  workplace.write({
    'dist/acme.yaml': cluster('acme', 3),
    'hosts.yaml': hosts(4),
    'again.yaml': hosts(2),
    'broken.yaml': 'hosts: [\n',
    'wrong.yaml': 'hosts:\n  - {name: general, cpus: 4, memory: 8Gi}\n',
    'one-zone.yaml': 'hosts:\n  - {name: general, cpu: 4, memory: 8Gi}\n',
    'unknown.yaml': 'currency: EUR\nper: month\nrequests: {mem: 1}\n',
    'tainted.yaml': 'hosts:\n  - {name: general, cpu: 4, memory: 8Gi, taints: gpu=yes:NoSchedule}\n',
    'empty.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n',
  });
  const { code, err } = await run(...args);
  expect([code, err]).toEqual([ExitCode.FAILED, expect.stringContaining(message)]);
});

const BASTION = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: bastion, namespace: shop}
spec:
  runStrategy: Always
  template:
    spec: {domain: {cpu: {cores: 20, dedicatedCpuPlacement: true}, memory: {guest: 100Gi}, devices: {}}}
`;

test('a virtual machine that is no machine of a cluster is placed', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 4), 'hosts.yaml': hosts(1) });
  expect((await json('--hosts', 'hosts.yaml', '--lose', 'none', '--rollout', 'none')).verdict).toBe('fits');

  workplace.write({ 'dist/bastion.yaml': BASTION });
  const { pods: groups, scenarios: [{ verdict, shortage }] } = await json('--hosts', 'hosts.yaml', '--lose', 'none', '--rollout', 'none');

  expect(groups).toContainEqual(expect.objectContaining({ what: 'VirtualMachine bastion', use: 'machine', maximum: 1 }));
  expect([verdict, shortage.what]).toEqual(['short', expect.stringMatching(/^(cpu|memory)$/)]);
});

test.each([
  ['is halted', 'runStrategy: Halted'],
  ['does not run', 'running: false'],
])('a virtual machine that %s takes no room', async (_, state) => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 4), 'dist/bastion.yaml': BASTION.replace('runStrategy: Always', state), 'hosts.yaml': hosts(1) });
  const { pods: groups } = await json('--hosts', 'hosts.yaml', '--lose', 'none', '--rollout', 'none');

  expect(groups.map(({ what }: { what: string }) => what)).toEqual(['control plane', 'pool acme-general']);
});

test('virtual machines whose size or number is not known are named', async () => {
  const typed = BASTION.replace('domain: {cpu: {cores: 20, dedicatedCpuPlacement: true}, memory: {guest: 100Gi}, devices: {}}', 'domain: {devices: {}}')
    .replace('template:', 'instancetype: {name: large}\n  template:');
  const pool = 'apiVersion: pool.kubevirt.io/v1beta1\nkind: VirtualMachinePool\nmetadata: {name: web, namespace: shop}\nspec: {replicas: 3}\n';
  workplace.write({ 'dist/acme.yaml': cluster('acme', 4), 'dist/bastion.yaml': typed, 'dist/web.yaml': pool, 'hosts.yaml': hosts(1) });
  const { out } = await run('--hosts', 'hosts.yaml', '--lose', 'none', '--rollout', 'none');

  expect(out).toContain('1 of VirtualMachine bastion (VirtualMachine)');
  expect(out).toContain('not placed: pods of 1 object of kind VirtualMachinePool');
});

test('a label of rings that no Cluster has is named', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 2), 'hosts.yaml': hosts(4) });

  expect((await run('--hosts', 'hosts.yaml', '--rollout', 'ring', '--ring-label', 'rign')).out).toContain('Note: no Cluster has the label rign');
  expect((await run('--hosts', 'hosts.yaml', '--rollout', 'ring', '--ring-label', 'ring')).out).not.toContain('no Cluster has the label');
});
