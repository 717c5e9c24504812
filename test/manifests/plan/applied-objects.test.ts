import { CLUSTER, controlPlane, Fields, newPool, ObjectFiles, plannedObjects } from './foreign-objects';
import { machineReplacements } from '../../../src/constructs/testing/cluster-assertions';
import { placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { planObjects } from '../../../src/manifests/plan/plan-objects';
import { planTotals } from '../../../src/manifests/plan/plan-totals';

/** The fate of the cluster: its change, its notes, and how many machines are deleted. */
function outcome(before: ObjectFiles, after: ObjectFiles): unknown[] {
  const changes = plannedObjects(before, after);
  const { minimum, maximum } = planTotals(changes).machinesDeleted;
  const [cluster] = changes.clusters;
  return [cluster?.change, cluster?.notes, `${minimum}-${maximum}`];
}

const ACME = [CLUSTER, controlPlane(), newPool()];
const CONFIG: Fields = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'web' } };
const kustomization = (...resources: readonly string[]): readonly Fields[] => [{ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources }];

function flux(name: string, path: string, spec: Fields = { prune: true }, metadata: Fields = {}): Fields {
  return { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', metadata: { name, namespace: 'flux-system', ...metadata }, spec: { path, ...spec } };
}

const CASCADE = { finalizers: ['resources-finalizer.argocd.argoproj.io/background'] };
const PRUNED = { automated: { prune: true } };

function argo(name: string, path: string, syncPolicy: Fields = {}, metadata: Fields = {}): Fields {
  const spec = { destination: { server: 'https://kubernetes.default.svc' }, source: { repoURL: 'https://git.example.com/a', path }, syncPolicy };
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name, namespace: 'argocd', ...metadata }, spec };
}

const delivered = (delivery: Fields | undefined): ObjectFiles => ({ ...(delivery && { 'entries/acme.yaml': [delivery] }), 'tenants/acme/all.yaml': ACME, 'tenants/beta/all.yaml': [CONFIG] });
const ALL = '5-5';

test.each<[what: string, before: Fields, after: Fields | undefined, outcome: unknown[]]>([
  ['a Kustomization that prunes', flux('acme', './tenants/acme'), undefined, ['removed', ['Kustomization acme, which applied it, is removed'], ALL]],
  ['a Kustomization that deletes', flux('acme', './tenants/acme', { deletionPolicy: 'Delete' }), undefined, ['removed', ['Kustomization acme, which applied it, is removed'], ALL]],
  ['a Kustomization that orphans', flux('acme', './tenants/acme', { prune: true, deletionPolicy: 'Orphan' }), undefined, [
    'changed', ['Kustomization acme, which applied it, is removed, and leaves it in the cluster'], '0-0',
  ]],
  ['a Kustomization that does not prune', flux('acme', './tenants/acme', {}), undefined, [
    'changed', ['Kustomization acme, which applied it, is removed, and leaves it in the cluster'], '0-0',
  ]],
  ['a Kustomization that is suspended', flux('acme', './tenants/acme', { prune: true, suspend: true }), undefined, [
    'changed', ['Kustomization acme, which applied it, is removed, and leaves it in the cluster'], '0-0',
  ]],
  ['a Kustomization that stays', flux('acme', './tenants/acme', { prune: true }, { annotations: { 'kustomize.toolkit.fluxcd.io/prune': 'disabled' } }), undefined, [undefined, undefined, '0-0']],
  ['an Application that cascades', argo('acme', 'tenants/acme', {}, CASCADE), undefined, ['removed', ['Application acme, which applied it, is removed'], ALL]],
  ['an Application that does not cascade', argo('acme', 'tenants/acme', PRUNED), undefined, [
    'changed', ['Application acme, which applied it, is removed, and leaves it in the cluster'], '0-0',
  ]],
])('%s is removed', (_, before, after, expected) => {
  expect(outcome(delivered(before), delivered(after))).toEqual(expected);
});

