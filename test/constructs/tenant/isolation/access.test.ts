import { ApiObject, ApiObjectProps, Chart, Testing } from 'cdk8s';
import { kubevirtContext, objectsOf, problems } from './bound';
import { strategyScope } from '../../../../src/constructs/app/problems/problems';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { KubevirtInfrastructure } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-infrastructure';
import { NetworkIsolation } from '../../../../src/constructs/tenant/isolation/network-isolation';
import { TenantAccess, TenantSubject } from '../../../../src/constructs/tenant/isolation/tenant-access';
import { InfraClusterIsolation, TenantIsolation } from '../../../../src/constructs/tenant/isolation/tenant-isolation';
import { clusterContext } from '../../../support/contexts';
import { problemsOf } from '../../../support/problems';

const RBAC = 'rbac.authorization.k8s.io';
const DEVELOPERS = TenantSubject.group('acme-developers');
const READ = ['get', 'list', 'watch'];

function access(grants: TenantAccess[], context = kubevirtContext()): { [kindAndName: string]: any } {
  const infraCluster = context.infrastructure.inOtherCluster ? InfraClusterIsolation.external('made there') : undefined;
  return objectsOf({ network: NetworkIsolation.none(), access: grants, infraCluster }, context);
}

function rulesOf(grant: TenantAccess, context = kubevirtContext()): any[] {
  return access([grant], context)[`Role acme-${grant.level}`].rules;
}

test('nobody gets access by default', () => {
  expect(access([])).toEqual({});
});

test('viewers read the tenant\'s objects, and no Secrets', () => {
  expect(rulesOf(TenantAccess.viewer(DEVELOPERS))).toEqual([
    { apiGroups: [''], resources: ['events', 'limitranges', 'resourcequotas'], verbs: READ },
    { apiGroups: ['cluster.x-k8s.io'], resources: ['clusters', 'machinedeployments', 'machinehealthchecks', 'machines', 'machinesets'], verbs: READ },
    { apiGroups: ['controlplane.cluster.x-k8s.io'], resources: ['kamajicontrolplanes'], verbs: READ },
    { apiGroups: ['kamaji.clastix.io'], resources: ['tenantcontrolplanes'], verbs: READ },
    { apiGroups: ['infrastructure.cluster.x-k8s.io'], resources: ['kubevirtclusters', 'kubevirtmachines', 'kubevirtmachinetemplates'], verbs: READ },
    { apiGroups: ['kubevirt.io'], resources: ['virtualmachineinstances', 'virtualmachines'], verbs: READ },
  ]);
});

test('operators scale pools, delete machines and restart virtual machines besides', () => {
  const viewer = rulesOf(TenantAccess.viewer(DEVELOPERS));
  expect(rulesOf(TenantAccess.operator(DEVELOPERS))).toEqual([
    ...viewer,
    { apiGroups: ['cluster.x-k8s.io'], resources: ['machinedeployments/scale'], verbs: ['get', 'patch', 'update'] },
    { apiGroups: ['cluster.x-k8s.io'], resources: ['machines'], verbs: ['delete'] },
    { apiGroups: ['subresources.kubevirt.io'], resources: ['virtualmachines/restart'], verbs: ['update'] },
  ]);
});

test('readers of kubeconfigs get exactly the cluster\'s Secrets, each once', () => {
  expect(rulesOf(TenantAccess.kubeconfigReader(DEVELOPERS))).toEqual([
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['acme-admin-kubeconfig', 'acme-kubeconfig'], verbs: ['get'] },
  ]);
  const one = { name: 'acme-kubeconfig', key: 'value' };
  expect(rulesOf(TenantAccess.kubeconfigReader(DEVELOPERS), kubevirtContext({ kubeconfigs: { internal: one, external: one } }))[0].resourceNames).toEqual(['acme-kubeconfig']);
});

