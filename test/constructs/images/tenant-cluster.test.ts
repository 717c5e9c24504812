import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { parseAllDocuments } from 'yaml';
import { clusterIn, DIGEST, DISK_IMAGE, REGISTRY } from './cluster';
import { namedImages } from './named-images';
import { CertManager } from '../../../src/constructs/addons/catalog/cert-manager';
import { HelmAddon } from '../../../src/constructs/addons/helm-addon';
import { ManifestFileAddon } from '../../../src/constructs/addons/manifest-addon';
import { ManifestValidation } from '../../../src/constructs/app/validation/manifest-validation';
import { FluxDelivery } from '../../../src/constructs/deliveries/flux/flux-delivery';
import { ImageLock } from '../../../src/constructs/images/image-lock';
import { ImageSources } from '../../../src/constructs/images/image-sources';
import { GitOpsApp } from '../../../src/constructs/repository/gitops-app';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { chartImages } from '../../../src/manifests/images/chart-images';
import { controllerImages } from '../../../src/manifests/images/controller-images';
import { chartReferences } from '../../../src/manifests/images/images-annotation';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { Manifest } from '../../support/clusters';
import { problemsOf } from '../../support/problems';

/** Constructs of others in the tenant: one with a patch that names another image, and one of another library. */
function addWorkloads(cluster: TenantCluster): void {
  const plain = new ApiObject(cluster.workloads, 'plain', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'plain', namespace: 'team' },
    spec: {
      selector: { matchLabels: { app: 'plain' } },
      template: { metadata: { labels: { app: 'plain' } }, spec: { containers: [{ name: 'app', image: 'ghcr.io/team/app:v1' }] } },
    },
  } as never);
  plain.addJsonPatch(JsonPatch.replace('/spec/template/spec/containers/0/image', 'busybox:1.37.0'));
  new kplus.DaemonSet(cluster.workloads, 'pod', { metadata: { name: 'pod', namespace: 'team' }, containers: [{ image: 'ghcr.io/team/pod:v1' }] });
}

const parse = (text: string): ManifestObject[] => parseAllDocuments(text).map((document) => document.toJSON() as ManifestObject);

const carried = (objects: Manifest[]): ManifestObject[] => objects.filter(({ kind }) => kind === 'ConfigMap')
  .flatMap(({ data }) => Object.values(data as { [key: string]: string }).flatMap(parse))
  .filter((object) => typeof object?.kind === 'string');

function imagesOf(objects: Manifest[]): string[] {
  const charts = objects.flatMap((object) => chartReferences(object, new ManifestIndex(objects)));
  return [...objects, ...carried(objects)].flatMap((object) => [...namedImages(object), ...controllerImages(object)].map(({ image }) => image))
    .concat(charts.flatMap((chart) => chartImages(chart)!.images));
}

test('every image of a cluster, of its controllers, machines, charts and workloads, comes from the registry', () => {
  const cluster = clusterIn(Testing.app(), { imageRegistry: REGISTRY }, {}, [new CertManager()]);
  addWorkloads(cluster);
  const images = imagesOf(cluster.toJson());
  expect(images.filter((image) => !image.startsWith(`${REGISTRY}/`))).toEqual([]);
  expect(images).toEqual(expect.arrayContaining([
    'team/node:v1.35.4', 'team/pod:v1', 'library/busybox:1.37.0', 'kube-apiserver:v1.35.4', 'jetstack/cert-manager-controller:v1.21.1',
    'autoscaling/cluster-autoscaler:v1.35.2', 'kubevirt/kubevirt-cloud-controller-manager:v0.6.0',
  ].map((path) => `${REGISTRY}/${path}`)));
  expect(images).toContainEqual(expect.stringMatching(/^registry\.internal:5000\/mirror\/cilium\/cilium:v1\.20\.0@sha256:/));
});

test('a cluster without sources is written as it always was', () => {
  const [plain, empty] = [undefined, {}].map((images) => {
    const cluster = clusterIn(Testing.app(), images);
    addWorkloads(cluster);
    return cluster.toJson();
  });
  expect(empty).toEqual(plain);
  expect(imagesOf(plain)).toContain(DISK_IMAGE);
});

test('machines are made anew when their image comes from elsewhere, also where the name is asked for early', () => {
  const names = [undefined, { imageRegistry: REGISTRY }].map((images) => {
    const cluster = clusterIn(Testing.app(), images);
    const [{ machineTemplate, machineDeployment }] = cluster.nodePools;
    const early = machineTemplate.name;
    const objects = cluster.toJson();
    const { metadata } = objects.find(({ kind }: Manifest) => kind === 'KubevirtMachineTemplate');
    expect([metadata.name, machineDeployment.toJson().spec.template.spec.infrastructureRef.name]).toEqual([early, early]);
    return early;
  });
  expect(new Set(names).size).toBe(2);
});

test('synthesizing twice changes nothing', () => {
  const app = Testing.app();
  const cluster = clusterIn(app, { imageRegistry: REGISTRY, lock: ImageLock.of({ [DISK_IMAGE]: DIGEST }) });
  addWorkloads(cluster);
  const once = app.synthYaml();
  expect(once).toContain(`${REGISTRY}/team/node:v1.35.4@${DIGEST}`);
  expect(app.synthYaml()).toBe(once);
});

