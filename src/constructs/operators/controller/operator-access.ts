import type { k8s } from 'cdk8s-plus-28';
import { Construct, IConstruct } from 'constructs';
import { clusterScopedName, OperatorIdentity } from './operator-identity';
import { metricsOf } from './operator-metrics';
import { OperatorLeaderElection, OperatorProps } from './operator-props';
import { Grant, noStatus, policyRules, STATUS_RULE } from './permission';
import { isResourceClusterScoped } from '../../../manifests/rules/structure/kind-scope';
import { checkDnsLabel } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { definedTypes } from '../defined-types';

const RBAC = 'rbac.authorization.k8s.io';

/** Requests of a program with authenticated metrics to the API server (kubernetes-sigs/kubebuilder testdata/project-v4/config/rbac). */
const METRICS_GRANTS: readonly Grant[] = [
  { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'], clusterScoped: true },
  { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verbs: ['create'], clusterScoped: true },
];

interface RoleOptions {
  readonly id: string;
  readonly name: string;

  /** Absent for a ClusterRole. */
  readonly namespace?: string;
}

/**
 * Adds the ServiceAccount of an operator and its roles: a Role in each namespace that it watches, and a ClusterRole for cluster-scoped
 * resources, or for all if it watches all namespaces.
 *
 * @returns true if the operator needs a token of the API server
 */
export function addAccess(scope: Construct, identity: OperatorIdentity, props: OperatorProps): boolean {
  const { name, namespace, labels } = identity;
  const { permissions, watchAllNamespaces = false, watchNamespaces = [namespace], leaderElection, metrics } = props;
  const grants = permissions.flatMap(({ _grants }) => _grants);
  const everywhere = grants.filter(({ clusterScoped }) => watchAllNamespaces || clusterScoped);
  const inside = grants.filter((grant) => !everywhere.includes(grant));
  const authenticated = metrics !== undefined && metricsOf(metrics).authenticated;

  new TypedApiObject(scope, 'ServiceAccount', { apiVersion: 'v1', kind: 'ServiceAccount' }, { metadata: { name, namespace, labels }, automountServiceAccountToken: false });
  addRole(scope, identity, { id: 'ClusterRole', name: clusterScopedName(identity) }, everywhere);
  for (const watched of new Set(watchNamespaces)) {
    const own = watched === namespace;
    addRole(scope, identity, { id: own ? 'Role' : `Role-${watched}`, name: own ? name : clusterScopedName(identity), namespace: watched }, inside);
  }
  if (leaderElection) addRole(scope, identity, { id: 'LeaderElectionRole', name: `${name}-leader-election`, namespace }, leaderElectionGrants(leaderElection));
  if (authenticated) {
    addRole(scope, identity, { id: 'MetricsAuthRole', name: clusterScopedName(identity, 'metrics-auth') }, METRICS_GRANTS);
    addClusterRole(scope, identity, { id: 'MetricsReaderRole', name: clusterScopedName(identity, 'metrics-reader') }, [{ nonResourceUrLs: ['/metrics'], verbs: ['get'] }]);
  }
  return grants.length > 0 || leaderElection !== undefined || authenticated;
}

/** Requests of client-go for the Lease (tools/leaderelection/resourcelock/leaselock.go), and the event that a new leader records. */
function leaderElectionGrants({ leaseName }: OperatorLeaderElection): Grant[] {
  const lease = { group: 'coordination.k8s.io', resource: 'leases', clusterScoped: false };
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, verbs: ['get', 'update'], resourceNames: leaseName === undefined ? undefined : [leaseName] },
    { group: '', resource: 'events', verbs: ['create', 'patch'], clusterScoped: false },
  ];
}

function addRole(scope: Construct, identity: OperatorIdentity, role: RoleOptions, grants: readonly Grant[]): void {
  if (grants.length === 0) return;
  const { id, name, namespace } = role;
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  if (namespace === undefined) addClusterRole(scope, identity, role, policyRules(grants));
  else new TypedApiObject(scope, id, { apiVersion: `${RBAC}/v1`, kind }, { metadata: { name, namespace, labels: identity.labels }, rules: policyRules(grants) });
  new TypedApiObject(scope, `${id}Binding`, { apiVersion: `${RBAC}/v1`, kind: `${kind}Binding`, clusterScoped: namespace === undefined }, {
    metadata: { name, namespace, labels: identity.labels },
    roleRef: { apiGroup: RBAC, kind, name },
    subjects: [{ kind: 'ServiceAccount', name: identity.name, namespace: identity.namespace }],
  });
}

