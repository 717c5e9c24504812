import { validate } from '../../../src/manifests';

const RULES = ['TC-TRAP-KAMAJI-KUBERNETES', 'TC-TRAP-CLUSTER-API-KUBERNETES'];

function kamaji(tag: string): object {
  return {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: 'kamaji', namespace: 'kamaji-system' },
    spec: { chart: { spec: { chart: 'kamaji', version: '26.8.2-edge', sourceRef: { kind: 'HelmRepository', name: 'kamaji' } } }, values: { image: { tag } } },
  };
}

function core(version: string): object {
  return { apiVersion: 'operator.cluster.x-k8s.io/v1alpha2', kind: 'CoreProvider', metadata: { name: 'cluster-api', namespace: 'capi-system' }, spec: { version } };
}

function cluster(version: string): object[] {
  return [
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'acme', namespace: 'tenant-acme' },
      spec: { controlPlaneRef: { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'KamajiControlPlane', name: 'acme' } },
    },
    { apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2', kind: 'KamajiControlPlane', metadata: { name: 'acme', namespace: 'tenant-acme' }, spec: { version } },
  ];
}

function found(...objects: readonly object[]) {
  return validate(objects).findings.filter(({ rule }) => RULES.includes(rule)).map(({ rule, message, fix }) => [rule, message, fix]);
}

test('a release of Kamaji runs Kubernetes up to the minor that it is built with', () => {
  expect(found(kamaji('26.5.2-edge'), ...cluster('1.36.3'))).toEqual([[
    'TC-TRAP-KAMAJI-KUBERNETES', 'Kubernetes 1.36.3 is newer than what Kamaji 26.5.2-edge works with',
    'stay at 1.35, or raise Kamaji to 26.5.3-edge or newer first',
  ]]);
  expect(found(kamaji('26.5.3-edge'), ...cluster('v1.36.3'))).toEqual([]);
  expect(found(kamaji('26.8.2-edge'), ...cluster('v1.37.2'))).toEqual([[
    'TC-TRAP-KAMAJI-KUBERNETES', 'Kubernetes v1.37.2 is newer than what Kamaji 26.8.2-edge works with', 'stay at 1.36',
  ]]);
});

test('a control plane without a Cluster is looked at as well', () => {
  const tenant = { apiVersion: 'kamaji.clastix.io/v1alpha1', kind: 'TenantControlPlane', metadata: { name: 'acme', namespace: 'acme' }, spec: { kubernetes: { version: 'v1.36.0' } } };
  expect(found(kamaji('edge-26.2.4'), tenant).map(([rule]) => rule)).toEqual(['TC-TRAP-KAMAJI-KUBERNETES']);
});

test('nothing is said of releases that are not known, and where several are installed', () => {
  expect(found(kamaji('27.1.1-edge'), ...cluster('v1.37.2'))).toEqual([]);
  expect(found(kamaji('latest'), ...cluster('v1.37.2'))).toEqual([]);
  expect(found(kamaji('26.5.2-edge'), { ...kamaji('26.5.3-edge'), metadata: { name: 'other', namespace: 'kamaji-system' } }, ...cluster('v1.36.3'))).toEqual([]);
  expect(found(...cluster('v1.37.2'))).toEqual([]);
});

test('a release of Cluster API supports a range of minors', () => {
  expect(found(core('v1.13.5'), ...cluster('v1.36.3'))).toEqual([]);
  expect(found(core('v1.13.5'), ...cluster('v1.37.2'))).toEqual([[
    'TC-TRAP-CLUSTER-API-KUBERNETES', 'Kubernetes v1.37.2 is newer than what Cluster API v1.13.5 works with', 'stay at 1.36, or raise Cluster API to v1.13.6 or newer first',
  ]]);
  expect(found(core('v1.14.2'), ...cluster('v1.30.4'))).toEqual([[
    'TC-TRAP-CLUSTER-API-KUBERNETES', 'Kubernetes v1.30.4 is older than what Cluster API v1.14.2 works with', 'raise Kubernetes before Cluster API',
  ]]);
  expect(found(core('v1.15.0'), ...cluster('v1.38.0'))).toEqual([]);
});
