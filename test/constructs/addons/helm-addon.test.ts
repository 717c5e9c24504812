import { Chart, Duration, Testing } from 'cdk8s';
import { HelmAddon } from '../../../src/constructs/addons/helm-addon';
import { HelmCrdPolicy, HelmInstallFailurePolicy, HelmValuesSource } from '../../../src/constructs/contracts/helm-chart';
import { clusterContext } from '../../support/contexts';

const required = { chart: 'podinfo', repository: 'oci://ghcr.io/stefanprodan/charts', chartVersion: '6.9.0', namespace: 'apps' };

const VALUES_FROM = [HelmValuesSource.secret('podinfo')];

function chartOf(addon: HelmAddon) {
  const tenant = new Chart(Testing.app(), 'tenant');
  const { charts } = addon.bind(tenant, clusterContext());
  expect(tenant.toJson()).toEqual([]);
  return charts![0];
}

test('a chart with the least that is needed', () => {
  const addon = new HelmAddon('podinfo', required);

  expect(JSON.parse(JSON.stringify(chartOf(addon)))).toEqual({ ...required, releaseName: 'podinfo' });
  expect(addon).toMatchObject({ name: 'podinfo', provides: [], requires: ['pod-network'], conflictsWith: [], after: [] });
});

test('everything that can be said', () => {
  const first = new HelmAddon('first', required);
  const addon = new HelmAddon('podinfo', {
    ...required,
    releaseName: 'info',
    storageNamespace: 'tenant-acme',
    namespaceLabels: { team: 'x' },
    values: { replicas: 2, image: { tag: null } },
    valuesFrom: VALUES_FROM,
    crds: HelmCrdPolicy.SKIP,
    timeout: Duration.minutes(3),
    wait: false,
    installFailurePolicy: HelmInstallFailurePolicy.REINSTALL,
    provides: ['a'],
    requires: [],
    conflictsWith: ['c'],
    after: [first],
  });

  expect(chartOf(addon)).toEqual({
    ...required,
    releaseName: 'info',
    storageNamespace: 'tenant-acme',
    namespaceLabels: { team: 'x' },
    values: { replicas: 2, image: { tag: null } },
    valuesFrom: VALUES_FROM,
    crds: HelmCrdPolicy.SKIP,
    timeout: Duration.minutes(3),
    wait: false,
    installFailurePolicy: HelmInstallFailurePolicy.REINSTALL,
  });
  expect(addon).toMatchObject({ provides: ['a'], requires: [], conflictsWith: ['c'], after: [first] });
});
