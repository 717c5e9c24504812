import { everyOutput, findings, isOwn, PlacedObject } from './placed-objects';
import { excessOf, RoleException } from './rbac';

const outputs = everyOutput();

/** Roles that cannot do with less. The rules themselves are compared with what each program calls where the program is tested. */
const EXCEPTIONS: readonly RoleException[] = [
  // In tenants, whose users may put a Service or a claim into any namespace.
  {
    role: /^vultr-ccm$/,
    fault: /: \/(services|secrets|configmaps|events) in every namespace$|: every Secret$/,
    reason: 'a Service names the Secret of its certificate and the ConfigMap of its rules, which are in its own namespace (vultr/vultr-cloud-controller-manager)',
  },
  {
    role: /^csi-vultr-controller$/,
    fault: /: \/(persistentvolumeclaims|events) in every namespace$/,
    reason: 'claims are in the namespaces of their users (kubernetes-csi/external-provisioner, external-resizer)',
  },
  {
    role: /^capi-kubeadm-bootstrap-kamaji-control-planes$/,
    fault: /kamajicontrolplanes in every namespace$/,
    reason: 'what the kubeadm bootstrap provider lacks, which serves all namespaces',
  },
  { role: /^sample-controller\./, fault: / in every namespace$/, reason: 'an example that is told to follow all namespaces, as kubernetes/sample-controller does' },
];

/** What roles are given: those that nobody has, and grants of a role that goes beyond a namespace to somebody in one. */
function unusedRoles(objects: readonly PlacedObject[]): string[] {
  const own = objects.filter(isOwn);
  const bindings = own.filter(({ object }) => ['RoleBinding', 'ClusterRoleBinding'].includes(object.kind));
  return own.filter(({ object }) => ['Role', 'ClusterRole'].includes(object.kind) && object.metadata.labels?.['rbac.authorization.k8s.io/aggregate-to-view'] === undefined)
    .filter(({ object, place }) => !bindings.some((binding) => binding.place.tenant === place.tenant && binding.object.roleRef.kind === object.kind
      && binding.object.roleRef.name === object.metadata.name && (object.kind === 'ClusterRole' || binding.object.metadata.namespace === object.metadata.namespace)))
    .map(({ object }) => `nobody has the ${object.kind} ${object.metadata.name}`);
}

test('no role has a wildcard, a way to more rights, every Secret, or every namespace where one would do', () => {
  expect(findings(outputs, (placed) => (isOwn(placed) ? excessOf(placed.object, EXCEPTIONS) : []))).toEqual([]);
});

test('every role is given to somebody', () => {
  expect(outputs.flatMap(([name, objects]) => unusedRoles(objects).map((fault) => `${name}: ${fault}`))).toEqual([]);
});

test('no exception is left over', () => {
  const roles = outputs.flatMap(([, objects]) => objects.map(({ object }) => object).filter((object) => excessOf(object).length > 0));
  expect(EXCEPTIONS.filter((exception) => !roles.some((object) => excessOf(object, [exception]).length < excessOf(object).length))).toEqual([]);
});

test('roles are found', () => {
  const roles = outputs.flatMap(([, objects]) => objects.filter(({ object }) => object.kind === 'Role').map(({ object }) => object.metadata.name));
  expect(roles).toEqual(expect.arrayContaining(['acme-cluster-autoscaler', 'acme-cloud-controller-manager', 'acme-operator']));
});

describe('says what is too much', () => {
  const role = (rule: object, kind = 'Role') => ({ kind, metadata: { name: 'x' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], ...rule }] });

  test.each<[string, object, string[]]>([
    ['a verb', role({ verbs: ['*'] }), ['rules[0]: a wildcard']],
    ['a resource', role({ resources: ['*/scale'] }), ['rules[0]: a wildcard']],
    ['a group', role({ apiGroups: ['*'] }), ['rules[0]: a wildcard']],
    ['impersonation', role({ resources: ['users'], verbs: ['impersonate'] }), ['rules[0]: the verb impersonate']],
    ['Secrets', role({ resources: ['secrets'], verbs: ['get'] }), ['rules[0]: every Secret']],
    ['a Secret', role({ resources: ['secrets'], resourceNames: ['one'] }), []],
    ['new Secrets', role({ resources: ['secrets'], verbs: ['create'] }), []],
    ['pods everywhere', role({}, 'ClusterRole'), ['rules[0]: /pods in every namespace']],
    ['status of nodes', role({ resources: ['nodes/status'] }, 'ClusterRole'), []],
    ['what is no role', { ...role({ verbs: ['*'] }), kind: 'Other' }, []],
  ])('%s', (_what, object, expected) => {
    expect(excessOf(object)).toEqual(expected);
  });

  test('except what is granted', () => {
    const wide = role({}, 'ClusterRole');
    expect(excessOf(wide, [{ role: /^x$/, fault: /\/pods in every namespace$/, reason: 'a test' }])).toEqual([]);
    expect(excessOf(wide, [{ role: /^y$/, fault: /./, reason: 'a test' }])).toHaveLength(1);
  });

  test('a role that nobody has', () => {
    const placed = (object: object) => ({ object: { metadata: { name: 'x', namespace: 'a' }, ...object }, place: {} });
    const binding = (kind: string, namespace: string) => placed({ kind: 'RoleBinding', metadata: { name: 'b', namespace }, roleRef: { kind, name: 'x' } });
    expect(unusedRoles([placed({ kind: 'Role' }), binding('Role', 'b')])).toEqual(['nobody has the Role x']);
    expect(unusedRoles([placed({ kind: 'Role' }), binding('Role', 'a')])).toEqual([]);
    expect(unusedRoles([placed({ kind: 'ClusterRole' }), binding('ClusterRole', 'b')])).toEqual([]);
  });
});
