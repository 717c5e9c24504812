import { Size } from 'cdk8s';
import * as fc from 'fast-check';
import { delivering, manifestsOf, outputOf, withEtcd } from './managed';
import { EtcdBackup } from '../../../src/constructs/management/etcd-backup';
import { checkEtcd, etcdChart } from '../../../src/constructs/management/etcd-data-store';

const GIBIBYTE = 1024 ** 3;

test('a volume of any size has room beside the database, which stays within what etcd is meant for', () => {
  fc.assert(fc.property(fc.integer({ min: 3, max: 4 * 1024 * 1024 }), (mebibytes) => {
    const options = { size: Size.mebibytes(mebibytes), backup: EtcdBackup.none() };
    const text: string = etcdChart('a', options).values!.quotaBackendBytes;

    expect(text).toMatch(/^[1-9]\d*$/);
    // A defragmentation writes a second copy beside it.
    expect(Number(text)).toBeLessThan(mebibytes * 1024 * 1024 / 2);
    expect(Number(text)).toBeLessThanOrEqual(8 * GIBIBYTE);
    expect(checkEtcd('etcd', options, undefined)).toEqual([]);
  }));
});

test('exactly the odd numbers of members are accepted', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 99 }), (replicas) => {
    expect(checkEtcd('etcd', { replicas, backup: EtcdBackup.none() }, undefined).length).toBe(replicas % 2 === 1 ? 0 : 1);
  }));
});

test('an etcd in a namespace of its own has a ClusterIssuer, or an Issuer there', () => {
  const issuerOf = (clusterIssuer?: boolean) => etcdChart('a', { issuer: { name: 'platform', clusterIssuer } }).values!.certManager.issuerRef.kind;

  expect([issuerOf(), issuerOf(true), issuerOf(false)]).toEqual(['ClusterIssuer', 'ClusterIssuer', 'Issuer']);
});

test('values of the user go over all others', () => {
  const { values } = etcdChart('a', { values: { snapshotCount: 5000, certManager: { ca: { validity: '43800h' } } } });

  expect(values).toMatchObject({ snapshotCount: 5000, certManager: { enabled: true, ca: { validity: '43800h' } } });
});

test('the members of an etcd have their share of different hosts, and leave one at a time', () => {
  const output = outputOf(withEtcd({ values: { nameOverride: 'etcd' } }));
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
  expect(etcdChart('a', { resources: { requests: { memory: '4Gi' } }, values: { topologySpreadConstraints: [] } }).values).toMatchObject({ resources: { requests: { memory: '4Gi' } }, topologySpreadConstraints: [] });
});

test('the liveness probe waits longer than a defragmentation', () => {
  expect(etcdChart('a', {}).values).toMatchObject({ livenessProbe: { failureThreshold: 30 } });
});

test('the images of an etcd are those of the chart in its pinned version', () => {
  expect(etcdChart('a', {}).values).toMatchObject({ image: { tag: 'v3.6.12' }, jobs: { etcd: { tag: 'v3.5.6' }, kubectl: { tag: 'v1.35' } } });
  expect(etcdChart('a', { chartVersion: '0.18.0' }).values).not.toHaveProperty('image');
});
