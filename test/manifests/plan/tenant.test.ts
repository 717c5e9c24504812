import { Duration, JsonPatch, Size } from 'cdk8s';
import { effectsIn, planned, plannedTenant, TenantPage, written } from './tenant-pages';
import { MetricsServer } from '../../../src/constructs/addons/catalog/metrics-server';
import { HealthCheck } from '../../../src/constructs/contracts/node-pool/health-check';
import { MachineCount } from '../../../src/constructs/contracts/node-pool/machine-count';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { RolloutStrategy } from '../../../src/constructs/contracts/node-pool/rollout-strategy';
import { KamajiControlPlane } from '../../../src/constructs/control-planes/kamaji/kamaji-control-plane';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { ChangeKind } from '../../../src/manifests/plan/plan-model';
import { TaintEffect } from '../../../src/manifests/values/taints';

const kamaji = (props: ConstructorParameters<typeof KamajiControlPlane>[0]): TenantPage => ({ cluster: { controlPlane: new KamajiControlPlane({ replicas: 2, dataStore: 'default', ...props }) } });

const OLD_MACHINE = new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(4), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.35.4' }) });

const FAST = RolloutStrategy.rollingUpdate({ maxSurge: MachineCount.percent(50), maxUnavailable: MachineCount.percent(30) });

