import { ExitCode } from '../../../src/cli/command';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

const PROVIDER = 'infrastructure.cluster.x-k8s.io';

function template(name: string, selector: string): string {
  return `---\napiVersion: ${PROVIDER}/v1beta2\nkind: Metal3MachineTemplate\nmetadata: {name: ${name}, namespace: tenants}\nspec: {template: {spec: {hostSelector: ${selector}}}}\n`;
}

function pool(owner: string, name: string, size: number, selector: string, surge = 0): string {
  return `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: ${owner}-${name}, namespace: tenants, annotations: {cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: "1", cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: "${size}"}}
spec:
  clusterName: ${owner}
  rollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: ${surge}, maxUnavailable: 1}}}
  template: {spec: {clusterName: ${owner}, infrastructureRef: {apiGroup: ${PROVIDER}, kind: Metal3MachineTemplate, name: ${owner}-${name}}}}
${template(`${owner}-${name}`, selector)}`;
}

/** A cluster with a control plane on hosts of rack r1, which is replaced with one host more. */
function cluster(name: string, replicas: number): string {
  return `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: ${name}, namespace: tenants}
spec: {controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: ${name}}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: ${name}, namespace: tenants}
spec:
  replicas: ${replicas}
  rollout: {strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1}}}
  machineTemplate: {spec: {infrastructureRef: {apiGroup: ${PROVIDER}, kind: Metal3MachineTemplate, name: ${name}}}}
${template(name, '{matchLabels: {rack: r1}}')}`;
}

function hosts(rack: string, count: number, fields = '', namespace = 'tenants'): string {
  return Array.from({ length: count }, (_, index) => (
    `---\napiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: ${rack}-${index + 1}, namespace: ${namespace}, labels: {rack: ${rack}, ${PROVIDER}/failure-domain: ${rack}}}\nspec: {online: false${fields}}\n`)).join('');
}

const ANY = '{matchExpressions: [{key: rack, operator: in, values: [r1, r2]}]}';
const R2 = '{matchLabels: {rack: r2}}';

async function run(...args: string[]) {
  return workplace.run(['capacity', ...args]);
}

async function json(...args: string[]) {
  return JSON.parse((await run('--format', 'json', ...args)).out);
}

test('pools and control planes have a host each, also in a rollout and without a host', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 3) + pool('acme', 'general', 4, ANY) + hosts('r1', 6) + hosts('r2', 3) });
  const { code, out, err } = await run();
  expect([code, err]).toEqual([ExitCode.OK, '']);
  expect(out).toMatch(/^FITS: 7 machines of 1 cluster at its largest, with a rollout of any one cluster, after the loss of any host, on 9 hosts that each take one machine\n/);
  expect(out).toMatch(/tenants\/acme +control plane +3 +3 +1 +6\n/);
  expect(out).toMatch(/tenants\/acme +pool acme-general +1 +4 +0 +9\n/);
});

test('hosts that several pools select count once', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 3) + pool('acme', 'general', 4, ANY) + pool('acme', 'large', 2, R2) + hosts('r1', 6) + hosts('r2', 3) });
  const { code, out } = await run();
  expect(code).toBe(ExitCode.FINDINGS);
  expect(out).toMatch(/^DOES NOT FIT: 9 machines .*; does not fit in the rollout of tenants\/acme\n/);
  expect(out).toMatch(/everything at its largest {5}fits\n/);
  expect(out).toMatch(/and a rollout of one cluster {2}does not fit in the rollout of tenants\/acme\n {3}10 hosts are needed by .*, which select 9\n {3}without a host: 1 machine of pool acme-\w+ of tenants\/acme\n/);
  expect((await json('--rollout', 'none', '--lose', 'none')).verdict).toBe('fits');
});

