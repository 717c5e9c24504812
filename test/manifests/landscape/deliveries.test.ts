import { cluster, landscapeOf, object, OF_ACME } from './landscape';
import { readManifests } from '../../../src/cli/manifests/read-manifests';
import { readLandscape } from '../../../src/manifests/landscape/read-landscape';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { Workplace } from '../../cli/run';

const FLUX = 'helm.toolkit.fluxcd.io/v2';
const KUSTOMIZE = 'kustomize.toolkit.fluxcd.io/v1';
const ADDONS = 'addons.cluster.x-k8s.io/v1beta2';
const kubeConfig = (name: string) => ({ kubeConfig: { secretRef: { name } } });
const application = (destination: object, labels = {}) => object('argoproj.io/v1alpha1', 'Application', 'app', { destination, source: { chart: 'x', targetRevision: '1.0.0' } }, { namespace: 'argocd', labels });
const selecting = (clusterSelector: unknown) => object(ADDONS, 'ClusterResourceSet', 'set', { clusterSelector });

/** Clusters that an object is an addon of, and the place where it runs. */
async function belongs(delivery: ManifestObject, ...others: ManifestObject[]): Promise<string[]> {
  const { clusters, otherAddons } = await landscapeOf([
    cluster('acme', {}, { labels: { tier: 'gold' } }),
    cluster('beta', { controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 } }, { labels: { tier: 'gold' } }),
    ...others,
    delivery,
  ]);
  return [...clusters.flatMap(({ id, addons }) => addons.map(({ runsIn }) => `${id} ${runsIn}`)), ...otherAddons.map(({ runsIn }) => `other ${runsIn}`)];
}

test.each<[string, ManifestObject, string[]]>([
  ['its label', object(FLUX, 'HelmRelease', 'r', kubeConfig('whatever'), OF_ACME), ['team/acme tenant']],
  ['a kubeconfig of Cluster API', object(FLUX, 'HelmRelease', 'r', kubeConfig('acme-kubeconfig')), ['team/acme tenant']],
  ['a kubeconfig of Kamaji', object(KUSTOMIZE, 'Kustomization', 'r', kubeConfig('acme-admin-kubeconfig')), ['team/acme tenant']],
  ['a kubeconfig of nobody', object(FLUX, 'HelmRelease', 'r', kubeConfig('gone-kubeconfig')), ['other tenant']],
  ['no kubeconfig', object(FLUX, 'HelmRelease', 'r', {}), ['other management']],
  ['a label and no kubeconfig', object(FLUX, 'HelmRelease', 'r', {}, OF_ACME), ['team/acme management']],
  ['a selector', selecting({ matchLabels: { tier: 'gold' } }), ['team/acme tenant', 'team/beta tenant']],
  ['an expression', selecting({ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['gold'] }] }), ['other tenant']],
  ['an empty selector of a set', selecting({}), ['other tenant']],
  ['no selector', selecting(undefined), ['other tenant']],
  ['an empty selector of a chart', object('addons.cluster.x-k8s.io/v1alpha1', 'HelmChartProxy', 'p', { clusterSelector: {} }), ['team/acme tenant', 'team/beta tenant']],
  ['a destination by namespace and name', application({ name: 'team-acme' }), ['team/acme tenant']],
  ['a destination by name', application({ name: 'beta' }), ['team/beta tenant']],
  ['a destination by address', application({ server: 'https://10.0.0.1:6443' }), ['team/beta tenant']],
  ['a destination that nobody knows, and a label', application({ name: 'prod' }, OF_ACME.labels), ['team/acme tenant']],
  ['a destination that nobody knows', application({ name: 'prod' }), ['other tenant']],
  ["Argo CD's own cluster", application({ server: 'https://kubernetes.default.svc' }), ['other management']],
])('%s tells the cluster', async (_, delivery, expected) => {
  expect(await belongs(delivery)).toEqual(expected);
});

test('two clusters of one name are one to Argo CD', async () => {
  expect(await belongs(application({ name: 'acme' }), cluster('acme', {}, { namespace: 'other' }))).toEqual(['other tenant']);
  expect(await belongs(application({ name: 'other-acme' }), cluster('acme', {}, { namespace: 'other' }))).toEqual(['other/acme tenant']);
});

