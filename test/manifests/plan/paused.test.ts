import { CLUSTER, controlPlane, Fields, newPool } from './foreign-objects';
import { planned } from './tenant-pages';
import { planText } from '../../../src/manifests/plan/plan-text';
import { planTotals } from '../../../src/manifests/plan/plan-totals';

const PAUSED = 'cluster.x-k8s.io/paused';

function paused(object: Fields, value = ''): Fields {
  return { ...object, metadata: { ...object.metadata as Fields, annotations: { [PAUSED]: value } } };
}

const ACME = [CLUSTER, controlPlane(), newPool()];
const NEWER = { version: 'v1.35.0' };

/** The number of replaced machines and of paused parts, and the notes of the cluster and its parts. */
function outcome(before: readonly Fields[], after: readonly Fields[]) {
  const plan = planned(before, after);
  const { machinesReplaced, pausedParts } = planTotals(plan);
  const [{ notes, parts }] = plan.clusters;
  return [machinesReplaced.maximum, pausedParts, notes, parts.flatMap((part) => part.notes)];
}

const OBJECT = 'the annotation cluster.x-k8s.io/paused pauses the Cluster object alone: its deletion waits, control plane, pools and machines do not';
const WAITS = 'new machines wait until the control plane is upgraded';
const PART = 'paused until its annotation cluster.x-k8s.io/paused is removed';

test.each<[what: string, after: readonly Fields[], outcome: unknown[]]>([
  ['a Cluster', [paused(CLUSTER), controlPlane(NEWER), newPool(NEWER)], [5, 0, [OBJECT], [WAITS]]],
  ['a MachineDeployment', [CLUSTER, controlPlane(NEWER), paused(newPool(NEWER), 'false')], [3, 1, [], [PART, WAITS]]],
  ['a KubeadmControlPlane', [CLUSTER, paused(controlPlane(NEWER)), newPool(NEWER)], [2, 1, [], [PART, WAITS]]],
])('the annotation on %s pauses that object alone', (_, after, expected) => {
  expect(outcome(ACME, after)).toEqual(expected);
});

test('spec.paused pauses all objects of a cluster', () => {
  const cluster = { ...CLUSTER, spec: { ...CLUSTER.spec as Fields, paused: true } };
  expect(outcome(ACME, [cluster, controlPlane(NEWER), newPool(NEWER)])[0]).toBe(0);
});

test('the annotation on a Cluster with a topology pauses the topology', () => {
  const topology = (version: string): Fields => ({
    ...CLUSTER, spec: { topology: { classRef: { name: 'a' }, version, controlPlane: { replicas: 3 }, workers: { machineDeployments: [{ class: 'a', name: 'md', replicas: 2 }] } } },
  });
  const [replaced, parts, notes] = outcome([topology('v1.34.1')], [paused(topology('v1.35.0'))]);
  expect([replaced, parts, notes]).toEqual([0, 3, [OBJECT.replace('its deletion waits', 'its topology and its deletion wait')]]);
});

test('what is paused is deleted and rolled out once it is resumed', () => {
  const stopped = paused(newPool());
  expect(outcome([CLUSTER, controlPlane(), stopped], ACME)[3]).toEqual(['resumed: changes made while it was paused are applied now']);
  expect(outcome([CLUSTER, controlPlane(), stopped], [CLUSTER, controlPlane()])[3]).toEqual(['its object is paused: its deletion waits until the annotation is removed in the management cluster']);
  expect(outcome([paused(CLUSTER), controlPlane(), newPool()], [])[2]).toEqual(['the Cluster is paused: its deletion waits until it is resumed in the management cluster']);
  expect(planText(planned(ACME, [CLUSTER, controlPlane(), paused(newPool({ version: 'v1.34.2' }))]), { colors: false, objects: false })).toContain(
    '  pool acme-md-0  once it is resumed: 2 machines are replaced, 1 at a time: version v1.34.1 -> v1.34.2\n',
  );
});

test('spec.paused of a MachineDeployment stops its rollout, and nothing else', () => {
  const stopped = (spec: Fields, machine: Fields = {}) => newPool(machine, { ...spec, paused: true });
  const others = [CLUSTER, controlPlane(NEWER)];
  const lines = (before: Fields, after: Fields) => planText(planned([...others, before], [...others, after]), { colors: false, objects: false });

  expect(outcome(ACME, [CLUSTER, controlPlane(), stopped({}, { failureDomain: 'a' })]).slice(0, 2)).toEqual([0, 0]);
  expect(lines(newPool(NEWER), stopped({}, { ...NEWER, failureDomain: 'a' }))).toContain('  pool acme-md-0  once spec.paused of the pool is removed: 2 machines are replaced, 1 at a time: failureDomain a added\n');
  expect(lines(stopped({}, NEWER), stopped({ replicas: 4 }, NEWER))).toContain('  pool acme-md-0  scaled: replicas 2 -> 4\n');
  expect(outcome([CLUSTER, controlPlane(), stopped({})], ACME)[3]).toEqual(['resumed: changes made while it was paused are applied now']);
  expect(planTotals(planned([CLUSTER, controlPlane()], [CLUSTER, controlPlane(), stopped({})]))).toMatchObject({ waitingParts: 1 });
});
