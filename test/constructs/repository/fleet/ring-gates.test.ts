import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Duration } from 'cdk8s';
import { exampleFleet, exampleOptions, POOLED, said, saying } from './fleets';
import { ImportedManagementCluster } from '../../../../src/constructs/contracts/capabilities/management-cluster';
import { Hibernation } from '../../../../src/constructs/contracts/cluster-context';
import { TimeWindow } from '../../../../src/constructs/contracts/delivery/time-window';
import { ArgoCdEntryPoints } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-entry-points';
import { FluxEntryPoints } from '../../../../src/constructs/deliveries/flux/flux-entry-points';
import { ClusterEntry } from '../../../../src/constructs/repository/fleet/cluster-list';
import { FleetProps } from '../../../../src/constructs/repository/fleet/fleet-props';
import { GitOpsApp, GitOpsAppProps } from '../../../../src/constructs/repository/gitops-app';
import { celEnvironment } from '../../../../src/manifests/cel/environment';
import { celMap } from '../../../../src/manifests/cel/values';
import { Manifest } from '../../../support/clusters';
import { readFiles } from '../../../support/examples';
import { ENTRY_POINTS } from '../../../support/many-clusters';
import { parse } from '../../../support/outputs';

const SOAK = { soak: Duration.hours(1) };
const VERSION = '1.35.4';
const RINGS = [
  { name: 'canary', kubernetesVersion: VERSION, gate: SOAK }, { name: 'early', kubernetesVersion: VERSION, gate: SOAK }, { name: 'main', kubernetesVersion: VERSION },
];
const CLUSTERS: ClusterEntry[] = [{ name: 'a', ring: 'canary' }, { name: 'b', ring: 'early' }, { name: 'c', ring: 'early' }, { name: 'd' }, { name: 'e' }];

let outdir: string;

beforeEach(() => {
  outdir = fs.mkdtempSync(path.join(os.tmpdir(), 'rings-'));
});

afterEach(() => fs.rmSync(outdir, { recursive: true, force: true }));

type Files = { readonly [file: string]: string };

function write(clusters = CLUSTERS, props: Partial<FleetProps> = {}, options: GitOpsAppProps = {}): Files {
  const app = new GitOpsApp({ outdir, quiet: true, entryPoints: ENTRY_POINTS.flux, ...options });
  exampleFleet(app, clusters, { profiles: { plain: POOLED }, rings: RINGS, ...props });
  app.synth();
  return Object.fromEntries(Object.entries(readFiles(outdir)).filter(([file]) => !file.startsWith('.')));
}

const read = (files: Files, file: string): Manifest[] => parse(files[file]);
const kustomization = (files: Files, name: string): Manifest => read(files, `flux/${name}.yaml`)[0];
const dependsOn = (files: Files, name: string): string[] => (
  (kustomization(files, name).spec.dependsOn ?? []).map((one: { name: string }) => one.name));

function changedFiles(before: Files, after: Files): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((file) => before[file] !== after[file]).sort();
}

/** Plain data as a server has it, for CEL. */
function celValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value === 'number') return BigInt(value);
  if (typeof value !== 'object' || value === null) return value;
  return celMap(Object.entries(value).map(([key, inner]) => [key, celValue(inner)]));
}

function isTrue(expression: string, variables: { [name: string]: unknown }): unknown {
  const environment = Object.keys(variables).reduce((all, name) => all.registerVariable(name, 'dyn'), celEnvironment());
  return environment.evaluate(expression, Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, celValue(value)])));
}

test('clusters of a ring wait for the ring before, whose step waits for its clusters and for the step before it', () => {
  const files = write();

  expect(['tenant-a.a', 'tenant-b.b', 'tenant-c.c', 'tenant-d.d', 'ring-canary', 'ring-early'].map((name) => [name, ...dependsOn(files, name)])).toEqual([
    ['tenant-a.a'],
    ['tenant-b.b', 'flux-system', 'ring-canary'],
    ['tenant-c.c', 'flux-system', 'ring-canary'],
    ['tenant-d.d', 'flux-system', 'ring-early'],
    ['ring-canary', 'flux-system', 'tenant-a.a'],
    ['ring-early', 'flux-system', 'ring-canary', 'tenant-b.b', 'tenant-c.c'],
  ]);
  expect(kustomization(files, 'ring-early').spec).toMatchObject({ interval: '1m0s', timeout: '5m0s', path: './dist/rings/ring-early', prune: true });
  expect(kustomization(files, 'ring-early').spec.healthChecks.map(({ kind, name }: Manifest['metadata']) => `${kind} ${name}`)).toEqual(['Cluster b', 'Cluster c']);
  expect(Object.keys(files).filter((file) => file.includes('ring-main'))).toEqual([]);
  expect(read(files, 'rings/ring-early/clusters.yaml')[0]).toMatchObject({
    kind: 'ConfigMap',
    metadata: { name: 'ring-early', namespace: 'flux-system' },
    data: { 'tenant-b.b': expect.stringMatching(/^b-ring-/), 'tenant-c.c': expect.stringMatching(/^c-ring-/) },
  });
});

