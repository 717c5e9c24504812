import type { k8s } from 'cdk8s-plus-28';
import { Construct } from 'constructs';
import { OperatorLeaderElection } from './operator-features';
import { clusterScopedName, OperatorIdentity } from './operator-identity';
import { metricsOf } from './operator-metrics';
import { OperatorProps } from './operator-props';
import { Grant } from './permission';
import { policyRules } from './policy-rules';
import { TypedApiObject } from '../../app/synth/typed-api-object';

const RBAC = 'rbac.authorization.k8s.io';

/** What a program with authenticated metrics asks the API server (kubernetes-sigs/kubebuilder testdata/project-v4/config/rbac). */
const METRICS_GRANTS: readonly Grant[] = [
  { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'], clusterScoped: true },
  { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verbs: ['create'], clusterScoped: true },
];

/** Where a role holds. */
interface RolePlace {
  readonly id: string;
  readonly name: string;

  /** Absent for roles that hold everywhere. */
  readonly namespace?: string;
}

/**
 * Makes the ServiceAccount of an operator and its roles: in the namespaces that it works in, and everywhere only for what belongs to no
 * namespace, or where it works in all.
 *
 * @returns whether the operator needs a token of the API server
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
  for (const place of new Set(watchNamespaces)) {
    const own = place === namespace;
    addRole(scope, identity, { id: own ? 'Role' : `Role-${place}`, name: own ? name : clusterScopedName(identity), namespace: place }, inside);
  }
  if (leaderElection) addRole(scope, identity, { id: 'LeaderElectionRole', name: `${name}-leader-election`, namespace }, leaderElectionGrants(leaderElection));
  if (authenticated) {
    addRole(scope, identity, { id: 'MetricsAuthRole', name: clusterScopedName(identity, 'metrics-auth') }, METRICS_GRANTS);
    addClusterRole(scope, identity, { id: 'MetricsReaderRole', name: clusterScopedName(identity, 'metrics-reader') }, [{ nonResourceUrLs: ['/metrics'], verbs: ['get'] }]);
  }
  return grants.length > 0 || leaderElection !== undefined || authenticated;
}

/** What client-go does with the Lease (tools/leaderelection/resourcelock/leaselock.go), and the event that a new leader records. */
function leaderElectionGrants({ leaseName }: OperatorLeaderElection): Grant[] {
  const lease = { group: 'coordination.k8s.io', resource: 'leases', clusterScoped: false };
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, verbs: ['get', 'update'], ...(leaseName !== undefined && { resourceNames: [leaseName] }) },
    { group: '', resource: 'events', verbs: ['create', 'patch'], clusterScoped: false },
  ];
}

function addRole(scope: Construct, identity: OperatorIdentity, place: RolePlace, grants: readonly Grant[]): void {
  if (grants.length === 0) return;
  const { id, name, namespace } = place;
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  if (namespace === undefined) addClusterRole(scope, identity, place, policyRules(grants));
  else new TypedApiObject(scope, id, { apiVersion: `${RBAC}/v1`, kind }, { metadata: { name, namespace, labels: identity.labels }, rules: policyRules(grants) });
  new TypedApiObject(scope, `${id}Binding`, { apiVersion: `${RBAC}/v1`, kind: `${kind}Binding`, clusterScoped: namespace === undefined }, {
    metadata: { name, namespace, labels: identity.labels },
    roleRef: { apiGroup: RBAC, kind, name },
    subjects: [{ kind: 'ServiceAccount', name: identity.name, namespace: identity.namespace }],
  });
}

function addClusterRole(scope: Construct, { labels }: OperatorIdentity, { id, name }: RolePlace, rules: readonly k8s.PolicyRule[]): void {
  new TypedApiObject(scope, id, { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', clusterScoped: true, names: { rules: { nonResourceUrLs: 'nonResourceURLs' } } }, {
    metadata: { name, labels }, rules,
  });
}
