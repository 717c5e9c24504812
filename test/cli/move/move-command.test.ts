import { ExitCode } from '../../../src/cli/command';
import { Workplace } from '../run';

let workplace: Workplace;
beforeEach(() => { workplace = new Workplace(); });
afterEach(() => workplace.remove());

const CLUSTER = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: acme, namespace: tenant-acme}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: RKE2ControlPlane, name: acme}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: RKE2ControlPlane
metadata: {name: acme, namespace: tenant-acme}
spec: {version: v1.35.4, replicas: 3}
`;
const OTHER = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: capi-system}\n';

async function run(...args: string[]) {
  workplace.write({ 'hall-a/acme.yaml': CLUSTER, 'hall-b/capi.yaml': OTHER });
  return workplace.run(['move', ...args]);
}

const SIDES = ['--from', 'hall-a', '--to', 'hall-b'];

test('lists the steps, and ends with 0 where the cluster can move', async () => {
  const { code, out, err } = await run(...SIDES, 'acme');
  expect([code, err]).toEqual([ExitCode.OK, '']);
  expect(out).toContain('tenant-acme/acme from hall-a to hall-b: 5 steps, each when the one before has taken effect\n');
  expect(out).toContain(
    '   $ clusterctl move --kubeconfig-context hall-a --to-kubeconfig "${KUBECONFIG:-$HOME/.kube/config}" --to-kubeconfig-context hall-b --namespace tenant-acme\n',
  );
});

test('ends with 1 where it cannot', async () => {
  workplace.write({ 'hall-c/acme.yaml': CLUSTER });
  const { code, out } = await run('--from', 'hall-a', '--to', 'hall-c', 'tenant-acme/acme');
  expect(code).toBe(ExitCode.FINDINGS);
  expect(out).toContain('It cannot move as it is:\n   hall-c has a cluster of this name: clusterctl would overwrite its objects: ');
});

test('folders of one name are called after the folders around them', async () => {
  workplace.write({ 'hall-a/dist/acme.yaml': CLUSTER, 'hall-b/dist/capi.yaml': OTHER });
  const { out } = await workplace.run(['move', '--from', 'hall-a/dist', '--to', 'hall-b/dist', 'acme']);
  expect(out).toContain('tenant-acme/acme from hall-a to hall-b: ');
});

/** Hosts of eight CPUs. */
function hosts(count: number): string {
  return `hosts:\n  - {name: general, count: ${count}, cpu: 8, memory: 32Gi}\n`;
}

/** Controllers of a namespace, whose pods ask for three CPUs each. */
function controllers(namespace: string, replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ${namespace}}
spec:
  replicas: ${replicas}
  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'registry.example.com/web:1.0.0', resources: {requests: {cpu: 3, memory: 1Gi}}}]}
`;
}

test('with the hosts of the other side, a cluster moves where its pods have room', async () => {
  workplace.write({ 'hosts.yaml': hosts(3), 'hall-a/web.yaml': controllers('tenant-acme', 2), 'hall-b/web.yaml': controllers('globex', 2) });
  const { code, out } = await run(...SIDES, '--hosts', 'hosts.yaml', 'acme');
  expect([code, out]).toEqual([ExitCode.OK, expect.stringContaining('$ clusterctl move --kubeconfig-context') as string]);
});

test('with the hosts of the other side, a cluster does not move where they are too few for it', async () => {
  workplace.write({ 'hosts.yaml': hosts(2), 'hall-a/web.yaml': controllers('tenant-acme', 2), 'hall-b/web.yaml': controllers('globex', 2) });
  const { code, out } = await run(...SIDES, '--hosts', 'hosts.yaml', 'acme');
  expect(code).toBe(ExitCode.FINDINGS);
  expect(out.replace(/\s+/g, ' ')).toMatch(/its pods do not fit on the 2 hosts of hall-b, with a rollout of one cluster and after the loss of a host: .*add hosts: 1 more of general/);
});

test('writes JSON', async () => {
  const { out } = await run(...SIDES, '--format', 'json', 'acme');
  expect(JSON.parse(out)).toMatchObject({ version: 1, cluster: { namespace: 'tenant-acme', name: 'acme' }, from: 'hall-a', to: 'hall-b', obstacles: [] });
});

test.each([
  [['--from', 'hall-a', 'acme'], 'error: move needs the manifests of two management clusters, and --to is missing\n'],
  [['--from', 'hall-a', '--to', './hall-a/', 'acme'], 'error: no part of the paths hall-a and ./hall-a/ tells the management clusters apart\n'],
  [SIDES, 'error: move needs the name of one cluster\n'],
  [[...SIDES, 'globex'], 'error: there is no cluster globex in the manifests of hall-a\nclusters there: tenant-acme/acme\n'],
  [[...SIDES, '--format', 'yaml', 'acme'], 'error: --format'],
])('refuses %j', async (args, message) => {
  const { code, err } = await run(...args);
  expect([code, err]).toEqual([ExitCode.FAILED, expect.stringContaining(message)]);
});

test('a folder without manifests, and one with several management clusters, are refused', async () => {
  workplace.write({
    'empty/readme.txt': 'nothing yet\n', 'both/hall-a/acme.yaml': CLUSTER, 'both/hall-b/acme.yaml': CLUSTER,
  });

  expect(await run('--from', 'hall-a', '--to', 'empty', 'acme')).toMatchObject({ code: ExitCode.FAILED, err: expect.stringContaining('empty has no manifests') });
  expect(await run('--from', 'both', '--to', 'hall-b', 'acme')).toMatchObject({
    code: ExitCode.FAILED, err: expect.stringContaining('both has the manifests of several management clusters: hall-a, hall-b'),
  });
});

test('a cluster without a namespace is refused: objects without one may be of the whole management cluster', async () => {
  workplace.write({ 'hall-d/acme.yaml': CLUSTER.replaceAll(', namespace: tenant-acme', '') });

  expect(await run('--from', 'hall-d', '--to', 'hall-b', 'acme')).toMatchObject({
    code: ExitCode.FAILED, err: expect.stringContaining('the Cluster acme has no namespace in the manifests of hall-d\nwrite metadata.namespace'),
  });
});
