import { effectsIn, planned } from './tenant-pages';
import { Plan } from '../../../src/constructs/testing/plan';
import { placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { readLandscape } from '../../../src/manifests/landscape/read-landscape';

type Fields = { [field: string]: unknown };

const cluster = (name: string, labels: Fields = {}): Fields => ({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name, namespace: 'tenants', labels }, spec: {} });
const CLUSTERS = [cluster('acme', { net: 'on' }), cluster('beta', { net: 'on' }), cluster('gamma')];

function pool(name: string, template: string): Fields {
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'KubevirtMachineTemplate', name: template };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: `${name}-md-0`, namespace: 'tenants' },
    spec: { clusterName: name, replicas: 2, template: { spec: { clusterName: name, version: 'v1.35.4', bootstrap: {}, infrastructureRef } } },
  };
}

const template = (cores: number): Fields => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
  kind: 'KubevirtMachineTemplate',
  metadata: { name: 'shared', namespace: 'tenants' },
  spec: { template: { spec: { virtualMachineTemplate: { spec: { template: { spec: { domain: { cpu: { cores } } } } } } } } },
});

test('a template of several clusters is listed once, with all of them', () => {
  const state = (cores: number) => [...CLUSTERS, pool('acme', 'shared'), pool('beta', 'shared'), template(cores)];
  const { clusters, shared } = planned(state(2), state(4));
  expect(clusters).toEqual([]);
  expect(shared).toMatchObject([{ part: 'other objects', name: 'KubevirtMachineTemplate', clusters: ['tenants/acme', 'tenants/beta'], notes: ['for tenants/acme, tenants/beta'] }]);
  expect(shared[0].effects.map(({ effect }) => effect)).toEqual(['refused']);
});

function set(name: string, selector: Fields, spec: Fields = {}): Fields {
  return {
    apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
    kind: 'ClusterResourceSet',
    metadata: { name, namespace: 'tenants' },
    spec: { clusterSelector: { matchLabels: selector }, strategy: 'Reconcile', resources: [{ kind: 'ConfigMap', name: 'web' }], ...spec },
  };
}

function pack(...images: string[]): Fields {
  const workloads = images.map((image, index) => ({
    apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: `web-${index}`, namespace: 'web' }, spec: { template: { spec: { containers: [{ name: 'web', image }] } } },
  }));
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'tenants' }, data: { web: workloads.map((object) => JSON.stringify(object)).join('\n---\n') } };
}

test('what several sets deliver is for the clusters of all of them', () => {
  const sets = [set('a', { net: 'on' }), set('b', { 'cluster.x-k8s.io/cluster-name': 'gamma' })];
  const clusters = [...CLUSTERS.slice(0, 2), cluster('gamma', { 'cluster.x-k8s.io/cluster-name': 'gamma' })];
  const { shared } = planned([...clusters, ...sets, pack('web:1')], [...clusters, ...sets, pack('web:2')]);
  const workloads = shared.find(({ part }) => part === 'workloads')!;
  expect(workloads.clusters).toEqual(['tenants/acme', 'tenants/beta', 'tenants/gamma']);
  expect(workloads.effects.map(({ effect }) => effect)).toEqual(['pods replaced']);
});

const ONE = [cluster('acme', { net: 'on' })];

test.each<[what: string, before: Fields[], after: Fields[], effects: string[]]>([
  ['a change with Reconcile', [set('a', { net: 'on' }), pack('web:1')], [set('a', { net: 'on' }), pack('web:2')], ['pods replaced (container.web.image web:1 -> web:2)']],
  ['a change with ApplyOnce', [set('a', { net: 'on' }, { strategy: 'ApplyOnce' }), pack('web:1')], [set('a', { net: 'on' }, { strategy: 'ApplyOnce' }), pack('web:2')], [
    'new ones only (ClusterResourceSet a applies it once)',
  ]],
  ['an object more with ApplyOnce', [set('a', { net: 'on' }, { strategy: 'ApplyOnce' }), pack('web:1')], [set('a', { net: 'on' }, { strategy: 'ApplyOnce' }), pack('web:1', 'api:1')], [
    'new ones only (ClusterResourceSet a applies it once)',
  ]],
])('a ClusterResourceSet: %s', (_, before, after, effects) => {
  expect(effectsIn(planned([...ONE, ...before], [...ONE, ...after]).clusters[0]).workloads).toEqual(effects);
});

test('what a ClusterResourceSet no longer delivers stays in the tenant', () => {
  const staying = (after: Fields[]) => planned([...ONE, set('a', { net: 'on' }), pack('web:1', 'api:1')], [...ONE, ...after]).clusters[0].parts
    .find(({ part }) => part === 'workloads')!;
  expect(staying([set('a', { net: 'on' }), pack('web:1')]).notes).toEqual(['stays in the cluster: Deployment web-1']);
  expect(staying([set('a', { net: 'on' }, { resources: [] }), pack('web:1', 'api:1')]).objects.map(({ name, stays }) => [name, stays])).toEqual([['web-0', true], ['web-1', true]]);
  expect(staying([]).objects.every(({ stays }) => stays)).toBe(true);
});

const withoutNamespace = (object: Fields): Fields => ({ ...object, metadata: { ...(object.metadata as Fields), namespace: undefined } });

test('manifests without a namespace belong together', () => {
  const before = [CLUSTERS[0], pool('acme', 'shared'), template(2)].map(withoutNamespace);
  const after = [...before.slice(0, 1), withoutNamespace(pool('acme', 'other')), ...before.slice(2)];
  const { clusters, shared } = planned(before, after);
  expect(shared).toEqual([]);
  expect(clusters.map(({ namespace, name }) => [namespace, name])).toEqual([[undefined, 'acme']]);
  expect(effectsIn(clusters[0])['pool acme-md-0']).toEqual([expect.stringMatching(/^machines replaced 2 by 1/)]);
});

test('an object of the whole management cluster makes no cluster', () => {
  const role: Fields = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'acme', labels: { 'cluster.x-k8s.io/cluster-name': 'acme' } } };
  const { objects } = placedObjects([{ file: 'all.yaml', bytes: Buffer.from([CLUSTERS[0], role].map((object) => JSON.stringify(object)).join('\n---\n')) }]);
  expect(readLandscape({ objects }).clusters.map(({ id }) => id)).toEqual(['tenants/acme']);
});

test('the API names clusters of shared objects, and objects of no cluster', () => {
  const widget = (size: number): Fields => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'web' }, spec: { size } });
  expect(Plan.between([widget(1)], [widget(2)]).clustersWithUnknownEffects).toEqual(['Widget']);
  const sets = (image: string) => [...CLUSTERS, set('a', { net: 'on' }), pack(image), widget(1)];
  expect(Plan.between(sets('web:1'), sets('web:2')).clustersWithUnknownEffects).toEqual([]);
});