test('a pool that others do not compete with is short by itself, by the number of its hosts', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 3) + pool('acme', 'large', 5, R2) + hosts('r1', 6) + hosts('r2', 3) });
  const { verdict, machineHosts } = await json();
  expect(verdict).toBe('short');
  expect(machineHosts.scenarios[0]).toMatchObject({
    verdict: 'short', shortage: { kind: 'selected', wanted: 5, available: 3 }, left: [{ cluster: 'tenants/acme', what: 'pool acme-large', count: 2 }], hit: ['tenants/acme'],
  });
  expect(machineHosts.scenarios[2]).toMatchObject({ lost: 'host tenants/r2-1', left: [{ what: 'pool acme-large', count: 3 }] });
});

test('a selector without hosts, hosts without a selector, and hosts that take no machine are named', async () => {
  workplace.write({
    'dist/acme.yaml': cluster('acme', 3) + pool('acme', 'large', 1, '{matchLabels: {rack: r9}}') + hosts('r1', 5) + hosts('r2', 1) + hosts('r3', 1, ', externallyProvisioned: true') + hosts('r9', 1, '', 'others'),
  });
  const { code, out } = await run();
  expect(code).toBe(ExitCode.FINDINGS);
  expect(out).toContain('no host that takes a machine is selected by pool acme-large of tenants/acme\n');
  expect(out).toContain('Without a host that it selects: pool acme-large of tenants/acme.\n');
  expect(out).toContain('Selected by no pool or control plane: others/r9-1, tenants/r2-1.\n');
  expect(out).toContain('Not counted: tenants/r3-1 is provisioned by something else.\n');
});

/** Hosts of a rack with a machine each, as the provider marks them: with the label of the cluster, unless it has none. */
function givenHosts(rack: string, count: number, machine: string, owner?: string): string {
  const consumer = `, consumerRef: {apiVersion: ${PROVIDER}/v1beta2, kind: Metal3Machine, name: ${machine}, namespace: tenants}`;
  return hosts(rack, count, consumer).replaceAll('labels: {', owner === undefined ? 'labels: {' : `labels: {cluster.x-k8s.io/cluster-name: ${owner}, `);
}

test('hosts with machines of these clusters are given anew, and those of others are taken', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 1) + givenHosts('r1', 2, 'acme-abcde', 'acme') + givenHosts('r2', 1, 'blue-abcde', 'blue') });
  const { machineHosts } = await json('--lose', 'none');
  expect([machineHosts.verdict, machineHosts.hosts.map(({ name }: { name: string }) => name)]).toEqual(['fits', ['tenants/r1-1', 'tenants/r1-2']]);
  expect(machineHosts.unusable).toEqual([{ name: 'tenants/r2-1', reason: 'has the machine blue-abcde of the cluster blue, which has no pool among these manifests' }]);
});

test('the machine of a cluster whose name begins with that of another one is not of the other one', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 1) + givenHosts('r1', 2, 'acme-2-abcde', 'acme-2') });
  const { code, out } = await run('--lose', 'none');
  expect(code).toBe(ExitCode.FINDINGS);
  expect(out).toContain('Not counted: tenants/r1-1 has the machine acme-2-abcde of the cluster acme-2, which has no pool among these manifests; ');
});

