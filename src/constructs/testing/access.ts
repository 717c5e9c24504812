import { ManifestObject, nameOf, namespaceOf, groupKind } from '../../manifests/objects/manifest-object';
import { Fields, fieldAt, listAt, objectsAt, stringAt } from '../../manifests/values/fields';

const GROUP = 'rbac.authorization.k8s.io';
const BINDINGS = [`${GROUP}/RoleBinding`, `${GROUP}/ClusterRoleBinding`];
const ANY = '*';

/** Rights to objects: each verb on each resource. */
export interface Right {
  readonly verbs: readonly string[];

  /** As kubectl writes them, with the group and the subresource: `machinedeployments.cluster.x-k8s.io/scale`. */
  readonly resources: readonly string[];

  /** Names of objects; empty for all. */
  readonly names: readonly string[];

  /** Namespace of the objects; `*` for all of them, and for what has no namespace. */
  readonly namespace: string;
}

/** A right that a binding grants. */
export interface Grant extends Right {
  readonly role: ManifestObject;
}

/** What the bindings of a subject grant. */
export interface Grants {
  readonly known: readonly Grant[];

  /** Bindings whose role has rules that are not in the manifests. */
  readonly unknown: readonly ManifestObject[];
}

/** A user, a group or a ServiceAccount. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/**
 * What a subject is granted.
 *
 * @param objects the objects of one cluster
 * @param subject who
 */
export function grantsOf(objects: readonly ManifestObject[], subject: Subject): Grants {
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
export function boundNames(objects: readonly ManifestObject[], kind: string, namespace: string | undefined): string[] {
  return objects.filter((object) => BINDINGS.includes(groupKind(object))).flatMap((binding) => objectsAt(binding, 'subjects')
    .filter(([bound]) => bound.kind === kind && (kind !== 'ServiceAccount' || (bound.namespace ?? namespaceOf(binding)) === namespace))
    .flatMap(([bound]) => stringAt(bound, 'name') ?? []));
}

/** True if each of the rights is a part of one of the others. */
export function covers(others: readonly Right[], right: Right): boolean {
  return singleRights(right).every((single) => others.some((other) => (
    (other.namespace === ANY || other.namespace === right.namespace)
    && (other.names.length === 0 || (single.names.length > 0 && other.names.includes(single.names[0])))
    && other.verbs.some((verb) => verb === ANY || verb === single.verbs[0])
    && other.resources.some((resource) => coversResource(resource, single.resources[0])))));
}

/** True if two rights have a right in common. */
export function overlaps(one: Right, other: Right): boolean {
  return meet(one.namespace, other.namespace)
    && (one.names.length === 0 || other.names.length === 0 || one.names.some((name) => other.names.includes(name)))
    && one.verbs.some((verb) => other.verbs.some((another) => meet(verb, another)))
    && one.resources.some((resource) => other.resources.some((another) => coversResource(resource, another) || coversResource(another, resource)));
}

/** A right in words, such as `get, list secrets "acme-kubeconfig" in tenant-acme`. */
export function rightWords({ verbs, resources, names, namespace }: Right): string {
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