test.each<[what: string, before: Fields, after: Fields, outcome: unknown[]]>([
  ['a Kustomization that prunes', flux('acme', './tenants/acme'), flux('acme', './tenants/beta'), ['removed', ['Kustomization acme applies it no longer'], ALL]],
  ['a Kustomization that does not prune', flux('acme', './tenants/acme', {}), flux('acme', './tenants/beta', {}), [
    'changed', ['Kustomization acme applies it no longer, and leaves it in the cluster'], '0-0',
  ]],
  ['an Application that prunes', argo('acme', 'tenants/acme', PRUNED), argo('acme', 'tenants/beta', PRUNED), ['removed', ['Application acme applies it no longer'], ALL]],
  ['an Application that does not prune', argo('acme', 'tenants/acme'), argo('acme', 'tenants/beta'), [
    'changed', ['Application acme applies it no longer, and leaves it in the cluster'], '0-0',
  ]],
])('%s gets another folder', (_, before, after, expected) => {
  expect(outcome(delivered(before), delivered(after))).toEqual(expected);
});

describe('an Application', () => {
  const MANUAL = {};
  const states = (syncPolicy: Fields, after: ObjectFiles): [ObjectFiles, ObjectFiles] => [
    { 'entries/acme.yaml': [argo('acme', 'tenants/acme', syncPolicy)], 'tenants/acme/all.yaml': ACME, 'tenants/acme/x.yaml': [CONFIG] },
    { 'entries/acme.yaml': [argo('acme', 'tenants/acme', syncPolicy)], ...after },
  ];

  test('that a user syncs applies nothing by itself', () => {
    const [before, after] = states(MANUAL, { 'tenants/acme/all.yaml': [CLUSTER, controlPlane(), newPool({ version: 'v1.34.2' })], 'tenants/acme/x.yaml': [CONFIG] });
    const [part] = plannedObjects(before, after).clusters[0].parts;

    expect([part.paused, part.notes]).toEqual([true, ['Application acme does not sync by itself: it applies this once a user syncs it']]);
  });

  test('does not prune a pool, whose owner is the Cluster', () => {
    const files = (pools: readonly Fields[]): ObjectFiles => ({
      'entries/acme.yaml': [argo('acme', 'tenants/acme', PRUNED)], 'tenants/acme/cluster.yaml': [CLUSTER, controlPlane()], 'tenants/acme/pool.yaml': pools, 'tenants/acme/x.yaml': [CONFIG],
    });
    const [part] = plannedObjects(files([newPool()]), files([])).clusters[0].parts;

    expect([part.effects, part.notes]).toEqual([[], [
      'Application acme prunes nothing that has an owner, which is the Cluster: delete it by hand', 'stays in the cluster: MachineDeployment acme-md-0',
    ]]);
  });

  test('that is removed with its folder, and does not cascade, leaves what it applied', () => {
    const before = delivered(argo('acme', 'tenants/acme', PRUNED));
    const [folder, file] = [{ 'tenants/beta/all.yaml': [CONFIG] }, { 'tenants/beta/all.yaml': [CONFIG], 'tenants/acme/y.yaml': [{ ...CONFIG, metadata: { name: 'y', namespace: 'web' } }] }];

    expect(outcome(before, folder)).toEqual(['changed', ['Application acme is removed, too, and leaves what it applied'], '0-0']);
    expect(outcome(before, file)).toEqual(['removed', ['Application acme is removed, too, and leaves what it applied: it stays unless it is pruned before'], ALL]);
  });

  test('without any manifest deletes nothing, unless it may be empty', () => {
    expect(outcome(...states(PRUNED, {}))).toEqual(['changed', ['Application acme finds no manifest any more, and then deletes nothing'], '0-0']);
    expect(outcome(...states(PRUNED, { 'tenants/acme/x.yaml': [CONFIG] }))).toEqual(['removed', [], ALL]);
    expect(outcome(...states({ automated: { prune: true, allowEmpty: true } }, {}))).toEqual(['removed', [], ALL]);
  });
});

test('removed deliveries tell what becomes of what they applied', () => {
  const partOf = (delivery: Fields) => plannedObjects({ 'a.yaml': [delivery], 'b.yaml': [CONFIG] }, { 'b.yaml': [CONFIG] }).shared.map(({ effects, notes }) => [effects, notes]);
  expect(partOf(flux('acme', './elsewhere'))).toEqual([[[{ effect: 'deleted', reasons: ['Kustomization acme with all that it applied'] }], []]]);
  expect(partOf(flux('acme', './elsewhere', { prune: true, deletionPolicy: 'Orphan' }))).toEqual([[[], ['what Kustomization acme applied stays in the cluster']]]);
});

