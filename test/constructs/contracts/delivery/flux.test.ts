import { Duration } from 'cdk8s';
import { parse } from 'yaml';
import { CERT_MANAGER, deliver, GATEWAY, Goods, ofKind, tenantChart, Written, written } from './delivered';
import { HelmCrdPolicy, HelmInstallFailurePolicy, HelmValuesSource } from '../../../../src/constructs/contracts/helm-chart';
import { FluxDelivery } from '../../../../src/constructs/deliveries/flux/flux-delivery';
import { FluxDeliveryProps, FluxDriftDetection, FluxKubeconfig, FluxManifestCarrier, FluxSourceKind } from '../../../../src/constructs/deliveries/flux/flux-delivery-props';
import { FluxEntryPoints } from '../../../../src/constructs/deliveries/flux/flux-entry-points';
import { FluxMode } from '../../../../src/constructs/deliveries/flux/flux-mode';
import { GitOpsApp } from '../../../../src/constructs/repository/gitops-app';
import { SchemaValidator } from '../../../manifests/schema/validate';

const GIT = { name: 'fleet', namespace: 'flux-system', path: './tenants/' };

function releaseOf(props: FluxDeliveryProps = {}, chart = {}, goods: Goods = {}) {
  return ofKind('HelmRelease', new FluxDelivery(props), { charts: { 'cert-manager': chart }, ...goods })[0];
}

test('a chart becomes a HelmRelease that retries for ever in the tenant', () => {
  expect(releaseOf({}, { values: { crds: { enabled: true } } })).toEqual({
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: {
      name: 'acme-cert-manager',
      namespace: 'tenant-acme',
      labels: { 'cluster.x-k8s.io/cluster-name': 'acme' },
      annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' },
    },
    spec: {
      chart: {
        spec: {
          chart: 'cert-manager',
          version: 'v1.21.1',
          interval: '24h0m0s',
          reconcileStrategy: 'ChartVersion',
          sourceRef: { kind: 'HelmRepository', name: expect.stringMatching(/^acme-charts-jetstack-io-[0-9a-f]{8}$/) },
        },
      },
      driftDetection: { mode: 'disabled' },
      install: {
        crds: 'CreateReplace',
        createNamespace: true,
        disableWait: true,
        remediation: { retries: -1 },
        strategy: { name: 'RetryOnFailure', retryInterval: '30s' },
      },
      interval: '1h0m0s',
      kubeConfig: { secretRef: { name: 'acme-admin-kubeconfig', key: 'super-admin.svc' } },
      maxHistory: 5,
      releaseName: 'cert-manager',
      storageNamespace: 'cert-manager',
      targetNamespace: 'cert-manager',
      timeout: '10m0s',
      uninstall: { deletionPropagation: 'background', disableWait: true, timeout: '5m0s' },
      upgrade: {
        crds: 'CreateReplace', disableWait: true, remediation: { retries: -1 }, strategy: { name: 'RetryOnFailure', retryInterval: '30s' },
      },
      values: { crds: { enabled: true } },
    },
  });
});

test('values come from Secrets and ConfigMaps of the management cluster', () => {
  const valuesFrom = [
    HelmValuesSource.configMap('defaults'), HelmValuesSource.secret('grafana', { key: 'password', targetPath: 'grafana.adminPassword' }),
    HelmValuesSource.secret('more', { optional: true }),
  ];
  expect(releaseOf({}, { valuesFrom }).spec.valuesFrom).toEqual([
    { kind: 'ConfigMap', name: 'defaults' },
    { kind: 'Secret', name: 'grafana', valuesKey: 'password', targetPath: 'grafana.adminPassword', literal: true },
    { kind: 'Secret', name: 'more', optional: true },
  ]);
  expect(releaseOf({}, { valuesFrom: [] }).spec).not.toHaveProperty('valuesFrom');
});

test('a failed installation is uninstalled and tried again without limit where the chart asks for it, an upgrade never', () => {
  const { install, upgrade, timeout } = releaseOf({}, { installFailurePolicy: HelmInstallFailurePolicy.REINSTALL }).spec;

  expect(install).toEqual({
    crds: 'CreateReplace', createNamespace: true, disableWait: true, remediation: { retries: -1 }, strategy: { name: 'RemediateOnFailure' },
  });
  expect(upgrade.strategy).toEqual({ name: 'RetryOnFailure', retryInterval: '30s' });
  expect(timeout).toBe('10m0s');
});

