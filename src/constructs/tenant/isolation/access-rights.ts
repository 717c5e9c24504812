import { IConstruct } from 'constructs';
import { TenantAccess } from './tenant-access';
import { Manifest, manifestsOf } from './written-objects';
import { selects } from '../../../manifests/rules/label-selectors';
import { providers } from '../../../manifests/systems/providers';
import { fieldAt, Fields, objectsAt, stringAt, stringsAt } from '../../../manifests/values/fields';
import { Problem, Rule } from '../../../manifests/values/problem';

const RBAC = 'rbac.authorization.k8s.io';
const ENFORCE = 'pod-security.kubernetes.io/enforce';
/** Levels that refuse privileged pods, those in the node's namespaces, and files of the node (kubernetes.io/docs/concepts/security/pod-security-standards). */
const ENFORCING: readonly string[] = ['baseline', 'restricted'];

const WRITES: readonly string[] = ['create', 'update', 'patch'];
const CHANGES: readonly string[] = [...WRITES, 'delete', 'deletecollection'];
const READS: readonly string[] = ['get', 'list', 'watch'];
const POD_MAKERS: readonly string[] = [
  'pods', 'pods/ephemeralcontainers', 'replicationcontrollers', 'daemonsets.apps', 'deployments.apps', 'replicasets.apps', 'statefulsets.apps',
  'cronjobs.batch', 'jobs.batch',
];
const ROLES: readonly string[] = [`roles.${RBAC}`, `clusterroles.${RBAC}`];
const POLICIES: readonly string[] = ['networkpolicies.networking.k8s.io', 'ciliumnetworkpolicies.cilium.io'];
const PUBLISHED: readonly string[] = ['services', 'endpoints', 'endpointslices.discovery.k8s.io'];

/** Verbs on resources, as `resources.group` or `resources/subresource.group`. */
interface Right {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];

  /** True if the right counts for all names only. */
  readonly allNames?: true;
}

/** Consequences of rights that reach beyond the objects of a tenant. */
type Purpose = 'namespace' | 'roles' | 'controllers' | 'pods' | 'secrets' | 'accounts' | 'commands' | 'policies' | 'quota' | 'services' | 'machines';

function rightsByPurpose(): Readonly<Record<Purpose, readonly Right[]>> {
  const powers = providers().map((provider) => provider.powers ?? {});
  return {
    /** Changes the Namespace, and so its pod security. */
    namespace: [{ resources: ['namespaces'], verbs: ['update', 'patch'] }],
    /** Grants rights that the user does not have. */
    roles: [{ resources: ROLES, verbs: ['escalate', 'bind'] }],
    /** Has a controller apply anything. */
    controllers: [{ resources: powers.flatMap(({ controllers = [] }) => controllers), verbs: WRITES }],
    /** Creates pods, which may be privileged. */
    pods: [{ resources: [...POD_MAKERS, ...powers.flatMap(({ pods = [] }) => pods)], verbs: WRITES }],
    secrets: [{ resources: ['secrets'], verbs: READS, allNames: true }],
    accounts: [{ resources: ['serviceaccounts'], verbs: ['impersonate'] }, { resources: ['serviceaccounts/token'], verbs: ['create'] }],
    commands: [{ resources: ['pods/exec', 'pods/attach'], verbs: ['create', 'get'] }],
    /** Removes what closes, or adds a policy that opens. */
    policies: [{ resources: POLICIES, verbs: CHANGES }],
    quota: [{ resources: ['resourcequotas', 'limitranges'], verbs: CHANGES }],
    /** The admission policies look at what the controllers of the tenant write, and at nothing else. */
    services: [{ resources: PUBLISHED, verbs: WRITES }],
    machines: [{ resources: powers.flatMap(({ machines = [] }) => machines), verbs: WRITES }],
  };
}

type Reach = ReadonlySet<Purpose>;

/** Built-in ClusterRoles (kubernetes/kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go), with their rules that reach this far. */
const BUILT_IN: readonly Manifest[] = [
  builtIn('cluster-admin', {}, { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }),
  builtIn('admin', {}, aggregated('admin')),
  builtIn('edit', aggregationLabel('admin'), aggregated('edit')),
  builtIn('view', aggregationLabel('edit'), aggregated('view')),
  builtIn('system:aggregate-to-edit', aggregationLabel('edit'), {
    rules: [
      ...POD_MAKERS.filter((resource) => !resource.includes('/')).map((resource) => rule(resource, ...CHANGES)),
      ...POLICIES.slice(0, 1).map((resource) => rule(resource, ...CHANGES)),
      rule('secrets', ...READS),
      rule('services', ...CHANGES),
      rule('serviceaccounts', 'impersonate'),
      rule('serviceaccounts/token', 'create'),
      rule('pods/exec', ...READS, ...CHANGES),
    ],
  }),
];