test('manifests that are written to files, and manifests from a file', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'images-'));
  try {
    const app = new GitOpsApp({ outdir, quiet: true });
    const cluster = clusterIn(app, { imageRegistry: REGISTRY }, { delivery: new FluxDelivery({ manifestSource: { name: 'fleet' } }) }, [
      new ManifestFileAddon('file', join(__dirname, 'workload.yaml')),
    ]);
    addWorkloads(cluster);
    app.synth();
    const folder = join(outdir, 'clusters', 'tenant-acme', 'acme', 'delivered');
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name, 'manifests.yaml'), 'utf8'));
    const images = texts.flatMap(parse).flatMap((object) => namedImages(object).map(({ image }) => image));
    expect(images.sort()).toEqual([`${REGISTRY}/library/busybox:1.37.0`, `${REGISTRY}/team/file:v1`, `${REGISTRY}/team/pod:v1`]);
  } finally {
    rmSync(outdir, { recursive: true });
  }
});

test('charts come from the mirror', () => {
  const cluster = clusterIn(Testing.app(), { chartRepositories: { 'https://helm.cilium.io': 'https://charts.internal/cilium' }, chartRegistry: 'oci://registry.internal/charts' }, {}, [
    new CertManager(),
  ]);
  const objects = cluster.toJson();
  const charts = objects.flatMap((object: Manifest) => chartReferences(object, new ManifestIndex(objects)));
  expect(charts.map(({ chart, repository }: Manifest) => [chart, repository]).sort()).toEqual([
    ['cert-manager', 'oci://registry.internal/charts'], ['cilium', 'https://charts.internal/cilium'],
  ]);
});

test('charts of objects that the user made himself come from the mirror, too', () => {
  const app = Testing.app();
  ManifestValidation.skip(app, 'the objects have only the fields that matter here');
  const cluster = clusterIn(app, { chartRegistry: 'oci://registry.internal/charts' });
  const own = new Chart(cluster, 'own');
  const make = (id: string, apiVersion: string, kind: string, spec: object): ApiObject => (
    new ApiObject(own, id, { apiVersion, kind, metadata: { name: id }, spec } as never));
  const made = [
    make('http', 'source.toolkit.fluxcd.io/v1', 'HelmRepository', { url: 'https://charts.example.com' }),
    make('oci', 'source.toolkit.fluxcd.io/v1', 'OCIRepository', {
      url: 'oci://ghcr.io/team/charts/app', layerSelector: { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip' },
    }),
    make('manifests', 'source.toolkit.fluxcd.io/v1', 'OCIRepository', { url: 'oci://ghcr.io/team/manifests' }),
    make('proxy', 'addons.cluster.x-k8s.io/v1alpha1', 'HelmChartProxy', { repoURL: 'https://charts.example.com' }),
    make('app', 'argoproj.io/v1alpha1', 'Application', { source: { repoURL: 'ghcr.io/team/charts', chart: 'app' } }),
    make('git', 'argoproj.io/v1alpha1', 'Application', { source: { repoURL: 'https://example.com/x.git', path: 'x' } }),
  ];
  own.toJson();
  expect(made.map((object) => object.toJson().spec)).toEqual([
    { url: 'oci://registry.internal/charts', type: 'oci' },
    { url: 'oci://registry.internal/charts/app', layerSelector: expect.anything() },
    { url: 'oci://ghcr.io/team/manifests' },
    { repoURL: 'oci://registry.internal/charts' },
    { source: { repoURL: 'registry.internal/charts', chart: 'app' } },
    { source: { repoURL: 'https://example.com/x.git', path: 'x' } },
  ]);
});

test('one instance serves clusters of which each needs another part of it', () => {
  const app = Testing.app();
  const sources = new ImageSources({ overrides: { 'ghcr.io/a/a': 'quay.io/a/a', 'ghcr.io/b/b': 'quay.io/b/b' } });
  for (const id of ['a', 'b']) {
    const addon = new HelmAddon('app', { chart: 'app', repository: 'https://charts.example.com', chartVersion: '1.0.0', namespace: 'app', images: [{ image: `ghcr.io/${id}/${id}:v1` }] });
    clusterIn(app, sources, {}, [addon], id);
  }
  expect(problemsOf(app)).toEqual([]);
  expect(problemsOf(app)).toEqual([]);
});

test('an image that an override or the lock pins is no problem of whoever was given it', () => {
  const app = Testing.app();
  const cluster = clusterIn(app, { overrides: { 'quay.io/team/node': `quay.io/team/node@${DIGEST}` }, lock: ImageLock.of({ 'ghcr.io/team/web:latest': DIGEST }) });
  new kplus.Deployment(cluster.workloads, 'web', {
    metadata: { name: 'web', namespace: 'team' }, containers: [{ image: 'ghcr.io/team/web' }, { name: 'b', image: 'ghcr.io/team/web:latest' }],
  });
  expect(problemsOf(app).map(({ text }) => text.split(': ')[1])).toEqual(['"ghcr.io/team/web" has neither tag nor digest. Fix']);
});