test('a chart may do without its hooks', () => {
  const { install, upgrade, uninstall } = releaseOf({}, { hooks: false }).spec;

  expect([install.disableHooks, upgrade.disableHooks, uninstall.disableHooks]).toEqual([true, true, true]);
  expect(releaseOf({}, { hooks: true }).spec.install).not.toHaveProperty('disableHooks');
});

test('the properties of the delivery arrive', () => {
  const { spec } = releaseOf({
    kubeconfig: FluxKubeconfig.EXTERNAL,
    interval: Duration.hours(1),
    retryInterval: Duration.minutes(2),
    uninstallTimeout: Duration.minutes(1),
    maxHistory: 2,
    driftDetection: FluxDriftDetection.WARN,
    suspend: true,
  });
  expect(spec).toMatchObject({
    kubeConfig: { secretRef: { name: 'acme-kubeconfig', key: 'value' } },
    interval: '1h0m0s',
    install: { strategy: { retryInterval: '2m0s' } },
    upgrade: { strategy: { retryInterval: '2m0s' } },
    uninstall: { timeout: '1m0s' },
    maxHistory: 2,
    driftDetection: { mode: 'warn' },
    suspend: true,
  });
  expect(releaseOf({ suspend: false }).spec).not.toHaveProperty('suspend');
});

test.each([
  [HelmCrdPolicy.SKIP, 'Skip', 'Skip'],
  [HelmCrdPolicy.CREATE, 'Create', 'Skip'],
  [HelmCrdPolicy.CREATE_REPLACE, 'CreateReplace', 'CreateReplace'],
])('definitions of custom resources: %s', (crds, install, upgrade) => {
  expect(releaseOf({}, { crds }).spec).toMatchObject({ install: { crds: install }, upgrade: { crds: upgrade } });
});

test('a release of a tenant occupies no worker until its objects are ready, unless the delivery or the chart asks for that', () => {
  const waits = (props: FluxDeliveryProps, chart = {}, goods: Goods = {}) => {
    const { install, upgrade } = releaseOf(props, chart, goods).spec;
    return [install.disableWait, upgrade.disableWait].map((isOff) => isOff !== true);
  };
  const managementCluster = { context: { kubeconfigs: undefined } as never };
  expect(waits({})).toEqual([false, false]);
  expect(waits({}, { wait: true })).toEqual([true, true]);
  expect(waits({ wait: true })).toEqual([true, true]);
  expect(waits({ wait: true }, { wait: false })).toEqual([false, false]);
  expect(waits({}, {}, managementCluster)).toEqual([true, true]);
  expect(releaseOf({}, {}, managementCluster).spec.interval).toBe('10m0s');
});

test('another version in a repository is read at once', () => {
  const requested = (charts: Goods['charts']) => ofKind('HelmRepository', new FluxDelivery(), { charts })[0].metadata.annotations['reconcile.fluxcd.io/requestedAt'];
  const trust = { chart: 'trust-manager', chartVersion: 'v0.20.0' };
  expect(requested({ one: {} })).toMatch(/^[0-9a-f]{8}$/);
  expect(requested({ one: { chartVersion: 'v1.22.0' } })).not.toBe(requested({ one: {} }));
  expect(requested({ one: {}, two: trust })).not.toBe(requested({ one: {} }));
  expect(requested({ one: {}, two: trust })).toBe(requested({ two: trust, one: {} }));
});