test('a selector that names a cluster which is gone still means it', async () => {
  const { clusters } = await landscapeOf([
    object('apps/v1', 'Deployment', 'controller', {}, OF_ACME), selecting({ matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme' } }),
  ]);
  expect(clusters.map(({ state, addons }) => [state, addons.length])).toEqual([['decommission', 1]]);
});

test.each<[string, ManifestObject[], object]>([
  ['HelmRelease', [object(FLUX, 'HelmRelease', 'a', {
    chart: { spec: { chart: 'cilium', version: '1.20.0' } }, targetNamespace: 'kube-system', suspend: true, dependsOn: [{ name: 'b' }, { name: 'c', namespace: 'n' }],
  }, OF_ACME)], {
    chart: 'cilium',
    version: '1.20.0',
    targetNamespace: 'kube-system',
    suspended: true,
    after: ['helm.toolkit.fluxcd.io/HelmRelease/team/b', 'helm.toolkit.fluxcd.io/HelmRelease/n/c'],
  }],
  ['HelmRelease of an OCIRepository', [
    object(FLUX, 'HelmRelease', 'a', { chartRef: { kind: 'OCIRepository', name: 's' } }, OF_ACME),
    object('source.toolkit.fluxcd.io/v1', 'OCIRepository', 's', { url: 'oci://example.com/charts/app/', ref: { tag: '1.2.3' } }),
  ], { chart: 'app', version: '1.2.3', targetNamespace: 'team' }],
  ['HelmRelease of a GitRepository', [
    object(FLUX, 'HelmRelease', 'a', { chart: { spec: { chart: './charts/app', version: '*', sourceRef: { kind: 'GitRepository', name: 's' } } } }, OF_ACME),
    object('source.toolkit.fluxcd.io/v1', 'GitRepository', 's', { url: 'https://example.com/app', ref: { branch: 'main', tag: 'v1.2.3' } }),
  ], { chart: './charts/app', version: 'v1.2.3' }],
  ['HelmRelease of a HelmChart', [
    object(FLUX, 'HelmRelease', 'a', { chartRef: { kind: 'HelmChart', name: 's', namespace: 'sources' } }, OF_ACME),
    object('source.toolkit.fluxcd.io/v1', 'HelmChart', 's', { chart: 'app', version: '1.x', sourceRef: { kind: 'HelmRepository', name: 'r' } }, { namespace: 'sources' }),
  ], { chart: 'app', version: '1.x' }],
  ['HelmRelease of a source that is elsewhere', [object(FLUX, 'HelmRelease', 'a', { chartRef: { kind: 'OCIRepository', name: 's' } }, OF_ACME)], { chart: undefined, version: undefined }],
  ['HelmChartProxy', [object('addons.cluster.x-k8s.io/v1alpha1', 'HelmChartProxy', 'a', { chartName: 'flannel', version: 'v1', namespace: 'kube-flannel', clusterSelector: {} })],
    { chart: 'flannel', version: 'v1', targetNamespace: 'kube-flannel' }],
  ['Kustomization', [object(KUSTOMIZE, 'Kustomization', 'a', { path: './a/b', ...kubeConfig('x') }, OF_ACME)], { path: './a/b', targetNamespace: undefined }],
  ['Application', [object('argoproj.io/v1alpha1', 'Application', 'a', {
    destination: { name: 'acme', namespace: 'traefik' }, sources: [{ chart: 'traefik', targetRevision: '41' }, { ref: 'values' }],
  }, { annotations: { 'argocd.argoproj.io/sync-wave': '-2' } })], { chart: 'traefik', version: '41', targetNamespace: 'traefik', wave: -2 }],
])('what a %s delivers', async (_, objects, expected) => {
  const { clusters: [acme] } = await landscapeOf([cluster('acme'), ...objects]);
  expect(acme.addons).toHaveLength(1);
  expect(acme.addons[0]).toMatchObject(expected);
});

test('what a ClusterResourceSet has in it', async () => {
  const pack = (name: string, ...kinds: string[]) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'team' },
    data: { x: kinds.map((kind) => JSON.stringify({ apiVersion: 'v1', kind, metadata: { name: 'in', labels: OF_ACME.labels } })).join('\n---\n') },
  });
  const { clusters: [acme] } = await landscapeOf([
    cluster('acme'), pack('one', 'Service', 'Service'), pack('two', 'Namespace'), pack('elsewhere', 'Pod'),
    object(ADDONS, 'ClusterResourceSet', 'set', { clusterSelector: { matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }] }, resources: [{ kind: 'ConfigMap', name: 'one' }, { kind: 'ConfigMap', name: 'two' }] }),
  ]);
  expect([...acme.addons[0].contents]).toEqual([['Namespace', 1], ['Service', 2]]);
});

