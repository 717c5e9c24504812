import { ApiObject, Chart, Size, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { clusterIn, DIGEST, REGISTRY } from './cluster';
import { CertManager } from '../../../src/constructs/addons/catalog/cert-manager';
import { KubePrometheusStack } from '../../../src/constructs/addons/catalog/kube-prometheus-stack';
import { HelmAddon, HelmAddonProps } from '../../../src/constructs/addons/helm-addon';
import { ManifestValidation } from '../../../src/constructs/app/validation/manifest-validation';
import { Addon } from '../../../src/constructs/contracts/addon';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';
import { ImageLock } from '../../../src/constructs/images/image-lock';
import { ImageSourcesProps } from '../../../src/constructs/images/image-sources';
import {
  KubevirtCloudControllerManager,
} from '../../../src/constructs/infrastructures/kubevirt/cloud-controller-manager/kubevirt-cloud-controller-manager';
import { KubevirtInfrastructure } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { KubevirtMachine } from '../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { RootDisk } from '../../../src/constructs/infrastructures/kubevirt/root-disk';
import { TenantCluster } from '../../../src/constructs/tenant/tenant-cluster';
import { problemsOf, ReportedProblem } from '../../support/problems';

type Change = (cluster: TenantCluster) => void;
const nothing: Change = () => undefined;

function problems(images: ImageSourcesProps | undefined, change: Change = nothing, addons: Addon[] = []): ReportedProblem[] {
  const app = Testing.app();
  ManifestValidation.skip(app, 'the objects have only the fields that matter here');
  change(clusterIn(app, images, {}, addons));
  return problemsOf(app);
}

const pod = (image: string) => (cluster: TenantCluster): void => {
  new kplus.Pod(cluster.workloads, 'web', { metadata: { name: 'web', namespace: 'team' }, containers: [{ image }] });
};
const podinfo = (props: Partial<HelmAddonProps> = {}) => new HelmAddon('podinfo', {
  chart: 'podinfo', repository: 'oci://ghcr.io/stefanprodan/charts', chartVersion: '6.9.0', namespace: 'apps', ...props,
});
const POINTER = '/spec/containers/0/image of workloads/web';

/** A place for the user's own objects of the management cluster. */
const ownChart = (cluster: TenantCluster) => new Chart(cluster, 'own', { namespace: cluster.namespace });
const variable = (value: string) => (cluster: TenantCluster): void => {
  new kplus.Pod(cluster.workloads, 'web', {
    metadata: { name: 'web', namespace: 'team' }, containers: [{ image: `${REGISTRY}/x/web:v1`, envVariables: { WORKER_IMAGE: kplus.EnvValue.fromValue(value) } }],
  });
};
const proxy = (fields: object = {}, images?: string[]) => (cluster: TenantCluster): void => {
  new ApiObject(ownChart(cluster), 'proxy', {
    apiVersion: 'addons.cluster.x-k8s.io/v1alpha1',
    kind: 'HelmChartProxy',
    metadata: { name: 'proxy', ...(images && { annotations: { 'cdk8s-cluster-api/chart-images': JSON.stringify(images) } }) },
    spec: { chartName: 'metrics-server', version: '3.13.1', repoURL: 'https://kubernetes-sigs.github.io/metrics-server', ...fields },
  } as never);
};
const staticPod = (image: string) => (cluster: TenantCluster): void => {
  const content = Buffer.from(`apiVersion: v1\nkind: Pod\nmetadata: { name: x }\nspec: { containers: [{ name: x, image: '${image}' }] }\n`).toString('base64');
  new ApiObject(ownChart(cluster), 'config', {
    apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmConfig',
    metadata: { name: 'config' },
    spec: { files: [{ path: '/etc/kubernetes/manifests/x.yaml', encoding: 'base64', content }] },
  } as never);
};

type Case = [id: string, what: string, images: ImageSourcesProps | undefined, change: Change, addons: Addon[], ...texts: string[]];

const CASES: Case[] = [
  ['TC-IMAGE-NAME', 'a workload', undefined, pod('Web:v1'), [], POINTER, '"Web:v1" is not the name of an image'],
  ['TC-IMAGE-NAME', 'a declared image', undefined, nothing, [podinfo({ images: [{ image: 'ghcr.io/Podinfo:v1' }] })], 'charts["podinfo"].values.image.repository', '"ghcr.io/Podinfo:v1'],
  ['TC-IMAGE-UNPINNED', 'a workload without tag', undefined, pod('web'), [], POINTER, 'neither tag nor digest', '"docker.io/library/web@sha256:…"'],
  ['TC-IMAGE-UNPINNED', 'latest', undefined, pod('quay.io/team/web:latest'), [], POINTER, 'the tag "latest"'],
  ['TC-IMAGE-UNPINNED', 'latest in a mirror', { imageRegistry: REGISTRY }, pod('quay.io/team/web:latest'), [], `"${REGISTRY}/team/web:latest"`],
  ['TC-IMAGE-UNPINNED', 'latest in the values of a chart', undefined, nothing, [new CertManager({ values: { image: { tag: 'latest' } } })], 'charts["cert-manager"].values.image.repository', ':latest"'],
  [
    'TC-IMAGE-UNPINNED', 'an object of the management cluster', undefined,
    (cluster) => { new ApiObject(ownChart(cluster), 'job', { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'job' }, spec: { template: { spec: { containers: [{ name: 'x', image: 'x' }] } } } } as never); }, [],
    '/spec/template/spec/containers/0/image of acme/own/job',
  ],
  ['TC-IMAGE-REGISTRY', 'a scheme', { imageRegistry: 'https://registry.internal' }, nothing, [], 'images.imageRegistry'],
  ['TC-IMAGE-OVERRIDE', 'no image', { overrides: { 'quay.io/team/node': 'https://x' } }, nothing, [], 'images.overrides["quay.io/team/node"]'],
  ['TC-IMAGE-OVERRIDE-UNUSED', 'a misspelt name', { overrides: { 'quay.io/team/nodes': 'quay.io/x/y' } }, nothing, [], 'images.overrides["quay.io/team/nodes"]', 'no image is called'],
  [
    'TC-IMAGE-INEXPRESSIBLE', 'one component of Kamaji', { overrides: { 'registry.k8s.io/kube-apiserver': 'quay.io/team/kube-apiserver' } }, nothing, [],
    '/spec/registry of acme/ControlPlane', 'registry.k8s.io/kube-apiserver:v1.35.4',
  ],
  [
    'TC-IMAGE-INEXPRESSIBLE', 'a chart of an OCI registry with a mirror that is none', { chartRegistry: 'https://charts.internal' },
    (cluster) => {
      const spec = { url: 'oci://ghcr.io/team/charts/app', layerSelector: { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip' } };
      new ApiObject(ownChart(cluster), 'oci', { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'OCIRepository', metadata: { name: 'x' }, spec } as never);
    }, [],
    '/spec/url of acme/own/oci', '"oci://ghcr.io/team/charts/app"',
  ],
  ['TC-IMAGE-VALUE-TWICE', 'two images with the usual keys', undefined, nothing, [podinfo({ images: [{ image: 'ghcr.io/x/y:v1' }, { image: 'ghcr.io/x/z:v1' }] })], 'charts["podinfo"].images', '"ghcr.io/x/y:v1"', '"image.repository"'],
  ['TC-IMAGE-UNMOVED', 'a variable', { imageRegistry: REGISTRY }, variable('quay.io/x/y:v1'), [], '/spec/containers/0/env/0/value of workloads/web', `"${REGISTRY}/x/y:v1"`],
  ['TC-IMAGE-UNMOVED', 'a value of a chart', { imageRegistry: REGISTRY }, nothing, [new CertManager({ values: { extraEnv: [{ name: 'SOME_IMAGE', value: 'quay.io/x/y:v1' }] } })], 'charts["cert-manager"].values.extraEnv.0.value'],
  ['TC-IMAGE-UNMOVED', 'a chart of an object of the user', { imageRegistry: REGISTRY }, proxy(), [], 'values of the chart "metrics-server" in acme/own/proxy', `"${REGISTRY}/metrics-server/metrics-server:`],
  ['TC-IMAGE-UNMOVED', 'images that an object of the user says', { imageRegistry: REGISTRY }, proxy({ chartName: 'own' }, ['quay.io/x/y:v1']), [], '"quay.io/x/y:v1" by what an annotation says'],
  ['TC-IMAGE-UNMOVED', 'a static pod', { imageRegistry: REGISTRY }, staticPod('quay.io/x/y:v1'), [], 'file /etc/kubernetes/manifests/x.yaml of acme/own/config', '"quay.io/x/y:v1"'],
  ['TC-IMAGE-CHART-UNKNOWN', 'a chart of an object of the user', { imageRegistry: REGISTRY }, proxy({ chartName: 'own' }), [], 'acme/own/proxy', 'the chart "own" runs in version 3.13.1'],
  ['TC-IMAGE-CHART-UNKNOWN', 'a release without its source', { imageRegistry: REGISTRY }, (cluster) => {
    const spec = { releaseName: 'x', chartRef: { kind: 'OCIRepository', name: 'elsewhere' } };
    new ApiObject(ownChart(cluster), 'release', { apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease', metadata: { name: 'x' }, spec } as never);
  }, [], '/spec of acme/own/release'],
  ['TC-IMAGE-LOCK', 'no digest', { lock: ImageLock.of({ 'quay.io/x/y:v1': 'v1' }) }, nothing, [], 'images.lock'],
  ['TC-IMAGE-MIRROR', 'no scheme', { chartRegistry: 'registry.internal/charts' }, nothing, [], 'images.chartRegistry'],
  ['TC-IMAGE-MIRROR-UNUSED', 'no chart', { chartRepositories: { 'https://charts.example.com': 'oci://registry.internal/charts' } }, nothing, [], 'images.chartRepositories["https://charts.example.com"]'],
  ['TC-IMAGE-CHART-UNKNOWN', 'a chart of the user', { imageRegistry: REGISTRY }, nothing, [podinfo()], 'charts["podinfo"]', 'in version 6.9.0', 'images: [{ image: '],
  ['TC-IMAGE-CHART-UNKNOWN', 'another version', { imageRegistry: REGISTRY }, nothing, [new CertManager({ chartVersion: 'v1.99.0' })], 'in version v1.99.0'],
];

test.each(CASES)('%s: %s', (id, _, images, change, addons, ...texts) => {
  const found = problems(images, change, addons);
  expect([...new Set(found.map((problem) => `${problem.path} ${problem.id}`))]).toEqual([`acme ${id}`]);
  for (const text of texts) expect(found[0].text).toContain(text);
});

describe('what is left as it is', () => {
  test.each<[string, Change]>([
    ['a variable', variable(`${REGISTRY}/x/y:v1`)], ['a static pod', staticPod(`${REGISTRY}/x/y:v1`)], ['images that an object says', proxy({ chartName: 'own' }, [`${REGISTRY}/x/y:v1`])],
    ['values', proxy({ valuesTemplate: `image:\n  repository: ${REGISTRY}/metrics-server/metrics-server\n` })],
  ])('is right where it has the name that it is to have: %s', (_, change) => {
    expect(problems({ imageRegistry: REGISTRY }, change)).toEqual([]);
  });

  test('is no matter where no image moves', () => {
    for (const change of [variable('quay.io/x/y:v1'), staticPod('quay.io/x/y:v1'), proxy(), proxy({ chartName: 'own' })]) expect(problems({}, change)).toEqual([]);
  });

  test('needs digests where all images do', () => {
    const ids = (change: Change) => new Set(problems({ requireDigests: true }, change).filter(({ text }) => text.includes('quay.io/x/y')).map(({ id }) => id));
    expect(ids(variable('quay.io/x/y:v1'))).toEqual(new Set(['TC-IMAGE-UNMOVED']));
    expect(ids(staticPod('quay.io/x/y:v1'))).toEqual(new Set(['TC-IMAGE-UNMOVED']));
    expect(ids(variable(`quay.io/x/y:v1@${DIGEST}`))).toEqual(new Set());
  });
});

describe('required digests', () => {
  const NAMES = [
    'quay.io/team/node:v1.35.4', 'registry.k8s.io/e2e-test-images/busybox:1.37.0-2', 'registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.2',
    'quay.io/kubevirt/kubevirt-cloud-controller-manager:v0.6.0',
  ];
  const missing = (found: ReportedProblem[]) => [...new Set(found.map(({ id, text }) => `${id} ${/"([^"]*:[^"]*)" has no digest/.exec(text)?.[1]}`))].sort();

  test('TC-IMAGE-DIGEST: every image without, but those of Kamaji, and those that a chart pins', () => {
    expect(missing(problems({ requireDigests: true }))).toEqual(NAMES.map((name) => `TC-IMAGE-DIGEST ${name}`).sort());
  });

  test('a lock has them', () => {
    expect(problems({ requireDigests: true, lock: ImageLock.of(Object.fromEntries(NAMES.map((name) => [name, DIGEST]))) })).toEqual([]);
  });

  test('TC-IMAGE-DIGEST: images of a chart', () => {
    const lock = ImageLock.of(Object.fromEntries(NAMES.map((name) => [name, DIGEST])));
    const found = problems({ requireDigests: true, lock }, nothing, [podinfo({ images: [{ image: 'ghcr.io/stefanprodan/podinfo:6.9.0' }] })]);
    expect(found.map(({ id, text }) => [id, text])).toEqual([['TC-IMAGE-DIGEST', expect.stringContaining('charts["podinfo"].values.image.repository: "ghcr.io/stefanprodan/podinfo:6.9.0"')]]);
  });

  test('TC-IMAGE-CHART-UNKNOWN: charts whose tags nobody knows', () => {
    const windows = new KubePrometheusStack({ values: { windowsMonitoring: { enabled: true } } });
    const found = problems({ requireDigests: true }, nothing, [windows]).filter(({ id }) => id === 'TC-IMAGE-CHART-UNKNOWN').map(({ text }) => text);
    expect(found.join('\n')).toContain('the subchart prometheus-windows-exporter');
    const moved = problems({ imageRegistry: REGISTRY }, nothing, [windows]);
    expect(moved.filter(({ id }) => id === 'TC-IMAGE-CHART-UNKNOWN')).toEqual([]);
  });
});

describe('an image that somebody was given', () => {
  const LATEST = 'registry.example.com/team/some:latest';
  const addPool = (cluster: TenantCluster): void => {
    cluster.addNodePool('more', { machine: new KubevirtMachine({ cpu: 4, memory: Size.gibibytes(16), rootDisk: RootDisk.containerDisk({ image: LATEST }) }), size: PoolSize.fixed(1) });
  };
  const driver = (images?: ImageSourcesProps) => {
    const app = Testing.app();
    ManifestValidation.skip(app, 'the objects have only the fields that matter here');
    const storageClasses = [{ name: 'fast', infraClass: 'replicated', isDefault: true }];
    clusterIn(app, images, { infrastructure: new KubevirtInfrastructure({ storageClasses }) });
    return problemsOf(app).map(({ id }) => id);
  };
  const controller = () => {
    const app = Testing.app();
    ManifestValidation.skip(app, 'the objects have only the fields that matter here');
    return (images?: ImageSourcesProps) => {
      const cloudControllerManager = KubevirtCloudControllerManager.of({ image: LATEST });
      clusterIn(app, images, { infrastructure: new KubevirtInfrastructure({ cloudControllerManager }) });
      return problemsOf(app);
    };
  };

  test('is reported once, in his words', () => {
    expect(problems(undefined, addPool).map(({ path, id }) => [path, id])).toEqual([['acme/more', 'TC-KUBEVIRT-IMAGE-UNPINNED']]);
    expect(controller()().map(({ path, id }) => [path, id])).toEqual([['acme', 'TC-CONTROLLER-IMAGE-UNPINNED']]);
  });

  test.each<[string, ImageSourcesProps]>([
    ['an override', { overrides: { 'registry.example.com/team/some': `registry.example.com/team/some@${DIGEST}` } }], ['the lock', { lock: ImageLock.of({ [LATEST]: DIGEST }) }],
  ])('is no problem where %s pins it', (_, images) => {
    expect(problems(images, addPool)).toEqual([]);
    expect(controller()(images)).toEqual([]);
  });

  test('the CSI driver, which has no version, needs an image of the user, or an override that names one', () => {
    expect(driver()).toEqual(['TC-KUBEVIRT-CSI-IMAGE']);
    expect(driver({ overrides: { 'quay.io/kubevirt/kubevirt-csi-driver': `registry.internal/csi@${DIGEST}` } })).toEqual([]);
    expect(driver({ lock: ImageLock.of({ 'quay.io/kubevirt/kubevirt-csi-driver:latest': DIGEST }) })).toEqual([]);
    expect(driver({ imageRegistry: REGISTRY })).toEqual(['TC-KUBEVIRT-CSI-IMAGE']);
  });
});

test('all problems come at once', () => {
  const found = problems({ imageRegistry: 'https://x', overrides: { 'quay.io/nobody/nothing': 'quay.io/x/y' }, lock: ImageLock.of({ x: '' }) }, pod('Web:v1'));
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set(['TC-IMAGE-REGISTRY', 'TC-IMAGE-NAME', 'TC-IMAGE-LOCK', 'TC-IMAGE-OVERRIDE-UNUSED']));
});