test('an element out of an ApplicationSet takes its Application along', () => {
  const set = (spec: Fields, ...names: readonly string[]): Fields => {
    const { metadata, ...template } = argo('{{name}}', 'tenants/{{ .name }}');
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'tenants', namespace: 'argocd' },
      spec: { generators: [{ list: { elements: names.map((name) => ({ name })) } }], template: { metadata, spec: template.spec }, ...spec },
    };
  };
  expect(outcome(delivered(set({}, 'acme', 'beta')), delivered(set({}, 'beta')))).toEqual(['removed', ['Application acme, which applied it, is removed'], ALL]);
  const kept = (policy: Fields) => [delivered(set({ syncPolicy: policy }, 'acme', 'beta')), delivered(set({ syncPolicy: policy }, 'beta'))] as const;
  expect(outcome(...kept({ preserveResourcesOnDeletion: true }))).toEqual(['changed', ['Application acme, which applied it, is removed, and leaves it in the cluster'], '0-0']);
  expect(outcome(...kept({ applicationsSync: 'create-update' }))).toEqual([undefined, undefined, '0-0']);
  expect(plannedObjects(...kept({ applicationsSync: 'create-update' })).shared.map(({ name }) => name)).toEqual(['acme', 'ApplicationSet']);
});

test('a cluster between two owners that prune may be deleted', () => {
  const owners = (first: Fields, second: Fields) => [first, second];
  const files = (place: string, ...entries: readonly Fields[]): ObjectFiles => ({
    'entries/all.yaml': entries, [`tenants/${place}/acme.yaml`]: ACME, 'tenants/team-a/x.yaml': [CONFIG], 'tenants/team-b/y.yaml': [{ ...CONFIG, metadata: { name: 'y', namespace: 'web' } }],
  });
  const both = owners(flux('a', './tenants/team-a'), flux('b', './tenants/team-b'));
  const note = 'moves from Kustomization a to Kustomization b: it is deleted unless Kustomization b applies it first; mark it against pruning in a commit before';
  expect(outcome(files('team-a', ...both), files('team-b', ...both))).toEqual(['moved to another owner', [note], '0-5']);
  const kept = owners(flux('a', './tenants/team-a', {}), flux('b', './tenants/team-b'));
  expect(outcome(files('team-a', ...kept), files('team-b', ...kept))).toEqual([undefined, undefined, '0-0']);
  // A folder gets another name in one delivery.
  expect(outcome(files('team-a', flux('all', './tenants')), files('team-b', flux('all', './tenants')))).toEqual([undefined, undefined, '0-0']);
});

test('what is gone from a folder that nothing prunes stays', () => {
  const gone = (entry: Fields): ObjectFiles => ({ 'entries/acme.yaml': [entry], 'tenants/beta/all.yaml': [CONFIG] });
  const keeps = flux('acme', './tenants/acme', {});
  expect(outcome(delivered(keeps), gone(keeps))).toEqual(['changed', ['Kustomization acme does not prune'], '0-0']);
  const prunes = flux('acme', './tenants/acme');
  expect(outcome(delivered(prunes), gone(prunes))).toEqual(['removed', [], ALL]);
});

test('a file that a kustomization lists no longer is removed, and one that it lists anew is created', () => {
  const files = (...resources: readonly string[]): ObjectFiles => ({ 'kustomization.yaml': kustomization(...resources), 'acme.yaml': ACME, 'web.yaml': [CONFIG] });
  expect(outcome(files('acme.yaml', 'web.yaml'), files('web.yaml'))).toEqual(['removed', ['no kustomization lists acme.yaml any more'], ALL]);
  expect(plannedObjects(files('web.yaml'), files('acme.yaml', 'web.yaml')).clusters.map(({ change }) => change)).toEqual(['created']);
  const tree = (...resources: readonly string[]): ObjectFiles => ({
    'kustomization.yaml': kustomization(...resources), 'acme/kustomization.yaml': kustomization('all.yaml'), 'acme/all.yaml': ACME, 'web/kustomization.yaml': kustomization('all.yaml'), 'web/all.yaml': [CONFIG],
  });
  expect(outcome(tree('acme', 'web'), tree('web'))).toEqual(['removed', ['no kustomization lists acme/all.yaml any more'], ALL]);
  expect(plannedObjects(tree('web'), tree('acme', 'web')).clusters.map(({ change }) => change)).toEqual(['created']);
  const listed = (...resources: readonly string[]): ObjectFiles => ({ ...tree(...resources), 'flux/all.yaml': [flux('all', './dist', {})] });
  expect(outcome(listed('acme', 'web'), listed('web'))).toEqual(['changed', ['Kustomization all applies it no longer, and leaves it in the cluster'], '0-0']);
});

