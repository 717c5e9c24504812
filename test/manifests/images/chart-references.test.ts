import { Testing } from 'cdk8s';
import { HelmAddon, HelmAddonProps } from '../../../src/constructs/addons/helm-addon';
import { Delivery } from '../../../src/constructs/contracts/delivery/delivery';
import { ArgoCdDelivery } from '../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { HelmChartProxyDelivery } from '../../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { chartReferences as referencesIn } from '../../../src/manifests/images/images-annotation';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ChartReference } from '../../../src/manifests/rules/image-facts';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { object } from '../../constructs/images/objects';
import { exampleCluster } from '../../support/clusters';

const chartReferences = (manifest: ManifestObject, among: readonly ManifestObject[] = []) => referencesIn(manifest, new ManifestIndex(among));

const VALUES = { image: { tag: 'v1' }, text: 'braces {{ stay }} here' };

describe.each<[string, Delivery]>([
  ['Flux', new FluxDelivery()], ['Cluster API\'s provider for Helm', new HelmChartProxyDelivery()], ['Argo CD', new ArgoCdDelivery()],
])('%s', (_, delivery) => {
  test.each([['https://charts.example.com/stable'], ['oci://registry.example.com/charts']])('a chart from %s is read back from what is written', (repository) => {
    const cluster = exampleCluster(Testing.app(), { delivery });
    cluster.addAddon(new HelmAddon('podinfo', { chart: 'pod-info', repository, chartVersion: '6.9.0', namespace: 'apps', values: VALUES, requires: [] }));
    const objects = cluster.toJson();
    expect(objects.flatMap((written: object) => chartReferences(written as never, objects))).toEqual([
      { repository, chart: 'pod-info', version: '6.9.0', releaseName: 'podinfo', values: VALUES },
    ]);
  });
});

test.each<[string, Delivery]>([
  ['Flux', new FluxDelivery()], ['Cluster API\'s provider for Helm', new HelmChartProxyDelivery()], ['Argo CD', new ArgoCdDelivery()],
])('%s: images that a chart is declared to run are read back, by the names that they get', (_, delivery) => {
  const read = (images: HelmAddonProps['images'], sources?: ImageSources) => {
    const cluster = exampleCluster(Testing.app(), { delivery, images: sources });
    cluster.addAddon(new HelmAddon('own', {
      chart: 'own', repository: 'https://charts.example.com', chartVersion: '1.0.0', namespace: 'apps', values: { b: { image: 'quay.io/x/b', tag: 'v2' } }, images, requires: [],
    }));
    const objects = cluster.toJson();
    return objects.flatMap((written: object) => chartReferences(written as never, objects)).map(({ imageNames }: Pick<ChartReference, 'imageNames'>) => imageNames);
  };
  const declared = [{ image: 'ghcr.io/x/a:v1' }, { image: 'quay.io/x/b:v1', repositoryKey: 'b.image', tagKey: 'b.tag' }];
  expect(read(declared)).toEqual([['ghcr.io/x/a:v1', 'quay.io/x/b:v2']]);
  expect(read(declared, new ImageSources({ imageRegistry: 'registry.internal/m' }))).toEqual([['registry.internal/m/x/a:v1', 'registry.internal/m/x/b:v2']]);
  expect(read([])).toEqual([[]]);
  expect(read(undefined)).toEqual([undefined]);
});

test.each(['["a:v1"', '{}', '[1]'])('the annotation %s says nothing', (text) => {
  const proxy = { ...object('addons.cluster.x-k8s.io/v1alpha1', 'HelmChartProxy', { spec: { repoURL: 'https://charts.example.com', chartName: 'app', version: '1.0.0' } }), metadata: { annotations: { 'cdk8s-cluster-api/chart-images': text } } };
  expect(chartReferences(proxy)).toEqual([{ repository: 'https://charts.example.com', chart: 'app', version: '1.0.0' }]);
});

test('a template with actions is not taken for values', () => {
  const proxy = (valuesTemplate: string) => object('addons.cluster.x-k8s.io/v1alpha1', 'HelmChartProxy', {
    spec: { repoURL: 'https://charts.example.com', chartName: 'app', version: '1.0.0', valuesTemplate },
  });
  expect(chartReferences(proxy('name: {{ .Cluster.metadata.name }}'))).toEqual([{ repository: 'https://charts.example.com', chart: 'app', version: '1.0.0' }]);
  expect(chartReferences(proxy('name: ['))[0].values).toBeUndefined();
});

test.each([
  ['a release whose source is not there', object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { spec: { chartRef: { kind: 'OCIRepository', name: 'x' } } })],
  ['an Application of a folder', object('argoproj.io/v1alpha1', 'Application', { spec: { source: { repoURL: 'https://example.com/x.git', path: 'x', targetRevision: 'main' } } })],
  ['a Deployment', object('apps/v1', 'Deployment', {})],
])('%s is no reference', (_, given) => {
  expect(chartReferences(given)).toEqual([]);
});

test('a source is one of the same namespace, unless the release names another', () => {
  const source = (namespace: string, url: string) => ({ ...object('source.toolkit.fluxcd.io/v1', 'HelmRepository', { spec: { url } }), metadata: { name: 'x', namespace } });
  const release = (sourceRef: object) => object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', { spec: { chart: { spec: { chart: 'app', version: '1.0.0', sourceRef } } } });
  const among = [source('other', 'https://other.example.com'), source('team', 'https://team.example.com/')];
  expect(chartReferences(release({ kind: 'HelmRepository', name: 'x' }), among)[0].repository).toBe('https://team.example.com');
  expect(chartReferences(release({ kind: 'HelmRepository', name: 'x', namespace: 'other' }), among)[0].repository).toBe('https://other.example.com');
});

test('several sources of one Application', () => {
  const application = object('argoproj.io/v1alpha1', 'Application', {
    spec: { sources: [{ repoURL: 'registry.example.com/charts', chart: 'app', targetRevision: '1.0.0' }, { repoURL: 'https://example.com/values.git', ref: 'values' }] },
  });
  expect(chartReferences(application)).toEqual([{ repository: 'oci://registry.example.com/charts', chart: 'app', version: '1.0.0' }]);
});
