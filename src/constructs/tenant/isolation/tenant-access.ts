import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { checkDnsLabel } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { ClusterContext } from '../../contracts/cluster-context';

/**
 * Rights of a subject on the tenant's objects in the management cluster.
 *
 * @example
 * new TenantIsolation({ access: [TenantAccess.operator(TenantSubject.group('oidc:acme-operators'))] });
 */
export class TenantAccess {
  /**
   * Reads the cluster, its control plane, pools, machines and virtual machines, events and quotas. No Secrets, no bootstrap data.
   *
   * @param subjects the users, groups and service accounts
   */
  public static viewer(...subjects: TenantSubject[]): TenantAccess {
    return new TenantAccess('viewer', subjects);
  }

  /**
   * The rights of a viewer, and scales pools, deletes machines to have them replaced and restarts virtual machines. Cannot change what machines
   * are like: that is what the repository is for. A size that the repository fixes comes back with the next synchronization.
   *
   * @param subjects the users, groups and service accounts
   */
  public static operator(...subjects: TenantSubject[]): TenantAccess {
    return new TenantAccess('operator', subjects);
  }

  /**
   * Reads the cluster's kubeconfig Secrets, and no other: an administrator of the tenant cluster from then on.
   *
   * @param subjects the users, groups and service accounts
   */
  public static kubeconfigReader(...subjects: TenantSubject[]): TenantAccess {
    return new TenantAccess('kubeconfig-reader', subjects);
  }

  /**
   * The rights of an existing Role of the namespace. A Role of the app that creates pods is refused like such a ClusterRole.
   *
   * @param name name of the Role (`TC-ADMIT-KUBERNETES-RBAC-ROLE-REF`, `TC-ISOLATION-ACCESS`)
   * @param subjects the users, groups and service accounts
   */
  public static role(name: string, ...subjects: TenantSubject[]): TenantAccess {
    return new TenantAccess(`role-${name}`, subjects, { kind: 'Role', name });
  }

  /**
   * The rights of an existing ClusterRole, within the namespace.
   *
   * `admin` and `edit` create pods, and without pod security a pod can take over the node that it runs on: they are refused unless the
   * Namespace is one of this app and has the label `pod-security.kubernetes.io/enforce` with `baseline` or `restricted` (`namespaceLabels`
   * of the cluster). Even then they read all Secrets of the namespace, with the kubeconfigs of the tenant and the bootstrap data of
   * machines, run pods as the ServiceAccounts of the controllers, and change network policies. `cluster-admin` may change the labels of the
   * Namespace, and is refused always. ClusterRoles of the app are judged by their rules, with those that they aggregate: refused are also
   * `escalate` and `bind`, and the objects that Flux applies with its own rights.
   *
   * Rule: `TC-ISOLATION-ACCESS-WIDE`.
   *
   * @param name name of the ClusterRole (`TC-ADMIT-KUBERNETES-RBAC-ROLE-REF`, `TC-ISOLATION-ACCESS`)
   * @param subjects the users, groups and service accounts
   */
  public static clusterRole(name: string, ...subjects: TenantSubject[]): TenantAccess {
    return new TenantAccess(`cluster-role-${name}`, subjects, { kind: 'ClusterRole', name });
  }

  /** @internal */
  public readonly _existing?: { readonly kind: string; readonly name: string };

  private constructor(
    /** Name of the access: `viewer`, `operator`, `kubeconfig-reader`, or a name that an existing role is part of. */
    public readonly level: string,
    /** Users, groups and service accounts that have it. */
    public readonly subjects: TenantSubject[],
    existing?: { readonly kind: string; readonly name: string },
  ) {
    this._existing = existing;
  }
}

/** Groups that every caller belongs to, or every caller without a name. */
const EVERY_CLIENT: readonly string[] = ['system:authenticated', 'system:unauthenticated', 'system:serviceaccounts', 'system:anonymous'];
const SERVICE_ACCOUNT = 'system:serviceaccount:';

