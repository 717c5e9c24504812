import { CLUSTER, controlPlane, Fields, newPool } from './foreign-objects';
import { effectsIn, planned } from './tenant-pages';
import { keepOnPrune } from '../../../src/manifests/objects/prune-annotations';
import { planTotals, totalsWords } from '../../../src/manifests/plan/plan-totals';

const [POOL, CONTROL_PLANE] = [newPool(), controlPlane()];
const WIDGET: Fields = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } };

function kept(object: Fields): Fields {
  return { ...object, metadata: { ...object.metadata as Fields, annotations: keepOnPrune() } };
}

test('what is removed is deleted, unless it is marked to stay', () => {
  expect(effectsIn(planned([CLUSTER, WIDGET], [CLUSTER]).clusters[0])).toEqual({ 'other objects Widget': ['deleted (Widget w)'] });
  expect(effectsIn(planned([CLUSTER, kept(WIDGET)], [CLUSTER]).clusters[0])).toEqual({ 'other objects Widget': [] });
});

test('of a template that is removed nothing is running, unless something refers to it', () => {
  const template = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'DockerMachineTemplate', metadata: { name: 'acme-md-0', namespace: 'default' } };
  const other = { ...template, metadata: { name: 'other', namespace: 'default' } };
  expect(effectsIn(planned([CLUSTER, POOL, template, other], [CLUSTER, POOL]).clusters[0])).toEqual({
    'pool acme-md-0': [
      'deleted (DockerMachineTemplate acme-md-0)',
      'fails later (DockerMachineTemplate acme-md-0 is gone, and MachineDeployment acme-md-0 names it in spec.template.spec.infrastructureRef)',
    ],
    'other objects DockerMachineTemplate': [],
  });
});

test.each<[what: string, left: Fields[]]>([
  ['alone', [CONTROL_PLANE, POOL]], ['with its pools', [CONTROL_PLANE]], ['with everything but an object beside it', [WIDGET]], ['with everything', []],
])('a Cluster that is removed takes its machines along: %s', (_, left) => {
  const plan = planned([CLUSTER, kept(CONTROL_PLANE), kept(POOL), WIDGET], left.map((object) => (object === WIDGET ? WIDGET : kept(object))));
  expect(plan.clusters[0].change).toBe('removed');
  expect(effectsIn(plan.clusters[0])).toMatchObject({ cluster: ['deleted 5 (Cluster acme)'] });
  expect(plan.clusters[0].parts.flatMap(({ objects }) => objects).filter(({ stays }) => stays)).toEqual([]);
  expect(totalsWords(planTotals(plan))).toContain('(1 removed)');
  expect(planTotals(plan).machinesDeleted).toEqual({ minimum: 5, maximum: 5 });
});

test('what was written twice is still there when it is written once', () => {
  expect(planned([CLUSTER, POOL, CLUSTER, POOL], [CLUSTER, POOL]).clusters).toEqual([]);
});

test('a Cluster that is marked to stay is not removed', () => {
  const plan = planned([kept(CLUSTER), kept(CONTROL_PLANE), kept(POOL)], []);
  expect([plan.clusters[0].change, planTotals(plan).machinesDeleted.maximum]).toEqual(['changed', 0]);
  expect(plan.clusters[0].parts.map(({ notes }) => notes)).toEqual([
    ['stays in the cluster: Cluster acme'],
    ['stays in the cluster: KubeadmControlPlane acme'],
    ['stays in the cluster: MachineDeployment acme-md-0'],
  ]);
});

test('a control plane that is removed alone takes its machines along', () => {
  expect(effectsIn(planned([CLUSTER, CONTROL_PLANE], [CLUSTER]).clusters[0])).toEqual({
    'control plane': ['deleted 3 (KubeadmControlPlane acme)', 'fails later (KubeadmControlPlane acme is gone, and Cluster acme names it in spec.controlPlaneRef)'],
  });
});

test('a pool and a control plane are changed where only what belongs to them comes or goes', () => {
  const template = (name: string) => ({ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'DockerMachineTemplate', metadata: { name, namespace: 'default' } });
  const both = [CLUSTER, CONTROL_PLANE, POOL];
  const { clusters: [{ parts }] } = planned(both, [...both, template('acme-md-0'), template('acme-control-plane')]);
  expect(parts.map(({ part, change }) => [part, change])).toEqual([['control plane', 'changed'], ['pool', 'changed']]);
});

test('pools of the same name are told apart by their kind', () => {
  const other = { ...POOL, kind: 'MachinePool', spec: { ...POOL.spec as Fields, replicas: 4 } };
  const { clusters: [{ parts }] } = planned([CLUSTER, POOL, other], [CLUSTER]);
  expect(parts.map(({ effects }) => effects)).toEqual([
    [{ effect: 'deleted', reasons: ['MachineDeployment acme-md-0'], count: { minimum: 2, maximum: 2 } }],
    [{ effect: 'deleted', reasons: ['MachinePool acme-md-0'], count: { minimum: 4, maximum: 4 } }],
  ]);
});

test('machines whose number is not known, and those of paused clusters, are not in the totals, which say so', () => {
  const unsized = (version: string) => newPool({ version }, { replicas: undefined });
  expect(totalsWords(planTotals(planned([CLUSTER, unsized('v1.34.1')], [CLUSTER, unsized('v1.35.4')])))).toBe(
    '1 of 1 cluster differs (1 changed); 1 object; 0 machines replaced; machines of 1 part not counted, because their number is not known.',
  );
  const paused = { ...CLUSTER, spec: { ...CLUSTER.spec as Fields, paused: true } };
  expect(totalsWords(planTotals(planned([paused, newPool({ version: 'v1.34.1' })], [paused, newPool({ version: 'v1.35.4' })])))).toBe(
    '1 of 1 cluster differs (1 changed); 1 object; 0 machines replaced; machines of 1 paused cluster not counted.',
  );
});