test('each cluster has a marker that changes with its folder, and with nothing else', () => {
  const before = write();
  const after = write(CLUSTERS.map((cluster) => (cluster.name === 'b' ? { ...cluster, values: { workers: 3 } } : cluster)));
  const [marker] = read(after, 'clusters/tenant-b/b/ring.yaml');

  expect(changedFiles(before, after)).toEqual([
    'clusters/tenant-b/b/pools/general.yaml', 'clusters/tenant-b/b/ring.yaml', 'flux/ring-early.yaml', 'flux/tenant-b.b.yaml', 'rings/ring-early/clusters.yaml',
  ]);
  expect(marker.metadata).toMatchObject({ namespace: 'tenant-b', labels: { 'cluster.x-k8s.io/cluster-name': 'b' } });
  expect(after['clusters/tenant-b/b/kustomization.yaml']).toContain('- ring.yaml');
  expect(after['flux/tenant-b.b.yaml']).toContain(marker.metadata.name);
  expect(after['flux/ring-early.yaml']).toContain(marker.metadata.name);
});

test('a change in the first ring has all later steps succeed anew', () => {
  const before = write();
  const after = write(CLUSTERS.map((cluster) => (cluster.name === 'a' ? { ...cluster, values: { workers: 3 } } : cluster)));

  expect(changedFiles(before, after).filter((file) => file.startsWith('flux/'))).toEqual(['flux/ring-canary.yaml', 'flux/ring-early.yaml']);
});

test('neither the order of the list nor a part of the output changes what is written', () => {
  const before = write();

  expect(write([...CLUSTERS].reverse())).toEqual(before);
  expect(write(CLUSTERS, {}, { only: ['tenant-b/b', 'shared'] })).toEqual(before);
});

test('canaries come first, then batches, each after the one before', () => {
  const clusters = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, ring: 'all' }));
  const files = write(clusters, { rings: [{ name: 'all', kubernetesVersion: VERSION, gate: { ...SOAK, canaries: ['tenant-e/e'], batchSize: 3 } }] });

  expect(['e', 'a', 'b', 'c', 'd'].map((name) => [name, ...dependsOn(files, `tenant-${name}.${name}`).slice(1)])).toEqual([
    ['e'], ['a', 'ring-all-1'], ['b', 'ring-all-1'], ['c', 'ring-all-1'], ['d', 'ring-all-2'],
  ]);
  expect(Object.keys(files).filter((file) => file.startsWith('flux/ring-'))).toEqual(['flux/ring-all-1.yaml', 'flux/ring-all-2.yaml']);
});

describe('a cluster is not waited for, and does not wait', () => {
  const passedBy = (cluster: Partial<ClusterEntry>, rings: FleetProps['rings'] = RINGS) => {
    const files = write(CLUSTERS.map((one) => (one.name === 'b' ? { ...one, ...cluster } : one)), { rings });
    expect(dependsOn(files, 'tenant-b.b')).toEqual([]);
    expect(dependsOn(files, 'ring-early')).toEqual(['flux-system', 'ring-canary', 'tenant-c.c']);
    expect(files['clusters/tenant-b/b/ring.yaml']).toBeUndefined();
  };

  test('that is decommissioned', () => passedBy({ decommission: true }));

  test('that is hibernated', () => passedBy({ hibernation: Hibernation.POOLS }));

  test('that is frozen', () => {
    const profile = { ...POOLED, props: ({ name = '' }) => exampleOptions(name === 'b' ? { freeze: 'sales season' } : {}) };
    expect(dependsOn(write(CLUSTERS, { profiles: { plain: profile } }), 'ring-early')).toEqual(['flux-system', 'ring-canary', 'tenant-c.c']);
  });

  test('that moves', () => {
    const profile = { ...POOLED, props: ({ name = '' }) => exampleOptions(name === 'b' ? { moving: true } : {}) };
    expect(dependsOn(write(CLUSTERS, { profiles: { plain: profile } }), 'ring-early')).toEqual(['flux-system', 'ring-canary', 'tenant-c.c']);
  });

  test('that is excepted', () => passedBy({}, RINGS.map((ring) => (ring.name === 'early' ? { ...ring, exceptFor: { b: 'its hosts are gone' } } : ring))));
});

