import { ApiObject, App, Chart, Duration, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { CERT_MANAGER, configMap, deliver, refused, tenantChart } from './delivered';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { TypedApiObject } from '../../../../src/constructs/app/synth/typed-api-object';
import { Delivery } from '../../../../src/constructs/contracts/delivery/delivery';
import { checkDuplicates } from '../../../../src/constructs/contracts/delivery/duplicate-objects';
import { apiObjects } from '../../../../src/constructs/contracts/delivery/tenant-manifests';
import { GitManifests } from '../../../../src/constructs/contracts/git-manifests';
import { HelmChart, HelmValuesSource } from '../../../../src/constructs/contracts/helm-chart';
import { ArgoCdDelivery } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-delivery';
import { ArgoCdDeliveryProps } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-delivery-props';
import { ArgoCdDestination } from '../../../../src/constructs/deliveries/argo-cd/argo-cd-destination';
import { ClusterResourceSetDelivery } from '../../../../src/constructs/deliveries/cluster-resource-set/cluster-resource-set-delivery';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxDeliveryProps, FluxManifestCarrier } from '../../../../src/constructs/deliveries/flux/flux-delivery-props';
import { FluxMode } from '../../../../src/constructs/deliveries/flux/flux-mode';
import { HelmChartProxyDelivery } from '../../../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
import { exampleCluster } from '../../../support/clusters';
import { problemsOf, ReportedProblem } from '../../../support/problems';

const FLUX = new FluxDelivery();

/** Expects one problem of the cluster, with its id and these texts. */
function expectOne(found: ReportedProblem[], id: string, ...texts: string[]): void {
  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['acme', id]]);
  for (const text of texts) expect(found[0].text).toContain(text);
}

/** Adds a construct that is not valid, as cdk8s knows it. */
function invalid(chart: Chart, id: string): void {
  new Construct(chart, id).node.addValidation({ validate: () => ['it is not finished'] });
}

const circle: { [key: string]: unknown } = {};
circle.self = circle;