test('a Namespace and the definition of a kind take along what is in them', () => {
  const namespace = (annotations: Fields = {}): Fields => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default', annotations } });
  const definition: Fields = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'clusters.cluster.x-k8s.io' }, spec: { group: 'cluster.x-k8s.io', names: { kind: 'Cluster' } } };
  expect(outcome({ 'ns.yaml': [namespace()], 'acme.yaml': ACME }, { 'acme.yaml': ACME })).toEqual(['removed', ['goes with the Namespace default, which is removed'], ALL]);
  expect(outcome({ 'ns.yaml': [namespace({ 'kustomize.toolkit.fluxcd.io/prune': 'disabled' })], 'acme.yaml': ACME }, { 'acme.yaml': ACME })).toEqual(['changed', [], '0-0']);
  expect(outcome({ 'crd.yaml': [definition], 'acme.yaml': ACME }, { 'acme.yaml': ACME })).toEqual([
    'removed', ['goes with the CustomResourceDefinition clusters.cluster.x-k8s.io, which is removed'], ALL,
  ]);
});

test('a namespace that Flux puts everything into makes another cluster', () => {
  const { clusters } = plannedObjects(delivered(flux('acme', './tenants/acme')), delivered(flux('acme', './tenants/acme', { prune: true, targetNamespace: 'other' })));
  expect(clusters.map(({ namespace, name, change }) => [namespace, name, change])).toEqual([['default', 'acme', 'removed'], ['other', 'acme', 'created']]);
});