test('a ring without any cluster to wait for is passed by', () => {
  const files = write(CLUSTERS.map((cluster) => (cluster.ring === 'early' ? { ...cluster, hibernation: Hibernation.POOLS } : cluster)));

  expect(dependsOn(files, 'tenant-d.d')).toEqual(['flux-system', 'ring-canary']);
  expect(Object.keys(files).filter((file) => file.includes('ring-early'))).toEqual([]);
});

test('a fleet without gates is written as before', () => {
  const files = write(CLUSTERS, { rings: RINGS.map(({ name, kubernetesVersion }) => ({ name, kubernetesVersion })) });

  expect(Object.entries(files).filter(([file, text]) => file.includes('ring') || text.includes('readyExpr'))).toEqual([]);
});

describe('a Kustomization', () => {
  const HOUR = { first: '2026-11-27T10:00:00Z', last: '2026-11-27T11:00:00Z' };
  const snapshot = (lastReconciledStatus: string, firstReconciled: string, lastReconciled: string) => (
    { lastReconciledStatus, firstReconciled, lastReconciled });
  const step = ({ ready = 'True', generation = 2, history = [snapshot('ReconciliationSucceeded', HOUR.first, HOUR.last)] } = {}) => (
    { metadata: { generation }, status: { observedGeneration: 2, conditions: [{ type: 'Ready', status: ready }], history } });
  const applied = (...names: string[]) => ({ status: { inventory: { entries: names.map((name) => ({ id: `tenant-b_${name}__ConfigMap`, v: 'v1' })) } } });
  const proceeds = (self: unknown, dep: unknown) => {
    const files = write();
    const [, { readyExpr }] = kustomization(files, 'tenant-b.b').spec.dependsOn;
    return isTrue(readyExpr, { self, dep });
  };
  const marker = () => read(write(), 'clusters/tenant-b/b/ring.yaml')[0].metadata.name;

  test.each([
    ['is applied when the step before is done', true, {}],
    ['waits while the step before is not ready', false, { ready: 'False' }],
    ['waits while the step before has not seen the content', false, { generation: 3 }],
    ['waits during the soak', false, { history: [snapshot('ReconciliationSucceeded', HOUR.first, '2026-11-27T10:59:00Z')] }],
    ['waits for a new soak after a failure', false, {
      history: [snapshot('ReconciliationSucceeded', HOUR.first, HOUR.last), snapshot('HealthCheckFailed', HOUR.first, '2026-11-27T10:30:00Z')],
    }],
    ['is applied when the soak after a failure is over', true, {
      history: [
        snapshot('ReconciliationSucceeded', '2026-11-27T08:00:00Z', HOUR.last),
        snapshot('HealthCheckFailed', '2026-11-27T08:30:00Z', '2026-11-27T09:30:00Z'),
      ],
    }],
  ])('%s', (_, expected, dep) => expect(proceeds(applied('b-ring-former'), step(dep))).toBe(expected));

  test('is repaired while the step before is sick, if nothing of it has changed', () => {
    expect(proceeds(applied('other', marker()), step({ ready: 'False' }))).toBe(true);
  });

  test('of a new cluster is applied at once', () => {
    expect(proceeds({ status: { observedGeneration: -1 } }, step({ ready: 'False' }))).toBe(true);
  });
});

