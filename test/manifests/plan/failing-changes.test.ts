import { planned } from './tenant-pages';
import { planVerdict, Verdict } from '../../../src/manifests/plan/verdict';
import { Effect } from '../../../src/manifests/rules/changes/effects';

const cluster = (pods: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'acme', namespace: 'tenant-acme' }, spec: { clusterNetwork: { pods: { cidrBlocks: [pods] } } },
});

test('a change that the server accepts, and that breaks the cluster later, is not safe', () => {
  const changes = planned([cluster('10.0.0.0/16')], [cluster('10.1.0.0/16')]);
  const [{ effects }] = changes.clusters[0].parts;
  expect(effects.find(({ effect }) => effect === Effect.FAILING)?.reasons).toEqual([expect.stringMatching(/\(TC-CHANGE-CLUSTER-NETWORK\)$/)]);
  expect(planVerdict(changes)).toMatchObject({ verdict: Verdict.DISRUPTS, isCertain: true });
});

test('a change of a description is', () => {
  const [before, after] = [cluster('10.0.0.0/16'), { ...cluster('10.0.0.0/16'), metadata: { name: 'acme', namespace: 'tenant-acme', annotations: { note: 'a' } } }];
  expect(planVerdict(planned([before], [after])).verdict).toBe(Verdict.SAFE);
});