const SUBJECT_RULE: Rule = {
  id: 'TC-ISOLATION-SUBJECT',
  title: 'Access must be granted to named users, groups and service accounts, not to groups that every client belongs to.',
  source: 'kubernetes/kubernetes pkg/apis/rbac/validation/validation.go',
};

/**
 * A user of the management cluster.
 *
 * @example
 * const access = TenantAccess.viewer(TenantSubject.group('oidc:acme'), TenantSubject.user('oidc:ana@example.com'));
 */
export class TenantSubject {
  /**
   * A user, as the management cluster's authentication names it.
   *
   * @param name the user (`TC-ADMIT-FIELD-VALUE`, `TC-ISOLATION-SUBJECT`)
   */
  public static user(name: string): TenantSubject {
    return new TenantSubject('User', name);
  }

  /**
   * A group, as the management cluster's authentication names it.
   *
   * @param name the group; not one that every client belongs to (`TC-ADMIT-FIELD-VALUE`, `TC-ISOLATION-SUBJECT`)
   */
  public static group(name: string): TenantSubject {
    return new TenantSubject('Group', name);
  }

  /**
   * A service account of the management cluster.
   *
   * @param name the account (`TC-ADMIT-KUBERNETES-RBAC-SUBJECT`)
   * @param namespace its namespace (`TC-ISOLATION-SUBJECT`)
   */
  public static serviceAccount(name: string, namespace: string): TenantSubject {
    return new TenantSubject('ServiceAccount', name, namespace);
  }

  private constructor(
    /** `User`, `Group` or `ServiceAccount`. */
    public readonly kind: string,
    /** Name of the user, group or account. */
    public readonly name: string,
    /** Namespace of a service account. */
    public readonly namespace?: string,
  ) {}

  /**
   * The entry of a RoleBinding.
   *
   * @internal
   */
  public _spec(): { [field: string]: string } {
    const { kind, name, namespace } = this;
    return namespace === undefined ? { apiGroup: 'rbac.authorization.k8s.io', kind, name } : { kind, name, namespace };
  }

  /**
   * The problems of the subject.
   *
   * @internal
   */
  public _check(property: string): Problem[] {
    const rule = SUBJECT_RULE;
    if (this.namespace !== undefined) {
      return problemIf(rule, property, checkDnsLabel(this.namespace), 'give the namespace of the service account');
    }
    if (EVERY_CLIENT.some((name) => this.name === name || this.name.startsWith(`${name}:`))) {
      return [{ rule, property, message: `"${this.name}" stands for callers of every tenant`, fix: 'name the groups and users of this tenant' }];
    }
    if (this.name.startsWith(SERVICE_ACCOUNT)) {
      return [{ rule, property, message: `"${this.name}" is a service account`, fix: 'use TenantSubject.serviceAccount(name, namespace)' }];
    }
    return [];
  }
}

/** One rule of a Role. */
interface AccessRule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly resourceNames?: string[];
  readonly verbs: string[];
}

/** The objects that give access. */
interface AccessObjects {
  readonly roles: ApiObject[];
  readonly roleBindings: ApiObject[];
}

