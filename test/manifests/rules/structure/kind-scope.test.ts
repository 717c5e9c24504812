import { addKnownKinds } from '../../../../src/manifests/objects/known-kinds';
import { inNamespace, isClusterScoped, isResourceClusterScoped } from '../../../../src/manifests/rules/structure/kind-scope';

test.each<[group: string, kind: string, plural: string, clusterScoped: boolean | undefined]>([
  ['', 'Service', 'services', false],
  ['', 'Event', 'events', false],
  ['', 'Namespace', 'namespaces', true],
  ['apps', 'Deployment', 'deployments', false],
  ['rbac.authorization.k8s.io', 'ClusterRole', 'clusterroles', true],
  ['rbac.authorization.k8s.io', 'Role', 'roles', false],
  ['cluster.x-k8s.io', 'MachineDeployment', 'machinedeployments', false],
  ['cert-manager.io', 'ClusterIssuer', 'clusterissuers', true],
  ['kamaji.clastix.io', 'DataStore', 'datastores', true],
  ['apps', 'Service', 'services', undefined],
  ['stable.example.com', 'CronTab', 'crontabs', undefined],
])('the scope of %s %s is known by kind and by resource', (group, kind, plural, clusterScoped) => {
  expect(isClusterScoped(group, kind)).toBe(clusterScoped);
  expect(isResourceClusterScoped(group, plural)).toBe(clusterScoped);
});

test('a kind without a definition has the scope that its provider registers', () => {
  addKnownKinds([{ kind: 'stable.example.com/Box' }, { kind: 'stable.example.com/Place', clusterScoped: true }]);

  expect(['Box', 'Place'].map((kind) => isClusterScoped('stable.example.com', kind))).toEqual([false, true]);
});

test.each<[what: string, kind: string, metadata: object]>([
  ['moves an object', 'ConfigMap', { name: 'a', namespace: 'shop' }],
  ['renames a Namespace', 'Namespace', { name: 'shop' }],
  ['keeps a cluster-scoped object', 'Node', { name: 'a' }],
  ['moves an object of an unknown kind', 'CronTab', { name: 'a', namespace: 'shop' }],
])('another namespace %s', (_what, kind, metadata) => {
  expect(inNamespace({ apiVersion: 'v1', kind, metadata: { name: 'a' } }, 'shop')).toEqual({ apiVersion: 'v1', kind, metadata });
});
