import { Size } from 'cdk8s';
import { Fields } from './foreign-objects';
import { planned, written } from './tenant-pages';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { consequenceLines } from '../../../src/manifests/plan/consequences/consequence-words';
import { durationWords } from '../../../src/manifests/plan/consequences/duration-words';
import { planJson } from '../../../src/manifests/plan/plan-json';
import { planMarkdown } from '../../../src/manifests/plan/plan-markdown';
import { PartKind, PlannedPart } from '../../../src/manifests/plan/plan-model';
import { planText } from '../../../src/manifests/plan/plan-text';

const object = (kind: string, name: string, spec: Fields, apiVersion = 'cluster.x-k8s.io/v1beta2', metadata: Fields = {}): Fields => (
  { apiVersion, kind, metadata: { name, namespace: 'tenants', ...metadata }, spec });

const cluster = object('Cluster', 'acme', { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KubeadmControlPlane', name: 'acme' } });
const controlPlane = (spec: Fields = {}) => object('KubeadmControlPlane', 'acme', {
  version: 'v1.34.1', replicas: 3, machineTemplate: { spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DockerMachineTemplate', name: 'a' } } }, ...spec,
}, 'controlplane.cluster.x-k8s.io/v1beta2');

const pool = (machine: Fields = {}, spec: Fields = {}, template: Fields = {}) => object('MachineDeployment', 'acme-general', {
  clusterName: 'acme', replicas: 3, template: { spec: { clusterName: 'acme', version: 'v1.34.1', ...machine }, ...template }, ...spec,
});
const LIMITS = { deletion: { nodeDrainTimeoutSeconds: 600, nodeVolumeDetachTimeoutSeconds: 300 } };
const check = (checks: Fields = {}, labels: Fields = { 'cluster.x-k8s.io/deployment-name': 'acme-general' }) => (
  object('MachineHealthCheck', 'acme', { clusterName: 'acme', selector: { matchLabels: labels }, checks }));

/** Objects that a ClusterResourceSet applies to the tenant. */
const inTenant = (...objects: Fields[]): Fields[] => [
  object('ClusterResourceSet', 'acme', { strategy: 'Reconcile', clusterSelector: { matchLabels: { team: 'a' } }, resources: [{ kind: 'ConfigMap', name: 'acme' }] }, 'addons.cluster.x-k8s.io/v1beta2'),
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'acme', namespace: 'tenants' }, data: { all: objects.map((one) => JSON.stringify(one)).join('\n---\n') } },
];
const labelled = { ...cluster, metadata: { name: 'acme', namespace: 'tenants', labels: { team: 'a' } } };

const partOf = (parts: readonly PlannedPart[] | undefined, part: PartKind): PlannedPart | undefined => parts?.find((one) => one.part === part);
const lines = (before: readonly unknown[], after: readonly unknown[], part = PartKind.POOL): string[] => {
  const consequences = partOf(planned(before, after).clusters[0]?.parts, part)?.consequences;
  return consequences ? consequenceLines(consequences) : [];
};
const upgraded = (beside: readonly unknown[], spec: Fields = {}, template: Fields = {}, machine: Fields = LIMITS) => (
  lines([...beside, pool(machine, spec, template)], [...beside, pool({ ...machine, version: 'v1.34.2' }, spec, template)]));

const REPLACED = 'nodes are drained one after the other; data on disks of the machines are lost; a revert replaces the machines again';

describe('the time of a rollout', () => {
  test('is the sum of declared timeouts', () => {
    expect(upgraded([cluster, check({ nodeStartupTimeoutSeconds: 1200 })])).toEqual([
      REPLACED, 'time by timeouts: at most 1 h 45 min, 3 turns of 20 min to start, 10 min to drain, 5 min to detach volumes',
    ]);
  });

  test.each<[what: string, checks: readonly unknown[], machine: Fields, time: string]>([
    ['a health check has 10 minutes by default', [check()], LIMITS, 'time by timeouts: at most 1 h 15 min, 3 turns of 10 min to start, 10 min to drain, 5 min to detach volumes'],
    ['of several limits of the start, the shortest counts', [check(), { ...check({ nodeStartupTimeoutSeconds: 300 }), metadata: { name: 'b', namespace: 'tenants' } }], LIMITS, expect.stringContaining('5 min to start')],
    ['0 is no limit', [check({ nodeStartupTimeoutSeconds: 0 })], LIMITS, 'time by timeouts: 3 turns of 10 min to drain, 5 min to detach volumes; no limit in time: start (no health check)'],
    ['a check of other machines limits nothing', [check({}, { other: 'pool' })], LIMITS, expect.stringContaining('start (no health check)')],
    ['nothing is declared', [], {}, 'no limit in time: start (no health check), drain, which waits for PodDisruptionBudgets, (no nodeDrainTimeoutSeconds), '
      + 'detach volumes (no nodeVolumeDetachTimeoutSeconds)'],
    ['a drain of 0 seconds has no limit', [check()], { deletion: { nodeDrainTimeoutSeconds: 0, nodeVolumeDetachTimeoutSeconds: 300, nodeDeletionTimeoutSeconds: 60 } },
      'time by timeouts: 3 turns of 10 min to start, 5 min to detach volumes, 1 min to delete the node; no limit in time: drain, which waits for PodDisruptionBudgets, (no nodeDrainTimeoutSeconds)'],
  ])('%s', (_, checks, machine, time) => {
    expect(upgraded([cluster, ...checks], {}, {}, machine)[1]).toEqual(time);
  });

  test('v1beta1 has other fields', () => {
    const old = (version: string, machine: Fields) => ({ ...pool({ ...machine, version }), apiVersion: 'cluster.x-k8s.io/v1beta1' });
    expect(lines([cluster, check(), old('v1.34.1', { nodeDrainTimeout: '10m' })], [cluster, check(), old('v1.34.2', { nodeDrainTimeout: '10m' })])[1]).toBe(
      'time by timeouts: 3 turns of 10 min to start, 10 min to drain; no limit in time: detach volumes (no nodeVolumeDetachTimeout)');
  });

  test('of several machines at a time', () => {
    const rollout = { replicas: 5, rollout: { strategy: { rollingUpdate: { maxSurge: 2 } } } };
    expect(upgraded([cluster, check()], rollout)).toEqual([
      'nodes are drained 2 at a time; data on disks of the machines are lost; a revert replaces the machines again',
      'time by timeouts: at most 1 h 15 min, 3 turns of 10 min to start, 10 min to drain, 5 min to detach volumes',
    ]);
  });

  test('of a control plane, whose health check knows it by its labels', () => {
    const machineTemplate = (version: string) => controlPlane({ version, machineTemplate: { spec: LIMITS } });
    const beside = [cluster, check({}, { 'cluster.x-k8s.io/control-plane': '' })];
    expect(lines([...beside, machineTemplate('v1.34.1')], [...beside, machineTemplate('v1.34.2')], PartKind.CONTROL_PLANE)).toEqual([
      'nodes are drained one after the other; a revert replaces the machines again',
      'time by timeouts: at most 1 h 15 min, 3 turns of 10 min to start, 10 min to drain, 5 min to detach volumes',
    ]);
  });

  test('is not known where each machine waits until it is deleted', () => {
    expect(upgraded([cluster], { rollout: { strategy: { type: 'OnDelete' } } })).toEqual([
      'nodes are drained in turn; data on disks of the machines are lost; a revert replaces the machines again',
    ]);
  });

  test.each([[0, '0 s'], [59, '59 s'], [3600, '1 h'], [90061, '1 d 1 h 1 min 1 s']])('%d seconds', (seconds, words) => {
    expect(durationWords(seconds)).toBe(words);
  });
});

describe('what workloads notice', () => {
  test('one machine less, without a surge', () => {
    expect(upgraded([cluster], { rollout: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } })[0]).toContain('one after the other, with one machine less meanwhile');
    expect(upgraded([cluster], { rollout: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '67%' } } } })[0]).toContain('2 at a time, with 2 machines less meanwhile');
    expect(upgraded([cluster], { replicas: 1 })[0]).toContain('the node is drained; ');
  });

  test('nodes that go at once', () => {
    expect(lines([cluster, pool(LIMITS)], [cluster, pool(LIMITS, { replicas: 1 })])).toEqual([
      'nodes are drained at the same time; data on disks of the machines are lost; a revert creates other machines',
      'time by timeouts: at most 15 min, 10 min to drain, 5 min to detach volumes',
    ]);
    expect(lines([cluster, pool(LIMITS)], [cluster])[0]).toContain('nodes are drained at the same time');
  });

  test('nodes that are not drained', () => {
    expect(upgraded([cluster], {}, { metadata: { annotations: { 'machine.cluster.x-k8s.io/exclude-node-draining': '' } } })[0]).toMatch(/^nodes are not drained/);
  });

  test('nothing where nothing happens', () => {
    expect(lines([cluster, pool()], [cluster, pool({}, { replicas: 4 })])).toEqual([]);
    expect(lines([cluster, pool()], [cluster, pool({}, {}, { metadata: { labels: { a: 'b' } } })])).toEqual([]);
    expect(lines([cluster, pool({}, { replicas: 0 })], [cluster, pool({ version: 'v1.34.2' }, { replicas: 0 })])).toEqual([]);
  });

  const budget = (spec: Fields) => ({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'db', namespace: 'team' }, spec: { selector: { matchLabels: { app: 'db' } }, ...spec } });
  const pods = (replicas: number) => ({
    apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db', namespace: 'team' }, spec: { replicas, template: { metadata: { labels: { app: 'db' } } } },
  });
  const scaler = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'db', namespace: 'team' }, spec: { scaleTargetRef: { kind: 'StatefulSet', name: 'db' } } };

  test.each<[what: string, objects: Fields[], waits: boolean]>([
    ['no pod may be missing', [budget({ maxUnavailable: 0 })], true],
    ['no share of pods may be missing', [budget({ maxUnavailable: '0%' })], true],
    ['all pods must be there', [budget({ minAvailable: '100%' })], true],
    ['as many as there are', [budget({ minAvailable: 2 }), pods(2)], true],
    ['a share that is all of them', [budget({ minAvailable: '80%' }), pods(2)], true],
    ['one less than there are', [budget({ minAvailable: 2 }), pods(3)], false],
    ['of pods that are not among the manifests', [budget({ minAvailable: 2 })], false],
    ['of pods whose number changes', [budget({ minAvailable: 2 }), pods(2), scaler], false],
    ['one may be missing', [budget({ maxUnavailable: '1%' }), pods(1)], false],
  ])('drains wait for a budget: %s', (_, objects, waits) => {
    const [felt] = upgraded([labelled, ...inTenant(...objects)]);
    expect(felt).toContain(waits ? 'each drain waits until nodeDrainTimeoutSeconds (10 min) has passed: PodDisruptionBudget team/db allows no eviction' : 'a revert');
    expect(felt.includes('each drain waits')).toBe(waits);
    expect(upgraded([labelled, ...inTenant(...objects)], {}, {}, {})[0].includes('each drain waits for ever, without nodeDrainTimeoutSeconds: ')).toBe(waits);
  });

  test('a budget of another cluster holds nothing up', () => {
    const other = { ...labelled, metadata: { ...labelled.metadata, name: 'beta' } };
    expect(upgraded([cluster, other, ...inTenant(budget({ maxUnavailable: 0 }))])[0]).toBe(REPLACED);
  });

  test('volumes on the disks of nodes are lost', () => {
    const volume = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'disk-1' }, spec: { local: { path: '/mnt' } } };
    const storage = (provisioner: string) => ({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' }, provisioner });
    expect(upgraded([labelled, ...inTenant(volume, storage('rancher.io/local-path'))])).toEqual([
      'lost: PersistentVolume disk-1 (on the disks of nodes), volumes of StorageClass fast (on the disks of nodes)',
      expect.stringContaining('a revert creates the same without data'), expect.any(String),
    ]);
    expect(upgraded([labelled, ...inTenant(storage('csi.kubevirt.io'))])[0]).toBe(REPLACED);
  });

  test('claims go with the cluster', () => {
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'files', namespace: 'team' } };
    const set = { ...pods(1), spec: { volumeClaimTemplates: [claim] } };
    expect(lines([labelled, ...inTenant(claim, set, pods(1))], [], PartKind.CLUSTER)[0]).toBe(
      'lost: all objects in the API server, claims for volumes of team/files, StatefulSet team/db (the volumes stay behind without them, or go)');
  });

  test('a pool that is paused has it all once it is resumed', () => {
    const paused = (version: string) => ({ ...pool({ version }), metadata: { name: 'acme-general', namespace: 'tenants', annotations: { 'cluster.x-k8s.io/paused': '' } } });
    const text = planText(planned([cluster, paused('v1.34.1')], [cluster, paused('v1.34.2')]), { colors: false, objects: false });
    expect(text).toContain('once it is resumed: nodes are drained one after the other');
  });

  test('rules for drains', () => {
    const rule = (behavior: string, machines?: unknown) => object('MachineDrainRule', `jobs-${behavior.toLowerCase()}`, { drain: { behavior }, ...(machines !== undefined && { machines }) });
    expect(upgraded([cluster, rule('WaitCompleted'), rule('Skip')])[0]).toBe(REPLACED.replace('; a revert',
      '; each drain waits for the pods of MachineDrainRule jobs-waitcompleted to complete; pods of MachineDrainRule jobs-skip are not drained; a revert'));
    const selects = (name: string, team?: string) => [{
      selector: { matchLabels: { 'cluster.x-k8s.io/deployment-name': name } }, ...(team !== undefined && { clusterSelector: { matchLabels: { team } } }),
    }];
    expect(upgraded([cluster, rule('Skip', selects('acme-gpu'))])[0]).toBe(REPLACED);
    expect(upgraded([cluster, rule('Skip', selects('acme-general'))])[0]).toContain('jobs-skip');
    expect(upgraded([labelled, rule('Skip', selects('acme-general', 'b'))])[0]).toBe(REPLACED);
    expect(upgraded([labelled, rule('Skip', selects('acme-general', 'a'))])[0]).toContain('jobs-skip');
  });

  test('the disks of virtual machines', () => {
    const [felt] = lines(written({}), written({ machine: { cpu: 8 } }));
    expect(felt).toContain('data on disks of the machines are lost (containerDisk root)');
  });
});

