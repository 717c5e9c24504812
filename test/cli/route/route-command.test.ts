import { ExitCode } from '../../../src/cli/command';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

function cluster(name: string, version: string, ring = 'main'): string {
  return `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: ${name}, namespace: tenants, labels: {ring: ${ring}}}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: RKE2ControlPlane, name: ${name}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: RKE2ControlPlane
metadata: {name: ${name}, namespace: tenants}
spec: {version: ${version}, replicas: 3}
`;
}

const TWO = `${cluster('acme', 'v1.35.4')}---\n${cluster('blue', 'v1.35.4', 'canary')}`;

async function run(input: string, ...args: string[]) {
  return workplace.run(['route', ...args, '-'], input);
}

test('lists the commits, and ends with 0 where all clusters arrive', async () => {
  const { code, out, err } = await run(TWO, '--to', '1.36');
  expect([code, err]).toEqual([ExitCode.OK, '']);
  expect(out).toContain('Kubernetes 1.36: 1 commit for 2 clusters; ');
  expect(out).toContain('1. raise 2 clusters from 1.35.4 to 1.36.3: tenants/acme, tenants/blue\n');
});

test('ends with 1 where a cluster does not arrive', async () => {
  const { code, out } = await run(`${TWO}---\n${cluster('old', 'v1.29.1')}`, '--to', '1.36');
  expect(code).toBe(ExitCode.FINDINGS);
  expect(out).toContain('Not at Kubernetes 1.36 afterwards:\n   tenants/old at 1.29.1: no release of Kubernetes 1.30 is known: name it with --via\n');
});

test('says so where there is nothing to do', async () => {
  const { code, out } = await run(TWO, '--to', '1.35');
  expect([code, out.split('\n')[0]]).toEqual([ExitCode.OK, 'Kubernetes 1.35: no commit; 2 clusters there already']);
});

test.each([
  [['--cluster', 'acme'], 'tenants/acme'],
  [['--cluster', 'tenants/blue'], 'tenants/blue'],
  [['--selector', 'ring=canary'], 'tenants/blue'],
])('%j chooses', async (options, name) => {
  const { out } = await run(TWO, '--to', '1.36', ...options);
  expect(out).toContain(`1. raise 1 cluster from 1.35.4 to 1.36.3: ${name}\n`);
});

test('rings take a step in commits of their own', async () => {
  const { out } = await run(TWO, '--to', '1.36', '--ring-label', 'ring', '--rings', 'canary, main, canary');
  expect(out.match(/^\d\. .*$/gm)).toEqual([
    '1. raise 1 cluster from 1.35.4 to 1.36.3, ring canary: tenants/blue', '2. raise 1 cluster from 1.35.4 to 1.36.3, ring main: tenants/acme',
  ]);
});

test('JSON has the steps', async () => {
  const { out } = await run(TWO, '--to', '1.36', '--format', 'json');
  expect(JSON.parse(out)).toMatchObject({
    version: 1,
    target: '1.36',
    steps: [{ step: 'kubernetes', version: '1.36.3', from: ['1.35.4'], clusters: [{ namespace: 'tenants', name: 'acme' }, { name: 'blue' }] }],
    arrived: [],
    left: [],
  });
});

describe('of a release of Cluster API', () => {
  const core = (version: string) => `---\napiVersion: operator.cluster.x-k8s.io/v1alpha2\nkind: CoreProvider\nmetadata: {name: cluster-api, namespace: capi-system}\nspec: {version: ${version}}\n`;

  test.each([
    ['v1.12.9', 'raise Cluster API from v1.12.9 to v1.13.0'],
    ['v1.10.4', 'raise Cluster API from v1.10.4 to v1.13.0'],
  ])('%s, another one comes first where it works with older Kubernetes alone, also where it is older than all that are known', async (version, step) => {
    const { out } = await run(TWO + core(version), '--to', '1.36');
    expect(out.match(/^\d\. .*$/gm)).toEqual([expect.stringContaining(`1. ${step}`), expect.stringContaining('2. raise 2 clusters from 1.35.4 to 1.36.3')]);
    expect(out).not.toContain('To look up');
  });

  test('that is newer than those that are known, nothing is said', async () => {
    const { out } = await run(TWO + core('v1.99.0'), '--to', '1.36');
    expect(out.match(/^\d\. .*$/gm)).toHaveLength(1);
    expect(out).not.toContain('To look up');
  });
});

test.each([
  [[], 'route needs the version to reach'],
  [['--to', 'latest'], '--to "latest" is no version of Kubernetes'],
  [['--to', '1.36', '--via', '1'], '--via "1" is no version of Kubernetes'],
  [['--to', '1.36', '--via', '1.35'], '--via "1.35" is no version of Kubernetes'],
  [['--to', '1.36', '--rings', 'a'], '--ring-label and --rings go together'],
  [['--to', '1.36', '--selector', 'ring'], '--selector "ring" is no label with a value'],
  [['--to', '1.36', '--cluster', 'acme', '--cluster', 'typo'], 'there is no cluster typo in these manifests'],
  [['--to', '1.36', '--cluster', 'nowhere'], 'none of the clusters in these manifests is chosen'],
])('%j is refused', async (options, message) => {
  const { code, out, err } = await run(TWO, ...options);
  expect([code, out]).toEqual([ExitCode.FAILED, '']);
  expect(err).toContain(message);
});

test('clusters of several management clusters go by themselves', async () => {
  workplace.write({ 'prod/acme.yaml': cluster('acme', 'v1.35.4'), 'staging/acme.yaml': cluster('acme', 'v1.34.4') });
  const { out } = await workplace.run(['route', '--to', '1.36', '.']);
  expect(out.match(/^\d\. .*$/gm)).toEqual([
    '1. raise 1 cluster from 1.35.4 to 1.36.3: prod: tenants/acme',
    '2. raise 1 cluster from 1.34.4 to 1.35.4: staging: tenants/acme',
    '3. raise 1 cluster from 1.35.4 to 1.36.3: staging: tenants/acme',
  ]);
});
