import CHART_CATALOGUE from '../../../data/charts.json';
import { newest } from '../../../scripts/upstream/newer';
import { pins } from '../../../scripts/upstream/pins';
import { KUBERNETES_RELEASES } from '../../../src/manifests/values/kubernetes-releases';
import * as versions from '../../../src/manifests/values/versions';

describe('the newest of releases', () => {
  test.each<[string, string[], string | undefined]>([
    ['v1.9.1', ['v1.9.0', 'v1.10.0', 'v1.9.2'], 'v1.10.0'],
    ['v1.9.1', ['v1.9.1', 'v1.9.0'], undefined],
    ['v1.9.1', ['v2.0.0-rc.1', 'chart-1.10.0', '1.10.0', 'v1.10'], undefined],
    ['26.8.2-edge', ['26.10.1-edge', 'edge-26.11.1', '26.9.1'], '26.10.1-edge'],
    ['cluster-autoscaler-1.36.1', ['cluster-autoscaler-1.37.0', 'cluster-autoscaler-chart-9.99.0'], 'cluster-autoscaler-1.37.0'],
    ['latest', ['v1.0.0'], undefined],
  ])('after %s of %j is %s', (known, others, expected) => {
    expect(newest(known, others)).toBe(expected);
  });

  test('within a minor', () => {
    expect(newest('v1.35.4', ['v1.36.0', 'v1.35.9', 'v1.35.10'], true)).toBe('v1.35.10');
    expect(newest('v1.35.4', ['v1.36.0'], true)).toBeUndefined();
  });
});

describe('what is asked for', () => {
  const all = pins();

  test('every component, chart and Kubernetes release', () => {
    const names = all.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(versions).filter((name) => name === name.toUpperCase())));
    expect(names).toEqual(expect.arrayContaining(Object.keys(CHART_CATALOGUE).map((name) => `chart ${name}`)));
    expect(names.filter((name) => name.startsWith('Kubernetes '))).toHaveLength(KUBERNETES_RELEASES.length);
    expect(new Set(names).size).toBe(names.length);
  });

  test('nothing is left that nobody could be asked for, but what has no tags of its own', () => {
    const silent = all.filter(({ git, goModule, npmPackage, helmRepository }) => (git ?? goModule ?? npmPackage ?? helmRepository) === undefined);
    expect(silent.map(({ name }) => name).sort()).toEqual(['BUSYBOX', 'ETCD', 'ETCD_CHART_KUBECTL', 'ETCD_WITH_SHELL', 'KUBEVIRT_CSI_DRIVER']);
  });

  test('Go modules are named as Go does', () => {
    const modules = new Map(all.map(({ name, goModule }) => [name, goModule]));
    expect(modules.get('CLUSTER_API')).toBe('sigs.k8s.io/cluster-api');
    expect(modules.get('CSI_PROVISIONER')).toBe('github.com/kubernetes-csi/external-provisioner/v6');
    expect(modules.get('KAMAJI')).toBeUndefined();
  });
});
