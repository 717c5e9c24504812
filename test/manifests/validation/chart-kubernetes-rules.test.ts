import { validate } from '../../../src/manifests';

const RULES = ['TC-TRAP-CHART-KUBERNETES-REQUIRED', 'TC-TRAP-CHART-KUBERNETES-UNTESTED'];

function cluster(name: string, version: string): object[] {
  const namespace = 'tenants';
  return [
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name, namespace, labels: { charts: 'yes' } },
      spec: { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KamajiControlPlane', name } },
    },
    { apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2', kind: 'KamajiControlPlane', metadata: { name, namespace }, spec: { version } },
  ];
}

/** A chart for all clusters. */
function proxy(chartName: string, version?: string): object {
  return {
    apiVersion: 'addons.cluster.x-k8s.io/v1alpha1',
    kind: 'HelmChartProxy',
    metadata: { name: chartName, namespace: 'tenants' },
    spec: { clusterSelector: { matchLabels: { charts: 'yes' } }, chartName, version, repoURL: 'https://charts.example.com', releaseName: chartName, namespace: 'addons' },
  };
}

function found(...objects: readonly object[]) {
  return validate(objects).findings.filter(({ rule }) => RULES.includes(rule)).map(({ rule, message, fix }) => [rule, message, fix]);
}

test('a chart is warned of where its project tests it with older Kubernetes only', () => {
  expect(found(proxy('gateway-helm', 'v1.8.2'), ...cluster('acme', 'v1.35.4'))).toEqual([]);
  expect(found(proxy('gateway-helm', 'v1.8.2'), ...cluster('acme', 'v1.36.3'), ...cluster('beta', 'v1.36.3'), ...cluster('old', 'v1.34.4'))).toEqual([[
    'TC-TRAP-CHART-KUBERNETES-UNTESTED', 'the chart gateway-helm v1.8.2 is tested up to Kubernetes 1.35, and "acme" and 1 more have 1.36', 'raise the chart to 1.9.0 or newer first',
  ]]);
  expect(found(proxy('gateway-helm', 'v1.9.0'), ...cluster('acme', 'v1.37.2'))).toEqual([[
    'TC-TRAP-CHART-KUBERNETES-UNTESTED', 'the chart gateway-helm v1.9.0 is tested up to Kubernetes 1.36, and "acme" has 1.37',
    'no version before 1.10.0 is tested with 1.37: look for a newer one, or test it yourself',
  ]]);
});

test('pod networks are looked up as well, as far as their projects state it', () => {
  expect(found(proxy('tigera-operator', 'v3.31.5'), ...cluster('acme', 'v1.36.3'))).toEqual([[
    'TC-TRAP-CHART-KUBERNETES-UNTESTED', 'the chart tigera-operator v3.31.5 is tested up to Kubernetes 1.35, and "acme" has 1.36', 'raise the chart to 3.32.0 or newer first',
  ]]);
  expect(found(proxy('cilium', '1.18.14'), ...cluster('acme', 'v1.34.4'))).toEqual([[
    'TC-TRAP-CHART-KUBERNETES-UNTESTED', 'the chart cilium 1.18.14 is tested up to Kubernetes 1.33, and "acme" has 1.34',
    'no version before 1.19.0 is tested with 1.34: look for a newer one, or test it yourself',
  ]]);
  expect(found(proxy('tigera-operator', 'v3.32.1'), proxy('cilium', '1.20.0'), ...cluster('acme', 'v1.36.3'))).toEqual([]);
});

test('of versions before and after those that the project states, as much is known as follows', () => {
  expect(found(proxy('cert-manager', 'v1.12.0'), ...cluster('acme', 'v1.34.4'))).toEqual([[
    'TC-TRAP-CHART-KUBERNETES-UNTESTED', 'the chart cert-manager v1.12.0 is tested with nothing newer than Kubernetes 1.33, and "acme" has 1.34',
    'raise the chart to 1.19.0 or newer first',
  ]]);
  expect(found(proxy('cert-manager', 'v1.22.0'), ...cluster('acme', 'v1.37.2'))).toEqual([]);
  expect(found(proxy('cert-manager', '1.x'), proxy('kyverno'), proxy('unknown', '1.0.0'), ...cluster('acme', 'v1.37.2'))).toEqual([]);
});

test('Helm refuses a chart whose constraint the Kubernetes of the cluster does not meet', () => {
  expect(found(proxy('vector', '0.56.0'), ...cluster('acme', 'v1.28.0'))).toEqual([]);
  expect(found(proxy('vector', '0.56.0'), ...cluster('acme', 'v1.27.9'))).toEqual([[
    'TC-TRAP-CHART-KUBERNETES-REQUIRED', 'the chart vector 0.56.0 requires Kubernetes >=1.28.0-0, and "acme" has 1.27.9: Helm refuses to install it',
    'raise Kubernetes to 1.28 first, or install an older version of the chart',
  ]]);
  expect(found(proxy('vector', '0.55.0'), ...cluster('acme', 'v1.27.9'))).toEqual([]);
});
