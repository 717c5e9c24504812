import { shortName } from './cluster-state';
import { failure, missingLines } from './failure';
import { Cluster } from '../../manifests/landscape/cluster-model';
import { groupKind, ManifestObject, nameOf, namespaceOf, objectName } from '../../manifests/objects/manifest-object';
import { fieldAt, Fields, listAt, objectsAt, stringAt } from '../../manifests/values/fields';

const SERVICE_ACCOUNT = 'ServiceAccount';

/** Rights to objects of the management cluster: each verb on each resource. */
export interface AccessRight {
  /** The verbs, e.g. `get`, `list`, `watch`; `*` for all. */
  readonly verbs: string[];

  /**
   * The resources as `kubectl auth can-i` reads them, in the plural, with the group unless that is the core group, and with the subresource:
   * `secrets`, `machines.cluster.x-k8s.io`, `machinedeployments.cluster.x-k8s.io/scale`; `*.*` for all. A path such as `/metrics` is none of
   * an object.
   */
  readonly resources: string[];

  /**
   * Names of the objects.
   *
   * @default - all objects
   */
  readonly names?: string[];

  /**
   * The namespace of the objects; `*` for all namespaces.
   *
   * @default - the namespace of the cluster; for `cannot` all namespaces
   */
  readonly namespace?: string;
}

/**
 * Assertions about the rights of a user, a group or a ServiceAccount in the management cluster, as far as the manifests of the tenant grant
 * them. See `ClusterAssertions.serviceAccount`.
 *
 * @example
 * testing.ClusterAssertions.of(acme).group('oidc:acme').cannot({ verbs: ['get'], resources: ['secrets'] });
 */
export class SubjectAssertions {
  /** @internal */
  public static _of(cluster: string, { namespace = '' }: Cluster, subject: Subject, objects: readonly ManifestObject[]): SubjectAssertions {
    return new SubjectAssertions(`${cluster} ${subject.kind} ${subject.name}`, namespace, grantsOf(objects, subject));
  }

  /** @internal */
  public static _ofServiceAccount(id: string, cluster: Cluster, name: string, objects: readonly ManifestObject[]): SubjectAssertions {
    const { namespace } = cluster;
    const written = objects.filter((object) => groupKind(object) === `/${SERVICE_ACCOUNT}` && namespaceOf(object) === namespace).map(nameOf);
    const names = [...new Set([...written.filter((one) => one !== undefined), ...boundNames(objects, SERVICE_ACCOUNT, namespace)])].sort();
    const found = [`${cluster.name}-${name}`, name].find((one) => names.includes(one));
    if (found !== undefined) return SubjectAssertions._of(id, cluster, { kind: SERVICE_ACCOUNT, name: found, namespace }, objects);
    throw failure({ subject: id, lines: missingLines(SERVICE_ACCOUNT, name, names, names.map((one) => shortName(one, cluster))) });
  }

  private constructor(private readonly subject: string, private readonly namespace: string, private readonly grants: Grants) {}

  /**
   * Checks that the subject has all of these rights.
   *
   * @param right the rights that it must have
   */
  public can(right: AccessRight): void {
    const wanted = rightOf(right, this.namespace);
    if (covers(this.grants.known, wanted)) return;
    const near = this.grants.known.filter(({ resources }) => resources.some((resource) => wanted.resources.includes(resource)));
    throw failure({
      subject: this.subject,
      lines: [`is not granted all of: ${rightWords(wanted)}`, ...this.unknownRoles(), ...this.grants.known.length === 0 ? ['is granted nothing'] : []],
      objects: (near.length > 0 ? near : this.grants.known).map(({ role }) => role),
    });
  }

  /**
   * Checks that the subject has none of these rights. A binding to a role that is not among the manifests of the tenant, such as the
   * ClusterRole `view`, is an error: its rights are unknown.
   *
   * @param right the rights that it must not have, not even for some of the objects
   */
  public cannot(right: AccessRight): void {
    const unwanted = rightOf(right, '*');
    const found = this.grants.known.filter((grant) => overlaps(grant, unwanted));
    this.demandNone(found.map((grant) => `is granted: ${rightWords(grant)}`), found.map(({ role }) => role));
  }

