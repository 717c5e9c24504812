import { effectsIn, planned } from './tenant-pages';
import { planText } from '../../../src/manifests/plan/plan-text';

type Fields = { [field: string]: unknown };

const CLUSTER: Fields = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'acme', namespace: 'tenants' }, spec: {} };

function object(apiVersion: string, kind: string, spec: Fields): Fields {
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'tenants', labels: { 'cluster.x-k8s.io/cluster-name': 'acme' } }, spec };
}

const release = (spec: Fields): Fields => object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { chart: { spec: { chart: 'web', version: '1.0.0' } }, ...spec });
const folder = (spec: Fields): Fields => object('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { path: 'web', kubeConfig: { secretRef: { name: 'acme-kubeconfig' } }, ...spec });

test.each<[what: string, before: Fields, after: Fields, effects: unknown[]]>([
  ['labels of all objects of a release', release({}), release({ commonMetadata: { labels: { a: 'b' } } }), [expect.stringMatching(/^release upgraded \(commonMetadata/)]],
  ['an interval of a release', release({ interval: '5m' }), release({ interval: '10m' }), ['in place (spec.interval 5m -> 10m)']],
  ['a field of a release that is not known', release({}), release({ example: 1 }), ['refused (spec.example: there is no field "example" here (TC-ADMIT-FIELD-UNKNOWN))']],
  ['images in a folder', folder({ images: [{ name: 'a', newTag: '1' }] }), folder({ images: [{ name: 'a', newTag: '2' }] }), ['release upgraded (images.a.newTag 1 -> 2)']],
  ['patches of a folder', folder({ patches: [{ patch: 'a' }] }), folder({ patches: [{ patch: 'b' }] }), ['unknown (patches.patch a -> b)']],
  ['another source for a folder', folder({ sourceRef: { kind: 'GitRepository', name: 'a' } }), folder({ sourceRef: { kind: 'GitRepository', name: 'b' } }), ['unknown (source.name a -> b)']],
  ['values from elsewhere', folder({}), folder({ postBuild: { substituteFrom: [{ kind: 'Secret', name: 'a' }] } }), [expect.stringMatching(/^unknown \(postBuild\.substituteFrom/)]],
  ['another key of a kubeconfig', folder({}), folder({ kubeConfig: { secretRef: { name: 'acme-kubeconfig', key: 'b' } } }), [
    expect.stringMatching(/^fails later .*the Secret "acme-kubeconfig" has no key b \(TC-TRAP-REF-DELIVERY-KEY\)\)$/),
    'unknown (another kubeconfig of Secret acme-kubeconfig, which may be for another cluster)',
  ]],
  ['names in a folder', folder({ namePrefix: 'a-' }), folder({ namePrefix: 'b-' }), [
    expect.stringMatching(/^fails later \(spec\.namePrefix: .*TC-CHANGE-FLUX-NAMESPACE/), 'unknown (spec.namePrefix a- -> b-)',
  ]],
  ['another cluster for a folder', folder({}), folder({ kubeConfig: { secretRef: { name: 'beta-kubeconfig' } } }), [
    'delivered elsewhere (applied to the cluster of Secret beta-kubeconfig; what it applied to the cluster of Secret acme-kubeconfig stays there)',
  ]],
  ['another folder', folder({ prune: true }), folder({ prune: true, path: 'api' }), ['release upgraded (what the former path alone has is deleted; path web -> api)']],
  ['another folder without pruning', folder({}), folder({ path: 'api' }), ['release upgraded (path web -> api)']],
  ['another namespace for a folder', folder({ prune: true }), folder({ prune: true, targetNamespace: 'b' }), [
    'delivered elsewhere (applied to namespace b; what it applied to other namespaces is deleted, if it is not marked against pruning)',
  ]],
  ['the management cluster for a release', release({ kubeConfig: { secretRef: { name: 'acme-kubeconfig' } } }), release({}), [
    'delivered elsewhere (installed in the management cluster; the release in the cluster of Secret acme-kubeconfig stays there, and nothing updates or removes it)',
  ]],
  ['another namespace for a release', release({}), release({ targetNamespace: 'b' }), [
    'delivered elsewhere (release web in namespace tenants is uninstalled, then release b-web in namespace b (stored in tenants) is installed)',
  ]],
])('%s', (_, before, after, effects) => {
  expect(Object.values(effectsIn(planned([CLUSTER, before], [CLUSTER, after]).clusters[0]))).toEqual([effects]);
});

test.each<[what: string, before: Fields, after: Fields]>([
  ['a release', release({}), release({ chart: { spec: { chart: 'web', version: '1.1.0' } }, suspend: true })],
  ['a folder', folder({ prune: true }), folder({ prune: true, path: 'api', suspend: true })],
])('%s that is suspended in the same change applies none of it', (_, before, after) => {
  const { clusters: [{ parts: [part] }] } = planned([CLUSTER, before], [CLUSTER, after]);
  expect(part).toMatchObject({ paused: true, notes: ['suspended: nothing is applied until it is resumed'] });
});

test.each<[what: string, object: Fields]>([
  ['a release that is suspended', release({ suspend: true })],
  ['a chart that is installed once', {
    ...object('addons.cluster.x-k8s.io/v1alpha1', 'HelmChartProxy', { chartName: 'web', repoURL: 'https://charts.example.com', clusterSelector: {}, reconcileStrategy: 'InstallOnce' }),
  }],
])('%s leaves what it installed when it is removed', (_, gone) => {
  const { clusters, shared } = planned([CLUSTER, gone], [CLUSTER]);
  const [part] = [...clusters.flatMap(({ parts }) => parts), ...shared];
  expect([part.effects, part.notes]).toEqual([[], [`what ${String(gone.kind)} web applied stays in the cluster`]]);
});

const application = (spec: Fields): Fields => ({ ...object('argoproj.io/v1alpha1', 'Application', { destination: { name: 'in-cluster' }, ...spec }) });
const fromGit = (source: Fields) => ({ source: { repoURL: 'a', path: 'web', ...source } });

test.each<[what: string, before: Fields, after: Fields, effects: string[]]>([
  ['kustomize in an Application', application(fromGit({})), application(fromGit({ kustomize: { namePrefix: 'a-' } })), [expect.stringMatching(/^unknown \(source\.kustomize/)]],
  ['files that an Application leaves out', application(fromGit({})), application(fromGit({ directory: { exclude: '*' } })), [expect.stringMatching(/^unknown \(source\.directory/)]],
  ['another commit of a folder', application(fromGit({ targetRevision: 'a' })), application(fromGit({ targetRevision: 'b' })), ['unknown (version a -> b; other content is applied, which is not read)']],
  ['another version of a chart', application({ source: { chart: 'web', targetRevision: '1' } }), application({ source: { chart: 'web', targetRevision: '2' } }), ['release upgraded (version 1 -> 2)']],
])('%s', (_, before, after, effects) => {
  expect(Object.values(effectsIn(planned([CLUSTER, before], [CLUSTER, after]).clusters[0]))).toEqual([effects]);
});

test.each<[what: string, before: Fields, after: Fields]>([
  ['a path', folder({ path: 'web/', prune: true }), folder({ path: './web', prune: true })],
  ['the source of an Application', application(fromGit({})), application({ sources: [{ repoURL: 'a', path: './web' }] })],
  ["Argo CD's own cluster", application(fromGit({})), application({ ...fromGit({}), destination: { server: 'https://kubernetes.default.svc' } })],
])('another spelling of %s has no effect', (_, before, after) => {
  expect(Object.values(effectsIn(planned([CLUSTER, before], [CLUSTER, after]).clusters[0])).flat()).toEqual([]);
});

test('a source of which a folder is applied, and an ApplicationSet of elements from elsewhere, have an unknown effect', () => {
  const repository = (tag: string): Fields => object('source.toolkit.fluxcd.io/v1', 'GitRepository', { url: 'https://git.example.com/a', ref: { tag } });
  const effects = (before: Fields[], after: Fields[]) => (
    Object.values(effectsIn(planned([CLUSTER, ...before], [CLUSTER, ...after]).clusters[0])).flat());
  expect(effects([repository('1')], [repository('2')])).toEqual(['unknown (version.tag 1 -> 2; what reads tag 2 of it is not among the manifests)']);
  const applies = folder({ sourceRef: { kind: 'GitRepository', name: 'web' } });
  expect(effects([repository('1'), applies], [repository('2'), applies])).toEqual([
    'unknown (version.tag 1 -> 2; Kustomization web applies tag 2, which is not read)',
  ]);
  const set = object('argoproj.io/v1alpha1', 'ApplicationSet', { generators: [{ git: {} }], template: { metadata: {}, spec: {} } });
  expect(effects([set], [])).toEqual(['unknown (ApplicationSet web is deleted, with what it made of values that are not in it)']);
});

test('a delivery that is suspended, and one that is resumed', () => {
  const notes = (before: Fields, after: Fields) => planned([CLUSTER, before], [CLUSTER, after]).clusters[0].parts.flatMap((part) => part.notes);
  expect(notes(release({}), release({ suspend: true }))).toEqual(['suspended: nothing is applied until it is resumed']);
  expect(notes(release({ suspend: true }), release({ suspend: true, values: { a: 1 } }))).toEqual(['suspended: nothing is applied until it is resumed']);
  expect(notes(release({ suspend: true }), release({}))).toEqual(['resumed: changes made while it was suspended are applied now']);
});

test('labels of a Cluster decide what is delivered to it', () => {
  const labelled = (labels: Fields): Fields => ({ ...CLUSTER, metadata: { name: 'acme', namespace: 'tenants', labels } });
  const selector = (a: string) => ({ clusterSelector: { matchLabels: { a } } });
  const around = [
    { apiVersion: 'addons.cluster.x-k8s.io/v1alpha1', kind: 'HelmChartProxy', metadata: { name: 'net', namespace: 'tenants' }, spec: selector('b') },
    { apiVersion: 'addons.cluster.x-k8s.io/v1alpha1', kind: 'HelmChartProxy', metadata: { name: 'once', namespace: 'tenants' }, spec: { ...selector('b'), reconcileStrategy: 'InstallOnce' } },
    { apiVersion: 'addons.cluster.x-k8s.io/v1beta2', kind: 'ClusterResourceSet', metadata: { name: 'web', namespace: 'tenants' }, spec: selector('b') },
    { apiVersion: 'addons.cluster.x-k8s.io/v1beta2', kind: 'ClusterResourceSet', metadata: { name: 'elsewhere', namespace: 'other' }, spec: selector('b') },
  ];
  const effects = (before: Fields, after: Fields) => (
    effectsIn(planned([labelled(before), ...around], [labelled(after), ...around]).clusters[0]).cluster);
  expect(effects({}, { a: 'b' })).toEqual(['in place (ClusterResourceSet web selects it; HelmChartProxy net selects it; HelmChartProxy once selects it; metadata.labels.a b added)']);
  expect(effects({ a: 'b' }, { a: 'c' })).toEqual([
    'deleted (HelmChartProxy net selects it no longer)',
    'in place (ClusterResourceSet web selects it no longer; HelmChartProxy once selects it no longer; metadata.labels.a b -> c)',
  ]);
  expect(effects({ a: 'b' }, { a: 'b', d: 'e' })).toEqual(['in place (metadata.labels.d e added)']);
});

test('a network that is left in one of two clusters', () => {
  const labelled = (name: string, tier: string): Fields => ({ ...CLUSTER, metadata: { name, namespace: 'tenants', labels: { a: 'b', tier } } });
  const proxy = (labels: Fields): Fields => ({
    apiVersion: 'addons.cluster.x-k8s.io/v1alpha1',
    kind: 'HelmChartProxy',
    metadata: { name: 'cilium', namespace: 'tenants' },
    spec: { clusterSelector: { matchLabels: labels }, chartName: 'cilium', repoURL: 'https://charts.example.com', version: '1.0.0' },
  });
  const clusters = [labelled('acme', 'gold'), labelled('beta', 'silver')];
  const { clusters: none, shared: [part] } = planned([...clusters, proxy({ a: 'b' })], [...clusters, proxy({ a: 'b', tier: 'gold' })]);
  expect([none, part.clusters, part.consequences?.down.map(({ what }) => what)]).toEqual([[], ['tenants/acme', 'tenants/beta'], ['pod network']]);
});

describe('a HelmChartProxy', () => {
  const labels = { a: 'b', tier: 'silver' };
  const labelled = (more: Fields = {}): Fields => ({ ...CLUSTER, metadata: { name: 'acme', namespace: 'tenants', labels: { ...labels, ...more } } });
  const proxy = (spec: Fields = {}): Fields => ({
    apiVersion: 'addons.cluster.x-k8s.io/v1alpha1',
    kind: 'HelmChartProxy',
    metadata: { name: 'cilium', namespace: 'tenants' },
    spec: { clusterSelector: { matchLabels: { a: 'b' } }, chartName: 'cilium', repoURL: 'https://charts.example.com', version: '1.0.0', ...spec },
  });
  const once = (spec: Fields = {}): Fields => proxy({ reconcileStrategy: 'InstallOnce', ...spec });
  const partsOf = (before: readonly Fields[], after: readonly Fields[]) => planned([...before], [...after]).clusters[0].parts;
  const effects = (before: Fields, after: Fields) => Object.values(effectsIn(planned([labelled(), before], [labelled(), after]).clusters[0])).flat();

  test('that installs once leaves releases as they are', () => {
    expect(effects(once(), once({ version: '1.1.0', namespace: 'net' }))).toEqual([
      'new ones only (spec.version 1.0.0 -> 1.1.0; spec.namespace net added)',
    ]);
  });

  test('with other options leaves releases as they are', () => {
    expect(effects(proxy(), proxy({ options: { timeout: '20m' } })).filter((effect) => effect.startsWith('new ones only'))).toHaveLength(1);
  });

  test('gives its chart values of the Cluster', () => {
    const values = { valuesTemplate: 'tier: {{ .Cluster.metadata.labels.tier }}' };
    const upgrade = (of: Fields, more: Fields) => Object.values(effectsIn(planned([labelled(), of], [labelled(more), of]).clusters[0])).flat()[0];

    expect(upgrade(proxy(values), { tier: 'gold' })).toBe('release upgraded (values of HelmChartProxy cilium are taken from it)');
    expect(upgrade(proxy(values), { other: 'x' })).toBe('in place (metadata.labels.other x added)');
    expect(upgrade(once(values), { tier: 'gold' })).toBe('in place (metadata.labels.tier silver -> gold)');
  });

  test('with the same values in another spelling, and one that is paused, change nothing', () => {
    const [one, other] = ['a: 1\nb: 2\n', '# Sizes\nb: 2\na: 1\n'].map((valuesTemplate) => proxy({ valuesTemplate }));
    const paused = { ...proxy({ version: '1.1.0' }), metadata: { name: 'cilium', namespace: 'tenants', annotations: { 'cluster.x-k8s.io/paused': '' } } };

    expect(effects(one, other)).toEqual([]);
    expect(effects(one, proxy({ valuesTemplate: 'a: 1\nb: 3\n' }))).toHaveLength(1);
    const elsewhere = { clusterSelector: { matchLabels: { a: 'c' } } };
    expect(planned([proxy({ ...elsewhere, valuesTemplate: 'a: 1' })], [proxy({ ...elsewhere, valuesTemplate: 'a: 2' })]).shared.flatMap((part) => part.effects)).toHaveLength(1);
    expect(partsOf([labelled(), proxy()], [labelled(), paused]).map((part) => part.paused)).toEqual([true]);
  });

  test('has other values, although another one of its name comes first and stays', () => {
    const [first, one, other] = ['a: 1', 'a: 2', 'a: 3'].map((valuesTemplate) => proxy({ valuesTemplate }));
    const { clusters, shared } = planned([labelled(), first, one], [labelled(), first, other]);
    expect([...clusters.flatMap(({ parts }) => parts), ...shared].flatMap((part) => part.effects).map(({ effect }) => effect)).toEqual(['release upgraded']);
  });

  test('takes the pod network along when it goes, unless it installs once', () => {
    const lost = (of: Fields) => partsOf([labelled(), of], [labelled()]).flatMap(({ consequences }) => consequences?.down ?? []);

    expect([lost(proxy()).length, lost(once()).length]).toEqual([1, 0]);
  });
});

test.each([['1.0.1', 'upgraded'], ['0.9.9', 'downgraded'], ['1.x', 'upgraded']])('a release of version %s is %s', (version, word) => {
  const after = release({ chart: { spec: { chart: 'web', version } } });

  expect(planText(planned([CLUSTER, release({})], [CLUSTER, after]), { colors: false, objects: false })).toContain(`addon web  ${word}: version 1.0.0 -> ${version}`);
});