test('kinds that the cluster does not have are left out', () => {
  const groups = (context = kubevirtContext()) => rulesOf(TenantAccess.operator(DEVELOPERS), context).map(({ apiGroups }) => apiGroups[0]);
  expect(groups(clusterContext({ infrastructure: { clusterKind: 'VultrCluster' }, controlPlane: { apiServerPort: 6443 } })))
    .toEqual(['', 'cluster.x-k8s.io', 'cluster.x-k8s.io', 'cluster.x-k8s.io']);
  const elsewhere = groups(kubevirtContext({ infrastructure: new KubevirtInfrastructure({ infraClusterSecretRef: { name: 'infra' } }).capabilities }));
  expect(elsewhere).toContain('infrastructure.cluster.x-k8s.io');
  expect(elsewhere).not.toContain('kubevirt.io');
});

test('one binding holds everybody of a level, each once and in one order', () => {
  const grants = [
    TenantAccess.viewer(TenantSubject.user('jane'), DEVELOPERS),
    TenantAccess.viewer(DEVELOPERS, TenantSubject.serviceAccount('dashboard', 'monitoring')),
  ];
  const objects = access(grants);
  expect(Object.keys(objects)).toEqual(['Role acme-viewer', 'RoleBinding acme-viewer']);
  expect(objects['RoleBinding acme-viewer']).toEqual({
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'acme-viewer', namespace: 'tenant-acme' },
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'acme-viewer' },
    subjects: [
      { apiGroup: RBAC, kind: 'Group', name: 'acme-developers' },
      { kind: 'ServiceAccount', name: 'dashboard', namespace: 'monitoring' },
      { apiGroup: RBAC, kind: 'User', name: 'jane' },
    ],
  });
  expect(access([...grants].reverse())).toEqual(objects);
});

test('existing roles are bound and not made', () => {
  const objects = access([TenantAccess.clusterRole('kubevirt.io:view', DEVELOPERS), TenantAccess.role('backup', DEVELOPERS)]);
  expect(Object.keys(objects)).toEqual(['RoleBinding acme-cluster-role-kubevirt.io:view', 'RoleBinding acme-role-backup']);
  expect(objects['RoleBinding acme-cluster-role-kubevirt.io:view'].roleRef).toEqual({ apiGroup: RBAC, kind: 'ClusterRole', name: 'kubevirt.io:view' });
  expect(objects['RoleBinding acme-role-backup'].roleRef).toEqual({ apiGroup: RBAC, kind: 'Role', name: 'backup' });
});

test.each<[id: string, grant: TenantAccess, ...texts: string[]]>([
  ['TC-ISOLATION-SUBJECT', TenantAccess.viewer(), 'it names no subject'],
  ['TC-ADMIT-KUBERNETES-RBAC-SUBJECT', TenantAccess.viewer(TenantSubject.group(' ')), 'the name of the Group is blank'],
  ['TC-ADMIT-FIELD-VALUE', TenantAccess.viewer(TenantSubject.user('')), 'it is empty'],
  ['TC-ISOLATION-SUBJECT', TenantAccess.viewer(TenantSubject.group('system:authenticated')), '"system:authenticated" stands for callers of every tenant'],
  ['TC-ISOLATION-SUBJECT', TenantAccess.viewer(TenantSubject.group('system:serviceaccounts')), '"system:serviceaccounts"'],
  ['TC-ISOLATION-SUBJECT', TenantAccess.viewer(TenantSubject.user('system:anonymous')), '"system:anonymous"'],
  ['TC-ISOLATION-SUBJECT', TenantAccess.viewer(TenantSubject.user('system:serviceaccount:argocd:argo')), 'TenantSubject.serviceAccount'],
  ['TC-ADMIT-KUBERNETES-RBAC-SUBJECT', TenantAccess.viewer(TenantSubject.serviceAccount('Argo', 'argocd')), '"Argo"'],
  ['TC-ISOLATION-SUBJECT', TenantAccess.viewer(TenantSubject.serviceAccount('argo', '')), '""'],
  ['TC-ADMIT-KUBERNETES-RBAC-ROLE-REF', TenantAccess.role('a/b', DEVELOPERS), '"a/b" is not the name of a role'],
  ['TC-ADMIT-FIELD-VALUE', TenantAccess.clusterRole('', DEVELOPERS), 'it is empty'],
  ['TC-ADMIT-KUBERNETES-RBAC-ROLE-REF', TenantAccess.clusterRole('..', DEVELOPERS), '".."'],
])('%s: %#', (id, grant, ...texts) => {
  const found = problems({ network: NetworkIsolation.none(), access: [TenantAccess.viewer(DEVELOPERS), grant] });
  expect(found.map((problem) => [problem.path, problem.id])).toEqual([['acme', id]]);
  expect(found[0].text.startsWith('isolation.access[1]: ')).toBe(true);
  for (const text of texts) expect(found[0].text).toContain(text);
});

