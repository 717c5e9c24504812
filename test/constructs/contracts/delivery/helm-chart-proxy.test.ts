import { Duration, Lazy } from 'cdk8s';
import { parse } from 'yaml';
import { GATEWAY, ofKind, tenantChart, written } from './delivered';
import { HelmCrdPolicy, HelmInstallFailurePolicy } from '../../../../src/constructs/contracts/helm-chart';
import { HelmChartProxyDelivery, HelmChartProxyDeliveryProps } from '../../../../src/constructs/deliveries/helm-chart-proxy/helm-chart-proxy-delivery';
import { SchemaValidator } from '../../../manifests/schema/validate';

function proxyOf(chart = {}, props: HelmChartProxyDeliveryProps = {}) {
  return ofKind('HelmChartProxy', new HelmChartProxyDelivery(props), { charts: { 'cert-manager': chart } })[0];
}

/** Output of the provider's template engine for a template whose only actions write braces. */
function rendered(template: string): string {
  return template.replace(/\{\{"\{\{"\}\}/g, '{{');
}

test('a chart becomes a HelmChartProxy for the one cluster', () => {
  expect(proxyOf({ values: { b: 1, a: true } })).toEqual({
    apiVersion: 'addons.cluster.x-k8s.io/v1alpha1',
    kind: 'HelmChartProxy',
    metadata: {
      name: 'acme-cert-manager',
      namespace: 'tenant-acme',
      labels: { 'cluster.x-k8s.io/cluster-name': 'acme' },
      annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' },
    },
    spec: {
      chartName: 'cert-manager',
      clusterSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'acme' } },
      namespace: 'cert-manager',
      options: { enableClientCache: false, install: { createNamespace: true }, timeout: '10m0s', upgrade: { maxHistory: 10 }, wait: true },
      reconcileStrategy: 'Continuous',
      releaseName: 'cert-manager',
      repoURL: 'https://charts.jetstack.io',
      valuesTemplate: 'a: true\nb: 1\n',
      version: 'v1.21.1',
    },
  });
});

test('a registry is given without the name of the chart', () => {
  expect(proxyOf(GATEWAY).spec).toMatchObject({ chartName: 'gateway-helm', repoURL: 'oci://docker.io/envoyproxy' });
});

test('a chart says what differs', () => {
  const { spec } = proxyOf({ crds: HelmCrdPolicy.SKIP, timeout: Duration.seconds(90), wait: false, values: {} });
  expect(spec.options).toEqual({ enableClientCache: false, install: { createNamespace: true }, skipCRDs: true, timeout: '1m30s', upgrade: { maxHistory: 10 } });
  expect(spec).not.toHaveProperty('valuesTemplate');
  expect(proxyOf({ crds: HelmCrdPolicy.CREATE }).spec.options).not.toHaveProperty('skipCRDs');
});

test('a failed installation is uninstalled where the chart asks for it', () => {
  expect(proxyOf({ installFailurePolicy: HelmInstallFailurePolicy.REINSTALL }).spec.options).toMatchObject({ atomic: true, wait: true });
  expect(proxyOf({ installFailurePolicy: HelmInstallFailurePolicy.UPGRADE }).spec.options).not.toHaveProperty('atomic');
});

test('a chart may do without its hooks', () => {
  expect(proxyOf({ hooks: false }).spec.options).toMatchObject({ disableHooks: true });
});

test('values with braces are no template', () => {
  const values = {
    rule: '{{ $labels.pod }} on {{- .node -}} {{{{x}}}} {{{', quoted: '{{"{{"}}', shell: '${A} {', list: [{ '{{key}}': 'a\n  {{ b }}\nc' }],
  };
  const { valuesTemplate } = proxyOf({ values }).spec;
  expect(valuesTemplate.replaceAll('{{"{{"}}', '')).not.toContain('{{');
  expect(parse(rendered(valuesTemplate))).toEqual(values);
});

test('values are written without anchors, with tokens resolved and null kept', () => {
  const shared = { a: 1 };
  const values = { one: shared, two: shared, three: Lazy.any({ produce: () => 3 }), none: null, gone: undefined };
  expect(proxyOf({ values }).spec.valuesTemplate).toBe('none: null\none:\n  a: 1\nthree: 3\ntwo:\n  a: 1\n');
});

test('a repository is accessed as it is said', () => {
  const props = {
    repositories: [
      { repository: 'oci://docker.io/envoyproxy/', secretName: 'pull', caSecretName: 'ca' },
      { repository: 'https://charts.jetstack.io', caSecretName: 'jetstack-ca' },
    ],
  };
  expect(proxyOf(GATEWAY, props).spec).toMatchObject({
    credentials: { secret: { name: 'pull', namespace: 'tenant-acme' }, key: 'config.json' },
    tlsConfig: { caSecret: { name: 'ca', namespace: 'tenant-acme' } },
  });
  const keyed = { repositories: [{ repository: 'oci://docker.io/envoyproxy', secretName: 'pull', secretKey: '.dockerconfigjson' }] };
  expect(proxyOf(GATEWAY, keyed).spec.credentials.key).toBe('.dockerconfigjson');
  expect(proxyOf({}, props).spec).not.toHaveProperty('credentials');
  expect(proxyOf({}, props).spec.tlsConfig.caSecret.name).toBe('jetstack-ca');
});

test('its name, a label value later on, is never too long', () => {
  const [{ metadata }] = ofKind('HelmChartProxy', new HelmChartProxyDelivery(), { charts: { ['a'.repeat(60)]: {} } });
  expect(metadata.name).toMatch(/^acme-a+-[0-9a-f]{8}$/);
  expect(metadata.name).toHaveLength(63);
});

test('manifests are carried by Cluster API', () => {
  const [set] = written(new HelmChartProxyDelivery(), { manifests: { workloads: tenantChart('a') } });
  expect([set.kind, set.spec.strategy]).toEqual(['ClusterResourceSet', 'Reconcile']);
});

test('a server accepts everything and adds nothing', () => {
  const validator = SchemaValidator.load();
  const repositories = [{ repository: GATEWAY.repository, secretName: 'pull', caSecretName: 'ca' }];
  const charts = { a: { values: { a: 1 } }, b: GATEWAY, c: { wait: false, crds: HelmCrdPolicy.SKIP } };
  for (const object of written(new HelmChartProxyDelivery({ repositories }), { charts, manifests: { d: tenantChart('x') } })) {
    expect([object.kind, validator.validate(object)]).toEqual([object.kind, []]);
    expect([object.kind, validator.missingDefaults(object)]).toEqual([object.kind, []]);
  }
});