describe('charts', () => {
  test.each<[string, Partial<HelmChart>, ...string[]]>([
    ['TC-DELIVERY-CHART-NAME', { chart: 'jetstack/cert-manager' }, 'charts["x"].chart', '"jetstack/cert-manager"', 'into the repository'],
    ['TC-DELIVERY-CHART-NAME', { chart: 'CertManager' }, '"CertManager"'],
    ['TC-DELIVERY-CHART-NAME', { chart: '' }, '""'],
    ...['*', '', 'latest', '1.2', '^1.2.3', '>=1.0.0', '1.2.x', '1.2.3 || 2.0.0', '01.2.3', '1.2.3-'].map((version): [string, Partial<HelmChart>, ...string[]] => (
      ['TC-DELIVERY-CHART-VERSION', { chartVersion: version }, 'charts["x"].chartVersion', version === '' ? 'no version' : JSON.stringify(version)]
    )),
    ['TC-DELIVERY-REPOSITORY', { repository: 'charts.jetstack.io' }, 'charts["x"].repository', '"charts.jetstack.io"'],
    ['TC-DELIVERY-REPOSITORY', { repository: 'ftp://charts.jetstack.io' }, 'https or http or oci'],
    ['TC-DELIVERY-REPOSITORY', { repository: 'OCI://registry.example.com/x' }, 'OCI://'],
    ['TC-DELIVERY-REPOSITORY', { repository: 'oci://registry.example.com/Charts' }, 'path'],
    ['TC-DELIVERY-REPOSITORY', { repository: 'oci://registry.example.com//charts' }, 'path'],
    ['TC-DELIVERY-REPOSITORY', { repository: 'https://' }, '"https://"'],
    ['TC-DELIVERY-REPOSITORY', { repository: 'https://10.0.0.256/x' }, '10.0.0.256'],
    ['TC-DELIVERY-REPOSITORY', { repository: 'https://charts.jetstack.io?token=x' }, 'query'],
    ['TC-DELIVERY-REPOSITORY', { gitPath: 'charts/x', repository: 'oci://registry.example.com/x' }, 'URL of https'],
    ['TC-DELIVERY-CHART-PATH', { gitPath: '../x' }, 'charts["x"].gitPath', 'leaves the repository'],
    ['TC-DELIVERY-CHART-PATH', { gitPath: '' }, 'charts["x"].gitPath', 'empty'],
    ...['main', '', 'v1 2', '*'].map((version): [string, Partial<HelmChart>, ...string[]] => (
      ['TC-DELIVERY-CHART-VERSION', { gitPath: 'charts/x', chartVersion: version }, 'charts["x"].chartVersion', 'the tag of a release']
    )),
    ['TC-DELIVERY-RELEASE-NAME', { releaseName: 'a'.repeat(54) }, 'charts["x"].releaseName', '54 characters', '53'],
    ['TC-DELIVERY-RELEASE-NAME', { releaseName: 'Cert_manager' }, '"Cert_manager"'],
    ['TC-DELIVERY-RELEASE-NAMESPACE', { namespace: 'cert.manager' }, 'charts["x"].namespace', '"cert.manager"'],
    ['TC-DELIVERY-RELEASE-NAMESPACE', { storageNamespace: 'tenant.acme' }, 'charts["x"].storageNamespace', '"tenant.acme"'],
    ['TC-DELIVERY-DURATION', { timeout: Duration.millis(500) }, 'charts["x"].timeout', '500 ms'],
    ['TC-DELIVERY-DURATION', { timeout: Duration.millis(1500) }, '1500 ms'],
    ['TC-DELIVERY-DURATION', { timeout: Duration.seconds(0) }, '0 ms'],
    ['TC-DELIVERY-VALUES', { values: { a: { b: [1, NaN] } } }, 'charts["x"].values.a.b[1]', 'the number NaN'],
    ['TC-DELIVERY-VALUES', { values: { a: () => 1 } }, 'charts["x"].values.a', 'a function'],
    ['TC-DELIVERY-VALUES', { values: { since: new Date(0) } }, 'charts["x"].values.since', 'class Date'],
    ['TC-DELIVERY-VALUES', { values: { timeout: Duration.minutes(1) } }, 'class Duration'],
    ['TC-DELIVERY-VALUES', { values: { map: new Map() } }, 'class Map'],
    ['TC-DELIVERY-PRIVATE-KEY', { values: { tls: [{ key: '-----BEGIN EC PRIVATE KEY-----\nMHc=\n' }] } }, 'charts["x"].values.tls[0].key', 'ExternalSecret'],
    ['TC-DELIVERY-VALUES-FROM', { valuesFrom: [HelmValuesSource.secret('a'), HelmValuesSource.secret('Grafana')] }, 'charts["x"].valuesFrom[1]', '"Grafana"'],
    ['TC-DELIVERY-VALUES-FROM', { valuesFrom: [HelmValuesSource.configMap('a', { key: 'a b' })] }, 'charts["x"].valuesFrom[0].key', '"a b" is no key of a ConfigMap'],
    ['TC-DELIVERY-VALUES-FROM', { valuesFrom: [HelmValuesSource.secret('a', { targetPath: '$.a' })] }, 'charts["x"].valuesFrom[0].targetPath', '"$.a"'],
    ['TC-DELIVERY-VALUES', { values: circle }, 'charts["x"].values.self', 'contains itself'],
    ['TC-DELIVERY-VALUES', { values: [1, 2] as object }, 'charts["x"].values: the value is a list, and values of a chart are an object'],
    ['TC-DELIVERY-VALUES', { values: 'a: b' as unknown as object }, 'charts["x"].values: the value is the string "a: b"'],
  ])('%s: %j', (id, chart, ...texts) => {
    expectOne(refused(FLUX, { charts: { x: chart } }), id, ...texts);
  });

  test('TC-DELIVERY-VALUE-PATH: a path of helm --set is warned of', () => {
    const emit = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    expect(refused(FLUX, { charts: { x: { values: { 'controller.replicas': 2, 'grafana.ini': { server: {} }, 'a': { 'example.com/b': 'c' } } } } })).toEqual([]);
    const texts = emit.mock.calls.map(([text]) => text);
    emit.mockRestore();
    expect(texts).toEqual([expect.stringContaining('charts["x"].values["controller.replicas"]: the key has dots')]);
    expect(texts[0]).toContain('Fix: write objects: controller: { replicas: … }');
  });

  test.each<[string, Delivery]>([
    ['Argo CD', new ArgoCdDelivery()], ['the Cluster API add-on provider for Helm', new HelmChartProxyDelivery()],
  ])('TC-DELIVERY-VALUES-FROM: %s reads no Secret', (reader, delivery) => {
    const found = refused(delivery, { charts: { x: { valuesFrom: [HelmValuesSource.secret('grafana')] } } });
    expectOne(found, 'TC-DELIVERY-VALUES-FROM', `charts["x"].valuesFrom[0]: ${reader} does not read values from the Secret "grafana"`, 'existingSecret', 'FluxDelivery');
  });

  test.each<[string, Delivery]>([
    ['Argo CD', new ArgoCdDelivery()], ['the Cluster API add-on provider for Helm', new HelmChartProxyDelivery()],
  ])('TC-DELIVERY-STORAGE-NAMESPACE: %s finds no record elsewhere', (reader, delivery) => {
    const found = refused(delivery, { charts: { x: { storageNamespace: 'tenant-acme' } } });
    expectOne(found, 'TC-DELIVERY-STORAGE-NAMESPACE', `charts["x"].storageNamespace: ${reader} looks for the release in `, '"tenant-acme"', 'FluxDelivery');
  });

  test('TC-DELIVERY-VALUES: every value that YAML cannot hold is named', () => {
    const found = refused(FLUX, { charts: { x: { values: { a: NaN, b: [{ c: Infinity }], d: () => 1 } } } });
    expect(found.map(({ id, text }) => `${id} ${text.split(':')[0]}`)).toEqual(['a', 'b[0].c', 'd'].map((path) => `TC-DELIVERY-VALUES charts["x"].values.${path}`));
  });

  test.each<Partial<HelmChart>>([
    { chartVersion: 'v1.21.1' }, { chartVersion: '0.0.0+latest' }, { chartVersion: '1.0.0-rc.1+build.5' }, { chart: 'crd.projectcalico.org.v1' },
    { repository: 'https://helm.cilium.io/' }, { repository: 'http://charts.cluster.local:8080/a' }, { repository: 'oci://registry.example.com:5000/a__b/c.d' },
    { repository: 'oci://192.0.2.1:5000' }, { repository: 'https://raw.githubusercontent.com/x/helm-charts/refs/heads/master/' },
    { releaseName: 'a'.repeat(53) }, { timeout: Duration.seconds(1) }, { values: { a: null, b: undefined, c: [{ d: 1.5 }] } },
  ])('accepted: %j', (chart) => {
    expect(refused(FLUX, { charts: { x: chart } })).toEqual([]);
  });

  test('credentials in an address are not shown', () => {
    const found = refused(FLUX, { charts: { x: { repository: 'https://user:hunter2@charts.example.com' } } });
    expectOne(found, 'TC-DELIVERY-REPOSITORY', 'credentials');
    expect(found[0].text).not.toContain('hunter2');
  });

  test('the provider for Helm does not read from http', () => {
    const goods = { charts: { x: { repository: 'http://charts.example.com' } } };
    expectOne(refused(new HelmChartProxyDelivery(), goods), 'TC-DELIVERY-REPOSITORY', '"http://charts.example.com"', 'https');
    expect(refused(new ArgoCdDelivery(), goods)).toEqual([]);
  });

  test('a ClusterResourceSet installs no charts', () => {
    const found = refused(new ClusterResourceSetDelivery(), { charts: { x: {} } });
    expectOne(found, 'TC-DELIVERY-CHART-UNSUPPORTED', 'charts["x"]', '"cert-manager"', 'FluxDelivery');
  });
});