describe('existing roles', () => {
  type Rules = { readonly apiGroups: string[]; readonly resources: string[]; readonly verbs: string[]; readonly resourceNames?: string[] }[];
  const ROLE = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole' };
  const rule = (apiGroup: string, resource: string, ...verbs: string[]): Rules[number] => ({ apiGroups: [apiGroup], resources: [resource], verbs });
  const clusterRole = (name: string, rules: Rules, labels: { [key: string]: string } = {}): object => (
    { ...ROLE, metadata: { name, labels }, rules }
  );

  /** Problems and warnings, with a Namespace of that level, and objects beside the cluster. */
  function judged(grant: TenantAccess, level?: string, ...objects: object[]): string[] {
    const warn = jest.spyOn(WARNINGS, 'emit').mockImplementation(() => undefined);
    try {
      const app = Testing.app();
      const chart = new Chart(app, 'acme', { namespace: 'tenant-acme' });
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenant-acme', ...(level !== undefined && { labels: { 'pod-security.kubernetes.io/enforce': level } }) } };
      [namespace, ...objects].forEach((object, index) => new ApiObject(chart, `Object${index}`, object as ApiObjectProps));
      new TenantIsolation({ network: NetworkIsolation.none(), access: [grant] }).bind(strategyScope(chart, 'Isolation'), kubevirtContext());
      const errors = problemsOf(app).map(({ id, text }) => `${id} ${text}`);
      return [...errors, ...warn.mock.calls.map(([text]) => String(text).replace('[acme] ', ''))];
    } finally {
      warn.mockRestore();
    }
  }

  const POD_SECURITY = expect.stringMatching(/^TC-ISOLATION-ACCESS isolation\.access\[0\]: the .*may create pods, and the Namespace "tenant-acme" enforces .*namespaceLabels/);
  const NAMESPACE = expect.stringMatching(/^TC-ISOLATION-ACCESS isolation\.access\[0\]: the .*may change the Namespace "tenant-acme"/);
  const WIDE = expect.stringMatching(/^TC-ISOLATION-ACCESS-WIDE isolation\.access\[0\]: the .*reads all Secrets.*kubeconfigs.*ServiceAccounts.*tokens.*commands.*network policies.*Services/);
  const AGGREGATE = (name: string): { [key: string]: string } => ({ [`${RBAC}/aggregate-to-${name}`]: 'true' });
  const collectingBy = (selector: object): object => ({ ...ROLE, metadata: { name: 'team' }, aggregationRule: { clusterRoleSelectors: [selector] }, rules: [] });
  const collecting = (name: string): object => collectingBy({ matchLabels: AGGREGATE(name) });
  const BUILDERS = [rule('apps', 'deployments', 'create')];

  test.each<[what: string, expected: unknown[], grant: TenantAccess, level?: string, ...objects: object[]]>([
    ['edit', [POD_SECURITY], TenantAccess.clusterRole('edit', DEVELOPERS)],
    ['admin', [POD_SECURITY], TenantAccess.clusterRole('admin', DEVELOPERS), 'privileged'],
    ['edit with pod security', [WIDE], TenantAccess.clusterRole('edit', DEVELOPERS), 'baseline'],
    ['admin with pod security', [WIDE], TenantAccess.clusterRole('admin', DEVELOPERS), 'restricted'],
    ['cluster-admin with pod security', [NAMESPACE], TenantAccess.clusterRole('cluster-admin', DEVELOPERS), 'restricted'],
    ['view', [], TenantAccess.clusterRole('view', DEVELOPERS)],
    ['a role that is not known', [], TenantAccess.clusterRole('team', DEVELOPERS)],
    ['a role of the app for Deployments', [POD_SECURITY], TenantAccess.clusterRole('team', DEVELOPERS), undefined, clusterRole('team', BUILDERS)],
    ['such a role with pod security', [expect.stringContaining('TC-ISOLATION-ACCESS-WIDE')], TenantAccess.clusterRole('team', DEVELOPERS), 'baseline', clusterRole('team', BUILDERS)],
    ['a role of the app for everything', [NAMESPACE], TenantAccess.clusterRole('team', DEVELOPERS), 'restricted', clusterRole('team', [rule('*', '*', '*')])],
    ['a role of the app for everything of a group', [], TenantAccess.clusterRole('team', DEVELOPERS), undefined, clusterRole('team', [rule('example.com', '*', '*')])],
    ['a role of the app for one Secret', [], TenantAccess.clusterRole('team', DEVELOPERS), undefined, clusterRole('team', [{ ...rule('', 'secrets', 'get'), resourceNames: ['a'] }])],
    ['a role of the app for all Secrets', [expect.stringContaining('reads all Secrets')], TenantAccess.clusterRole('team', DEVELOPERS), undefined, clusterRole('team', [rule('', 'secrets', 'list')])],
    ['a role that collects another', [POD_SECURITY], TenantAccess.clusterRole('team', DEVELOPERS), undefined, collecting('team'), clusterRole('a', BUILDERS, AGGREGATE('team'))],
    ['a role that collects edit', [POD_SECURITY], TenantAccess.clusterRole('team', DEVELOPERS), undefined, collecting('admin')],
    ['a role that view collects', [POD_SECURITY], TenantAccess.clusterRole('view', DEVELOPERS), undefined, clusterRole('a', BUILDERS, AGGREGATE('view'))],
    ['a role that collects a role that collects another', [POD_SECURITY], TenantAccess.clusterRole('team', DEVELOPERS), undefined, collecting('team'),
      { ...(collecting('inner') as object), metadata: { name: 'middle', labels: AGGREGATE('team') } }, clusterRole('a', BUILDERS, AGGREGATE('inner'))],
    ['roles that collect each other', [POD_SECURITY], TenantAccess.clusterRole('team', DEVELOPERS), undefined,
      { ...(collecting('team') as object), metadata: { name: 'team', labels: AGGREGATE('team') } }, clusterRole('a', BUILDERS, AGGREGATE('team'))],
    ['a role that collects by an expression', [POD_SECURITY], TenantAccess.clusterRole('team', DEVELOPERS), undefined,
      collectingBy({ matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }] }), clusterRole('a', BUILDERS, { tier: 'b' })],
    ['a role that collects others by an expression', [], TenantAccess.clusterRole('team', DEVELOPERS), undefined,
      collectingBy({ matchExpressions: [{ key: 'tier', operator: 'In', values: ['a', 'b'] }] }), clusterRole('a', BUILDERS, { tier: 'c' })],
    ['a role that collects what every cluster has', [NAMESPACE], TenantAccess.clusterRole('team', DEVELOPERS), 'restricted',
      collectingBy({ matchLabels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } })],
    ['view where a role is collected by edit only', [], TenantAccess.clusterRole('view', DEVELOPERS), undefined, clusterRole('a', BUILDERS, AGGREGATE('edit'))],
    ['a Role of the namespace', [POD_SECURITY], TenantAccess.role('team', DEVELOPERS), undefined, { ...clusterRole('team', [rule('', 'pods', '*')]), kind: 'Role' }],
  ])('%s', (_, expected, grant, ...[level, ...objects]) => {
    expect(judged(grant, level, ...objects)).toEqual(expected);
  });

  const REFUSED = 'TC-ISOLATION-ACCESS isolation.access[0]: the ClusterRole "team" ';
  const WARNED = 'TC-ISOLATION-ACCESS-WIDE isolation.access[0]: the ClusterRole "team" ';

  test.each<[what: string, text: string | undefined, ...rules: Rules]>([
    ['escalates Roles', `${REFUSED}may escalate or bind roles`, rule(RBAC, 'roles', 'escalate')],
    ['binds ClusterRoles', `${REFUSED}may escalate or bind roles`, rule(RBAC, 'clusterroles', 'bind')],
    ['writes Roles', undefined, rule(RBAC, 'roles', 'create', 'update')],
    ['creates HelmReleases', `${REFUSED}may write objects that a controller applies`, rule('helm.toolkit.fluxcd.io', 'helmreleases', 'create')],
    ['changes Kustomizations', `${REFUSED}may write objects that a controller applies`, rule('kustomize.toolkit.fluxcd.io', '*', 'patch')],
    ['reads HelmReleases', undefined, rule('helm.toolkit.fluxcd.io', 'helmreleases', 'get')],
    ['writes TenantControlPlanes', `${WARNED}runs pods`, rule('kamaji.clastix.io', 'tenantcontrolplanes', 'update')],
    ['debugs pods', `${WARNED}runs pods`, rule('', 'pods/ephemeralcontainers', 'patch')],
    ['impersonates ServiceAccounts', `${WARNED}gets tokens`, rule('', 'serviceaccounts', 'impersonate')],
    ['asks for tokens', `${WARNED}gets tokens`, rule('', 'serviceaccounts/token', 'create')],
    ['asks for tokens by a pattern', `${WARNED}gets tokens`, rule('', '*/token', 'create')],
    ['creates ServiceAccounts', undefined, rule('', 'serviceaccounts', 'create')],
    ['runs commands', `${WARNED}runs commands in pods`, rule('', 'pods/exec', 'create')],
    ['reads logs', undefined, rule('', 'pods/log', 'get')],
    ['deletes network policies', `${WARNED}may open by network policies`, rule('networking.k8s.io', 'networkpolicies', 'delete')],
    ['deletes all Cilium policies', `${WARNED}may open by network policies`, rule('cilium.io', 'ciliumnetworkpolicies', 'deletecollection')],
    ['raises the quota', `${WARNED}may change the quota`, rule('', 'resourcequotas', 'update')],
    ['removes the limit range', `${WARNED}may change the quota`, rule('', 'limitranges', 'delete')],
    ['writes Services', `${WARNED}may write Services and endpoints`, rule('', 'services', 'create')],
    ['writes EndpointSlices', `${WARNED}may write Services and endpoints`, rule('discovery.k8s.io', 'endpointslices', 'update')],
    ['creates virtual machines', `${WARNED}may create virtual machines`, rule('kubevirt.io', 'virtualmachines', 'create')],
    ['restarts virtual machines', undefined, rule('subresources.kubevirt.io', 'virtualmachines/restart', 'update')],
  ])('a role of the app that %s', (_, text, ...rules) => {
    expect(judged(TenantAccess.clusterRole('team', DEVELOPERS), 'baseline', clusterRole('team', rules)))
      .toEqual(text === undefined ? [] : [expect.stringContaining(text)]);
  });
});