describe('of a host that does not state the cluster of its machine', () => {
  const machine = (metadata: string) => `---\napiVersion: ${PROVIDER}/v1beta2\nkind: Metal3Machine\nmetadata: {name: acme-abcde, namespace: tenants, ${metadata}}\nspec: {}\n`;
  const OWNED = machine('ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: acme-abcde, uid: a}]');
  const owner = (name: string) => `---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: Machine\nmetadata: {name: acme-abcde, namespace: tenants}\nspec: {clusterName: ${name}}\n`;

  test.each<[string, string, string]>([
    ['the label of the machine', machine('labels: {cluster.x-k8s.io/cluster-name: acme}'), 'fits'],
    ['the label of the machine of another cluster', machine('labels: {cluster.x-k8s.io/cluster-name: acme-2}'), 'short'],
    ['the Machine that owns it', OWNED + owner('acme'), 'fits'],
    ['the Machine of another cluster that owns it', OWNED + owner('acme-2'), 'short'],
    ['nothing: an owner that is not among the manifests', OWNED, 'open'],
    ['nothing', '', 'open'],
  ])('%s decides', async (_, machines, verdict) => {
    workplace.write({ 'dist/acme.yaml': cluster('acme', 1) + givenHosts('r1', 2, 'acme-abcde') + machines });
    expect((await json('--lose', 'none')).machineHosts.verdict).toBe(verdict);
  });

  test('the answer is that it is not known', async () => {
    workplace.write({ 'dist/acme.yaml': cluster('acme', 1) + givenHosts('r1', 1, 'acme-abcde') + `---${hosts('r1', 2).split('---').at(-1)}` });
    const { code, out } = await run('--lose', 'none');
    expect(code).toBe(ExitCode.FINDINGS);
    expect(out).toMatch(/^NOT DECIDED: 1 machine [^\n]*, on 1 host that each take one machine; not decided in the rollout of tenants\/acme: it does not fit, unless hosts that have a machine of an unknown cluster are of these clusters\n/);
    expect(out).toContain('Not counted: tenants/r1-1 has the machine acme-abcde, whose cluster neither a label nor an owner among the manifests names.\n');
  });

  test('they do not matter where everything fits without them, or does not fit with them', async () => {
    workplace.write({ 'dist/acme.yaml': cluster('acme', 1) + givenHosts('r2', 1, 'acme-abcde') + hosts('r1', 2) });
    expect((await json('--lose', 'none')).machineHosts.verdict).toBe('fits');
    workplace.write({ 'dist/acme.yaml': cluster('acme', 3) + givenHosts('r1', 1, 'acme-abcde') });
    expect((await json('--lose', 'none')).machineHosts.verdict).toBe('short');
  });
});

test('a host that is declared and printed from the cluster counts once, as it is in the cluster', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 1) + hosts('r1', 2), 'cluster.yaml': hosts('r1', 1).replace('spec:', 'status: {errorMessage: no power}\nspec:') });
  expect((await json('--lose', 'none', 'dist', 'cluster.yaml')).machineHosts).toMatchObject({ verdict: 'short', hosts: [{ name: 'tenants/r1-2' }], unusable: [{ name: 'tenants/r1-1' }] });
});

test('a failure domain may be lost, and is needed for the question', async () => {
  workplace.write({ 'dist/acme.yaml': pool('acme', 'general', 3, ANY) + hosts('r1', 3) + hosts('r2', 2) });
  expect((await json('--lose', 'zone', '--rollout', 'none')).machineHosts.scenarios[1]).toMatchObject({ cases: 2, lost: 'zone r1', left: [{ count: 1 }] });
  workplace.write({ 'dist/acme.yaml': pool('acme', 'general', 3, ANY) + hosts('r1', 3) });
  expect((await run('--lose', 'zone')).err).toContain('--lose zone needs hosts of machines in several zones');
});

test('all clusters at once need more hosts than any one', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 1) + cluster('blue', 1) + hosts('r1', 3) });
  expect((await json('--lose', 'none')).verdict).toBe('fits');
  expect((await json('--lose', 'none', '--rollout', 'all')).machineHosts.scenarios[1]).toMatchObject({ verdict: 'short', rollout: 'all clusters', left: [{ count: 1 }] });
});

test('pods beside machines need hosts of their own, and are named without them', async () => {
  const deployment = '---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: tenants}\nspec: {replicas: 2, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}}}\n';
  workplace.write({ 'dist/acme.yaml': cluster('acme', 1) + hosts('r1', 3) + deployment, 'hosts.yaml': 'hosts: [{name: general, cpu: 1, memory: 8Gi}]\n' });
  const alone = await run();
  expect([alone.code, alone.out]).toEqual([ExitCode.OK, expect.stringContaining('Note: not placed without --hosts: 2 pods in the management cluster.\n')]);
  const both = await run('--hosts', 'hosts.yaml');
  expect(both.code).toBe(ExitCode.FINDINGS);
  expect(both.out).toMatch(/^FITS: 1 machine of 1 cluster [^]*\nDOES NOT FIT: /);
  expect(both.out).not.toContain('run elsewhere');
});

