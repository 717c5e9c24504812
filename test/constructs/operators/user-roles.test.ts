import { Chart, Testing } from 'cdk8s';
import { operatorErrors } from './built-in';
import { crdProblems, foo, FOO_SCHEMA, versionWith } from './definitions';
import { CustomResourceType } from '../../../src/constructs/operators/custom-resource/custom-resource-type';
import { CustomResourceScope, CustomResourceTypeProps } from '../../../src/constructs/operators/custom-resource/custom-resource-type-props';
import { Manifest } from '../../support/clusters';
import { problemsIn } from '../../support/problems';

/** The roles of a type. */
function rolesOf(props: Partial<CustomResourceTypeProps>): Manifest[] {
  const chart = new Chart(Testing.app(), 'types', { namespace: 'not-for-roles' });
  new CustomResourceType(chart, 'foo', foo(props));
  return Testing.synth(chart).slice(1);
}

const STATUS = { apiGroups: ['example.com'], resources: ['foos/status'], verbs: ['get'] };
const foos = (...verbs: string[]) => ({ apiGroups: ['example.com'], resources: ['foos'], verbs });

test('there are none until they are asked for', () => {
  expect(rolesOf({})).toEqual([]);
});

test('each has the verbs of kubebuilder, and reads the status', () => {
  expect(rolesOf({ userRoles: {} })).toEqual([
    ['foo-admin-role', [foos('*'), STATUS]],
    ['foo-editor-role', [foos('create', 'delete', 'get', 'list', 'patch', 'update', 'watch'), STATUS]],
    ['foo-viewer-role', [foos('get', 'list', 'watch'), STATUS]],
  ].map(([name, rules]) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules })));
});

test('a type without the status subresource has none to read', () => {
  const roles = rolesOf({ userRoles: {}, versions: [versionWith(FOO_SCHEMA, { statusSubresource: false })] });

  expect(roles.map(({ rules }) => rules.map(({ resources }: Manifest) => resources))).toEqual(Array(3).fill([['foos']]));
});

test('they become part of Kubernetes\' own roles when told so', () => {
  expect(rolesOf({ userRoles: { aggregate: true } }).map(({ metadata }) => metadata)).toEqual([
    { name: 'foo-admin-role', labels: { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } },
    { name: 'foo-editor-role', labels: { 'rbac.authorization.k8s.io/aggregate-to-edit': 'true' } },
    { name: 'foo-viewer-role', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
  ]);
});

test.each<[string, Partial<CustomResourceTypeProps>]>([
  ['the least', {}], ['aggregated ones', { userRoles: { aggregate: true } }], ['those of a type without namespaces', { scope: CustomResourceScope.CLUSTER }],
])('a server takes %s', (_what, props) => {
  const roles = rolesOf({ userRoles: {}, ...props });

  expect(roles).toHaveLength(3);
  expect(roles.flatMap(operatorErrors)).toEqual([]);
});

test('a prefix tells types of one kind apart', () => {
  const problems = (...prefixes: (string | undefined)[]) => problemsIn((app) => {
    const chart = new Chart(app, 'types');
    prefixes.forEach((namePrefix, index) => new CustomResourceType(chart, `${index}`, foo({ group: `g${index}.example.com`, userRoles: { namePrefix } })));
  });

  expect(rolesOf({ userRoles: { namePrefix: 'shoes-' } }).map(({ metadata }) => metadata.name)).toEqual(['shoes-foo-admin-role', 'shoes-foo-editor-role', 'shoes-foo-viewer-role']);
  expect(problems(undefined, 'shoes-')).toEqual([]);
  expect(problems(undefined, undefined)).toMatchObject([
    { path: 'types/1', id: 'TC-CRD-USER-ROLES', text: expect.stringContaining('"foo-viewer-role" is a role of types/0 already') },
  ]);
});

test('types of one kind in two charts may well have the same roles: they may be for two clusters', () => {
  expect(problemsIn((app) => ['one', 'other'].forEach((id) => new CustomResourceType(new Chart(app, id), 'foo', foo({ userRoles: {} }))))).toEqual([]);
});

test('a bad kind is reported as such, and once', () => {
  expect(crdProblems({ kind: 'My_Foo', plural: 'foos', singular: 'foo', listKind: 'Foos', userRoles: {} }).map(({ id }) => id)).toEqual(['TC-ADMIT-KUBERNETES-CRD-NAMES']);
});
