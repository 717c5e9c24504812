import { effectsIn, planned } from './tenant-pages';
import { Plan } from '../../../src/constructs/testing/plan';

type Fields = { [field: string]: unknown };

const CLUSTER: Fields = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'acme', namespace: 'tenants' }, spec: {} };

function object(apiVersion: string, kind: string, fields: Fields): Fields {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'tenants' }, ...fields };
}

const job = (image: string): Fields => ({ ...object('batch/v1', 'Job', { spec: { image } }), metadata: { generateName: 'web-', namespace: 'tenants' } });

test('objects without a name are the same where they did not change', () => {
  expect(new Set(Object.values(planned([job('a')], [job('a')]).shared))).toEqual(new Set());
  const changes = (before: Fields[], after: Fields[]) => planned(before, after).shared.flatMap(({ objects }) => objects.map(({ change }) => change));
  expect(changes([job('a'), job('b')], [job('b'), job('c')])).toEqual(['changed']);
  expect(changes([job('a'), job('b')], [job('b')])).toEqual(['removed']);
  expect(changes([job('b')], [job('a'), job('b')])).toEqual(['created']);
});

test('an object that goes, and another one of its kind that comes, are both named', () => {
  const named = (name: string) => ({ ...object('v1', 'ConfigMap', { data: {} }), metadata: { name, namespace: 'tenants' } });

  expect(Plan.between([named('one')], [named('two')]).toString()).toContain('ConfigMap  deleted: ConfigMap one\n             created: two\n');
});

test('lists of objects are read', () => {
  const map = (a: string) => object('v1', 'ConfigMap', { data: { a } });
  expect(Plan.between([[map('x')]], [[map('y')]]).isEmpty).toBe(false);
  expect(Plan.between([map('x')], [[map('x')]]).isEmpty).toBe(true);
});

test('values of Secrets are in no plan', () => {
  const secret = (password: string, token: string, config: string) => object('v1', 'Secret', { data: { password }, stringData: { token, config: JSON.stringify({ config, more: config }) } });
  const plan = Plan.between([secret('b2xk', 'old', 'old')], [secret('bmV3', 'new', 'new')]);
  expect(JSON.stringify(plan.toJson()) + plan.toString() + plan.toMarkdown()).not.toMatch(/b2xk|bmV3|"old|"new/);
  expect(plan.toJson().shared[0].objects[0].fields).toEqual([
    { field: 'data.password', before: '(hidden)', after: '(hidden)' },
    { field: 'stringData.token', before: '(hidden)', after: '(hidden)' },
    { field: 'stringData.config', before: '(hidden)', after: '(hidden)' },
  ]);
});

const release = object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { spec: { valuesFrom: [{ kind: 'ConfigMap', name: 'web' }] } });
const folder = object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { spec: { postBuild: { substituteFrom: [{ kind: 'Secret', name: 'web' }] } } });

test.each<[what: string, around: Fields[], before: Fields, after: Fields, effects: string[]]>([
  ['a ConfigMap', [], object('v1', 'ConfigMap', { data: { a: '1' } }), object('v1', 'ConfigMap', { data: { a: '2' } }), ['in place (data.a)']],
  ['values of a release', [release], object('v1', 'ConfigMap', { data: { a: '1' } }), object('v1', 'ConfigMap', { data: { a: '2' } }), [
    'release upgraded (values of HelmRelease web; data.a)',
  ]],
  ['variables of a folder', [folder], object('v1', 'Secret', { stringData: { a: '1' } }), object('v1', 'Secret', { stringData: { a: '2' } }), [
    'unknown (values of Kustomization web; stringData.a)',
  ]],
  ['a Service', [], object('v1', 'Service', { spec: { type: 'ClusterIP' } }), object('v1', 'Service', { spec: { type: 'LoadBalancer' } }), ['in place (spec.type)']],
  ['a CronJob', [], object('batch/v1', 'CronJob', { spec: { jobTemplate: { a: 1 }, schedule: 'a' } }), object('batch/v1', 'CronJob', { spec: { jobTemplate: { a: 2 }, schedule: 'b' } }), [
    'in place (spec.schedule a -> b)', 'new ones only (job.a 1 -> 2)',
  ]],
  ['a Pod', [], object('v1', 'Pod', { spec: { nodeName: 'a' } }), object('v1', 'Pod', { spec: { nodeName: 'b' } }), ['unknown (spec.nodeName a -> b)']],
  [
    'a DaemonSet that waits for its pods to be deleted', [], object('apps/v1', 'DaemonSet', { spec: { template: { a: 1 }, updateStrategy: { type: 'OnDelete' } } }),
    object('apps/v1', 'DaemonSet', { spec: { template: { a: 2 }, updateStrategy: { type: 'OnDelete' } } }), ['new ones only (spec.template.a 1 -> 2)'],
  ],
])('%s', (_, around, before, after, effects) => {
  expect(Object.values(effectsIn(planned([CLUSTER, ...around, before], [CLUSTER, ...around, after]).clusters[0]))).toEqual([effects]);
});

test('a rule for drains concerns those that begin later', () => {
  const rule = (behavior: string): Fields => object('cluster.x-k8s.io/v1beta2', 'MachineDrainRule', { spec: { drain: { behavior }, pods: [{ selector: {} }] } });
  const { parts } = planned([CLUSTER, rule('Drain')], [CLUSTER, rule('Skip')]).clusters[0];
  expect(parts.flatMap(({ effects }) => effects)).toEqual([{ effect: 'in place', reasons: ['spec.drain.behavior Drain -> Skip'] }]);
});