describe('names', () => {
  test('of deliveries are DNS labels', () => {
    expectOne(refused(FLUX, { charts: { 'Cert.Manager': {} } }), 'TC-DELIVERY-NAME', '"Cert.Manager"');
    expectOne(refused(FLUX, { manifests: { '': tenantChart('a') } }), 'TC-DELIVERY-NAME', '""');
  });

  test('are there once in a cluster, for charts and manifests', () => {
    expectOne(refused(FLUX, { charts: { x: {} }, manifests: { x: tenantChart('a') } }), 'TC-DELIVERY-NAME-TAKEN', 'two deliveries', '"x"');
  });

  test('of objects are there once in a namespace, whichever cluster makes them', () => {
    const app = Testing.app();
    deliver(app, FLUX, { charts: { 'b-c': {} }, context: { name: 'a' } }, 'first');
    deliver(app, FLUX, { charts: { c: {} }, context: { name: 'a-b' } }, 'second');
    const [problem, ...others] = problemsOf(app);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ path: 'second', id: 'TC-DELIVERY-NAME-TAKEN' });
    expect(problem.text).toContain('HelmRelease "a-b-c" in namespace "tenant-acme" is made by first');
  });

  test('of Applications are there once in the namespace of Argo CD', () => {
    const app = Testing.app();
    deliver(app, new ArgoCdDelivery(), { charts: { x: {} }, context: { namespace: 'a', name: 'b-c' } }, 'first');
    deliver(app, new ArgoCdDelivery(), { charts: { x: {} }, context: { namespace: 'a-b', name: 'c' } }, 'second');
    expect(problemsOf(app).map(({ path, id }) => [path, id])).toEqual([['second', 'TC-DELIVERY-NAME-TAKEN']]);
  });

  test('that come before are delivered, too, maybe later', () => {
    expectOne(refused(FLUX, { charts: { x: {} }, after: { x: ['cni'] } }), 'TC-DELIVERY-AFTER', '"x" comes after "cni"', 'nothing of that name');
    expect(refused(FLUX, { charts: { x: {}, cni: {} }, after: { x: ['cni'] } })).toEqual([]);
  });
});