describe('a step', () => {
  const WELL = {
    ControlPlaneAvailable: 'True', WorkersAvailable: 'True', RollingOut: 'False', Remediating: 'False', ControlPlaneMachinesUpToDate: 'True', WorkerMachinesUpToDate: 'True',
  };
  const health = (conditions: { [type: string]: string }) => {
    const [{ current, failed }] = kustomization(write(), 'ring-canary').spec.healthCheckExprs;
    const status = { conditions: Object.entries(conditions).map(([type, value]) => ({ type, status: value })) };
    return isTrue(failed, { status }) === true ? 'failed' : isTrue(current, { status }) === true ? 'current' : 'in progress';
  };

  test.each([
    ['current', WELL],
    ['failed', { ...WELL, RollingOut: 'True' }],
    ['failed', { ...WELL, Remediating: 'True' }],
    ['failed', { ...WELL, WorkerMachinesUpToDate: 'False' }],
    ['in progress', { ...WELL, WorkersAvailable: 'False' }],
    ['in progress', { ...WELL, ControlPlaneAvailable: 'Unknown' }],
    ['in progress', { ...WELL, TopologyReconciled: 'False' }],
    ['in progress', { ControlPlaneAvailable: 'True' }],
  ])('is %s by conditions of a Cluster %#', (expected, conditions) => expect(health(conditions)).toBe(expected));

  test('waits for content that its clusters have applied', () => {
    const files = write();
    const { readyExpr } = kustomization(files, 'ring-canary').spec.dependsOn[1];
    const [{ metadata }] = read(files, 'clusters/tenant-a/a/ring.yaml');
    const applied = (name: string) => ({ status: { inventory: { entries: [{ id: `tenant-a_${name}__ConfigMap`, v: 'v1' }] } } });

    expect([applied(metadata.name), applied('a-ring-former'), { status: {} }].map((dep) => isTrue(readyExpr, { dep }))).toEqual([true, false, false]);
  });
});

describe('Argo CD', () => {
  const applicationSet = (files: Files): Manifest['spec'] => read(files, 'argocd/all.yaml')[0].spec;
  const argoCd = (clusters = CLUSTERS, rings: FleetProps['rings'] = RINGS) => write(clusters, { rings }, { entryPoints: ENTRY_POINTS['application-set'] });
  const stepsOf = ({ strategy }: Manifest['spec']) => strategy.rollingSync.steps.map(({ matchExpressions: [{ values }] }: any) => values);

  test('syncs Applications of one step after those of the other, by their label', () => {
    const files = argoCd();
    const { strategy, template } = applicationSet(files);

    expect(strategy.type).toBe('RollingSync');
    expect(stepsOf({ strategy })).toEqual([['ring-canary'], ['ring-early'], ['ring-main'], ['none']]);
    expect(strategy.rollingSync.steps[0].matchExpressions[0]).toMatchObject({ key: 'rollout-step', operator: 'In' });
    expect(template.metadata.labels['rollout-step']).toContain('(dict "tenant-a.a" "ring-canary" "tenant-b.b" "ring-early"');
    expect(Object.keys(files).filter((file) => file.startsWith('rings/'))).toEqual([]);
  });

  test('finds the soak in the marker of clusters that others wait for', () => {
    const files = argoCd();

    expect(read(files, 'clusters/tenant-a/a/ring.yaml')[0].data).toEqual({ soak: '3600' });
    expect(read(files, 'clusters/tenant-d/d/ring.yaml')[0].data).toBeUndefined();
  });

  test('syncs steps together that do not wait for each other', () => {
    const rings = RINGS.map((ring) => (ring.name === 'early' ? { ...ring, gate: undefined } : ring));

    expect(stepsOf(applicationSet(argoCd(CLUSTERS, rings)))).toEqual([['ring-canary'], ['ring-early', 'ring-main'], ['none']]);
  });

  test('has no strategy and no label without gates', () => {
    const { strategy, template } = applicationSet(argoCd(CLUSTERS, RINGS.map((ring) => ({ ...ring, gate: undefined }))));

    expect([strategy, template.metadata.labels]).toEqual([undefined, undefined]);
  });

  test('refuses gates without a set', () => {
    expect(() => write(CLUSTERS, {}, { entryPoints: new ArgoCdEntryPoints({ repoUrl: 'https://git.example.com/tenants.git', targetRevision: 'main' }) })).toThrow(/TC-FLEET-RING-GATE rings\[0\]\.gate: nothing holds changes back/);
  });
});

