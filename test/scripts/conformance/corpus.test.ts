import { PlanJson } from '../../../scripts/conformance/plan/compare-plan';
import { corpusFolders, corpusPairs } from '../../../scripts/conformance/plan/corpus/corpus';
import { chosenPairs } from '../../../scripts/conformance/plan/corpus/corpus-proof';
import { Grade, judge } from '../../../scripts/conformance/plan/corpus/judge';
import { topologyFaults } from '../../../scripts/conformance/plan/corpus/made-topologies';
import { isPlannable, judgedPairs, pairTable, scoreTable } from '../../../scripts/conformance/plan/corpus/score';
import { FolderOutcome, Verdict, verdictOf } from '../../../scripts/conformance/plan/corpus/verdict';
import { MachineOutcome } from '../../../scripts/conformance/plan/outcome';

const PAIRS = corpusPairs();
const STAYS: MachineOutcome = { before: 2, after: 2, kept: 2, newSets: 0, changed: [] };
const ROLLS: MachineOutcome = { before: 2, after: 2, kept: 0, newSets: 1, changed: [] };
const NO_MACHINES: MachineOutcome = { before: 0, after: 0, kept: 0, newSets: 0, changed: [] };
const REPLACED = { effect: 'machines replaced', count: { minimum: 2, maximum: 2 }, atATime: 1 };
const REFUSAL = { kind: 'KubeadmControlPlane', name: 'acme' };

function plan(change: string, ...effects: object[]): PlanJson {
  const parts = effects.map((effect) => ({ part: 'pool', name: 'general', change: 'changed', effects: [effect] }));
  return { clusters: [{ namespace: 'tenant-acme', name: 'acme', change, parts }] } as PlanJson;
}

function refusing(): PlanJson {
  return { clusters: [{ namespace: 'tenant-acme', name: 'acme', change: 'changed', parts: [{ part: 'control plane', name: 'acme', change: 'changed', effects: [], refusals: [REFUSAL] }] }] };
}

function released(kind: string, ...effects: string[]): PlanJson {
  const part = { part: 'addon', name: 'cni', change: 'changed', effects: effects.map((effect) => ({ effect })), objects: [{ kind, name: 'cni' }] };
  return { clusters: [], shared: [part] };
}

const ROLLOUT: Verdict = { clusters: { 'tenant-acme/acme': { pools: { general: ROLLS } } } };
const GONE: Verdict = { clusters: { 'tenant-acme/acme': { change: 'removed' } } };
const REFUSED: Verdict = { refused: ['KubeadmControlPlane tenant-acme/acme'] };
const UNKNOWN = { effect: 'unknown' };

