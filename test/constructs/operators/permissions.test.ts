import * as fc from 'fast-check';
import { FOOS, operatorObjects } from './operators';
import { OperatorProps } from '../../../src/constructs/operators/controller/operator-props';
import { Grant, Permission, policyRules } from '../../../src/constructs/operators/controller/permission';
import { ResourceType } from '../../../src/constructs/operators/resource-type';
import { Manifest } from '../../support/clusters';

/** Rights as `verb group/resource`. */
function rightsOf(rules: Manifest[]): string[] {
  return rules.flatMap(({ apiGroups, resources, verbs, resourceNames = [''] }) => apiGroups.flatMap((group: string) => resources.flatMap((resource: string) => resourceNames.flatMap(
    (name: string) => verbs.map((verb: string) => `${verb} ${group}/${resource}${name && `:${name}`}`))))).sort();
}

function granted(...permissions: Permission[]): string[] {
  return rightsOf(policyRules(permissions.flatMap(({ _grants }) => _grants)));
}

test.each<[string, Permission, string[]]>([
  ['reads', Permission.reads(ResourceType.SECRETS), ['get /secrets']],
  ['watches', Permission.watches(FOOS), ['get example.com/foos', 'list example.com/foos', 'watch example.com/foos']],
  ['owns', Permission.owns(ResourceType.DEPLOYMENTS), ['create apps/deployments', 'get apps/deployments', 'list apps/deployments', 'update apps/deployments', 'watch apps/deployments']],
  ['manages', Permission.manages(ResourceType.JOBS), ['create batch/jobs', 'delete batch/jobs', 'get batch/jobs', 'list batch/jobs', 'patch batch/jobs', 'update batch/jobs', 'watch batch/jobs']],
  ['updatesStatus', Permission.updatesStatus(FOOS), ['update example.com/foos/status']],
  ['patchesStatus', Permission.patchesStatus(FOOS), ['patch example.com/foos/status']],
  ['updatesFinalizers', Permission.updatesFinalizers(FOOS), ['update example.com/foos/finalizers']],
  ['emitsEvents', Permission.emitsEvents(), ['create /events', 'create events.k8s.io/events', 'patch /events', 'patch events.k8s.io/events']],
  ['reconciles', Permission.reconciles(FOOS), [
    'create example.com/foos', 'delete example.com/foos', 'get example.com/foos', 'get example.com/foos/status', 'list example.com/foos', 'patch example.com/foos',
    'patch example.com/foos/status', 'update example.com/foos', 'update example.com/foos/finalizers', 'update example.com/foos/status', 'watch example.com/foos',
  ]],
  ['of', Permission.of({ group: '', resources: ['configmaps'], verbs: ['get'], resourceNames: ['a', 'b'] }), ['get /configmaps:a', 'get /configmaps:b']],
])('%s gives exactly its verbs', (_word, permission, rights) => {
  expect(granted(permission)).toEqual(rights);
});

const grants = fc.array(fc.record<Grant>({
  group: fc.constantFrom('', 'apps'),
  resource: fc.constantFrom('a', 'b', 'b/status'),
  verbs: fc.uniqueArray(fc.constantFrom('get', 'list', 'watch', 'update'), { minLength: 1 }),
  resourceNames: fc.option(fc.uniqueArray(fc.constantFrom('x', 'y'), { minLength: 1 }), { nil: undefined }),
  clusterScoped: fc.boolean(),
}), { maxLength: 6 });

test('rules give what was asked for and nothing else, in any order of asking', () => {
  fc.assert(fc.property(grants, fc.infiniteStream(fc.nat()), (asked, order) => {
    const rules = policyRules(asked);
    const wanted = asked.map(({ group, resource, ...grant }) => ({ apiGroups: [group], resources: [resource], ...grant }));
    expect(new Set(rightsOf(rules))).toEqual(new Set(rightsOf(wanted)));

    const shuffled = [...asked].map((grant) => ({ grant, at: order.next().value })).sort((one, other) => one.at - other.at).map(({ grant }) => grant);
    expect(policyRules(shuffled)).toEqual(rules);
  }));
});

/** Roles by kind, namespace and name. */
function roles(props: Partial<OperatorProps>): { [role: string]: string[] } {
  const objects = operatorObjects(props);
  const names = objects.filter(({ kind }) => kind.endsWith('RoleBinding')).map(({ kind, metadata, roleRef }) => `${kind.replace('Binding', '')} ${metadata.namespace ?? ''}/${roleRef.name}`);
  const found = objects.filter(({ kind }) => kind.endsWith('Role')).map(({ kind, metadata, rules }) => [`${kind} ${metadata.namespace ?? ''}/${metadata.name}`, rightsOf(rules)]);
  // Each of them is bound, where it is.
  expect(found.map(([name]) => name).sort()).toEqual(names.sort());
  return Object.fromEntries(found);
}

const BOTH = [Permission.reads(ResourceType.PODS), Permission.reads(ResourceType.NODES)];

test('rights hold in the operator\'s namespace, and everywhere only for what belongs to none', () => {
  expect(roles({ permissions: BOTH })).toEqual({ 'Role foo-system/foo-operator': ['get /pods'], 'ClusterRole /foo-system.foo-operator': ['get /nodes'] });
});

test('rights hold in all namespaces where the operator works in all', () => {
  expect(roles({ permissions: BOTH, watchAllNamespaces: true })).toEqual({ 'ClusterRole /foo-system.foo-operator': ['get /nodes', 'get /pods'] });
});

test('rights hold in the namespaces that are named', () => {
  expect(roles({ permissions: BOTH, watchNamespaces: ['foo-system', 'team-a'] })).toEqual({
    'Role foo-system/foo-operator': ['get /pods'], 'Role team-a/foo-system.foo-operator': ['get /pods'], 'ClusterRole /foo-system.foo-operator': ['get /nodes'],
  });
});

test('leader election has rights of its own, on its Lease where that is named', () => {
  expect(roles({ permissions: [], leaderElection: {} })).toEqual({
    'Role foo-system/foo-operator-leader-election': [
      'create /events', 'create coordination.k8s.io/leases', 'get coordination.k8s.io/leases', 'patch /events', 'update coordination.k8s.io/leases',
    ],
  });
  expect(roles({ permissions: [], leaderElection: { leaseName: 'foo' } })).toEqual({
    'Role foo-system/foo-operator-leader-election': [
      'create /events', 'create coordination.k8s.io/leases', 'get coordination.k8s.io/leases:foo', 'patch /events', 'update coordination.k8s.io/leases:foo',
    ],
  });
});
