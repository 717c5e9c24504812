import { IConstruct } from 'constructs';
import { ISOLATION_RULES } from './rules';
import { TenantAccess } from './tenant-access';
import { Manifest, manifestsOf } from './written-objects';
import { Problem } from '../problems/problem';
import { fieldAt, objectsAt, stringAt, stringsAt } from '../values/fields';

const RBAC = 'rbac.authorization.k8s.io';
const ENFORCE = 'pod-security.kubernetes.io/enforce';
/** Levels that refuse privileged pods, those in the node's namespaces, and files of the node (kubernetes.io/docs/concepts/security/pod-security-standards). */
const ENFORCING: readonly string[] = ['baseline', 'restricted'];

const WRITES: readonly string[] = ['create', 'update', 'patch'];
const READS: readonly string[] = ['get', 'list', 'watch'];
const POD_MAKERS: readonly string[] = [
  'pods', 'replicationcontrollers', 'daemonsets.apps', 'deployments.apps', 'replicasets.apps', 'statefulsets.apps', 'cronjobs.batch', 'jobs.batch',
];
const POLICIES: readonly string[] = ['networkpolicies.networking.k8s.io', 'ciliumnetworkpolicies.cilium.io'];

/** Rights of a role that reach beyond the objects of a tenant. */
interface Reach {
  /** Creates pods, which may be privileged, or use ServiceAccounts of the controllers. */
  readonly pods: boolean;
  readonly secrets: boolean;
  /** Changes network policies: one that allows everything opens what the others close. */
  readonly policies: boolean;
  /** Changes the Namespace, and so its pod security. */
  readonly namespace: boolean;
}

const NOTHING: Reach = { pods: false, secrets: false, policies: false, namespace: false };
const EDIT: Reach = { pods: true, secrets: true, policies: true, namespace: false };

/** ClusterRoles that every cluster has (kubernetes/kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go). */
const BUILT_IN: { readonly [name: string]: Reach } = {
  'cluster-admin': { pods: true, secrets: true, policies: true, namespace: true },
  'admin': EDIT,
  'edit': EDIT,
  'system:aggregate-to-edit': EDIT,
};

/** Built-in ClusterRoles that collect rules of others by the label `rbac.authorization.k8s.io/aggregate-to-<name>`, each with those within it. */
const AGGREGATED: { readonly [name: string]: readonly string[] } = { view: ['view'], edit: ['edit', 'view'], admin: ['admin', 'edit', 'view'] };

/**
 * Checks what existing roles allow that a tenant gets in its namespace.
 *
 * @param root the app, whose roles and Namespaces are known
 */
export function checkExistingRoles(root: IConstruct, access: readonly TenantAccess[], namespace: string): Problem[] {
  if (access.every(({ _existing: existing }) => existing === undefined)) return [];
  const managed = manifestsOf(root, [`${RBAC}/ClusterRole`, `${RBAC}/Role`, 'core/Namespace']);
  const level = managed.filter(({ kind, metadata }) => kind === 'Namespace' && stringAt(metadata, 'name') === namespace)
    .map(({ metadata }) => stringAt(metadata, 'labels', ENFORCE)).find((text) => text !== undefined);
  return access.flatMap(({ _existing: existing }, index): Problem[] => {
    if (!existing) return [];
    const reach = existing.kind === 'Role' ? reachOf(managed.find((role) => isRole(role, existing.name, namespace)))
      : reachOfClusterRole(existing.name, managed.filter(({ kind }) => kind === 'ClusterRole'));
    return checkReach(`isolation.access[${index}]`, `the ${existing.kind} "${existing.name}"`, reach, namespace, level);
  });
}

