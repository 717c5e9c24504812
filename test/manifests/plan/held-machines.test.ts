import { CLUSTER, controlPlane, Fields, newPool } from './foreign-objects';
import { planned } from './tenant-pages';
import { planText } from '../../../src/manifests/plan/plan-text';
import { planTotals } from '../../../src/manifests/plan/plan-totals';
import { planVerdict, Verdict } from '../../../src/manifests/plan/verdict';

const NEWER = { version: 'v1.35.0' };
const KUBEADM = { bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name: 'acme-md-0' } } };
const NO_SURGE = { rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } };

function skipping(pool: Fields, checks: string): Fields {
  return { ...pool, metadata: { ...pool.metadata as Fields, annotations: { 'machineset.cluster.x-k8s.io/skip-preflight-checks': checks } } };
}

/** The lines about the pool. */
function lines(before: readonly Fields[], after: readonly Fields[]): string {
  const text = planText(planned([CLUSTER, ...before], [CLUSTER, ...after]), { colors: false, objects: false });
  return text.split('\n').filter((line) => line.startsWith('  pool ') || /^ {10}/.test(line)).map((line) => line.trim()).join('; ');
}

test.each<[what: string, before: readonly Fields[], after: readonly Fields[], text: string]>([
  ['a pool before its control plane', [controlPlane(), newPool()], [controlPlane(), newPool(NEWER)], 'once the control plane has Kubernetes 1.35: 2 machines are replaced, 1 at a time: version v1.34.1 -> v1.35.0'],
  ['a pool that kubeadm joins, behind its control plane', [controlPlane(NEWER), newPool({ ...NEWER, ...KUBEADM })], [controlPlane(NEWER), newPool(KUBEADM)], 'once the pool has Kubernetes 1.35: 2 machines are replaced'],
  ['more machines of a pool behind its control plane', [controlPlane(NEWER), newPool(KUBEADM)], [controlPlane(NEWER), newPool(KUBEADM, { replicas: 4 })], 'once the pool has Kubernetes 1.35: scaled: replicas 2 -> 4'],
  ['fewer machines of a pool behind its control plane', [controlPlane(NEWER), newPool(KUBEADM)], [controlPlane(NEWER), newPool(KUBEADM, { replicas: 1 })], 'acme-md-0  1 machine is deleted'],
  ['a new pool before its control plane', [controlPlane()], [controlPlane(), newPool(NEWER)], 'once the control plane has Kubernetes 1.35: new, 2 machines'],
  ['a pool that may lack a machine', [controlPlane(), newPool({}, NO_SURGE)], [controlPlane(), newPool(NEWER, NO_SURGE)], '1 machine is deleted: the rollout begins with them, and no others come'],
  ['a pool that skips the check', [controlPlane(), newPool()], [controlPlane(), skipping(newPool(NEWER), 'KubernetesVersionSkew, KubeadmVersionSkew')], 'acme-md-0  2 machines are replaced, 1 at a time'],
  ['a pool with its control plane', [controlPlane(), newPool()], [controlPlane(NEWER), newPool(NEWER)], 'acme-md-0  2 machines are replaced, 1 at a time'],
])('%s', (_, before, after, text) => {
  expect(lines(before, after)).toContain(text);
});

test('machines that wait are not counted, and disrupt', () => {
  const plan = planned([CLUSTER, controlPlane(), newPool()], [CLUSTER, controlPlane(), newPool(NEWER)]);

  expect(planTotals(plan)).toMatchObject({ machinesReplaced: { minimum: 0, maximum: 0 }, machinesAtATime: 0, waitingParts: 1 });
  expect(planVerdict(plan).verdict).toBe(Verdict.DISRUPTS);
});

describe('a changed selector', () => {
  const selecting = (selector: Fields, labels: Fields, spec: Fields = {}): Fields => {
    const pool = newPool({}, spec);
    const template = { ...(pool.spec as Fields).template as Fields, metadata: { labels } };
    return { ...pool, spec: { ...pool.spec as Fields, selector: { matchLabels: selector }, template } };
  };
  const former = selecting({ pool: 'a' }, { pool: 'a', tier: 'web' });

  test.each<[what: string, after: Fields, text: string]>([
    ['that finds none of the machines', selecting({ pool: 'b' }, { pool: 'b', tier: 'web' }), 'scaled: as many others come beside the machines that its selector does not find'],
    ['by a label that is new', selecting({ zone: 'a' }, { pool: 'a', tier: 'web', zone: 'a' }), 'scaled: as many others come'],
    ['by a label that the machines have', selecting({ tier: 'web' }, { pool: 'a', tier: 'web' }), 'acme-md-0  changed in place: spec.selector'],
    ['that no machine ever meets', selecting({ 'cluster.x-k8s.io/deployment-name': 'b' }, { 'cluster.x-k8s.io/deployment-name': 'b' }), 'machines without end'],
  ])('%s', (_, after, text) => {
    expect(lines([controlPlane(), former], [controlPlane(), after])).toContain(text);
  });
});