const REASONS: [what: string, before: TenantPage, after: TenantPage, effects: { [part: string]: string[] }][] = [
  ['a larger machine', {}, { machine: { cpu: 8 } }, { 'pool acme-general': ['machines replaced 3 by 1 (cpu 4 -> 8; kubelet.kubeReserved.cpu 200m -> 400m; kubelet.systemReserved.cpu 200m -> 400m)'] }],
  ['more memory', {}, { machine: { memory: Size.gibibytes(16) } }, { 'pool acme-general': ['machines replaced 3 by 1 (memory 8Gi -> 16Gi; kubelet.kubeReserved.memory 409Mi -> 819Mi; kubelet.systemReserved.memory 409Mi -> 819Mi)'] }],
  ['another image', {}, { machine: { rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.35.5' }) } }, {
    'pool acme-general': ['machines replaced 3 by 1 (volumes.root.containerDisk.image registry.example.com/node:1.35.4 -> registry.example.com/node:1.35.5)'],
  }],
  ['timeouts', {}, { pool: { nodeDrainTimeout: Duration.minutes(5) } }, {
    'pool acme-general': ['in place (spec.template.spec.deletion.nodeDrainTimeoutSeconds 600 -> 300)'],
  }],
  ['another health check', {}, { pool: { healthCheck: HealthCheck.of({ nodeStartupTimeout: Duration.minutes(40) }) } }, {
    'pool acme-general': ['in place (spec.checks.nodeStartupTimeoutSeconds 1200 -> 2400)'],
  }],
  ['more machines', {}, { pool: { size: PoolSize.fixed(5) } }, { 'pool acme-general': ['scaled (replicas 3 -> 5)', 'in place (spec.remediation.triggerIf.unhealthyLessThanOrEqualTo 2 -> 3)'] }],
  ['another rollout', {}, { pool: { rollout: RolloutStrategy.onDelete() } }, { 'pool acme-general': ['in place (spec.rollout.strategy.rollingUpdate removed; spec.rollout.strategy.type RollingUpdate -> OnDelete)'] }],
  [
    'most of the machines at a time', { pool: { size: PoolSize.fixed(5), rollout: FAST } }, { pool: { size: PoolSize.fixed(5), rollout: FAST }, machine: { cpu: 8 } },
    { 'pool acme-general': ['machines replaced 5 by 4 (cpu 4 -> 8; kubelet.kubeReserved.cpu 200m -> 400m; kubelet.systemReserved.cpu 200m -> 400m)'] },
  ],
  [
    'machines that somebody deletes', { pool: { rollout: RolloutStrategy.onDelete() } }, { pool: { rollout: RolloutStrategy.onDelete() }, machine: { cpu: 8 } },
    { 'pool acme-general': ['machines replaced 3 by 0 (cpu 4 -> 8; kubelet.kubeReserved.cpu 200m -> 400m; kubelet.systemReserved.cpu 200m -> 400m)'] },
  ],
  [
    'an autoscaled pool', { pool: { size: PoolSize.between(1, 4) } }, { pool: { size: PoolSize.between(2, 6) }, machine: { cpu: 8 } },
    { 'pool acme-general': ['machines replaced 1-4 by 1 (cpu 4 -> 8; kubelet.kubeReserved.cpu 200m -> 400m; kubelet.systemReserved.cpu 200m -> 400m)', 'scaled (bounds 1-4 -> 2-6)', 'in place (annotations["capacity.cluster-autoscaler.kubernetes.io/cpu"] 3600m -> 7200m; spec.remediation.triggerIf.unhealthyLessThanOrEqualTo 2 -> 3)'] },
  ],
  ['smaller bounds', { pool: { size: PoolSize.between(1, 4) } }, { pool: { size: PoolSize.between(1, 3) } }, { 'pool acme-general': ['scaled (bounds 1-4 -> 1-3; machines above 3 stay)'] }],
  ['fewer pods of the control plane', kamaji({ replicas: 3 }), kamaji({ replicas: 2 }), { 'control plane': ['pods replaced 3 (konnectivity for 2 replicas)', 'scaled (replicas 3 -> 2)'] }],
  ['replicas of the control plane', kamaji({}), kamaji({ replicas: 3 }), { 'control plane': ['pods replaced 2 (konnectivity for 3 replicas)', 'scaled (replicas 2 -> 3)'] }],
  ['another data store', kamaji({}), kamaji({ dataStore: 'gold' }), { 'control plane': ['data moved (dataStore default -> gold)'] }],
  ['a flag of the API server', kamaji({}), kamaji({ apiServer: { extraArgs: [{ name: 'v', value: '2' }] } }), { 'control plane': ['pods replaced 2 (apiServer.extraArgs --v=2 added)'] }],
  ['a name in the certificate', kamaji({}), kamaji({ certSans: ['api.example.com'] }), { 'control plane': ['pods replaced 2 (certificate names added)'] }],
  ['labels of the control plane', kamaji({}), kamaji({ labels: { 'example.com/a': 'b' } }), { 'control plane': ['in place (metadata.labels["example.com/a"] b added)'] }],
  ['a new addon', {}, { more: (acme) => acme.addAddon(new MetricsServer()) }, { 'addon acme-metrics-server': [], 'other objects HelmRepository': [] }],
  [
    'values of an addon', { more: (acme) => acme.addAddon(new MetricsServer()) }, { more: (acme) => acme.addAddon(new MetricsServer({ values: { replicas: 2 } })) },
    { 'addon acme-metrics-server': ['release upgraded (values.replicas 1 -> 2)'] },
  ],
];

test.each(REASONS)('%s', (_, before, after, effects) => {
  expect(effectsIn(plannedTenant(before, after))).toEqual(effects);
});

test('taints of nodes change in place where Cluster API keeps them, and replace machines where kubelets register with them', () => {
  const { 'pool acme-general': effects } = effectsIn(plannedTenant({}, { pool: { taints: [{ key: 'example.com/a', effect: TaintEffect.NO_SCHEDULE }] } }));
  expect(effects).toEqual([expect.stringMatching(/^machines replaced 3 by 1 \(taints added\)$/)]);
});

test('the same page changes nothing', () => {
  expect(planned(written({}), written({}))).toEqual({ clusters: [], shared: [], unread: [], clusterCount: 1 });
});

test('an upgrade replaces the pods of the control plane, then machines, which wait for it', () => {
  const cluster = plannedTenant({}, { cluster: { kubernetesVersion: '1.36.1' }, machine: { rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.36.1' }) } })!;
  expect(cluster.parts.map(({ part }) => part)).toEqual(['control plane', 'pool']);
  const [controlPlane, pool] = cluster.parts;
  expect(controlPlane.effects[0]).toMatchObject({ effect: 'pods replaced', reasons: expect.arrayContaining(['version v1.35.4 -> v1.36.1']), count: { minimum: 2, maximum: 2 } });
  expect(pool.effects[0]).toMatchObject({ effect: 'machines replaced', count: { minimum: 3, maximum: 3 }, atATime: 1 });
  expect(pool.effects[0].reasons).toContain('version v1.35.4 -> v1.36.1');
  expect(pool.notes).toEqual(['new machines wait until the control plane is upgraded']);
  const skipped = plannedTenant({}, {
    cluster: { kubernetesVersion: '1.36.1' },
    more: (acme) => acme.nodePools[0].machineDeployment!.addJsonPatch(JsonPatch.add('/metadata/annotations', { 'machineset.cluster.x-k8s.io/skip-preflight-checks': 'All' })),
  })!;
  expect(skipped.parts.map(({ notes }) => notes)).toEqual([[], []]);
});

test('a health check that goes leaves its pool', () => {
  const cluster = plannedTenant({}, { pool: { healthCheck: HealthCheck.none() } })!;
  expect(cluster.parts.map(({ part, name, change }) => [part, name, change])).toEqual([['pool', 'acme-general', ChangeKind.CHANGED]]);
  const objects = written({});
  const without = objects.filter(({ kind }) => kind !== 'MachineHealthCheck');
  expect(planned(objects, without).clusters[0].parts.map(({ name, change }) => [name, change])).toEqual([['acme-general', ChangeKind.CHANGED]]);
});

test('labels of all objects of a cluster change in place', () => {
  const { parts } = plannedTenant({}, { cluster: { labels: { tier: 'gold' } } })!;
  expect(new Set(parts.flatMap(({ effects }) => effects.map(({ effect }) => effect)))).toEqual(new Set(['in place']));
});

test('a pool that goes takes its machines, and one that comes has new ones', () => {
  const two: TenantPage = { more: (acme) => acme.addNodePool('old', { machine: OLD_MACHINE, size: PoolSize.between(1, 3) }) };
  const gone = plannedTenant(two, {})!.parts.find(({ name }) => name === 'acme-old')!;
  expect([gone.change, gone.effects]).toEqual([ChangeKind.REMOVED, [{ effect: 'deleted', reasons: ['MachineDeployment acme-old', 'MachineHealthCheck acme-old'], count: { minimum: 1, maximum: 3 } }]]);
  const come = plannedTenant({}, two)!.parts.find(({ name }) => name === 'acme-old')!;
  expect([come.change, come.effects]).toEqual([ChangeKind.CREATED, [{ effect: 'scaled', reasons: ['the pool is new'], count: { minimum: 1, maximum: 3 } }]]);
});

test('a cluster that is taken down, paused or resumed is told so', () => {
  const down = plannedTenant({}, { cluster: { decommission: true } })!;
  expect([down.change, down.notes]).toEqual([ChangeKind.REMOVED, [expect.stringContaining('decommissioned: ')]]);
  expect(effectsIn(down).cluster[0]).toMatch(/^deleted 3 /);
  expect(plannedTenant({}, { cluster: { paused: true } })!.notes).toEqual([expect.stringContaining('paused: ')]);
  expect(plannedTenant({ cluster: { paused: true } }, {})!.notes).toEqual([expect.stringContaining('resumed: ')]);
});

test('a cluster that comes or goes is one change', () => {
  const both = [...written({}), ...written({}, 'beta')];
  expect(planned(written({}), both).clusters.map(({ name, change }) => [name, change])).toEqual([['beta', ChangeKind.CREATED]]);
  const { clusters: [beta] } = planned(both, written({}));
  expect([beta.name, beta.change]).toEqual(['beta', ChangeKind.REMOVED]);
  expect(effectsIn(beta)).toMatchObject({ 'cluster': ['deleted 3 (KubevirtCluster beta; Cluster beta)'], 'control plane': ['deleted (KamajiControlPlane beta)'] });
  expect(beta.parts.flatMap(({ objects }) => objects).filter(({ stays }) => stays).map(({ kind }) => kind)).toEqual(['Namespace']);
});
