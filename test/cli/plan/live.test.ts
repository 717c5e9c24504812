import { ExitCode } from '../../../src/cli/command';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { CLUSTER, controlPlane, newPool } from '../../manifests/plan/foreign-objects';
import { TenantPage, written } from '../../manifests/plan/tenant-pages';
import { Workplace } from '../run';

let workplace: Workplace;

beforeEach(() => {
  workplace = new Workplace();
});

afterEach(() => workplace.remove());

const yaml = (objects: readonly unknown[]): string => objects.map((object) => JSON.stringify(object)).join('\n---\n');

interface Change {
  readonly [kind: string]: (object: any) => void;
}

/** Output of `kubectl get --output json` for applied objects: with fields of servers and controllers. */
function live(page: TenantPage, change: Change = {}, kinds = ['Cluster', 'MachineDeployment', 'KamajiControlPlane', 'KubevirtMachineTemplate']): string {
  const items = written(page).filter(({ kind }) => kinds.includes(kind)).map((object) => {
    const found = JSON.parse(JSON.stringify(object));
    found.metadata = { ...found.metadata, uid: 'f00', resourceVersion: '42', generation: 3, creationTimestamp: '2026-01-01T00:00:00Z', finalizers: ['cluster.x-k8s.io'] };
    found.status = { observedGeneration: 3 };
    change[found.kind]?.(found);
    return found;
  });
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

async function plan(before: TenantPage, after: TenantPage, found: string) {
  workplace.write({ 'old/acme.yaml': yaml(written(before)), 'new/acme.yaml': yaml(written(after)), 'live.json': found });
  return workplace.run(['plan', '--live', 'live.json', 'old', 'new']);
}

const AUTOSCALED: TenantPage = { pool: { size: PoolSize.between(2, 10) } };

test('what is in the cluster as it was applied is no change, with all that servers and controllers add', async () => {
  expect(await plan({}, {}, live({}))).toEqual({ code: ExitCode.OK, out: 'Nothing changes.\n', err: '' });
});

test('the machines that an autoscaled pool has are counted', async () => {
  const found = live(AUTOSCALED, { MachineDeployment: ({ spec }) => { spec.replicas = 4; } });
  expect((await plan(AUTOSCALED, { ...AUTOSCALED, machine: { cpu: 8 } }, found)).out).toContain('4 machines are replaced, 1 at a time: cpu 4 -> 8');
});

test('an autoscaled pool is brought up to a higher minimum, and not down to a lower maximum', async () => {
  const found = live(AUTOSCALED, { MachineDeployment: ({ spec }) => { spec.replicas = 4; } });
  const machines = async (minimum: number, maximum: number) => (
    (await plan(AUTOSCALED, { machine: { cpu: 8 }, pool: { size: PoolSize.between(minimum, maximum) } }, found)).out);
  expect(await machines(6, 10)).toContain('4 machines are replaced');
  expect(await machines(2, 3)).toContain('4 machines are replaced');
});

test('what somebody has changed in the cluster is changed back', async () => {
  const { out, err } = await plan({}, {}, live({}, { MachineDeployment: ({ spec }) => { spec.replicas = 5; } }));
  expect(err).toMatch(/^note: MachineDeployment .*acme-general.* is not as the earlier state says\n$/);
  expect(out).toContain('2 machines are deleted: replicas 5 -> 3');
});

test('an object that is not there is created, if others of its kind are listed', async () => {
  const others = live({}).replaceAll('"acme-general"', '"acme-other"');
  const { out, err } = await plan({}, {}, others);
  expect(err).toMatch(/of the earlier state (is|are) not in the cluster/);
  expect(out).toContain('new, 3 machines');
});

test('kinds that were not asked for are as the earlier state says', async () => {
  expect(await plan({}, {}, live({}, {}, ['Cluster']))).toEqual({ code: ExitCode.OK, out: 'Nothing changes.\n', err: '' });
});

test('the cluster may come from a pipe, beside two states in folders', async () => {
  workplace.write({ 'old/acme.yaml': yaml(written({})), 'new/acme.yaml': yaml(written({})) });
  expect((await workplace.run(['plan', '--live', '-', 'old', 'new'], live({}))).out).toBe('Nothing changes.\n');
  const twice = await workplace.run(['plan', '--live', '-', 'old', '-'], live({}));
  expect([twice.code, twice.err]).toEqual([ExitCode.FAILED, 'error: --live and a state are both standard input\nname a file\n']);
});

const META = { uid: 'f00', creationTimestamp: '2026-01-01T00:00:00Z' };

/** Runs a plan of two states, and of what is in the cluster. */
async function planOf(before: readonly object[], after: readonly object[], found: readonly object[], ...args: string[]) {
  workplace.write({ 'old/acme.yaml': yaml(before), 'new/acme.yaml': yaml(after), 'live.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: found }) });
  return (await workplace.run(['plan', '--live', 'live.json', ...args, 'old', 'new'])).out;
}

describe('ages of machines', () => {
  const cluster = { ...CLUSTER, metadata: { ...CLUSTER.metadata as object, ...META } };
  const machine = (name: string, created: string, labels: object, ends?: string) => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'acme', ...labels }, ...META, creationTimestamp: created },
    ...(ends !== undefined && { status: { certificatesExpiryDate: ends } }),
  });
  const soon = new Date(Date.now() + 40 * 24 * 60 * 60 * 1000).toISOString();
  const late = new Date(Date.now() + 300 * 24 * 60 * 60 * 1000).toISOString();
  const plane = [soon, late, late].map((ends, index) => machine(`plane-${index}`, `202${4 + index}-01-01T00:00:00Z`, { 'cluster.x-k8s.io/control-plane': '' }, ends));
  const pool = ['a', 'b'].map((name) => machine(name, '2026-01-01T00:00:00Z', { 'cluster.x-k8s.io/deployment-name': 'acme-md-0', 'cluster.x-k8s.io/set-name': 'set' }));
  const set = (creationTimestamp: string) => ({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', metadata: { name: 'set', namespace: 'default', ...META, creationTimestamp } });

  test.each<[what: string, rollout: object, text: string]>([
    ['certificates that end soon', { before: { certificatesExpiryDays: 90 } }, '1 machine is replaced, 1 at a time: days before certificates end 90 added'],
    ['certificates of which none ends soon', { before: { certificatesExpiryDays: 30 } }, 'changed in place: days before certificates end 30 added'],
    ['a date after two were created', { after: '2025-06-01T00:00:00Z' }, '2 machines are replaced, 1 at a time: rollout after'],
    ['a date before all were created', { after: '2020-01-01T00:00:00Z' }, 'changed in place: rollout after'],
  ])('of a control plane: %s', async (_, rollout, text) => {
    expect(await planOf([CLUSTER, controlPlane()], [CLUSTER, controlPlane({ rollout })], [cluster, ...plane])).toContain(`  control plane  ${text}`);
  });

  test.each<[what: string, found: readonly object[], after: string, text: string]>([
    ['an older MachineSet', [set('2025-01-01T00:00:00Z')], '2025-06-01T00:00:00Z', '2 machines are replaced'],
    ['a younger MachineSet', [set('2025-12-01T00:00:00Z')], '2025-06-01T00:00:00Z', 'changed in place'],
    ['older machines', [], '2026-06-01T00:00:00Z', '2 machines are replaced'],
    ['machines whose MachineSet may be older', [], '2025-06-01T00:00:00Z', '0 to 2 machines are replaced'],
  ])('of a pool with %s', async (_, found, after, text) => {
    expect(await planOf([CLUSTER, newPool()], [CLUSTER, newPool({}, { rollout: { after } })], [cluster, ...pool, ...found])).toContain(`  pool acme-md-0  ${text}`);
  });
});

describe('an object that the files no longer have', () => {
  const delivery = (apiVersion: string, kind: string, spec: object) => ({ apiVersion, kind, metadata: { name: 'tenants', namespace: kind === 'Application' ? 'argocd' : 'flux-system', ...META }, spec });
  const flux = (spec: object) => delivery('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { path: './a', sourceRef: { kind: 'GitRepository', name: 'a' }, ...spec });
  const argo = (automated: object) => delivery('argoproj.io/v1alpha1', 'Application', { syncPolicy: { automated } });
  const ofFlux = { labels: { 'kustomize.toolkit.fluxcd.io/name': 'tenants', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' } };
  const ofArgo = { annotations: { 'argocd.argoproj.io/tracking-id': 'tenants:cluster.x-k8s.io/Cluster:default/acme' } };
  const STAYS = 'SAFE: 1 of 1 cluster differs';
  const GOES = 'DESTROYS: 1 of 1 cluster differs';

  test.each<[what: string, marks: object, others: readonly object[], text: string, why: string]>([
    ['by a Kustomization that does not prune', ofFlux, [flux({})], STAYS, 'Kustomization tenants, which applied it, does not prune'],
    ['by a Kustomization that prunes', ofFlux, [flux({ prune: true })], GOES, 'Kustomization tenants, which applied it, deletes it'],
    ['by a Kustomization that is not in the file', ofFlux, [], GOES, ''],
    ['by an Application that does not prune', ofArgo, [argo({})], STAYS, 'Application tenants, which applied it, does not prune'],
    ['by an Application that prunes', ofArgo, [argo({ prune: true })], GOES, 'Application tenants, which applied it, deletes it'],
    ['by kubectl', { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } }, [], GOES, 'kubectl has applied it: it stays unless --prune is given'],
    ['by a set of kubectl', { labels: { 'applyset.kubernetes.io/part-of': 'a' } }, [], GOES, ''],
    ['by nothing that deletes it', {}, [], STAYS, 'nothing that deletes it has marked it in the cluster'],
  ])('and that was applied %s', async (_, marks, others, text, why) => {
    const out = await planOf([CLUSTER], [], [{ ...CLUSTER, metadata: { ...CLUSTER.metadata as object, ...META, ...marks } }, ...others]);
    expect(out).toContain(text);
    expect(out).toContain(why);
  });
});

test.each([['nothing', ''], ['an empty list', '{"apiVersion": "v1", "kind": "List", "items": []}'], ['words', 'error: the server was unable to return a response']])(
  'a dump with %s is no empty cluster, but refused', async (_, dump) => {
    const { code, out, err } = await plan({}, {}, dump);

    expect([code, out]).toEqual([ExitCode.FAILED, '']);
    expect(err).toContain('--live: live.json has no objects');
  });

test('what is no object in a dump is named', async () => {
  const { out, err } = await plan({}, {}, `${live({})}\n---\n- a list\n`);

  expect(out).toBe('Nothing changes.\n');
  expect(err).toContain('note: not read: live.json');
});