describe('manifests', () => {
  const SECRET = { apiVersion: 'v1', kind: 'Secret' };

  test.each<[string, Delivery]>([
    ['a ClusterResourceSet', new ClusterResourceSetDelivery()],
    ['Flux', new FluxDelivery({ manifestSource: { name: 'fleet' } })],
    ['Argo CD', new ArgoCdDelivery({ manifestSource: { repoUrl: 'https://git.example.com/fleet', targetRevision: 'main' } })],
  ])('hold no secrets, with %s', (_name, delivery) => {
    const manifests = tenantChart();
    new TypedApiObject(manifests, 'db', SECRET, { metadata: { name: 'db' }, stringData: { password: 'hunter2' } });
    const found = refused(delivery, { manifests: { x: manifests } });
    expectOne(found, 'TC-DELIVERY-SECRET', 'manifests["x"]', 'Secret "db" in namespace "default"', '(password)', 'ExternalSecret');
    expect(found[0].text).not.toContain('hunter2');
  });

  test('hold no secrets in lists, and secrets without content', () => {
    const manifests = tenantChart();
    const items = [{ ...SECRET, metadata: { name: 'db', namespace: 'a' }, data: { password: 'aHVudGVyMg==' } }];
    new TypedApiObject(manifests, 'list', { apiVersion: 'v1', kind: 'List' }, { metadata: { name: 'list' }, items });
    expectOne(refused(new ClusterResourceSetDelivery(), { manifests: { x: manifests } }), 'TC-DELIVERY-SECRET', 'Secret "db" in namespace "a"');
    const token = tenantChart();
    new TypedApiObject(token, 'token', SECRET, { metadata: { name: 'token' }, type: 'kubernetes.io/service-account-token', data: {} });
    expect(refused(new ClusterResourceSetDelivery(), { manifests: { x: token } })).toEqual([]);
  });

  test('name their namespace', () => {
    const manifests = new Chart(Testing.app(), 'workloads');
    configMap(manifests, 'a');
    new TypedApiObject(manifests, 'crd', { apiVersion: 'example.com/v1', kind: 'Thing' }, { metadata: { name: 'unknown-scope' } });
    expectOne(refused(new ClusterResourceSetDelivery(), { manifests: { x: manifests } }), 'TC-DELIVERY-MANIFEST-NAMESPACE', 'ConfigMap "a" names no namespace');
  });

  test.each<[string, string, string, object]>([
    ['TC-DELIVERY-PRIVATE-KEY', 'a private key', 'ConfigMap', { metadata: { name: 'a' }, data: { key: '-----BEGIN PRIVATE KEY-----' } }],
    ['TC-DELIVERY-MANIFEST-NAMESPACE', 'a custom resource without namespace', 'Certificate', { metadata: { name: 'a', namespace: undefined } }],
  ])('%s: %s that the tenant would refuse, or everybody could read', (id, _what, kind, props) => {
    const manifests = new Chart(Testing.app(), 'workloads', { namespace: kind === 'ConfigMap' ? 'default' : undefined });
    new TypedApiObject(manifests, 'x', { apiVersion: kind === 'ConfigMap' ? 'v1' : 'cert-manager.io/v1', kind }, props);
    expectOne(refused(new ClusterResourceSetDelivery(), { manifests: { x: manifests } }), id, 'manifests["x"]');
  });

  test('are there once', () => {
    const [problem, ...others] = checkDuplicates([{ name: 'x', objects: apiObjects(tenantChart('a')) }, { name: 'y', objects: apiObjects(tenantChart('a')) }]);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ rule: { id: 'TC-DELIVERY-MANIFEST-TWICE' }, property: 'manifests["y"]' });
  });

  test('fit into a ConfigMap', () => {
    const manifests = tenantChart();
    configMap(manifests, 'a', { text: 'x'.repeat(1000 * 1000) });
    expectOne(refused(new ClusterResourceSetDelivery(), { manifests: { x: manifests } }), 'TC-DELIVERY-MANIFEST-SIZE', 'ConfigMap "a"', '1000', 'at most 1000000');
  });

  test('fit into a set', () => {
    const manifests = tenantChart();
    for (let index = 0; index <= 100; index++) configMap(manifests, `c${index}`, { text: 'x'.repeat(150 * 1024) });
    expectOne(refused(new ClusterResourceSetDelivery(), { manifests: { x: manifests } }), 'TC-ADMIT-FIELD-VALUE', 'manifests["x"]: it has 101 entries', '100');
  });

  test('that cannot be written say why', () => {
    const manifests = tenantChart();
    configMap(manifests, 'a', { text: (() => 1) as unknown as string });
    expectOne(refused(new ClusterResourceSetDelivery(), { manifests: { x: manifests } }), 'TC-DELIVERY-MANIFEST', 'ConfigMap \'a\'', 'the function');
  });

  test('may be in the tree of the management cluster', () => {
    const app = Testing.app();
    const manifests = new Chart(app, 'workloads', { namespace: 'default' });
    configMap(manifests, 'a');
    invalid(manifests, 'web');
    const cluster = deliver(app, new ClusterResourceSetDelivery(), { manifests: { x: manifests } });
    expect(() => app.synthYaml()).toThrow(/errors:\n {2}\[workloads\/web\] it is not finished$/);
    manifests.node.tryRemoveChild('web');
    expect(cluster.toJson().map(({ kind }) => kind)).toEqual(['ClusterResourceSet', 'ConfigMap']);
    expect(manifests.toJson()).toHaveLength(1);
  });
});

