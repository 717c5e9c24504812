import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ISOLATION_RULES } from './rules';
import { TenantAccess } from './tenant-access';
import { Problem } from '../../../manifests/values/problem';
import { FieldSources } from '../../app/synth/field-sources';
import { TypedApiObject } from '../../app/synth/typed-api-object';
import { ClusterContext } from '../../contracts/cluster-context';

/** One rule of a Role. */
interface AccessRule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly resourceNames?: string[];
  readonly verbs: string[];
}

/** The objects that give access. */
export interface AccessObjects {
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

/** Checks who gets access to what. */
export function checkAccess(access: readonly TenantAccess[]): Problem[] {
  return access.flatMap((grant, index) => {
    const property = `${PROPERTY}[${index}]`;
    return [
      ...(grant.subjects.length > 0 ? [] : [{ rule: ISOLATION_RULES.subject, property, message: 'it names no subject', fix: 'name a user, a group or a service account' }]),
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