describe('a revert', () => {
  test.each<[what: string, before: readonly unknown[], after: readonly unknown[], words: unknown]>([
    ['of a patch works', [cluster, controlPlane()], [cluster, controlPlane({ version: 'v1.34.2' })], expect.stringContaining('a revert replaces the machines again')],
    ['of a minor does harm', [cluster, controlPlane()], [cluster, controlPlane({ version: 'v1.35.0' })], expect.stringContaining(
      'do not revert it: the minor version of a KubeadmControlPlane must not go down: an older API server may fail to read what a newer one has stored')],
    ['of what a server refuses is not spoken of', [cluster, controlPlane()], [cluster, controlPlane({ version: 'v1.36.0' })], expect.not.stringContaining('do not revert')],
    ['of a loss of data brings none back', [cluster, controlPlane()], [cluster], expect.stringContaining('a revert creates the same without data')],
    ['creates other machines', [cluster, controlPlane()], [cluster, controlPlane({ replicas: 1 })], expect.stringContaining('a revert creates other machines')],
  ])('%s', (_, before, after, words) => {
    expect(lines(before, after, PartKind.CONTROL_PLANE).join('\n')).toEqual(words);
  });

  test('of a topology is refused', () => {
    const topology = (version: string) => object('Cluster', 'acme', { topology: { classRef: { name: 'small' }, version } });
    expect(lines([topology('v1.34.1')], [topology('v1.35.0')], PartKind.CLUSTER).join('\n')).toContain('a revert is refused: the version of a topology must not go down');
  });
});