const RBAC = 'rbac.authorization.k8s.io';
const ROLE = { apiVersion: `${RBAC}/v1`, kind: 'Role' };
const ROLE_BINDING = { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding' };
const PROPERTY = 'isolation.access';
const READ = ['get', 'list', 'watch'];

/** Makes one Role and one RoleBinding for each level of access. */
export function makeAccess(scope: Construct, access: readonly TenantAccess[], context: ClusterContext): AccessObjects {
  const levels = [...new Set(access.map(({ level }) => level))].sort();
  const objects = levels.map((level) => {
    const grants = access.map((grant, index) => ({ grant, property: `${PROPERTY}[${index}]` })).filter(({ grant }) => grant.level === level);
    // The name of an existing role is refused where the binding refers to it.
    const name = `${context.name}-${level.replace(/[/%]/g, '-')}`;
    const existing = grants[0].grant._existing;
    const subjects = subjectsOf(grants);
    const role = existing ? undefined : new TypedApiObject(scope, `Role ${level}`, ROLE, { metadata: { name }, rules: rulesOf(level, context) });
    const binding = new TypedApiObject(scope, `RoleBinding ${level}`, ROLE_BINDING, {
      metadata: { name },
      roleRef: { apiGroup: RBAC, kind: existing?.kind ?? 'Role', name: existing?.name ?? name },
      subjects: subjects.map(({ spec }) => spec),
    });
    FieldSources.record(binding, scope, {
      'roleRef.name': grants[0].property,
      ...Object.fromEntries(subjects.map(({ property }, index) => [`subjects[${index}]`, property])),
    });
    return { role, binding };
  });
  return { roles: objects.flatMap(({ role }) => role ?? []), roleBindings: objects.map(({ binding }) => binding) };
}

/** Checks the subjects of access. */
export function checkAccess(access: readonly TenantAccess[]): Problem[] {
  return access.flatMap((grant, index) => {
    const property = `${PROPERTY}[${index}]`;
    return [
      ...(grant.subjects.length > 0 ? [] : [{ rule: SUBJECT_RULE, property, message: 'it names no subject', fix: 'name a user, a group or a service account' }]),
      ...grant.subjects.flatMap((subject) => subject._check(property)),
    ];
  });
}

/** A level of access, and the property that it is given in. */
interface Grant {
  readonly grant: TenantAccess;
  readonly property: string;
}

/** A subject of a binding, and the property that it is given in. */
interface BoundSubject {
  readonly spec: { readonly [field: string]: string };
  readonly property: string;
}

function subjectsOf(grants: readonly Grant[]): BoundSubject[] {
  const subjects = grants.flatMap(({ grant, property }) => grant.subjects.map((subject) => ({ spec: subject._spec(), property })));
  const byText = new Map(subjects.map((subject) => [JSON.stringify([subject.spec.kind, subject.spec.namespace, subject.spec.name]), subject]));
  return [...byText.keys()].sort().map((key) => byText.get(key)!);
}

function rulesOf(level: string, context: ClusterContext): AccessRule[] {
  if (level === 'kubeconfig-reader') return [kubeconfigRule(context)];
  return level === 'operator' ? [...viewerRules(context), ...operatorRules(context)] : viewerRules(context);
}

function viewerRules(context: ClusterContext): AccessRule[] {
  return [
    { apiGroups: [''], resources: ['events', 'limitranges', 'resourcequotas'], verbs: READ },
    { apiGroups: ['cluster.x-k8s.io'], resources: ['clusters', 'machinedeployments', 'machinehealthchecks', 'machines', 'machinesets'], verbs: READ },
    ...rulesFor(context.controlPlane.viewableResources, READ),
    ...rulesFor(context.infrastructure.viewableResources, READ),
  ];
}

/** A rule for each group of resources given as `resources.group`. */
function rulesFor(resources: readonly string[] = [], verbs: string[]): AccessRule[] {
  const byGroup = new Map<string, string[]>();
  for (const resource of resources) {
    const [plural, ...group] = resource.split('.');
    byGroup.set(group.join('.'), [...byGroup.get(group.join('.')) ?? [], plural]);
  }
  return [...byGroup].map(([group, names]) => ({ apiGroups: [group], resources: names, verbs }));
}

function operatorRules(context: ClusterContext): AccessRule[] {
  return [
    { apiGroups: ['cluster.x-k8s.io'], resources: ['machinedeployments/scale'], verbs: ['get', 'patch', 'update'] },
    { apiGroups: ['cluster.x-k8s.io'], resources: ['machines'], verbs: ['delete'] },
    ...rulesFor(context.infrastructure.restartResources, ['update']),
  ];
}

function kubeconfigRule({ kubeconfigs }: ClusterContext): AccessRule {
  const names = new Set([kubeconfigs.internal.name, kubeconfigs.external.name]);
  return { apiGroups: [''], resources: ['secrets'], resourceNames: [...names].sort(), verbs: ['get'] };
}