/**
 * Checks the rights of existing roles that a tenant gets in its namespace.
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
    const roles = existing.kind === 'Role' ? managed.filter((role) => isRole(role, existing.name, namespace))
      : aggregatedRoles(existing.name, [...BUILT_IN, ...managed.filter(({ kind }) => kind === 'ClusterRole')]);
    return checkReach(`isolation.access[${index}]`, `the ${existing.kind} "${existing.name}"`, reachOf(roles), namespace, level);
  });
}

const ACCESS_RULE: Rule = {
  id: 'TC-ISOLATION-ACCESS',
  title: 'A role of a tenant must not change the Namespace, escalate or bind roles, or have a controller apply anything, and must create pods only where the Namespace enforces pod security.',
  source: 'kubernetes/kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, kubernetes.io/docs/concepts/security/pod-security-standards',
};

const ACCESS_WIDE_RULE: Rule = {
  id: 'TC-ISOLATION-ACCESS-WIDE',
  title: 'A role of a tenant should not read all Secrets of the namespace, act as its ServiceAccounts, run commands in pods, or write network policies, quotas, Services, endpoints or virtual machines.',
  source: 'kubernetes/kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go, kubernetes.io/docs/concepts/security/rbac-good-practices',
  warning: true,
};

function checkReach(property: string, role: string, reach: Reach, namespace: string, level: string | undefined): Problem[] {
  const at = { rule: ACCESS_RULE, property };
  const narrower = 'use TenantAccess.viewer, operator or kubeconfigReader, or a role with fewer rights';
  if (reach.has('namespace')) {
    return [{
      ...at,
      message: `${role} may change the Namespace "${namespace}", and with its labels what pods there may do: its users get the nodes of the management cluster`,
      fix: narrower,
    }];
  }
  if (reach.has('roles')) {
    return [{ ...at, message: `${role} may escalate or bind roles: its users give themselves any right in the Namespace "${namespace}"`, fix: narrower }];
  }
  if (reach.has('controllers')) {
    return [{
      ...at,
      message: `${role} may write objects that a controller applies with its own rights, by default those of an administrator of the management cluster`,
      fix: `${narrower}; where the controller impersonates a ServiceAccount of the namespace, write the RoleBinding as an object of the app`,
    }];
  }
  if (reach.has('pods') && !ENFORCING.includes(level ?? '')) {
    return [{
      ...at,
      message: `${role} may create pods, and the Namespace "${namespace}" ${level === undefined ? 'enforces no pod security' : `enforces the level ${level} only`}: `
        + 'a privileged pod, or one with a path of the host, gets the nodes of the management cluster',
      accepted: `a Namespace of this app with the label ${ENFORCE}: ${ENFORCING.join(' or ')}`,
      fix: `use TenantAccess.viewer or operator, or add "${ENFORCE}": "baseline" to namespaceLabels of the cluster`,
    }];
  }
  const texts = [
    ...(reach.has('secrets') ? ['reads all Secrets of the namespace, kubeconfigs and bootstrap data among them'] : []),
    ...(reach.has('pods') ? ['runs pods as the ServiceAccounts of the controllers'] : []),
    ...(reach.has('accounts') ? ['gets tokens of these ServiceAccounts, or acts as them'] : []),
    ...(reach.has('commands') ? ['runs commands in pods of the control plane and the controllers'] : []),
    ...(reach.has('policies') ? ['may open by network policies what the isolation closes'] : []),
    ...(reach.has('quota') ? ['may change the quota and the limit range'] : []),
    ...(reach.has('services') ? ['may write Services and endpoints that no policy of the isolation looks at'] : []),
    ...(reach.has('machines') ? ['may create virtual machines that no network policy selects'] : []),
  ];
  return texts.length === 0 ? [] : [{ rule: ACCESS_WIDE_RULE, property, message: `${role} ${texts.join(', ')}`, fix: narrower }];
}

/** Returns the ClusterRoles of that name, and those that they aggregate, which may aggregate further ones. */
function aggregatedRoles(name: string, roles: readonly Manifest[]): Manifest[] {
  const found = new Set(roles.filter((role) => stringAt(role, 'metadata', 'name') === name));
  // The set grows while it is walked.
  for (const role of found) {
    for (const [selector] of objectsAt(role, 'aggregationRule', 'clusterRoleSelectors')) {
      const labelsOf = (other: Manifest): Fields => (fieldAt(other, 'metadata', 'labels') ?? {}) as Fields;
      roles.filter((other) => selects(selector, labelsOf(other))).forEach((other) => found.add(other));
    }
  }
  return [...found];
}

function reachOf(roles: readonly Manifest[]): Reach {
  const rules = roles.flatMap((role) => objectsAt(role, 'rules').map(([one]) => one));
  const has = (one: unknown, field: string, accepted: readonly string[]): boolean => (
    stringsAt(one, field).some(([text]) => text === '*' || accepted.includes(text)));
  const allows = ({ resources, verbs, allNames }: Right): boolean => rules.some((one) => (
    !(allNames && stringsAt(one, 'resourceNames').length > 0) && has(one, 'verbs', verbs)
    && resources.map(groupAndResource).some(([group, resource]) => has(one, 'apiGroups', [group]) && has(one, 'resources', [resource, resource.replace(/^[^/]+/, '*')]))));
  return new Set(Object.entries(rightsByPurpose()).filter(([, rights]) => rights.some(allows)).map(([purpose]) => purpose as Purpose));
}

function isRole(role: Manifest, name: string, namespace: string): boolean {
  return role.kind === 'Role' && stringAt(role, 'metadata', 'name') === name && stringAt(role, 'metadata', 'namespace') === namespace;
}

/** Splits `resources.group`. */
function groupAndResource(text: string): readonly [group: string, resource: string] {
  const [resource, ...group] = text.split('.');
  return [group.join('.'), resource];
}

function rule(text: string, ...verbs: string[]): object {
  const [group, resource] = groupAndResource(text);
  return { apiGroups: [group], resources: [resource], verbs };
}

function builtIn(name: string, labels: { readonly [key: string]: string }, content: object): Manifest {
  return { kind: 'ClusterRole', metadata: { name, labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels } }, ...content };
}

function aggregated(name: string): object {
  return { aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregationLabel(name) }] } };
}

function aggregationLabel(name: string): { [key: string]: string } {
  return { [`${RBAC}/aggregate-to-${name}`]: 'true' };
}