describe('a tree of folders', () => {
  let workplace: Workplace;
  beforeEach(() => { workplace = new Workplace(); });
  afterEach(() => workplace.remove());

  const entry = (name: string, path: string, spec: object = {}) => object(KUSTOMIZE, 'Kustomization', name, { path, ...spec }, { namespace: 'flux-system' });

  async function read(files: { readonly [name: string]: ManifestObject[] }) {
    workplace.write(Object.fromEntries(Object.entries(files).map(([name, objects]) => [name, objects.map((one) => JSON.stringify(one)).join('\n---\n')])));
    return readLandscape(await readManifests(['.'], { cwd: workplace.folder, env: {}, readInput: async () => Buffer.from(''), out: () => undefined, err: () => undefined }));
  }

  test('tells what applies a cluster, and what applies its addons', async () => {
    const { clusters: [acme], otherAddons } = await read({
      'flux/all.yaml': [entry('team.acme', './fleet/clusters/team/acme'), entry('team.acme.addons', './fleet/clusters/team/acme/addons', { dependsOn: [{ name: 'team.acme' }] })],
      'clusters/team/acme/cluster.yaml': [cluster('acme')],
      'clusters/team/acme/addons/cilium.yaml': [object(FLUX, 'HelmRelease', 'acme-cilium', kubeConfig('x'), OF_ACME)],
    });
    expect(acme.entries.map(({ name, contents }) => [name, [...contents.keys()]])).toEqual([['team.acme', ['Cluster']], ['team.acme.addons', ['HelmRelease']]]);
    expect(acme.addons.map(({ name }) => name)).toEqual(['acme-cilium']);
    expect(otherAddons).toEqual([]);
  });

  test('keeps what several clusters share with the management cluster', async () => {
    const { otherAddons, clusters } = await read({
      'root.yaml': [entry('tenants', './clusters/tenants')],
      'clusters/tenants/a.yaml': [cluster('a'), cluster('b')],
    });
    expect(otherAddons.map(({ name }) => name)).toEqual(['tenants']);
    expect(clusters.map(({ entries }) => entries.map(({ name }) => name))).toEqual([['tenants'], ['tenants']]);
  });

  test('has folders whose objects are those of the tenant', async () => {
    const { clusters: [acme], otherAddons } = await read({
      'c.yaml': [cluster('acme'), object(KUSTOMIZE, 'Kustomization', 'acme-workloads', { path: './clusters/team/acme/workloads', ...kubeConfig('x') }, OF_ACME)],
      'clusters/team/acme/workloads/x.yaml': [object('apps/v1', 'Deployment', 'inside', {}, OF_ACME), object(FLUX, 'HelmRelease', 'inside', {})],
    });
    expect(acme.controllers).toEqual([]);
    expect(otherAddons).toEqual([]);
    expect([...acme.addons[0].contents]).toEqual([['Deployment', 1], ['HelmRelease', 1]]);
  });

  test('may be applied by an Argo CD that knows the management cluster by a name', async () => {
    const { clusters } = await read({
      'app.yaml': [object('argoproj.io/v1alpha1', 'Application', 'tenants', { destination: { name: 'hall-1' }, source: { path: 'clusters/tenants' } })],
      'clusters/tenants/a.yaml': [cluster('a')],
    });
    expect(clusters.map(({ id }) => id)).toEqual(['team/a']);
  });
});
