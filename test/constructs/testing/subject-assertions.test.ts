import { ApiObject, Chart, Testing } from 'cdk8s';
import { failureOf } from './failure-of';
import { ClusterAssertions } from '../../../src/constructs/testing/cluster-assertions';
import { AccessRight } from '../../../src/constructs/testing/subject-assertions';
import { addCompleteTenant } from '../../support/complete-tenant';
import { DELIVERIES } from '../../support/deliveries';

const RBAC = 'rbac.authorization.k8s.io';

interface Rule {
  readonly verbs: string[];
  readonly apiGroups?: string[];
  readonly resources?: string[];
  readonly resourceNames?: string[];
  readonly nonResourceURLs?: string[];
}

/** A tenant with a ServiceAccount `robot` and a role bound to a subject. */
function tenant(rules: Rule[], { subject = { kind: 'ServiceAccount', name: 'robot', namespace: 'tenant-acme' }, everywhere = false, written = true } = {}): ClusterAssertions {
  const acme = addCompleteTenant(Testing.app(), 'acme', DELIVERIES[0]);
  const place = everywhere ? {} : { namespace: 'tenant-acme' };
  const prefix = everywhere ? 'Cluster' : '';
  const name = everywhere ? 'tenant-acme-robot' : 'robot';
  const chart = new Chart(acme, 'rights');
  new ApiObject(chart, 'account', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', namespace: 'tenant-acme' } });
  if (written) new ApiObject(chart, 'role', { apiVersion: `${RBAC}/v1`, kind: `${prefix}Role`, metadata: { name, ...place }, rules });
  new ApiObject(chart, 'binding', {
    apiVersion: `${RBAC}/v1`,
    kind: `${prefix}RoleBinding`,
    metadata: { name, ...place },
    roleRef: { apiGroup: RBAC, kind: written ? `${prefix}Role` : 'ClusterRole', name: written ? name : 'view' },
    subjects: [subject],
  });
  return ClusterAssertions.of(acme);
}

const READS: Rule = { apiGroups: ['', 'cluster.x-k8s.io'], resources: ['pods', 'machines'], verbs: ['get', 'list'] };

type Row = [string, Rule, AccessRight];

const GRANTED: Row[] = [
  ['what the rule says', READS, { verbs: ['get', 'list'], resources: ['pods', 'machines.cluster.x-k8s.io'] }],
  ['all verbs', { ...READS, verbs: ['*'] }, { verbs: ['delete'], resources: ['pods'] }],
  ['all resources of a group', { ...READS, resources: ['*'] }, { verbs: ['get'], resources: ['machines.cluster.x-k8s.io/status', 'secrets'] }],
  ['all resources', { apiGroups: ['*'], resources: ['*'], verbs: ['get'] }, { verbs: ['get'], resources: ['*.*', 'deployments.apps'] }],
  ['a subresource', { ...READS, resources: ['pods/log'] }, { verbs: ['get'], resources: ['pods/log'] }],
  ['a subresource of everything', { ...READS, resources: ['*/scale'] }, { verbs: ['get'], resources: ['machinedeployments.cluster.x-k8s.io/scale'] }],
  ['objects by name', { ...READS, resourceNames: ['a', 'b'] }, { verbs: ['get'], resources: ['pods'], names: ['a'] }],
  ['all objects, asked for one', READS, { verbs: ['get'], resources: ['pods'], names: ['a'] }],
];

const REFUSED: Row[] = [
  ['another verb', READS, { verbs: ['delete'], resources: ['pods'] }],
  ['another group', READS, { verbs: ['get'], resources: ['machines.infrastructure.cluster.x-k8s.io'] }],
  ['a subresource', READS, { verbs: ['get'], resources: ['pods/log'] }],
  ['another name', { ...READS, resourceNames: ['a'] }, { verbs: ['get'], resources: ['pods'], names: ['b'] }],
  ['another namespace', READS, { verbs: ['get'], resources: ['pods'], namespace: 'kube-system' }],
];

test.each(GRANTED)('granted: %s', (_, rule, right) => {
  const robot = tenant([rule]).serviceAccount('robot');

  expect(() => robot.can(right)).not.toThrow();
  expect(() => robot.cannot(right)).toThrow('TC-TESTING-ASSERTION tenant-acme/acme ServiceAccount robot\n  is granted: ');
});

test.each(REFUSED)('not granted: %s', (_, rule, right) => {
  const robot = tenant([rule]).serviceAccount('robot');

  expect(() => robot.cannot(right)).not.toThrow();
  expect(() => robot.can(right)).toThrow('TC-TESTING-ASSERTION tenant-acme/acme ServiceAccount robot\n  is not granted all of: ');
});

test('a right that is granted in part is neither', () => {
  const robot = tenant([{ ...READS, resourceNames: ['a'] }]).serviceAccount('robot');
  const right = { verbs: ['get'], resources: ['pods'] };

  expect(failureOf(() => robot.can(right)).text).toBe(
    'TC-TESTING-ASSERTION tenant-acme/acme ServiceAccount robot\n  is not granted all of: get pods in tenant-acme');
  expect(failureOf(() => robot.cannot(right)).text).toBe(`TC-TESTING-ASSERTION tenant-acme/acme ServiceAccount robot
  is granted: get, list pods, pods.cluster.x-k8s.io, machines, machines.cluster.x-k8s.io "a" in tenant-acme`);
});

describe('canOnly', () => {
  const rule: Rule = { apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['a'] };

  test.each<[string, AccessRight[]]>([
    ['exactly that', [{ verbs: ['get'], resources: ['secrets'], names: ['a'] }]],
    ['more than that', [{ verbs: ['get', 'list'], resources: ['secrets', 'pods'] }]],
    ['everything', [{ verbs: ['*'], resources: ['*.*'], namespace: '*' }]],
  ])('%s', (_, rights) => {
    expect(() => tenant([rule]).serviceAccount('robot').canOnly(rights)).not.toThrow();
  });

  test.each<[string, AccessRight[]]>([
    ['nothing', []],
    ['another name', [{ verbs: ['get'], resources: ['secrets'], names: ['b'] }]],
    ['another verb', [{ verbs: ['list'], resources: ['secrets'] }]],
  ])('%s fails, with the role', (_, rights) => {
    expect(() => tenant([rule]).serviceAccount('robot').canOnly(rights)).toThrow(new Error(`TC-TESTING-ASSERTION tenant-acme/acme ServiceAccount robot
  is granted more than expected: get secrets "a" in tenant-acme

Role tenant-acme/robot:
  apiVersion: rbac.authorization.k8s.io/v1
  kind: Role
  metadata:
    name: robot
    namespace: tenant-acme
  rules:
    - apiGroups:
        - ""
      resourceNames:
        - a
      resources:
        - secrets
      verbs:
        - get`));
  });

  test('a right in all namespaces is more than one in the namespace of the tenant', () => {
    const robot = tenant([rule], { everywhere: true }).serviceAccount('robot');

    expect(() => robot.canOnly([{ verbs: ['get'], resources: ['secrets'], namespace: '*' }])).not.toThrow();
    expect(failureOf(() => robot.canOnly([{ verbs: ['get'], resources: ['secrets'] }])).text).toBe(
      'TC-TESTING-ASSERTION tenant-acme/acme ServiceAccount robot\n  is granted more than expected: get secrets "a" in all namespaces');
  });

  test('paths of the API server', () => {
    const robot = tenant([{ nonResourceURLs: ['/metrics'], verbs: ['get'] }], { everywhere: true }).serviceAccount('robot');

    expect(() => robot.can({ verbs: ['get'], resources: ['/metrics'] })).not.toThrow();
    expect(() => robot.canOnly([{ verbs: ['*'], resources: ['*.*'], namespace: '*' }])).toThrow('is granted more than expected: get /metrics in all namespaces');
  });
});

test.each(['system:serviceaccounts', 'system:serviceaccounts:tenant-acme', 'system:authenticated'])('a ServiceAccount is in the group %s', (name) => {
  const acme = tenant([READS], { subject: { kind: 'Group', name } as never });

  expect(() => acme.serviceAccount('robot').can({ verbs: ['get'], resources: ['pods'] })).not.toThrow();
});

test('the rules of a role that is not in the manifests are unknown', () => {
  const robot = tenant([], { written: false }).serviceAccount('robot');
  const words = 'is bound to the ClusterRole view by RoleBinding tenant-acme/robot: its rules are not in the manifests of the tenant';

  expect(failureOf(() => robot.cannot({ verbs: ['get'], resources: ['secrets'] })).text).toBe(`TC-TESTING-ASSERTION tenant-acme/acme ServiceAccount robot\n  ${words}`);
  expect(failureOf(() => robot.canOnly([])).text).toBe(`TC-TESTING-ASSERTION tenant-acme/acme ServiceAccount robot\n  ${words}`);
  expect(failureOf(() => robot.can({ verbs: ['get'], resources: ['secrets'] })).text).toBe(
    `TC-TESTING-ASSERTION tenant-acme/acme ServiceAccount robot\n  is not granted all of: get secrets in tenant-acme\n  ${words}\n  is granted nothing`);
});

describe('the library grants', () => {
  const acme = tenant([]);

  test('the autoscaler what it needs, and no Secrets', () => {
    const autoscaler = acme.serviceAccount('cluster-autoscaler');

    expect(() => autoscaler.can({ verbs: ['get', 'patch'], resources: ['machinedeployments.cluster.x-k8s.io/scale'] })).not.toThrow();
    expect(() => autoscaler.cannot({ verbs: ['*'], resources: ['secrets'] })).not.toThrow();
    expect(() => acme.serviceAccount('acme-cluster-autoscaler').cannot({ verbs: ['*'], resources: ['secrets'] })).not.toThrow();
  });

  test('a group and a user what the page says', () => {
    expect(() => acme.group('team-a').can({ verbs: ['delete'], resources: ['machines.cluster.x-k8s.io'] })).not.toThrow();
    expect(() => acme.group('team-a').cannot({ verbs: ['get'], resources: ['secrets'] })).not.toThrow();
    expect(() => acme.user('lea').can({ verbs: ['get'], resources: ['secrets'], names: ['acme-kubeconfig'] })).not.toThrow();
    expect(() => acme.user('lea').cannot({ verbs: ['list'], resources: ['secrets'] })).not.toThrow();
    expect(() => acme.user('mia').canOnly([])).not.toThrow();
  });
});

test('a ServiceAccount that the cluster does not have', () => {
  expect(failureOf(() => tenant([]).serviceAccount('cluster-autoscaller')).text).toBe(`TC-TESTING-ASSERTION tenant-acme/acme
  has no ServiceAccount cluster-autoscaller; its ServiceAccounts: acme-cloud-controller-manager, acme-cluster-autoscaler, acme-csi-driver, robot
  Did you mean cluster-autoscaler?`);
});
