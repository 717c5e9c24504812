import { delivering, manifestsOf, outputOf } from './managed';
import { EtcdDataStoreOptions } from '../../../src/constructs/management/etcd-data-store';
import { KamajiDataStore } from '../../../src/constructs/management/kamaji-data-store';
import { KamajiInstallation } from '../../../src/constructs/management/kamaji-installation';

test('the members of an etcd have their share of different hosts, and leave one at a time', () => {
  const output = outputOf({ kamaji: KamajiInstallation.chart({ dataStores: [KamajiDataStore.etcd('default', { values: { nameOverride: 'etcd' } })] }) });
  const { values } = delivering(output, 'HelmRelease')['management-etcd-default'].spec;
  const matchLabels = { 'app.kubernetes.io/instance': 'etcd-default', 'app.kubernetes.io/name': 'etcd' };
  const budget = manifestsOf(output, 'etcd-default-guard').find(({ kind }) => kind === 'PodDisruptionBudget');

  expect(values.resources).toEqual({ requests: { cpu: '200m', memory: '1Gi' } });
  expect(values.topologySpreadConstraints).toEqual([
    { labelSelector: { matchLabels }, maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' },
  ]);
  expect(budget).toMatchObject({ metadata: { namespace: 'kamaji-etcd' }, spec: { maxUnavailable: 1, selector: { matchLabels }, unhealthyPodEvictionPolicy: 'AlwaysAllow' } });
});

test('the pods of Jobs are no members of an etcd', () => {
  const [budget, job] = ['PodDisruptionBudget', 'Job'].map((kind) => manifestsOf(outputOf(), 'etcd-default-guard').find((object) => object.kind === kind));

  expect(Object.entries(budget.spec.selector.matchLabels).every(([key, value]) => job.spec.template.metadata.labels[key] === value)).toBe(false);
});

test('what an etcd asks for and where it runs is what the user says', () => {
  const { values } = delivering(outputOf({
    kamaji: KamajiInstallation.chart({
      dataStores: [KamajiDataStore.etcd('default', { resources: { requests: { memory: '4Gi' } }, values: { topologySpreadConstraints: [] } })],
    }),
  }), 'HelmRelease')['management-etcd-default'].spec;

  expect(values).toMatchObject({ resources: { requests: { memory: '4Gi' } }, topologySpreadConstraints: [] });
});

test('the images of an etcd are those of the chart in its pinned version', () => {
  const images = (options: EtcdDataStoreOptions) => {
    const output = outputOf({ allowUntestedVersions: true, kamaji: KamajiInstallation.chart({ dataStores: [KamajiDataStore.etcd('default', options)] }) });
    return delivering(output, 'HelmRelease')['management-etcd-default'].spec.values;
  };

  expect(images({})).toMatchObject({ image: { tag: 'v3.6.12' }, jobs: { etcd: { tag: 'v3.5.6' }, kubectl: { tag: 'v1.35' } } });
  expect(images({ chartVersion: '0.18.0' })).not.toHaveProperty('image');
});
