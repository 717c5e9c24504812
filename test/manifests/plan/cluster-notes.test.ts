import { CLUSTER, Fields, newPool } from './foreign-objects';
import { planned, plannedTenant, TenantPage, written } from './tenant-pages';
import { PoolSize } from '../../../src/constructs/contracts/node-pool/pool-size';

const notesOf = (before: readonly unknown[], after: readonly unknown[]) => (
  Object.fromEntries(planned(before, after).clusters.map(({ name, notes }) => [name, notes])));

test('a cluster that comes and one that goes, and that are the same otherwise, seem to be one under another name', () => {
  expect(notesOf(written({}, 'acme'), written({}, 'zenith'))).toEqual({
    acme: ['the same as the new tenant-zenith/zenith: Cluster API renames nothing, and deletes this one with its data'],
    zenith: ['the same as tenant-acme/acme, which is removed: it begins without data, with other machines and addresses'],
  });
});

test('clusters that differ, and several that are the same, are not taken for one', () => {
  expect(notesOf(written({}, 'acme'), written({ pool: { size: PoolSize.fixed(5) } }, 'zenith'))).toEqual({ acme: [], zenith: [] });
  expect(notesOf(written({}, 'acme'), [...written({}, 'zenith'), ...written({}, 'apex')])).toEqual({ acme: [], apex: [], zenith: [] });
});

test('of several clusters that are alike, those of one namespace are taken for one', () => {
  const cluster = (namespace: string, name: string): Fields[] => [
    { ...CLUSTER, metadata: { name, namespace } }, { ...newPool({}, { clusterName: name }), metadata: { name: `${name}-md-0`, namespace } },
  ];
  const notes = notesOf([...cluster('a', 'one'), ...cluster('b', 'two')], [...cluster('a', 'uno'), ...cluster('b', 'due')]);
  expect(notes.one).toEqual([expect.stringContaining('the same as the new a/uno: ')]);
  expect(notes.two).toEqual([expect.stringContaining('the same as the new b/due: ')]);
});

test('a cluster is put to sleep, and woken', () => {
  const awake: TenantPage = {};
  const asleep: TenantPage = { pool: { size: PoolSize.fixed(0) } };
  expect(plannedTenant(awake, asleep)?.notes).toEqual(['put to sleep: no pool has machines']);
  expect(plannedTenant(asleep, awake)?.notes).toEqual(['woken: pools have machines again']);
});

test('a new address that another cluster has is told of', () => {
  const at = (name: string, host: string): Fields[] => {
    const spec = { ...CLUSTER.spec as Fields, controlPlaneEndpoint: { host, port: 6443 } };
    return [{ ...CLUSTER, metadata: { name, namespace: name }, spec }, { ...newPool(), metadata: { name: `${name}-md-0`, namespace: name } }];
  };
  const others = [...at('beta', '192.0.2.2'), ...at('gamma', '192.0.2.3')];
  expect(notesOf([...at('acme', '192.0.2.1'), ...others], [...at('acme', '192.0.2.2'), ...others])).toEqual({
    acme: ['API server address 192.0.2.1:6443 -> 192.0.2.2:6443', 'API server address 192.0.2.2:6443 is also that of beta/beta'],
  });
  expect(notesOf(others, [...at('acme', '192.0.2.3'), ...others])).toEqual({ acme: ['API server address 192.0.2.3:6443 is also that of gamma/gamma'] });
  expect(notesOf(others, [...at('acme', '192.0.2.9'), ...others])).toEqual({ acme: [] });
});