test('with lockdown objects name the account that Flux impersonates, and the tenant gets its rights before', () => {
  const delivery = new FluxDelivery({ mode: FluxMode.lockdown(), manifestSource: { name: 'fleet' } });
  const found = written(delivery, { charts: { a: {} }, manifests: { b: tenantChart('x') } });
  expect(found.map(({ kind }) => kind).sort()).toEqual([
    'ClusterResourceSet', 'ConfigMap', 'HelmRelease', 'HelmRepository', 'Kustomization', 'ServiceAccount',
  ]);
  expect(found.find(({ kind }) => kind === 'ServiceAccount')).toMatchObject({ metadata: { name: 'flux', namespace: 'tenant-acme' }, automountServiceAccountToken: false });
  expect(found.filter(({ kind }) => ['HelmRelease', 'Kustomization'].includes(kind)).map(({ spec }) => spec.serviceAccountName)).toEqual(['flux', 'flux']);
  expect(parse(found.find(({ kind }) => kind === 'ConfigMap').data['manifests.yaml'])).toEqual({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'flux-tenant-acme-flux' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'flux', namespace: 'tenant-acme' }],
  });
  const names = written(new FluxDelivery({ mode: FluxMode.lockdown({ serviceAccountName: 'applier' }) }), { charts: { a: {} } });
  expect(names.find(({ kind }) => kind === 'HelmRelease').spec.serviceAccountName).toBe('applier');
  expect(written(new FluxDelivery({ mode: FluxMode.standard() }), { charts: { a: {} } })).toEqual(written(new FluxDelivery(), { charts: { a: {} } }));
});

test('a chart says how long it takes, whether to wait, and whether somebody else makes its namespace', () => {
  const { spec } = releaseOf({}, { timeout: Duration.minutes(90), wait: false, namespaceLabels: { a: 'b' }, values: {} });
  expect(spec.timeout).toBe('1h30m0s');
  expect([spec.install.disableWait, spec.upgrade.disableWait]).toEqual([true, true]);
  expect(spec.install).not.toHaveProperty('createNamespace');
  expect(spec).not.toHaveProperty('values');
  expect(releaseOf({}, { wait: true }).spec.install).not.toHaveProperty('disableWait');
});

test('charts of one repository share its source; a slash at the end makes no difference', () => {
  const charts = { one: {}, two: { chart: 'trust-manager', repository: 'https://charts.jetstack.io/' }, three: { repository: 'https://charts.example.com' } };
  const objects = written(new FluxDelivery(), { charts });
  const repositories = objects.filter(({ kind }) => kind === 'HelmRepository');
  expect(repositories.map(({ spec }) => spec)).toEqual([
    { interval: '24h0m0s', provider: 'generic', timeout: '1m0s', url: 'https://charts.jetstack.io' },
    { interval: '24h0m0s', provider: 'generic', timeout: '1m0s', url: 'https://charts.example.com' },
  ]);
  const names = objects.filter(({ kind }) => kind === 'HelmRelease').map(({ spec }) => spec.chart.spec.sourceRef.name);
  expect(names).toEqual([0, 0, 1].map((index) => repositories[index].metadata.name));
});

test('names of sources do not depend on the order of charts, and change with what they stand for', () => {
  const nameOf = (props: FluxDeliveryProps) => ofKind('HelmRepository', new FluxDelivery(props), { charts: { one: {} } })[0].metadata.name;
  const both = (charts: Goods['charts']) => ofKind('HelmRepository', new FluxDelivery(), { charts }).map(({ metadata }) => metadata.name).sort();
  const other = { repository: 'https://charts.example.com' };
  expect(both({ one: {}, two: other })).toEqual(both({ two: other, one: {} }));
  expect(nameOf({ sourceInterval: Duration.hours(1) })).toBe(nameOf({}));
  expect(nameOf({})).not.toBe(nameOf({ repositories: [{ repository: CERT_MANAGER.repository, secretName: 'login' }] }));
});