function checkReach(property: string, role: string, reach: Reach, namespace: string, level: string | undefined): Problem[] {
  const at = { rule: ISOLATION_RULES.access, property };
  if (reach.namespace) {
    return [{
      ...at,
      message: `${role} may change the Namespace "${namespace}", and with its labels what pods there may do: its users get the nodes of the management cluster`,
      fix: 'use TenantAccess.viewer, operator or kubeconfigReader, or a role with fewer rights',
    }];
  }
  if (reach.pods && !ENFORCING.includes(level ?? '')) {
    return [{
      ...at,
      message: `${role} may create pods, and the Namespace "${namespace}" ${level === undefined ? 'enforces no pod security' : `enforces the level ${level} only`}: `
        + 'a privileged pod, or one with a path of the host, gets the nodes of the management cluster',
      accepted: `a Namespace of this app with the label ${ENFORCE}: ${ENFORCING.join(' or ')}`,
      fix: `use TenantAccess.viewer or operator, or add "${ENFORCE}": "baseline" to namespaceLabels of the cluster`,
    }];
  }
  const rights = [
    ...(reach.secrets ? ['reads all Secrets of the namespace, kubeconfigs and bootstrap data among them'] : []),
    ...(reach.pods ? ['runs pods as the ServiceAccounts of the controllers'] : []),
    ...(reach.policies ? ['may add network policies that open what the isolation closes'] : []),
  ];
  return rights.length === 0 ? [] : [{
    rule: ISOLATION_RULES.accessWide, property, message: `${role} ${rights.join(', ')}`, fix: 'use TenantAccess.viewer, operator or kubeconfigReader, or a role with fewer rights',
  }];
}

function reachOfClusterRole(name: string, roles: readonly Manifest[]): Reach {
  const own = roles.find((role) => stringAt(role, 'metadata', 'name') === name);
  const selectors = Object.hasOwn(AGGREGATED, name) ? AGGREGATED[name].map(aggregationLabel)
    : objectsAt(own, 'aggregationRule', 'clusterRoleSelectors').map(([selector]) => (fieldAt(selector, 'matchLabels') ?? {}) as { [key: string]: string });
  const collected = roles.filter((role) => selectors.some((labels) => matches(role, labels)));
  // The built-in role "edit" is part of what the labels of "edit" and "admin" select.
  const builtIn = selectors.some((labels) => ['edit', 'admin'].some((part) => isSame(labels, aggregationLabel(part)))) ? EDIT : NOTHING;
  return [own, ...collected].map(reachOf).reduce(union, union(builtIn, Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : NOTHING));
}

function reachOf(role: Manifest | undefined): Reach {
  const rules = objectsAt(role, 'rules').map(([rule]) => rule);
  const has = (rule: unknown, field: string, texts: readonly string[]): boolean => stringsAt(rule, field).some(([text]) => text === '*' || texts.includes(text));
  const allows = (kinds: readonly string[], verbs: readonly string[], byName = true): boolean => rules.some((rule) => (
    (byName || stringsAt(rule, 'resourceNames').length === 0) && has(rule, 'verbs', verbs)
    && kinds.map((kind) => kind.split('.')).some(([resource, ...group]) => has(rule, 'apiGroups', [group.join('.')]) && has(rule, 'resources', [resource]))));
  return {
    pods: allows(POD_MAKERS, WRITES),
    secrets: allows(['secrets'], READS, false),
    policies: allows(POLICIES, WRITES),
    namespace: allows(['namespaces'], ['update', 'patch']),
  };
}

function union(one: Reach, other: Reach): Reach {
  return {
    pods: one.pods || other.pods,
    secrets: one.secrets || other.secrets,
    policies: one.policies || other.policies,
    namespace: one.namespace || other.namespace,
  };
}

function isRole(role: Manifest, name: string, namespace: string): boolean {
  return role.kind === 'Role' && stringAt(role, 'metadata', 'name') === name && stringAt(role, 'metadata', 'namespace') === namespace;
}

function aggregationLabel(name: string): { [key: string]: string } {
  return { [`${RBAC}/aggregate-to-${name}`]: 'true' };
}

function matches(role: Manifest, labels: { readonly [key: string]: string }): boolean {
  return Object.entries(labels).every(([key, value]) => fieldAt(role, 'metadata', 'labels', key) === value);
}

function isSame(labels: { readonly [key: string]: string }, others: { readonly [key: string]: string }): boolean {
  return Object.keys(labels).length === 1 && Object.entries(others).every(([key, value]) => labels[key] === value);
}
