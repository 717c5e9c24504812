import { CLUSTER, controlPlane, Fields, newPool, oldPool } from './foreign-objects';
import { effectsIn, planned } from './tenant-pages';
import { planTotals } from '../../../src/manifests/plan/plan-totals';

const PAST = '2020-01-01T00:00:00Z';
const FUTURE = '2999-01-01T00:00:00Z';
const BOUNDS = (least: number, most: number): Fields => ({
  annotations: {
    'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': String(least), 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': String(most),
  },
});
const autoscaled = (least: number, most: number): Fields => {
  const pool = newPool({}, { replicas: undefined });
  return { ...pool, metadata: { ...pool.metadata as Fields, ...BOUNDS(least, most) } };
};
const expiry = (certificatesExpiryDays: number) => controlPlane({ rollout: { before: { certificatesExpiryDays } } });

test.each<[what: string, before: Fields, after: Fields, effects: string[]]>([
  ['a date to come', newPool(), newPool({}, { rollout: { after: FUTURE } }), [`in place (rollout after ${FUTURE} added: on that date machines are replaced that were created before it)`]],
  ['a date to come in v1beta1', oldPool(), oldPool({ rolloutAfter: FUTURE }), [`in place (rollout after ${FUTURE} added: on that date machines are replaced that were created before it)`]],
  ['a date in the past', newPool(), newPool({}, { rollout: { after: PAST } }), [`machines replaced 0-2 by 1 (rollout after ${PAST} added: those that were created before it)`]],
  ['a date in the past, and another version', newPool(), newPool({ version: 'v1.35.4' }, { rollout: { after: PAST } }), [
    `machines replaced 2 by 1 (version v1.34.1 -> v1.35.4; rollout after ${PAST} added: those that were created before it)`,
  ]],
  ['no size any more', newPool({}, { replicas: 3 }), newPool({}, { replicas: undefined }), ['deleted 2 (replicas 3 removed)']],
  ['a size that is null', newPool({}, { replicas: 3 }), newPool({}, { replicas: null }), ['deleted 2 (replicas 3 removed)']],
  ['bounds around the size', newPool({}, { replicas: 3 }), autoscaled(2, 10), ['scaled (bounds 2-10 added; replicas 3 removed)']],
  ['bounds below the size', newPool({}, { replicas: 12 }), autoscaled(2, 10), ['deleted 2 (bounds 2-10 added; replicas 12 removed)']],
  ['a lower maximum', autoscaled(2, 10), autoscaled(2, 5), ['scaled (bounds 2-10 -> 2-5; machines above 5 stay)']],
])('a pool: %s', (_, before, after, effects) => {
  expect(effectsIn(planned([CLUSTER, before], [CLUSTER, after]).clusters[0])).toEqual({ 'pool acme-md-0': effects });
});

test('a new pool of no size has one machine', () => {
  expect(effectsIn(planned([CLUSTER], [CLUSTER, newPool({}, { replicas: undefined })]).clusters[0])['pool acme-md-0']).toEqual(['scaled 1 (the pool is new)']);
});

test.each<[what: string, before: Fields, after: Fields, effects: string[]]>([
  ['a date to come', controlPlane(), controlPlane({ rollout: { after: FUTURE } }), [`in place (rollout after ${FUTURE} added: on that date machines are replaced that were created before it)`]],
  ['certificates that end', controlPlane(), expiry(120), ['machines replaced 0-3 by 1 (days before certificates end 120 added: those whose certificates end within 120 days)']],
  ['more days', expiry(30), expiry(120), ['machines replaced 0-3 by 1 (days before certificates end 30 -> 120: those whose certificates end within 120 days)']],
  ['fewer days', expiry(120), expiry(30), ['in place (days before certificates end 120 -> 30)']],
  ['no days', expiry(120), controlPlane(), ['in place (days before certificates end 120 removed)']],
])('a control plane of kubeadm: %s', (_, before, after, effects) => {
  expect(effectsIn(planned([CLUSTER, before], [CLUSTER, after]).clusters[0])).toEqual({ 'control plane': effects });
});

test.each<[what: string, pool: Fields, atATime: number]>([
  ['waits for its control plane', newPool({ version: 'v1.35.4' }), 1],
  ['does not wait', { ...newPool({ version: 'v1.35.4' }), metadata: { name: 'acme-md-0', namespace: 'default', annotations: { 'machineset.cluster.x-k8s.io/skip-preflight-checks': 'All' } } }, 2],
])('machines at a time: a pool that %s', (_, pool, atATime) => {
  const plan = planned([CLUSTER, controlPlane(), newPool()], [CLUSTER, controlPlane({ version: 'v1.35.4' }), pool]);

  expect(planTotals(plan)).toMatchObject({ machinesReplaced: { minimum: 5, maximum: 5 }, machinesAtATime: atATime });
});

test('networks of a cluster of kubeadm are read when a machine is made', () => {
  const cluster = (cidr: string): Fields => ({ ...CLUSTER, spec: { ...CLUSTER.spec as Fields, clusterNetwork: { pods: { cidrBlocks: [cidr] } } } });

  expect(effectsIn(planned([cluster('10.0.0.0/16'), controlPlane()], [cluster('10.1.0.0/16'), controlPlane()]).clusters[0])).toEqual({
    cluster: [
      expect.stringMatching(/^fails later .*TC-CHANGE-CLUSTER-NETWORK/), 'new ones only (cluster network pods.cidrBlocks[0] 10.0.0.0/16 -> 10.1.0.0/16)',
    ],
  });
});