test('a long address and a long cluster give a name that fits', () => {
  const repository = `https://${'a'.repeat(60)}.example.com/charts`;
  const [{ metadata }] = ofKind('HelmRepository', new FluxDelivery(), { charts: { one: { repository } }, context: { name: 'c'.repeat(50) } });
  expect(metadata.name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
});

test('a chart of a registry has a source of its own, of one tag', () => {
  const [source, { spec }] = written(new FluxDelivery({ sourceInterval: Duration.hours(3) }), { charts: { gateway: { ...GATEWAY, chartVersion: '1.9.0+build.2' } } });
  expect(source).toMatchObject({
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'OCIRepository',
    metadata: { name: 'acme-gateway', namespace: 'tenant-acme' },
  });
  expect(source.spec).toEqual({
    interval: '3h0m0s',
    layerSelector: { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', operation: 'copy' },
    provider: 'generic',
    ref: { tag: '1.9.0_build.2' },
    timeout: '1m0s',
    url: 'oci://docker.io/envoyproxy/gateway-helm',
  });
  expect(spec.chartRef).toEqual({ kind: 'OCIRepository', name: 'acme-gateway' });
  expect(spec).not.toHaveProperty('chart');
});

test('a repository that needs credentials gets them, others do not', () => {
  const repositories = [
    { repository: 'https://charts.jetstack.io/', secretName: 'login', certSecretName: 'ca' },
    { repository: 'oci://docker.io/envoyproxy', secretName: 'pull' },
  ];
  const objects = written(new FluxDelivery({ repositories }), { charts: { a: {}, b: GATEWAY, c: { repository: 'https://charts.example.com' } } });
  const specOf = (url: string) => objects.find(({ spec }) => spec.url === url).spec;
  expect(specOf('https://charts.jetstack.io')).toMatchObject({ secretRef: { name: 'login' }, certSecretRef: { name: 'ca' } });
  expect(specOf('oci://docker.io/envoyproxy/gateway-helm')).toMatchObject({ secretRef: { name: 'pull' } });
  expect(specOf('https://charts.example.com')).not.toHaveProperty('secretRef');
});

test('what comes before is waited for, in whichever order it is delivered, through what Flux cannot wait for', () => {
  const after = { app: ['db', 'config'], config: ['cni'], db: ['cni'], cni: [] };
  const goods: Goods = { charts: { app: {}, db: {}, cni: {} }, manifests: { config: tenantChart('a') }, after };
  const releases = ofKind('HelmRelease', new FluxDelivery(), goods);
  expect(releases.map(({ metadata, spec }) => [metadata.name, spec.dependsOn])).toEqual([
    ['acme-app', [{ name: 'acme-cni' }, { name: 'acme-db' }]],
    ['acme-db', [{ name: 'acme-cni' }]],
    ['acme-cni', undefined],
  ]);
});

test('manifests are read from a source when there is one', () => {
  const objects = written(new FluxDelivery({ manifestSource: GIT }), {
    manifests: { workloads: tenantChart('a'), base: tenantChart('b'), none: tenantChart() },
    after: { workloads: ['base', 'none'], none: ['base'] },
  });
  expect(objects.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([['Kustomization', 'acme-workloads'], ['Kustomization', 'acme-base']]);
  expect(objects[0].spec).toEqual({
    dependsOn: [{ name: 'acme-base' }],
    force: false,
    interval: '1h0m0s',
    kubeConfig: { secretRef: { name: 'acme-admin-kubeconfig', key: 'super-admin.svc' } },
    path: './tenants/clusters/tenant-acme/acme/delivered/workloads',
    prune: true,
    retryInterval: '2m0s',
    sourceRef: { kind: 'GitRepository', name: 'fleet', namespace: 'flux-system' },
    timeout: '10m0s',
    wait: false,
  });
});

test('a source says of which kind it is, and how to apply what is in it', () => {
  const manifestSource = { kind: FluxSourceKind.OCI_REPOSITORY, name: 'fleet', timeout: Duration.minutes(3), wait: true };
  const [{ spec }] = written(new FluxDelivery({ manifestSource, suspend: true }), { manifests: { workloads: tenantChart('a') } });
  expect(spec).toMatchObject({ sourceRef: { kind: 'OCIRepository', name: 'fleet' }, path: './clusters/tenant-acme/acme/delivered/workloads', timeout: '3m0s', wait: true, suspend: true });
  expect(spec.sourceRef).not.toHaveProperty('namespace');
});

test('manifests of a Git repository are read at their tag, applied whole, and stay', () => {
  const gitManifests = { 'gateway-api': {}, 'again': { path: './config/crd/experimental/', timeout: Duration.minutes(1) } };
  const found = written(new FluxDelivery({ repositories: [{ repository: 'https://github.com/kubernetes-sigs/gateway-api/', secretName: 'git' }] }), {
    gitManifests, after: { again: ['gateway-api'] },
  });

  expect(found.filter(({ kind }) => kind === 'GitRepository')).toMatchObject([
    {
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      metadata: { name: 'acme-gateway-api', namespace: 'tenant-acme' },
      spec: {
        interval: '24h0m0s',
        ref: { tag: 'v1.6.1' },
        secretRef: { name: 'git' },
        sparseCheckout: ['config/crd'],
        timeout: '1m0s',
        url: 'https://github.com/kubernetes-sigs/gateway-api',
      },
    },
    { metadata: { name: 'acme-again' }, spec: { sparseCheckout: ['config/crd/experimental'] } },
  ]);
  expect(found.filter(({ kind }) => kind === 'Kustomization')).toMatchObject([
    {
      metadata: { name: 'acme-gateway-api', namespace: 'tenant-acme' },
      spec: {
        kubeConfig: { secretRef: { name: 'acme-admin-kubeconfig', key: 'super-admin.svc' } },
        path: './config/crd',
        prune: false,
        sourceRef: { kind: 'GitRepository', name: 'acme-gateway-api' },
        timeout: '10m0s',
      },
    },
    { metadata: { name: 'acme-again' }, spec: { dependsOn: [{ name: 'acme-gateway-api' }], path: './config/crd/experimental', timeout: '1m0s' } },
  ]);
});

test('manifests without a source are carried by Cluster API', () => {
  expect(written(new FluxDelivery(), { manifests: { workloads: tenantChart('a') } }).map(({ kind }) => kind)).toEqual(['ClusterResourceSet', 'ConfigMap']);
});

test('entry points of the app say which source it is, unless the delivery does or takes none', () => {
  const entryPoints = new FluxEntryPoints({ sourceName: 'fleet', sourceKind: FluxSourceKind.OCI_REPOSITORY, namespace: 'gitops', path: 'tenants' });
  const carriers = (props?: FluxDeliveryProps) => {
    const app = new GitOpsApp({ entryPoints });
    return deliver(app, new FluxDelivery(props), { manifests: { workloads: tenantChart('a') } }).toJson() as Written[];
  };
  const [{ kind, spec }] = carriers();
  expect([kind, spec.sourceRef, spec.path]).toEqual([
    'Kustomization', { kind: 'OCIRepository', name: 'fleet', namespace: 'gitops' }, './tenants/clusters/tenant-acme/acme/delivered/workloads',
  ]);
  expect(carriers({ manifestSource: GIT })[0].spec.sourceRef).toEqual({ kind: 'GitRepository', name: 'fleet', namespace: 'flux-system' });
  expect(carriers({ manifestCarrier: FluxManifestCarrier.KUSTOMIZATION })[0].kind).toBe('Kustomization');
  expect(carriers({ manifestCarrier: FluxManifestCarrier.CLUSTER_RESOURCE_SET }).map((object) => object.kind)).toEqual(['ClusterResourceSet', 'ConfigMap']);
});

test('a server accepts everything and adds nothing', () => {
  const validator = SchemaValidator.load();
  const everything = new FluxDelivery({
    kubeconfig: FluxKubeconfig.EXTERNAL,
    interval: Duration.hours(1),
    sourceInterval: Duration.minutes(90),
    driftDetection: FluxDriftDetection.ENABLED,
    suspend: true,
    repositories: [{ repository: CERT_MANAGER.repository, secretName: 'login', certSecretName: 'ca' }],
    manifestSource: GIT,
  });
  const goods = { charts: { a: { wait: false, values: { a: [1, null] } }, b: GATEWAY }, manifests: { c: tenantChart('x') }, after: { b: ['a'], c: ['b'] } };
  const objects = [...written(everything, goods), ...written(new FluxDelivery(), { charts: { a: {}, b: GATEWAY } })];
  expect(objects.map(({ kind }) => kind).sort()).toEqual([
    'HelmRelease', 'HelmRelease', 'HelmRelease', 'HelmRelease', 'HelmRepository', 'HelmRepository', 'Kustomization', 'OCIRepository', 'OCIRepository',
  ]);
  for (const object of objects) {
    expect([object.kind, validator.validate(object)]).toEqual([object.kind, []]);
    expect([object.kind, validator.missingDefaults(object)]).toEqual([object.kind, []]);
  }
});