  /**
   * Checks that the subject has no right beyond these. It need not have all of them: see `can`. A binding to a role that is not among the
   * manifests of the tenant is an error: its rights are unknown.
   *
   * @param rights the rights that it may have; an empty list allows none
   */
  public canOnly(rights: AccessRight[]): void {
    const allowed = rights.map((right) => rightOf(right, this.namespace));
    const beyond = this.grants.known.filter((grant) => !covers(allowed, grant));
    this.demandNone(beyond.map((grant) => `is granted more than expected: ${rightWords(grant)}`), beyond.map(({ role }) => role));
  }

  private demandNone(found: readonly string[], roles: readonly ManifestObject[]): void {
    const lines = [...found, ...this.unknownRoles()];
    if (lines.length > 0) throw failure({ subject: this.subject, lines, objects: [...roles, ...this.grants.unknown] });
  }

  private unknownRoles(): string[] {
    return this.grants.unknown.map((binding) => {
      const [kind, name] = ['kind', 'name'].map((field) => stringAt(binding, 'roleRef', field));
      return `is bound to the ${kind} ${name} by ${objectName(binding)}: its rules are not in the manifests of the tenant`;
    });
  }
}

function rightOf({ verbs, resources, names = [], namespace }: AccessRight, otherwise: string): Right {
  return { verbs, resources, names, namespace: namespace ?? otherwise };
}

const GROUP = 'rbac.authorization.k8s.io';
const BINDINGS = [`${GROUP}/RoleBinding`, `${GROUP}/ClusterRoleBinding`];
const ANY = '*';

/** Rights to objects: each verb on each resource. */
interface Right {
  readonly verbs: readonly string[];

  /** As kubectl writes them, with the group and the subresource: `machinedeployments.cluster.x-k8s.io/scale`. */
  readonly resources: readonly string[];

  /** Names of objects; empty for all. */
  readonly names: readonly string[];

  /** Namespace of the objects; `*` for all of them, and for cluster-scoped objects. */
  readonly namespace: string;
}

/** A right that a binding grants. */
interface Grant extends Right {
  readonly role: ManifestObject;
}

/** The rights that bindings of a subject grant. */
interface Grants {
  readonly known: readonly Grant[];

  /** Bindings whose role has rules that are not in the manifests. */
  readonly unknown: readonly ManifestObject[];
}

/** A user, a group or a ServiceAccount. */
interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** The rights of a subject in the objects of one cluster. */
function grantsOf(objects: readonly ManifestObject[], subject: Subject): Grants {
  const subjects = [subject, ...groupsOf(subject)];
  const known: Grant[] = [];
  const unknown: ManifestObject[] = [];
  for (const binding of objects.filter((object) => BINDINGS.includes(groupKind(object)))) {
    if (!objectsAt(binding, 'subjects').some(([bound]) => subjects.some((one) => isSame(bound, one, namespaceOf(binding))))) continue;
    const role = roleOf(binding, objects);
    if (!role || fieldAt(role, 'aggregationRule') !== undefined) unknown.push(binding);
    else known.push(...rightsOf(role, namespaceOf(binding) ?? ANY).map((right) => ({ ...right, role })));
  }
  return { known, unknown };
}

/** The subjects of a kind that bindings name, in a namespace if the kind has one. */
function boundNames(objects: readonly ManifestObject[], kind: string, namespace: string | undefined): string[] {
  return objects.filter((object) => BINDINGS.includes(groupKind(object))).flatMap((binding) => objectsAt(binding, 'subjects')
    .filter(([bound]) => bound.kind === kind && (kind !== 'ServiceAccount' || (bound.namespace ?? namespaceOf(binding)) === namespace))
    .flatMap(([bound]) => stringAt(bound, 'name') ?? []));
}

/** True if each of the rights is a part of one of the others. */
function covers(others: readonly Right[], right: Right): boolean {
  return singleRights(right).every((single) => others.some((other) => (
    (other.namespace === ANY || other.namespace === right.namespace)
    && (other.names.length === 0 || (single.names.length > 0 && other.names.includes(single.names[0])))
    && other.verbs.some((verb) => verb === ANY || verb === single.verbs[0])
    && other.resources.some((resource) => coversResource(resource, single.resources[0])))));
}