describe('is refused', () => {
  const withGate = (gate: object, more: object = {}) => said([{ name: 'a', ring: 'canary' }, { name: 'b' }], {
    rings: [{ name: 'canary', kubernetesVersion: VERSION, gate: { ...SOAK, ...gate }, ...more }, { name: 'main', kubernetesVersion: VERSION }],
  });

  test('a gate that nothing holds', () => {
    expect(withGate({})).toEqual([saying('fleet TC-FLEET-RING-GATE rings[0].gate:', 'nothing holds changes back', 'FluxEntryPoints')]);
  });

  test('a soak that is too short to see a rollout', () => {
    expect(withGate({ soak: Duration.minutes(4) })).toContainEqual(saying('fleet TC-FLEET-RING-SOAK rings[0].gate.soak:', 'it is 240 seconds', 'from 300'));
    expect(withGate({ soak: Duration.millis(300_500) })).toContainEqual(saying('fleet TC-FLEET-RING-SOAK rings[0].gate.soak:', 'it is 300500 milliseconds'));
  });

  test('a batch of no cluster', () => {
    expect(withGate({ batchSize: 0 })).toContainEqual(saying('fleet TC-FLEET-RING-BATCH rings[0].gate.batchSize:', '0 is not a positive integer'));
  });

  test('a canary of another ring, and an exception that names no cluster or no reason', () => {
    expect(withGate({ canaries: ['b'] })).toContainEqual(saying('fleet TC-FLEET-RING-MEMBER rings[0].gate.canaries:', 'the ring has no cluster "b"'));
    expect(withGate({}, { exceptFor: { c: 'sick' } })).toContainEqual(saying('fleet TC-FLEET-RING-MEMBER rings[0].exceptFor:', 'the ring has no cluster "c"'));
    expect(withGate({}, { exceptFor: { a: ' ' } })).toContainEqual(saying('fleet TC-FLEET-RING-MEMBER rings[0].exceptFor:', 'the exception for "a" has no reason'));
  });

  test('a name that no object can have, and two gates of one name', () => {
    const ring = (name: string, canaries?: string[]) => ({ name, kubernetesVersion: VERSION, gate: { ...SOAK, canaries } });
    expect(said([{ name: 'a' }], { rings: [ring('first ring')] })).toContainEqual(saying('fleet TC-FLEET-RING-GATE-NAME rings[0].name:'));
    expect(said([{ name: 'a', ring: 'x' }, { name: 'b', ring: 'x' }, { name: 'c', ring: 'x-2' }], { rings: [ring('x', ['a']), ring('x-2')] }))
      .toContainEqual(saying('fleet TC-FLEET-RING-GATE-NAME rings:', 'two gates have objects of the name "ring-x-2"'));
  });

  test('a cluster with windows behind a gate', () => {
    const windows = [TimeWindow.weekly({ from: '22:00', duration: Duration.hours(4), timeZone: 'UTC' })];
    const entryPoints = new FluxEntryPoints({
      sourceName: 'flux-system',
      windowedSource: { url: 'https://git.example.com/team/tenants.git', revision: 'main', kubectlImage: 'registry.example.com/kubectl:1.35.4' },
    });
    const windowed = (name: string) => () => (
      write(CLUSTERS, { rings: RINGS.map((ring) => (ring.name === name ? { ...ring, changeWindows: windows } : ring)) }, { entryPoints }));

    expect(windowed('early')).toThrow(/TC-FLEET-RING-GATE rings\[1\]: "b" has change windows, and would wait for ring "canary"/);
    expect(dependsOn(windowed('canary')(), 'ring-canary')).toEqual(['flux-system', 'tenant-a.a']);
  });

  test('a gate between management clusters', () => {
    const halls = new Map(['hall-a', 'hall-b'].map((name) => [name, new ImportedManagementCluster({ name, podCidrs: ['10.240.0.0/16'] })]));
    const profile = { ...POOLED, props: ({ region = '' }) => exampleOptions({ managementCluster: halls.get(region) }) };
    const fleet = (clusters: ClusterEntry[]) => () => write(clusters, { profiles: { plain: profile } }, { folderPerManagementCluster: true });
    const both = (name: string, ring?: string) => ['hall-a', 'hall-b'].map((region) => ({ name: `${name}-${region}`, region, ring }));

    expect(fleet([{ name: 'a', ring: 'canary', region: 'hall-a' }, ...both('b')])).toThrow(
      /TC-FLEET-RING-GATE rings\[0\]\.gate: ring "canary" has no cluster in the management cluster "hall-b"/);
    const files = fleet([...both('a', 'canary'), ...both('b')])();
    expect(dependsOn(Object.fromEntries(Object.entries(files).map(([file, text]) => [file.replace('hall-b/', ''), text])), 'tenant-b-hall-b.b-hall-b'))
      .toEqual(['flux-system', 'ring-canary']);
    expect(files['hall-b/flux/ring-canary.yaml']).toContain('path: ./dist/hall-b/rings/ring-canary');
  });
});