describe('deliveries', () => {
  test.each<[string, FluxDeliveryProps, ...string[]]>([
    ['TC-DELIVERY-DURATION', { interval: Duration.millis(1) }, 'delivery.interval', '1 ms'],
    ['TC-DELIVERY-DURATION', { sourceInterval: Duration.millis(1) }, 'delivery.sourceInterval'],
    ['TC-DELIVERY-DURATION', { retryInterval: Duration.millis(1) }, 'delivery.retryInterval'],
    ['TC-DELIVERY-DURATION', { uninstallTimeout: Duration.millis(1) }, 'delivery.uninstallTimeout'],
    ['TC-DELIVERY-DURATION', { manifestSource: { name: 'a', timeout: Duration.millis(1) } }, 'delivery.manifestSource.timeout'],
    ['TC-DELIVERY-HISTORY', { maxHistory: 0 }, 'delivery.maxHistory', '0'],
    ['TC-DELIVERY-HISTORY', { maxHistory: 1.5 }, '1.5'],
    ['TC-DELIVERY-REPOSITORY', { repositories: [{ repository: 'x' }] }, 'delivery.repositories[0].repository', '"x"'],
    ['TC-DELIVERY-REPOSITORY-ACCESS', { repositories: [{ repository: 'https://a.example/' }, { repository: 'https://a.example' }] }, 'delivery.repositories[1]', 'another entry has the same address'],
    ['TC-DELIVERY-REPOSITORY-ACCESS', { repositories: [{ repository: 'https://a.example', secretName: 'A' }] }, 'delivery.repositories[0].secretName', '"A"'],
    ['TC-DELIVERY-REPOSITORY-ACCESS', { repositories: [{ repository: 'https://a.example', certSecretName: '' }] }, 'delivery.repositories[0].certSecretName'],
    ['TC-DELIVERY-MANIFEST-SOURCE', { manifestSource: { name: 'A' } }, 'delivery.manifestSource.name', '"A"'],
    ['TC-DELIVERY-MANIFEST-SOURCE', { manifestSource: { name: 'a', namespace: 'b.c' } }, 'delivery.manifestSource.namespace', '"b.c"'],
    ['TC-DELIVERY-MANIFEST-SOURCE', { manifestSource: { name: 'a', path: 'a/../..' } }, 'delivery.manifestSource.path', 'leaves'],
    ['TC-DELIVERY-MANIFEST-SOURCE', { manifestSource: { name: 'a', path: 'a b' } }, '"a b"'],
    ['TC-DELIVERY-MANIFEST-SOURCE', { manifestCarrier: FluxManifestCarrier.KUSTOMIZATION }, 'delivery.manifestCarrier', 'FluxEntryPoints'],
    ['TC-DELIVERY-MANIFEST-SOURCE', { manifestCarrier: FluxManifestCarrier.CLUSTER_RESOURCE_SET, manifestSource: { name: 'a' } }, 'delivery.manifestCarrier'],
    ['TC-DELIVERY-FLUX-MODE', { mode: FluxMode.lockdown({ serviceAccountName: 'A' }) }, 'delivery.mode.serviceAccountName', '"A"'],
    ['TC-DELIVERY-FLUX-MODE', { mode: FluxMode.lockdown(), manifestSource: { name: 'a', namespace: 'flux-system' } }, 'delivery.manifestSource.namespace', '"flux-system"'],
  ])('by Flux: %s %j', (id, props, ...texts) => {
    const delivery = new FluxDelivery(props);
    expectOne(refused(delivery, { charts: { x: {}, y: {} }, manifests: { z: tenantChart('a') } }), id, ...texts);
  });

  test.each<[string, ArgoCdDeliveryProps, ...string[]]>([
    ['TC-DELIVERY-ARGO-CD', { destination: ArgoCdDestination.named(' ') }, 'delivery.destination', 'empty'],
    ['TC-DELIVERY-ARGO-CD', { destination: ArgoCdDestination.server('acme:6443') }, '"acme:6443"'],
    ['TC-DELIVERY-ARGO-CD', { namespace: 'argo.cd' }, 'delivery.namespace', '"argo.cd"'],
    ['TC-DELIVERY-ARGO-CD', { project: 'Tenants' }, 'delivery.project', '"Tenants"'],
    ['TC-DELIVERY-MANIFEST-SOURCE', { manifestSource: { repoUrl: 'fleet', targetRevision: 'main' } }, 'delivery.manifestSource.repoUrl'],
    ['TC-DELIVERY-MANIFEST-SOURCE', { manifestSource: { repoUrl: 'https://u:p@git.example.com/x', targetRevision: 'main' } }, 'credentials'],
    ['TC-DELIVERY-MANIFEST-SOURCE', { manifestSource: { repoUrl: 'https://git.example.com/x', targetRevision: '' } }, 'delivery.manifestSource.targetRevision'],
    ['TC-DELIVERY-MANIFEST-SOURCE', { manifestSource: { repoUrl: 'ssh://git@git.example.com/x', targetRevision: 'main', path: '..' } }, 'delivery.manifestSource.path'],
  ])('by Argo CD: %s %j', (id, props, ...texts) => {
    expectOne(refused(new ArgoCdDelivery(props), { charts: { x: {}, y: {} } }), id, ...texts);
  });

  test('by the provider for Helm, with credentials of an https repository', () => {
    const delivery = new HelmChartProxyDelivery({ repositories: [{ repository: CERT_MANAGER.repository, secretName: 'login' }] });
    expectOne(
      refused(delivery, { charts: { x: {} } }), 'TC-DELIVERY-REPOSITORY-ACCESS',
      'delivery.repositories[0].secretName: "login" has no effect for an https repository: a HelmChartProxy can log in to OCI registries only',
    );
  });

  test('by the provider for Helm', () => {
    const delivery = new HelmChartProxyDelivery({ repositories: [{ repository: CERT_MANAGER.repository, caSecretName: 'A' }] });
    expectOne(refused(delivery, { charts: { x: {}, y: {} } }), 'TC-DELIVERY-REPOSITORY-ACCESS', 'delivery.repositories[0].caSecretName', '"A"');
  });

  test('are checked for each cluster that has them', () => {
    const app: App = Testing.app();
    const delivery = new FluxDelivery({ maxHistory: 0 });
    deliver(app, delivery, { charts: { x: {} }, context: { name: 'a' } }, 'first');
    deliver(app, delivery, { charts: { x: {} }, context: { name: 'b' } }, 'second');
    expect(problemsOf(app).map(({ path }) => path)).toEqual(['first', 'second']);
  });
});