describe('the order of parts', () => {
  const machine = new KubevirtMachine({ cpu: 2, memory: Size.gibibytes(4), rootDisk: RootDisk.containerDisk({ image: 'registry.example.com/node:1.35.4' }) });
  const page = (version: string, ...pools: string[]) => written({
    cluster: { kubernetesVersion: version }, more: (acme) => pools.forEach((name) => acme.addNodePool(name, { machine, size: PoolSize.fixed(2) })),
  });
  const ORDER = 'order: control plane, then pool acme-general and pool acme-gpu at the same time';

  test('pools wait for the control plane, and not for each other', () => {
    const plan = planned(page('1.35.4', 'gpu'), page('1.36.1', 'gpu'));
    expect(plan.clusters[0].order).toEqual([['control plane'], ['pool acme-general', 'pool acme-gpu']]);
    expect(planText(plan, { colors: false, objects: false })).toContain(`\n  ${ORDER}\n`);
    expect(planMarkdown(plan)).toContain(`\n${ORDER}\n`);
    expect(planJson(plan)).toMatchObject({ clusters: [{ order: plan.clusters[0].order }] });
  });

  test('a pool alone has none', () => {
    expect(planned(page('1.35.4'), written({ machine: { cpu: 8 } })).clusters[0].order).toBeUndefined();
  });

  test('a pool under another name does not wait for its successor', () => {
    expect(lines(page('1.35.4', 'b'), page('1.35.4', 'c'))[0]).toContain('nodes are drained at the same time; data on disks of the machines are lost (containerDisk root); nothing waits for pool acme-c: add that in a commit before');
  });
});

test('clusters of a group are listed with the longest time', () => {
  const rolled = (name: string, replicas: number, version: string) => JSON.parse(JSON.stringify(written({
    pool: { size: PoolSize.fixed(replicas) }, cluster: { kubernetesVersion: version },
  }, name))) as unknown[];
  const both = (version: string) => [...rolled('acme', 2, version), ...rolled('beta', 4, version)];
  const text = planText(planned(both('1.35.3'), both('1.35.4')), { colors: false, objects: false });

  expect(text).toContain('tenant-acme/acme: changed; the same for tenant-beta/beta');
  expect(text).toContain('order: control plane, then pool <cluster>-general');
  expect(text).toContain('time by timeouts: at most 3 h, 4 turns of');
});
