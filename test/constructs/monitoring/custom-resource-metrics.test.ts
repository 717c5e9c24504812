import { Chart, Testing } from 'cdk8s';
import { load } from 'js-yaml';
import { CustomResourceMetrics } from '../../../src/constructs/monitoring/custom-resource-metrics';
import { Manifest } from '../../support/clusters';

function written(): Manifest[] {
  const chart = new Chart(Testing.app(), 'metrics');
  new CustomResourceMetrics(chart, 'Metrics', { namespace: 'monitoring', serviceAccount: 'ksm' });
  return chart.toJson() as Manifest[];
}

const [configMap, clusterRole, binding] = written();
const { resources } = (load(configMap.data['config.yaml']) as Manifest).spec;

test('the configuration has each kind once, or kube-state-metrics does not start', () => {
  const kinds = resources.map(({ groupVersionKind: { group, kind } }: Manifest) => `${group}/${kind}`);

  expect(new Set(kinds).size).toBe(kinds.length);
  expect(kinds).toEqual(expect.arrayContaining(['cluster.x-k8s.io/Cluster', 'helm.toolkit.fluxcd.io/HelmRelease', 'operator.cluster.x-k8s.io/CoreProvider']));
});

test('the service account may read every kind of it, and the definitions', () => {
  const groups = new Set(clusterRole.rules.flatMap(({ apiGroups }: Manifest) => apiGroups));

  expect([...new Set(resources.map(({ groupVersionKind }: Manifest) => groupVersionKind.group))].filter((group) => !groups.has(group))).toEqual([]);
  expect(groups).toContain('apiextensions.k8s.io');
  expect(clusterRole.rules.flatMap(({ verbs }: Manifest) => verbs)).not.toContain('get');
  expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'ksm', namespace: 'monitoring' }]);
});

test('no metric of a kind is named twice', () => {
  for (const { metrics } of resources) {
    const names = metrics.map(({ name }: Manifest) => name);
    expect(new Set(names).size).toBe(names.length);
  }
});