describe('what comes after a delivery that is refused is not refused in turn', () => {
  test.each<[string, Delivery, string, string]>([
    ['by its name', FLUX, 'My_App', 'TC-DELIVERY-NAME'],
    ['as a chart for a ClusterResourceSet', new ClusterResourceSetDelivery(), 'x', 'TC-DELIVERY-CHART-UNSUPPORTED'],
  ])('%s', (_what, delivery, name, id) => {
    const found = refused(delivery, { charts: { [name]: {} }, manifests: { y: tenantChart('a') }, after: { y: [name] } });
    expect(found.map((problem) => problem.id)).toEqual([id]);
  });

  test('as a chart in Git for a HelmChartProxy', () => {
    const charts = { x: { repository: 'https://git.example.com/charts', gitPath: 'charts/x', version: 'v1.0.0' }, y: {} };
    const found = refused(new HelmChartProxyDelivery(), { charts, after: { y: ['x'] } });
    expect(found.map((problem) => problem.id)).toEqual(['TC-DELIVERY-CHART-UNSUPPORTED']);
  });
});

describe('the management cluster itself', () => {
  const context = { kubeconfigs: undefined };

  test.each<[string, Delivery]>([
    ['a HelmChartProxy', new HelmChartProxyDelivery()],
  ])('%s installs no chart in it', (what, delivery) => {
    expectOne(refused(delivery, { charts: { x: {} }, context }), 'TC-DELIVERY-OWN-CLUSTER', 'charts["x"]', what);
  });

  test.each<[string, Delivery]>([
    ['a ClusterResourceSet', new ClusterResourceSetDelivery()],
    ['a HelmChartProxy', new HelmChartProxyDelivery()],
    ['Flux without source', new FluxDelivery()],
    ['Argo CD without source', new ArgoCdDelivery()],
  ])('%s applies no manifests to it, and is reported once', (_what, delivery) => {
    const goods = { manifests: { x: tenantChart('a'), y: tenantChart('b') }, after: { y: ['x'] }, context };
    expect(refused(delivery, goods).map(({ id }) => id)).toEqual(['TC-DELIVERY-OWN-CLUSTER', 'TC-DELIVERY-OWN-CLUSTER']);
  });
});

