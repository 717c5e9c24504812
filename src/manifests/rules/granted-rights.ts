import { ManifestIndex } from './manifest-index';
import { podOf } from './pod-objects';
import { groupKind, ManifestObject, namespaceOf } from '../objects/manifest-object';
import { Fields, isFilled, listAt, objectsAt, stringAt } from '../values/fields';
import { Finding } from '../values/finding';

/** Rights on resources. */
export interface Rights {
  /** API group; empty for the core group. */
  readonly group: string;

  /** Name of the resource in the plural, with a subresource if it is for that: `services`, `virtualmachines/addvolume`. */
  readonly resource: string;
  readonly verbs: readonly string[];

  /** Namespace of the objects; undefined for objects in no namespace. */
  readonly namespace?: string;

  /** Their purpose: the rest of a sentence, such as `to make load balancers`. */
  readonly purpose: string;
}

const GROUP = 'rbac.authorization.k8s.io';
/** The kinds that grant rights. */
export const RIGHTS_KINDS: readonly string[] = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map((kind) => `${GROUP}/${kind}`);

/** Roles that every cluster has (kubernetes/kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go). */
const BUILT_IN: Readonly<Record<string, readonly Fields[]>> = {
  'cluster-admin': [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  'system:auth-delegator': [
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ],
};

/** Rules of a role, and the namespace where they hold; in all if it is undefined. */
interface GrantedRules {
  readonly namespace?: string;
  readonly rules: readonly unknown[];
}

/** Name of the ServiceAccount of the pods of an object; `serviceAccount` is the older name of the field (kubernetes/kubernetes pkg/apis/core/v1/conversion.go). */
export function accountOf(object: ManifestObject): string {
  const spec = podOf(object)?.spec;
  return stringAt(spec, 'serviceAccountName') ?? stringAt(spec, 'serviceAccount') ?? 'default';
}

/**
 * The rights that the ServiceAccount of the pods of an object needs and does not have; undefined if it has none among the manifests, or if one of
 * its roles is not there: it may have them from elsewhere.
 *
 * @param object what makes the pods
 * @param needed the rights that its program needs
 * @param index where its roles are
 */
export function missingRights(object: ManifestObject, needed: readonly Rights[], index: ManifestIndex): Rights[] | undefined {
  return missingOf(accountKey(object), needed, index);
}

/** The rights that a user needs and does not have by bindings that name it; undefined if no binding does, or if one of its roles is not there. */
export function missingRightsOfUser(user: string, needed: readonly Rights[], index: ManifestIndex): Rights[] | undefined {
  return missingOf(userKey(user), needed, index);
}

/** Faults of the rights of an object's pods: one finding for all that are missing. */
export function missingRightsFindings(object: ManifestObject, needed: readonly Rights[], index: ManifestIndex): Finding[] {
  const missing = needed.length === 0 ? [] : missingRights(object, needed, index) ?? [];
  return missing.length === 0 ? [] : [{
    path: [...podOf(object)!.specPath, 'serviceAccountName'],
    message: `the ServiceAccount "${accountOf(object)}" is not allowed to ${missing.map((one) => `${rightsText(one)} ${one.purpose}`).join('; ')}`,
    fix: 'add the verbs to a role of the ServiceAccount',
  }];
}

function missingOf(subject: string, needed: readonly Rights[], index: ManifestIndex): Rights[] | undefined {
  const granted = grantedTo(subject, index);
  if (!granted) return undefined;
  return needed.flatMap((rights) => {
    const verbs = rights.verbs.filter((verb) => !granted.some((one) => allows(one, rights, verb)));
    return verbs.length === 0 ? [] : [{ ...rights, verbs }];
  });
}

/** True if a role is bound to the ServiceAccount of the pods of an object. */
export function hasBindings(object: ManifestObject, index: ManifestIndex): boolean {
  return bindingsOf(index).has(accountKey(object));
}

/** The bindings of a ServiceAccount. */
export function bindingsOfAccount(namespace: string, name: string, index: ManifestIndex): readonly ManifestObject[] {
  return bindingsOf(index).get(`${namespace}/${name}`) ?? [];
}

/** True if a binding is for the ServiceAccount of the pods of an object. */
export function bindsTo(binding: ManifestObject | undefined, object: ManifestObject): boolean {
  return binding !== undefined && accountKeys(binding).includes(accountKey(object));
}

/** Rights in words: `create and update services`. */
export function rightsText({ group, resource, verbs, namespace }: Rights): string {
  const list = verbs.length < 2 ? verbs.join('') : `${verbs.slice(0, -1).join(', ')} and ${verbs.at(-1)!}`;
  return `${list} ${resource}${group === '' ? '' : `.${group}`}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

function allows({ namespace, rules }: GrantedRules, { group, resource, namespace: wanted }: Rights, verb: string): boolean {
  if (namespace !== undefined && namespace !== wanted) return false;
  const has = (rule: unknown, field: string, ...values: string[]) => ['*', ...values].some((value) => listAt(rule, field).includes(value));
  const any = resource.includes('/') ? [`*/${resource.split('/')[1]}`] : [];
  return rules.some((rule) => has(rule, 'apiGroups', group) && has(rule, 'resources', resource, ...any) && has(rule, 'verbs', verb));
}

/** All rules that a ServiceAccount or a user has; undefined if they are not all known. */
function grantedTo(account: string, index: ManifestIndex): GrantedRules[] | undefined {
  const bindings = bindingsOf(index).get(account) ?? [];
  const all = bindings.map((binding) => {
    const isLocal = groupKind(binding) === RIGHTS_KINDS[3];
    const place = isLocal ? namespaceOf(binding) : undefined;
    const [kind, name] = [stringAt(binding, 'roleRef', 'kind'), stringAt(binding, 'roleRef', 'name')];
    if (kind === 'ClusterRole' && name !== undefined && Object.hasOwn(BUILT_IN, name)) return { namespace: place, rules: BUILT_IN[name] };
    const role = index.find(`${GROUP}/${kind ?? ''}`, kind === 'Role' ? namespaceOf(binding) : undefined, name);
    return role && !isFilled(role, 'aggregationRule') ? { namespace: place, rules: objectsAt(role, 'rules').map(([rule]) => rule) } : undefined;
  });
  return all.length > 0 && all.every((one) => one !== undefined) ? all as GrantedRules[] : undefined;
}

const BINDINGS = new WeakMap<ManifestIndex, ReadonlyMap<string, readonly ManifestObject[]>>();

/** The bindings of each ServiceAccount, by its namespace and name, and of each user. */
function bindingsOf(index: ManifestIndex): ReadonlyMap<string, readonly ManifestObject[]> {
  const found = BINDINGS.get(index);
  if (found) return found;
  const bindings = new Map<string, ManifestObject[]>();
  for (const binding of [RIGHTS_KINDS[1], RIGHTS_KINDS[3]].flatMap((kind) => index.all(kind))) {
    for (const account of accountKeys(binding)) {
      const same = bindings.get(account);
      if (same) same.push(binding);
      else bindings.set(account, [binding]);
    }
  }
  BINDINGS.set(index, bindings);
  return bindings;
}

function accountKey(object: ManifestObject): string {
  return `${namespaceOf(object) ?? ''}/${accountOf(object)}`;
}

function accountKeys(binding: ManifestObject): string[] {
  return objectsAt(binding, 'subjects').flatMap(([subject]) => {
    const name = stringAt(subject, 'name') ?? '';
    if (subject.kind === 'User') return [userKey(name)];
    return subject.kind === 'ServiceAccount' ? [`${stringAt(subject, 'namespace') ?? namespaceOf(binding) ?? ''}/${name}`] : [];
  });
}

/** Names of namespaces have no colon. */
function userKey(name: string): string {
  return `:${name}`;
}