describe('a plan is judged', () => {
  test.each<[string, PlanJson, Verdict, Grade]>([
    ['nothing happens, and nothing is planned', { clusters: [] }, {}, Grade.EXACT],
    ['machines are replaced, as planned', plan('changed', REPLACED), ROLLOUT, Grade.EXACT],
    ['machines are replaced, and nothing is planned', { clusters: [] }, ROLLOUT, Grade.SILENT],
    ['machines are replaced, and the effect is unknown', plan('changed', UNKNOWN), ROLLOUT, Grade.VAGUE],
    ['machines are replaced, and a file is not read', { clusters: [], unread: [{}] }, ROLLOUT, Grade.VAGUE],
    ['machines are replaced, and another effect is planned', plan('changed', { effect: 'in place' }), ROLLOUT, Grade.WRONG],
    ['machines are planned to be replaced, and stay', plan('changed', REPLACED), {}, Grade.WRONG],
    ['machines wait, as planned', plan('changed', { ...REPLACED, waitsFor: 'a version' }), { waits: true, clusters: { 'tenant-acme/acme': { pools: { general: { ...STAYS, newSets: 1 } } } } }, Grade.EXACT],
    ['machines are planned to wait, and are replaced', plan('changed', { ...REPLACED, waitsFor: 'a version' }), ROLLOUT, Grade.WRONG],
    ['machines are planned to wait, and nothing waits', plan('changed', { ...REPLACED, waitsFor: 'a version' }), {}, Grade.WRONG],
    ['the effect is unknown, and nothing happens', plan('changed', UNKNOWN), {}, Grade.VAGUE],
    ['a cluster is removed, as planned', plan('removed'), GONE, Grade.EXACT],
    ['a cluster is removed, and nothing is planned', { clusters: [] }, GONE, Grade.SILENT],
    ['a cluster is planned to be removed, and stays', plan('removed'), {}, Grade.WRONG],
    ['an object is refused, as planned', refusing(), REFUSED, Grade.EXACT],
    ['an object is refused, and a rollout is planned', plan('changed', REPLACED), REFUSED, Grade.WRONG],
    ['an object is planned to be refused, and it is not', refusing(), {}, Grade.WRONG],
    ['an object of a topology is planned to be refused, and its controller waits', refusing(), { waits: true }, Grade.EXACT],
    ['an object is refused, and nothing is planned', { clusters: [] }, REFUSED, Grade.SILENT],
    ['a release is upgraded, as planned', released('HelmRelease', 'release upgraded'), { releases: { 'kube-system/cni': 'upgraded' } }, Grade.EXACT],
    ['a release is reinstalled, and an upgrade is planned', released('HelmRelease', 'release upgraded'), { releases: { 'kube-system/cni': 'reinstalled' } }, Grade.WRONG],
    ['a release is planned to change, and stays', released('HelmRelease', 'release upgraded'), {}, Grade.WRONG],
  ])('%s', (_, planned, verdict, grade) => {
    expect(judge(planned, verdict).grade).toBe(grade);
  });
});

test('what stays as it is is not recorded', () => {
  const outcome: FolderOutcome = {
    id: 'a',
    seconds: 1,
    topologies: [null, null],
    releases: { 'a/b': 'kept', 'a/c': 'upgraded' },
    clusters: { 'b/b': { change: 'kept', controlPlane: STAYS, pools: { general: ROLLS, batch: STAYS } }, 'a/a': { change: 'kept', controlPlane: NO_MACHINES } },
  };
  expect(verdictOf(outcome)).toEqual({ clusters: { 'b/b': { pools: { general: ROLLS } } }, releases: { 'a/c': 'upgraded' } });
});

test('a folder is recorded only where it tells clusters apart', () => {
  const created = { change: 'created', controlPlane: NO_MACHINES };
  const clusters = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, created]));
  const recorded = (...names: readonly string[]) => Object.keys(verdictOf({ id: 'a', seconds: 1, topologies: [null, null], clusters: clusters(...names) }).clusters!);
  expect(recorded('eu:tenant-eu/acme', 'us:tenant-us/acme')).toEqual(['tenant-eu/acme', 'tenant-us/acme']);
  expect(recorded('prod:tenant-acme/acme', 'staging:tenant-acme/acme')).toEqual(['prod:tenant-acme/acme', 'staging:tenant-acme/acme']);
});

test('machines without end are recorded as one number', () => {
  const pools = { general: { before: 0, after: 43, kept: 0, newSets: 1, changed: [] } };
  const verdict = verdictOf({ id: 'a', seconds: 1, topologies: [null, null], clusters: { 'tenant-acme/acme': { change: 'kept', controlPlane: NO_MACHINES, pools } } });
  expect(judge(plan('changed', { effect: 'machines without end' }), verdict).grade).toBe(Grade.EXACT);
  expect(judge({ clusters: [] }, verdict).grade).toBe(Grade.SILENT);
});

test('pairs are chosen from all over the table', () => {
  const table = Array.from({ length: 10 }, (_, number) => ({ ...PAIRS[0], name: `${number}` }));
  expect(chosenPairs(table, { corpusPairs: 3, record: false }).map(({ name }) => name)).toEqual(['0', '3', '6']);
  expect(chosenPairs(table, { record: false })).toHaveLength(10);
  expect(chosenPairs(table, { record: false, only: 'corpus:7' }).map(({ name }) => name)).toEqual(['7']);
  expect(chosenPairs(PAIRS, { record: false, only: 'corpus:class-of-*' }).every(({ name }) => name.startsWith('class-of-'))).toBe(true);
});