test.each<[string, Delivery]>([
  ['a ClusterResourceSet', new ClusterResourceSetDelivery()],
  ['a HelmChartProxy', new HelmChartProxyDelivery()],
])('%s applies no manifests of a Git repository, and what comes after them is not missed', (_what, delivery) => {
  const found = refused(delivery, { gitManifests: { x: {} }, manifests: { y: tenantChart('a') }, after: { y: ['x'] } });
  expectOne(found, 'TC-DELIVERY-GIT-UNSUPPORTED', 'gitManifests["x"]', 'config/crd of https://github.com/kubernetes-sigs/gateway-api at v1.6.1', 'FluxDelivery and ArgoCdDelivery');
});

test.each<[string, Partial<GitManifests>, ...string[]]>([
  ['TC-DELIVERY-REPOSITORY', { repository: 'git@example.com:x' }, 'gitManifests["x"].repository'],
  ['TC-DELIVERY-CHART-VERSION', { tag: 'main' }, 'gitManifests["x"].tag', '"main"'],
  ['TC-DELIVERY-CHART-PATH', { path: '' }, 'gitManifests["x"].path', 'empty'],
  ['TC-DELIVERY-CHART-PATH', { path: '../x' }, 'gitManifests["x"].path', 'leaves the repository'],
  ['TC-DELIVERY-DURATION', { timeout: Duration.millis(1) }, 'gitManifests["x"].timeout'],
])('%s: manifests of a Git repository with %j', (id, manifests, ...texts) => {
  expectOne(refused(FLUX, { gitManifests: { x: manifests } }), id, ...texts);
  expectOne(refused(new ArgoCdDelivery(), { gitManifests: { x: manifests } }), id, ...texts);
});

test('a HelmChartProxy installs no chart of a Git repository', () => {
  const found = refused(new HelmChartProxyDelivery(), { charts: { x: { gitPath: 'charts/x', repository: 'https://git.example.com/x' } } });
  expectOne(found, 'TC-DELIVERY-CHART-UNSUPPORTED', 'in a Git repository');
});

test('an object of an API version that the tenant does not serve', () => {
  const app = Testing.app();
  const { workloads } = exampleCluster(app, { delivery: FLUX });
  new ApiObject(workloads, 'Bundle', { apiVersion: 'certificates.k8s.io/v1', kind: 'ClusterTrustBundle', metadata: { name: 'ca' }, spec: { trustBundle: 'x' } });
  expectOne(problemsOf(app), 'TC-DELIVERY-SERVED-VERSION', 'manifests["workloads"]', 'certificates.k8s.io/v1', 'raise kubernetesVersion to 1.37');
});