test('every object that is not known to be in no namespace gets the namespace of a delivery or a kustomization', () => {
  const bare = [...ACME, { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'foo' } }, { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast' } }]
    .map((object): Fields => ({ ...object, metadata: { name: (object.metadata as Fields).name } }));
  const delivering = (targetNamespace: string): ObjectFiles => ({ 'entries/acme.yaml': [flux('acme', './tenants/acme', { prune: true, targetNamespace })], 'tenants/acme/all.yaml': bare });
  const listing = (namespace: string): ObjectFiles => ({ 'kustomization.yaml': [{ ...kustomization('all.yaml')[0], namespace }], 'all.yaml': bare });
  for (const files of [delivering, listing]) {
    const { clusters, shared } = plannedObjects(files('one'), files('two'));
    expect(clusters.map(({ namespace, change, parts }) => [namespace, change, parts.map(({ name, part }) => name || part)])).toEqual([
      ['one', 'removed', ['cluster', 'control plane', 'acme-md-0', 'Foo']], ['two', 'created', ['cluster', 'control plane', 'acme-md-0', 'Foo']],
    ]);
    expect(shared.filter(({ name }) => name === 'StorageClass')).toEqual([]);
  }
});

const ROOT = flux('root', './apps');
const CHILD = flux('tenants', './tenants');
const chain = (...others: readonly Fields[]): ObjectFiles => ({ 'entries/root.yaml': [ROOT], 'apps/tenants.yaml': [CHILD, ...others], 'tenants/acme.yaml': ACME, 'other/x.yaml': [CONFIG] });
const { 'entries/root.yaml': _root, ...withoutRoot } = chain();

test.each<[what: string, before: ObjectFiles, after: ObjectFiles, outcome: unknown[]]>([
  ['its root', chain(), withoutRoot, ['removed', ['Kustomization tenants, which applied it, is removed'], ALL]],
  ['the folder of its root', chain(), { ...chain(), 'entries/root.yaml': [flux('root', './other')] }, ['removed', ['Kustomization tenants, which applied it, is removed'], ALL]],
  ['its place in the list of its root', chain(), { ...chain(), 'apps/kustomization.yaml': kustomization() }, ['removed', ['Kustomization tenants, which applied it, is removed'], ALL]],
  ['its root, which keeps what it applied', { ...chain(), 'entries/root.yaml': [flux('root', './apps', {})] }, withoutRoot, [undefined, undefined, '0-0']],
  [
    'the root of its root', { ...chain(), 'top/top.yaml': [flux('top', './entries')] }, { ...chain(), 'top/top.yaml': [flux('top', './other')] },
    ['removed', ['Kustomization tenants, which applied it, is removed'], ALL],
  ],
])('a delivery loses %s', (_, before, after, expected) => {
  expect(outcome(before, after)).toEqual(expected);
});

test.each<[what: string, delivery: Fields]>([
  ['./', flux('all', './')], ['.', flux('all', '.')], ['no path', flux('all', undefined as unknown as string)], ['an Application of .', argo('all', '.', PRUNED, CASCADE)],
])('%s is the whole repository', (_, delivery) => {
  const files: ObjectFiles = { 'flux/all.yaml': [delivery], 'acme.yaml': ACME };
  expect(outcome(files, { 'acme.yaml': ACME, 'x.yaml': [CONFIG] }).slice(0, 1)).toEqual(['removed']);
});

test('the whole of an artifact may be something else than what was read', () => {
  const delivery = flux('acme', './', { sourceRef: { kind: 'OCIRepository', name: 'acme' } });
  const { shared, clusters } = plannedObjects({ 'acme.yaml': ACME }, { 'acme.yaml': ACME, 'flux/all.yaml': [delivery] });
  expect(clusters).toEqual([]);
  expect(shared.flatMap(({ notes }) => notes)).toEqual(['Kustomization acme applies ./ of OCIRepository acme, which is not read']);
});

test('the whole of another repository is not what was read', () => {
  const source = (name: string) => ({ prune: true, sourceRef: { kind: 'GitRepository', name } });
  const own = flux('acme', './tenants/acme', source('own'));
  expect(outcome({ ...delivered(own), 'other.yaml': [flux('other', './', source('other'))] }, delivered(own))).toEqual([undefined, undefined, '0-0']);
});

test('all names of a path count', () => {
  const files = (...entries: readonly Fields[]): ObjectFiles => ({
    'flux/all.yaml': entries, 'fleet/eu/clusters/prod/tenants/acme.yaml': ACME, 'fleet/us/clusters/prod/tenants/x.yaml': [CONFIG], 'prod/tenants/y.yaml': [{ ...CONFIG, metadata: { name: 'y' } }],
  });
  const eu = flux('eu', './fleet/eu/clusters/prod/tenants');
  const us = (name: string) => flux(name, './fleet/us/clusters/prod/tenants');
  expect(outcome(files(eu, us('us')), files(us('us')))).toEqual(['removed', ['Kustomization eu, which applied it, is removed'], ALL]);
  expect(outcome(files(eu, us('us')), files(us('eu'), us('us')))).toEqual(['removed', ['Kustomization eu applies it no longer'], ALL]);
  expect(outcome(files(eu, flux('short', './prod/tenants')), files(eu))).toEqual([undefined, undefined, '0-0']);
  // A part of the repository was read, under its own name or another one.
  const part = (name: string, entries: readonly Fields[]): ObjectFiles => ({ 'flux.yaml': entries, 'clusters/tenants/acme.yaml': ACME, [`${name}/x.yaml`]: [CONFIG] });
  const entry = flux('acme', './deploy/clusters/tenants');
  expect(outcome(part('x', [entry]), part('x', [])).slice(0, 1)).toEqual(['removed']);
});

test('files of folders below are not those of an Application that reads one folder', () => {
  const files = (...entries: readonly Fields[]): ObjectFiles => ({ 'apps.yaml': entries, 'tenants/acme/all.yaml': ACME });
  expect(outcome(files(argo('all', 'tenants', PRUNED, CASCADE)), files())).toEqual([undefined, undefined, '0-0']);
});

test('one base that two deliveries apply is there twice', () => {
  const overlay = (namespace: string) => [{ ...kustomization('../base')[0], namespace }];
  const files = (us?: string): ObjectFiles => ({
    'flux/eu.yaml': [flux('eu', './eu')],
    ...(us !== undefined && { 'flux/us.yaml': [flux('us', us)] }),
    'base/kustomization.yaml': kustomization('all.yaml'),
    'base/all.yaml': ACME,
    'eu/kustomization.yaml': overlay('eu'),
    'us/kustomization.yaml': overlay('us'),
  });
  const idsOf = (before: ObjectFiles, after: ObjectFiles) => (
    plannedObjects(before, after).clusters.map(({ namespace, change, notes }) => [namespace, change, notes]));
  expect(idsOf(files('./us'), files())).toEqual([['us', 'removed', ['Kustomization us, which applied it, is removed']]]);
  expect(idsOf(files('./us'), files('./eu'))).toEqual([['us', 'removed', ['Kustomization us applies it no longer']]]);
  expect(idsOf(files('./us'), { ...files('./us'), 'base/all.yaml': [CLUSTER, controlPlane({ version: 'v1.34.2' }), newPool()] }).map(([namespace]) => namespace)).toEqual(['eu', 'us']);
});

test('another cluster for a delivery leaves what it applied', () => {
  const elsewhere = flux('acme', './tenants/acme', { prune: true, kubeConfig: { secretRef: { name: 'hall-b-kubeconfig' } } });
  const note = (name: string) => `${name} applies it to another cluster from now on; it stays here, and nothing manages it any more`;
  expect(outcome(delivered(flux('acme', './tenants/acme')), delivered(elsewhere))).toEqual(['changed', [note('Kustomization acme')], '0-0']);
  const application = argo('acme', 'tenants/acme', PRUNED);
  const moved = { ...application, spec: { ...(application.spec as Fields), destination: { server: 'https://hall-b:6443' } } };
  expect(outcome(delivered(application), delivered(moved))).toEqual(['changed', [note('Application acme')], '0-0']);
  // Another key of the same Secret is most likely the same cluster.
  const key = flux('acme', './tenants/acme', { prune: true, kubeConfig: { secretRef: { name: 'hall-b-kubeconfig', key: 'other' } } });
  expect(plannedObjects(delivered(elsewhere), delivered(key)).clusters).toEqual([]);
});

test('a delivery that is new, or gets a wider folder, creates what nothing applied', () => {
  const files = (...entries: readonly Fields[]): ObjectFiles => ({ 'flux/all.yaml': entries, 'tenants/acme/all.yaml': ACME, 'tenants/beta/x.yaml': [CONFIG] });
  const beta = flux('beta', './tenants/beta');
  const created = (after: ObjectFiles) => (
    plannedObjects(files(beta), after).clusters.map(({ change, parts }) => [change, parts.flatMap(({ notes }) => notes).at(-1)]));
  expect(created(files(beta, flux('acme', './tenants/acme')))).toEqual([['created', 'Kustomization acme applies it from now on: it is created unless it is there already']]);
  expect(created(files(flux('beta', './tenants')))).toEqual([['created', 'Kustomization beta applies it from now on: it is created unless it is there already']]);
  // Without any delivery, it is not known what applied it until then.
  expect(plannedObjects(files(), files(flux('acme', './tenants/acme'))).clusters).toEqual([]);
});

test('what a suspended delivery applies waits', () => {
  const files = (suspend: boolean, replicas: number): ObjectFiles => ({
    'entries/acme.yaml': [flux('acme', './tenants/acme', { prune: true, suspend })], 'tenants/acme/all.yaml': [CLUSTER, controlPlane(), newPool({}, { replicas })],
  });
  const changes = plannedObjects(files(true, 5), files(true, 1));
  expect([planTotals(changes).machinesDeleted.maximum, planTotals(changes).pausedParts]).toEqual([0, 1]);
  expect(changes.clusters[0].parts[0].notes).toEqual(['Kustomization acme is suspended: it applies this once it is resumed']);
  // One that a suspended delivery applies stays as it was.
  const nested = (path: string): ObjectFiles => ({ ...chain(), 'entries/root.yaml': [flux('root', './apps', { prune: true, suspend: true })], 'apps/tenants.yaml': [flux('tenants', path)] });
  expect(outcome(nested('./tenants'), nested('./elsewhere'))).toEqual([undefined, undefined, '0-0']);
});

test('a delivery that is suspended in a commit may apply that commit before', () => {
  const files = (suspend: boolean, replicas: number, ...more: readonly Fields[]): ObjectFiles => ({
    'entries/acme.yaml': [flux('acme', './tenants/acme', { prune: true, suspend })],
    'tenants/acme/all.yaml': [CLUSTER, controlPlane(), newPool({}, { replicas })],
    ...more.length > 0 && { 'tenants/acme/more.yaml': more },
  });
  const changes = plannedObjects(files(false, 5, CONFIG), files(true, 1));
  expect([planTotals(changes).machinesDeleted.maximum, planTotals(changes).pausedParts]).toEqual([4, 0]);
  expect([...changes.clusters[0].parts, ...changes.shared].flatMap(({ notes }) => notes)).toEqual(expect.arrayContaining([
    'Kustomization acme is suspended from now on: it applies this unless it is suspended before',
    'Kustomization acme is suspended from now on: it stays unless it is pruned before',
  ]));
  const manual = (syncPolicy: Fields, replicas: number): ObjectFiles => ({ ...files(false, replicas), 'entries/acme.yaml': [argo('acme', 'tenants/acme', syncPolicy)] });
  expect(planTotals(plannedObjects(manual(PRUNED, 5), manual({}, 1)))).toMatchObject({ pausedParts: 1 });
});

test('what no kustomization lists is not applied, and is named', () => {
  const files = (...beta: readonly Fields[]): ObjectFiles => ({ 'flux/all.yaml': [flux('all', './tenants')], 'tenants/kustomization.yaml': kustomization('acme.yaml'), 'tenants/acme.yaml': ACME, 'tenants/beta.yaml': beta });
  const cluster = (version: string) => [{ ...CLUSTER, metadata: { name: 'beta', namespace: 'beta' }, spec: { version } }];
  const unread = (before: ObjectFiles, after: ObjectFiles) => {
    const { clusters, unread: found } = plannedObjects(before, after);
    return [clusters.length, found.map(({ file, change, what }) => [file, change, what])];
  };
  expect(unread(files(), files(...cluster('1')))).toEqual([0, [['tenants/beta.yaml', 'created', 'no kustomization or delivery applies it']]]);
  expect(unread(files(...cluster('1')), files(...cluster('2')))).toEqual([0, [['tenants/beta.yaml', 'changed', 'no kustomization or delivery applies it']]]);
  expect(unread(files(...cluster('1')), files())).toEqual([0, [['tenants/beta.yaml', 'removed', 'no kustomization or delivery applies it']]]);
  const listed = { ...files(...cluster('1')), 'tenants/kustomization.yaml': kustomization('acme.yaml', 'beta.yaml') };
  expect(plannedObjects(files(...cluster('1')), listed).clusters.map(({ name, change }) => [name, change])).toEqual([['beta', 'created']]);
});

test('a file by itself tells nothing of folders', () => {
  const [old, now] = [delivered(flux('acme', './tenants/acme')), { '-': [flux('acme', './tenants/acme'), ...ACME, CONFIG] }].map((files, index) => ({
    ...placedObjects(Object.entries(files).map(([file, objects]) => (
      { file: index === 0 ? `dist/${file}` : file, bytes: Buffer.from(objects.map((object) => JSON.stringify(object)).join('\n---\n')) }))),
    root: index === 0 ? 'dist' : '-',
  }));
  expect(planObjects(old, now)).toMatchObject({ clusters: [], shared: [], unread: [] });
});

test('an assertion over one cluster does not ask for what applies its folder', () => {
  const read = (files: ObjectFiles) => placedObjects(Object.entries(files).map(([file, objects]) => (
    { file, bytes: Buffer.from(objects.map((object) => JSON.stringify(object)).join('\n---\n')) }))).objects;
  const before = read(delivered(flux('acme', './tenants/acme')));
  expect(machineReplacements(before, read({ 'acme.yaml': ACME }), 'default/acme')).toEqual([]);
  expect(machineReplacements(before, read({ 'acme.yaml': [CLUSTER, controlPlane()] }), 'default/acme')).toEqual([expect.stringContaining('2 machines are deleted')]);
});

test('a namespace of kustomize makes another cluster, and each overlay with one has its own', () => {
  const overlay = (namespace: string, version = 'v1.34.1'): ObjectFiles => ({
    'base/kustomization.yaml': kustomization('all.yaml'),
    'base/all.yaml': [CLUSTER, controlPlane({ version }), newPool()],
    'eu/kustomization.yaml': [{ ...kustomization('../base')[0], namespace: 'eu' }],
    'us/kustomization.yaml': [{ ...kustomization('../base')[0], namespace }],
  });
  const idsOf = (before: ObjectFiles, after: ObjectFiles) => plannedObjects(before, after).clusters.map(({ namespace, name, change }) => `${change} ${namespace}/${name}`);
  expect(idsOf(overlay('us'), overlay('us', 'v1.34.2'))).toEqual(['changed eu/acme', 'changed us/acme']);
  expect(idsOf(overlay('us'), overlay('asia'))).toEqual(['created asia/acme', 'removed us/acme']);
  expect(plannedObjects(overlay('us'), overlay('asia')).unread).toEqual([]);
  const { 'us/kustomization.yaml': _, ...one } = overlay('us');
  expect(idsOf(overlay('us'), one)).toEqual(['removed us/acme']);
});

test('variables that Flux fills in replace machines, and values from Secrets are left', () => {
  const values = (kind: string, version: string): Fields => ({ apiVersion: 'v1', kind, metadata: { name: 'versions', namespace: 'flux-system' }, [kind === 'Secret' ? 'stringData' : 'data']: { version } });
  const files = (kind: string, version: string, replicas: string): ObjectFiles => ({
    'flux/all.yaml': [flux('acme', './tenants/acme', { postBuild: { substituteFrom: [{ kind, name: 'versions' }], substitute: { replicas } } }), values(kind, version)],
    'tenants/acme/all.yaml': [CLUSTER, controlPlane({ version: '${version}' }), newPool({ version: '${version:=v1.33.0}' }, { replicas: '${replicas}' })],
  });
  const reasonsOf = (before: ObjectFiles, after: ObjectFiles) => (
    plannedObjects(before, after).clusters.flatMap(({ parts }) => parts.flatMap(({ effects }) => effects.flatMap(({ reasons }) => reasons))));
  expect(reasonsOf(files('ConfigMap', 'v1.34.1', '2'), files('ConfigMap', 'v1.34.2', '5'))).toEqual([
    'version v1.34.1 -> v1.34.2', 'version v1.34.1 -> v1.34.2', 'replicas 2 -> 5',
  ]);
  expect(reasonsOf(files('Secret', 'v1.34.1', '2'), files('Secret', 'v1.34.2', '2'))).toEqual([]);
  const versioned = (version: string): ObjectFiles => ({ ...files('ConfigMap', 'v1.34', '2'), 'tenants/acme/all.yaml': [CLUSTER, controlPlane({ version: 'v1.34.1' }), newPool({ version }, { replicas: 2 })] });
  expect(reasonsOf(versioned('${version}.1'), versioned('${other:=${version}.1}'))).toEqual([]);
});

describe('an Application deletes what has Force and Replace, and creates it anew', () => {
  const BOTH = 'Force=true,Replace=true';

  /** The objects with options of one kind, and a label of another one. */
  const files = (kind: string, options: string, syncOptions: readonly string[] = [], labelled?: string): ObjectFiles => ({
    ...delivered(argo('acme', 'tenants/acme', { ...PRUNED, syncOptions })),
    'tenants/acme/all.yaml': ACME.map((object) => ({
      ...object,
      metadata: {
        ...object.metadata as Fields,
        ...(object.kind === kind && { annotations: { 'argocd.argoproj.io/sync-options': options } }),
        ...(object.kind === labelled && { labels: { tier: 'gold' } }),
      },
    })),
  });
  const parts = (...[kind, options, syncOptions, labelled = kind]: Parameters<typeof files>) => (
    plannedObjects(files(kind, options, syncOptions), files(kind, options, syncOptions, labelled)).clusters.flatMap(({ parts: all }) => all)
      .map(({ name, effects, notes }) => [name, effects.map(({ effect, count }) => `${effect} ${count?.maximum ?? ''}`.trim()), notes]));
  const POOL = ['acme-md-0', ['deleted 2', 'scaled 2'], ['Application acme deletes MachineDeployment acme-md-0, and creates it anew']];

  test('a pool, with its machines', () => {
    expect(parts('MachineDeployment', BOTH)).toEqual([POOL]);
    expect(parts('MachineDeployment', 'Prune=false, Force=true', ['Replace=true'])).toEqual([POOL]);
  });

  test('a pool that is the same, if something else of the Application differs', () => {
    expect(parts('MachineDeployment', BOTH, [], 'Cluster')).toEqual([['', ['in place'], []], POOL]);
    expect(parts('MachineDeployment', BOTH, ['ApplyOutOfSyncOnly=true'], 'Cluster')).toEqual([['', ['in place'], []]]);
  });

  test('a cluster, with all that is in it', () => {
    const [{ change, notes }] = plannedObjects(files('Cluster', BOTH), files('Cluster', BOTH, [], 'Cluster')).clusters;
    expect([change, notes]).toEqual(['removed', ['Application acme deletes Cluster acme, and creates it anew']]);
  });

  test.each<[string, readonly string[]]>([
    ['Force=true', []], ['Replace=true', []], ['Replace=true', ['Force=true']], ['Prune=false', ['Force=true', 'Replace=true']],
  ])('nothing with %s of the object and %j of the Application', (options, syncOptions) => {
    expect(parts('MachineDeployment', options, syncOptions)).toEqual([['acme-md-0', ['in place'], []]]);
  });
});