/** True if two rights have a right in common. */
function overlaps(one: Right, other: Right): boolean {
  return meet(one.namespace, other.namespace)
    && (one.names.length === 0 || other.names.length === 0 || one.names.some((name) => other.names.includes(name)))
    && one.verbs.some((verb) => other.verbs.some((another) => meet(verb, another)))
    && one.resources.some((resource) => other.resources.some((another) => coversResource(resource, another) || coversResource(another, resource)));
}

/** A right in words, such as `get, list secrets "acme-kubeconfig" in tenant-acme`. */
function rightWords({ verbs, resources, names, namespace }: Right): string {
  const named = names.length === 0 ? '' : ` ${names.map((name) => JSON.stringify(name)).join(', ')}`;
  return `${verbs.join(', ')} ${resources.join(', ')}${named} in ${namespace === ANY ? 'all namespaces' : namespace}`;
}

/** The groups that a ServiceAccount is in. Source: kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/authentication/serviceaccount/util.go. */
function groupsOf({ kind, namespace }: Subject): Subject[] {
  const groups = ['system:authenticated', ...kind === 'ServiceAccount' ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : []];
  return kind === 'Group' ? [] : groups.map((name) => ({ kind: 'Group', name }));
}

function isSame(bound: Fields, { kind, name, namespace }: Subject, ofBinding: string | undefined): boolean {
  return bound.kind === kind && bound.name === name && (kind !== 'ServiceAccount' || (bound.namespace ?? ofBinding) === namespace);
}

function roleOf(binding: ManifestObject, objects: readonly ManifestObject[]): ManifestObject | undefined {
  const kind = stringAt(binding, 'roleRef', 'kind');
  const namespace = kind === 'Role' ? namespaceOf(binding) : undefined;
  return objects.find((object) => groupKind(object) === `${GROUP}/${kind}` && nameOf(object) === stringAt(binding, 'roleRef', 'name')
    && (kind !== 'Role' || namespaceOf(object) === namespace));
}

function rightsOf(role: ManifestObject, namespace: string): Right[] {
  return objectsAt(role, 'rules').map(([rule]) => ({
    verbs: strings(rule, 'verbs'),
    resources: [
      ...strings(rule, 'resources').flatMap((resource) => strings(rule, 'apiGroups').map((group) => inGroup(resource, group))),
      ...strings(rule, 'nonResourceURLs'),
    ],
    names: strings(rule, 'resourceNames'),
    namespace,
  }));
}

function strings(rule: Fields, field: string): string[] {
  return listAt(rule, field).filter((item) => typeof item === 'string');
}

function inGroup(resource: string, group: string): string {
  const [name, ...subresource] = resource.split('/');
  return [group === '' ? name : `${name}.${group}`, ...subresource].join('/');
}

function singleRights({ verbs, resources, names, namespace }: Right): Right[] {
  return verbs.flatMap((verb) => resources.flatMap((resource) => (names.length === 0 ? [[]] : names.map((name) => [name]))
    .map((single) => ({ verbs: [verb], resources: [resource], names: single, namespace }))));
}

/** Source: kubernetes/kubernetes pkg/apis/rbac/v1/evaluation_helpers.go (ResourceMatches, NonResourceURLMatches). */
function coversResource(one: string, other: string): boolean {
  if (one.startsWith('/') || other.startsWith('/')) return one.endsWith(ANY) ? other.startsWith(one.slice(0, -1)) : one === other;
  const [a, b] = [one, other].map(resourceParts);
  if (a.group !== ANY && a.group !== b.group) return false;
  return a.name === ANY ? a.subresource === undefined || a.subresource === b.subresource : a.name === b.name && a.subresource === b.subresource;
}

function resourceParts(resource: string): { readonly name: string; readonly group: string; readonly subresource?: string } {
  const [qualified, subresource] = resource.split('/');
  const [name, ...group] = qualified.split('.');
  return { name, group: group.join('.'), subresource };
}

function meet(one: string, other: string): boolean {
  return one === ANY || other === ANY || one === other;
}