test('without hosts among the manifests, machines run elsewhere, and --hosts is needed', async () => {
  workplace.write({ 'dist/acme.yaml': cluster('acme', 1) });
  expect(await run()).toMatchObject({ code: ExitCode.FAILED, err: expect.stringContaining('--hosts is missing') });
});

describe('prices of bare metal hosts', () => {
  const PRICES = 'currency: EUR\nper: month\nmachineHosts: [{labels: {rack: r1}, price: 100}, {price: 300}]\n';

  test('make a sum of all hosts, and bounds for each cluster', async () => {
    workplace.write({ 'dist/acme.yaml': cluster('acme', 3) + pool('acme', 'general', 4, ANY) + hosts('r1', 6) + hosts('r2', 3), 'prices.yaml': PRICES });
    const { code, out } = await run('--prices', 'prices.yaml');
    expect(code).toBe(ExitCode.OK);
    expect(out).toContain('All hosts that take a machine: 1500.00 EUR per month.\n');
    // 3 of the control plane on r1; a pool of 1 to 4: the cheapest host, or 3 expensive ones and a cheap one.
    expect(out).toMatch(/tenants\/acme +400.00 to 1300.00 EUR per month\n/);
  });

  test('are those of the first entry whose labels a host has, and others have none', async () => {
    workplace.write({
      'dist/acme.yaml': cluster('acme', 3) + pool('acme', 'general', 4, ANY) + hosts('r1', 6) + hosts('r2', 1), 'prices.yaml': PRICES.replace(', {price: 300}', ''),
    });
    const { machineHosts: { costs } } = await json('--prices', 'prices.yaml');
    expect(costs).toEqual({ currency: 'EUR', per: 'month', unpriced: ['tenants/r2-1'], clusters: [{ cluster: 'tenants/acme', minimum: 300, maximum: 300 }] });
  });

  test.each([
    ['machineHosts: {r1: 100}', 'is not a list'],
    ['machineHosts: [{labels: {rack: r1}}]', 'machineHosts[0].price is missing'],
    ['machineHosts: [{rack: r1, price: 1}]', 'there is no field "rack"'],
    ['machineHosts: [{labels: {rack: 1}, price: 1}]', 'machineHosts[0].labels[rack]: 1 is not a string'],
  ])('must be a list of entries with a price: %s', async (entries, message) => {
    workplace.write({ 'dist/acme.yaml': cluster('acme', 1) + hosts('r1', 1), 'prices.yaml': `currency: EUR\nper: month\n${entries}\n` });
    expect(await run('--prices', 'prices.yaml')).toMatchObject({ code: ExitCode.FAILED, err: expect.stringContaining(message) });
  });

  test('and a change: what it costs in hosts and in money', async () => {
    const before = cluster('acme', 3);
    workplace.write({ 'old/acme.yaml': before, 'dist/acme.yaml': before + pool('acme', 'large', 2, R2), 'hosts.yaml': hosts('r1', 4) + hosts('r2', 3), 'prices.yaml': PRICES });
    const { out } = await run('--against', 'old', '--prices', 'prices.yaml', 'dist', 'hosts.yaml');
    expect(out).toContain(`Machines that need a host each:
   at the smallest size: 3 before, 4 after, +1
   at the largest size: 3 before, 5 after, +2
   with a rollout: 4 before, 6 after, +2
   +300.00 at the smallest size, +600.00 at the largest, in EUR per month
`);
    const { machineHosts: { change }, ...others } = await json('--against', 'old', 'dist', 'hosts.yaml');
    expect(change).toEqual({ before: { minimum: 3, maximum: 3, rollout: 4 }, after: { minimum: 4, maximum: 5, rollout: 6 } });
    expect(others).not.toHaveProperty('change');
  });
});