test('each folder of pairs has a row', () => {
  expect(PAIRS.map(({ name }) => name).sort()).toEqual(corpusFolders());
});

describe('the plan of a pair says what the real controllers do', () => {
  const plannable = PAIRS.filter(isPlannable);
  const judged = judgedPairs(plannable);

  test.each(plannable.filter(({ open }) => open === undefined).map(({ name, change }) => [name, change]))('%s: %s', async (name) => {
    const { judgment } = (await judged).find(({ pair }) => pair.name === name)!;
    expect(judgment).toEqual({ grade: Grade.EXACT, faults: [] });
  });

  test('"open" in conformance/plan/pairs.json goes away when the plan of a pair is exact', async () => {
    const exact = (await judged).filter(({ judgment }) => judgment.grade === Grade.EXACT);
    expect(exact.filter(({ pair }) => pair.open !== undefined).map(({ pair }) => pair.name)).toEqual([]);
  });

  test('the tables count and name each pair', async () => {
    const all = await judged;
    expect(scoreTable(all)).toContain(`| all | ${plannable.length} |`);
    expect(pairTable(all).split('\n')).toHaveLength(plannable.length + 3);
  });
});

describe('the objects of a topology', () => {
  const template = (kind: string, group: string, version: string, spec: object) => (
    { apiVersion: `${group}.cluster.x-k8s.io/${version}`, kind, metadata: { namespace: 'a', name: 'small' }, spec: { template: { spec } } });
  const reference = (kind: string, group: string, version: string) => ({ templateRef: { apiVersion: `${group}.cluster.x-k8s.io/${version}`, kind, name: 'small' } });
  const objects = [
    { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { namespace: 'a', name: 'acme' }, spec: { topology: { classRef: { name: 'small' }, version: 'v1.34.1' } } },
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'ClusterClass',
      metadata: { namespace: 'a', name: 'small' },
      spec: {
        infrastructure: reference('KubevirtClusterTemplate', 'infrastructure', 'v1alpha1'), controlPlane: reference('KamajiControlPlaneTemplate', 'controlplane', 'v1alpha2'),
      },
    },
    template('KubevirtClusterTemplate', 'infrastructure', 'v1alpha1', {}),
    template('KamajiControlPlaneTemplate', 'controlplane', 'v1alpha2', { registry: 'registry.example.com' }),
  ];
  const made = (kind: string, name: string, group: string, version: string, spec: object) => ({
    apiVersion: `${group}.cluster.x-k8s.io/${version}`,
    kind,
    metadata: {
      namespace: 'a',
      name,
      labels: { 'cluster.x-k8s.io/cluster-name': 'acme', 'topology.cluster.x-k8s.io/owned': '' },
      annotations: { 'cluster.x-k8s.io/cloned-from-name': 'small', 'cluster.x-k8s.io/cloned-from-groupkind': `${kind}Template.${group}.cluster.x-k8s.io` },
    },
    spec,
  });
  const infrastructure = made('KubevirtCluster', 'acme-k2x9p', 'infrastructure', 'v1alpha1', { controlPlaneEndpoint: { host: '127.0.0.1', port: 6443 } });
  const controlPlane = (spec: object) => made('KamajiControlPlane', 'acme-7c4wq', 'controlplane', 'v1alpha2', { version: 'v1.34.1', ...spec });

  test('are the same, beside random ends of names and what others write', () => {
    expect(topologyFaults(objects, [infrastructure, controlPlane({ registry: 'registry.example.com' })])).toEqual({ same: 2, faults: [] });
  });

  test('differ in a field, in one field more, and in an object', () => {
    expect(topologyFaults(objects, [controlPlane({ registry: 'other.example.com', dataStoreName: 'default' })]).faults).toEqual([
      'KubevirtCluster acme  acme-xxxxx: computed, and not made',
      'KamajiControlPlane spec.registry: computed "registry.example.com", made "other.example.com"',
      'KamajiControlPlane spec.dataStoreName: made, and not computed',
    ]);
  });
});
