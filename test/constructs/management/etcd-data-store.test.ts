import { Size } from 'cdk8s';
import * as fc from 'fast-check';
import { checkEtcd, etcdChart } from '../../../src/constructs/management/etcd-data-store';

const GIBIBYTE = 1024 ** 3;

test('a volume of any size has room beside the database, which stays within what etcd is meant for', () => {
  fc.assert(fc.property(fc.integer({ min: 2, max: 4 * 1024 * 1024 }), (mebibytes) => {
    const options = { size: Size.mebibytes(mebibytes) };
    const text: string = etcdChart('a', options).values!.quotaBackendBytes;

    expect(text).toMatch(/^[1-9]\d*$/);
    expect(Number(text)).toBeLessThan(mebibytes * 1024 * 1024);
    expect(Number(text)).toBeLessThanOrEqual(8 * GIBIBYTE);
    expect(checkEtcd('etcd', options, undefined)).toEqual([]);
  }));
});

test('exactly the odd numbers of members are accepted', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 99 }), (replicas) => {
    expect(checkEtcd('etcd', { replicas }, undefined).length).toBe(replicas % 2 === 1 ? 0 : 1);
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