function addClusterRole(scope: Construct, { labels }: OperatorIdentity, { id, name }: RoleOptions, rules: readonly k8s.PolicyRule[]): void {
  new TypedApiObject(scope, id, { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', clusterScoped: true, names: { rules: { nonResourceUrLs: 'nonResourceURLs' } } }, {
    metadata: { name, labels }, rules,
  });
}

const SCOPE_RULE: Rule = {
  id: 'TC-OPERATOR-SCOPE',
  title: 'An operator must work in its own namespace, in those that are listed, or in all; only if it works in all can a ClusterRole grant access to namespaced resources.',
};

/** Checks the permissions of an operator and the namespaces that it watches. */
export function checkAccess({ permissions, watchAllNamespaces, watchNamespaces }: OperatorProps): Problem[] {
  return [
    ...problemIf(SCOPE_RULE, 'watchNamespaces', watchNamespaces && watchAllNamespaces ? 'it is given beside watchAllNamespaces' : undefined, 'give one of the two'),
    ...problemIf(SCOPE_RULE, 'watchNamespaces', watchNamespaces?.length === 0 ? 'it names no namespace' : undefined, 'name a namespace, or leave it out'),
    ...(watchNamespaces ?? []).flatMap((namespace, index, all) => problemIf(
      SCOPE_RULE, `watchNamespaces[${index}]`,
      checkDnsLabel(namespace) ?? (all.indexOf(namespace) < index ? `"${namespace}" is there already` : undefined), 'name each namespace once',
    )),
    ...permissions.flatMap((permission, index) => permission._check(`permissions[${index}]`)),
  ];
}

/**
 * Checks permissions against the scope and the subresources of their types, if Kubernetes or the app defines them. Types may be defined
 * after the operator, so that this is a check of the whole app.
 */
export function checkTypes(scope: IConstruct, { permissions, watchAllNamespaces = false }: OperatorProps): Problem[] {
  return permissions.flatMap((permission, index) => {
    const property = `permissions[${index}]`;
    const isReported = permission._check(property).some(({ rule }) => rule === STATUS_RULE);
    // Subresources have the scope of their type, which is reported once.
    const types = new Map(permission._grants.map((grant) => [`${typeIn(grant)}.${grant.group}`, grant]));
    return [
      ...(watchAllNamespaces ? [] : [...types.values()].flatMap((grant) => checkGrantScope(scope, grant, property))),
      ...(isReported ? [] : permission._grants.flatMap((grant) => checkGrantStatus(scope, grant, property))),
    ];
  });
}

function typeIn({ resource }: Grant): string {
  return resource.split('/')[0];
}

/** A Role cannot grant access to cluster-scoped resources. A ClusterRole also grants access to namespaces that the operator does not watch. */
function checkGrantScope(scope: IConstruct, grant: Grant, property: string): Problem[] {
  const { group, clusterScoped } = grant;
  const resource = typeIn(grant);
  const known = new Set(definedTypes(scope, group, resource).map((type) => type.clusterScoped));
  const wanted = known.size === 1 ? [...known][0] : isResourceClusterScoped(group, resource);
  // A Role can grant access to its own Namespace.
  if (wanted === undefined || wanted === clusterScoped || (group === '' && resource === 'namespaces')) return [];
  return problemIf(SCOPE_RULE, property, wanted
    ? `${resource} belong to no namespace, and a Role in one gives no right to them`
    : `${resource} belong to namespaces, and the operator would have the right in all of them`,
  wanted ? 'set clusterScoped: true' : 'leave out clusterScoped, or set watchAllNamespaces: true on the operator');
}

function checkGrantStatus(scope: IConstruct, grant: Grant, property: string): Problem[] {
  const types = definedTypes(scope, grant.group, typeIn(grant));
  const missing = grant.resource.endsWith('/status') && types.length > 0 && types.every(({ statusSubresource }) => !statusSubresource);
  return missing ? [noStatus(types[0], property)] : [];
}
