import { placeText, Remark } from '../landscape/place';
import { PlacedObjects, ReadObject } from '../landscape/placed-objects';
import { byTarget } from '../landscape/targets';
import { knownKind } from '../objects/known-kinds';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { isClusterScoped } from '../rules/structure/kind-scope';
import { fieldAt, FieldPath, Fields, fieldText, isFields, isSet, objectsAt, stringAt } from '../values/fields';
import { holdsPrivateKey } from '../values/pem';

/** Reason that an object of the input does not become a part of the app. */
export interface LeftObject {
  readonly read: ReadObject;
  readonly reason: string;
}

/** The objects of the input. */
export interface InputObjects {
  /** Objects for the management cluster, without what servers write. */
  readonly objects: readonly ReadObject[];

  /** Objects that stay where they are. */
  readonly left: readonly LeftObject[];

  /** Documents that are no objects. */
  readonly notRead: readonly Remark[];
}

/** Fields of metadata that a server writes. */
const SERVER_FIELDS: readonly string[] = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'];

/** Annotations that tools and controllers write for themselves. */
const SERVER_ANNOTATIONS: readonly string[] = ['kubectl.kubernetes.io/last-applied-configuration', 'machinedeployment.clusters.x-k8s.io/revision'];

/** Hooks that Helm runs neither at installation nor at an upgrade. Source: helm/helm pkg/release/v1/hook.go. */
const LATER_HOOKS: readonly string[] = ['pre-delete', 'post-delete', 'pre-rollback', 'post-rollback', 'test', 'test-success', 'test-failure'];

const SECRET = '/Secret';
const VARIABLE = /\$\{/;

/**
 * Sorts what files hold into objects that an app can make, and what stays where it is.
 *
 * @param found what files hold
 * @param namespace the namespace of objects of Cluster API that state none
 */
export function inputObjects(found: Pick<PlacedObjects, 'objects' | 'notRead' | 'patches' | 'unread'>, namespace: string | undefined): InputObjects {
  const plain = found.objects.filter(({ pack }) => !pack);
  const tenant = new Set([...byTarget(plain)].flatMap(([target, reads]) => (target === undefined ? [] : reads)));
  const objects: ReadObject[] = [];
  const left: LeftObject[] = [];
  const known = new Set<string>();
  for (const read of plain) {
    const reason = tenant.has(read) ? 'is applied to a tenant, not to the management cluster' : leftBecause(read.object);
    if (reason !== undefined) {
      left.push({ read, reason });
      continue;
    }
    const object = withNamespace(withoutServerFields(read.object), namespace);
    const key = JSON.stringify([groupKind(object), namespaceOf(object), nameOf(object)]);
    if (known.has(key)) {
      left.push({ read, reason: 'is a duplicate: the first one counts' });
      continue;
    }
    known.add(key);
    objects.push({ ...read, object });
  }
  return {
    objects,
    left: [...left, ...found.patches.map((read) => ({ read, reason: 'is a patch of kustomize: read what "kustomize build" gives for it' }))],
    notRead: found.notRead,
  };
}

/** Reason that an object stays where it is; undefined if the app can make it. */
function leftBecause(object: ManifestObject): string | undefined {
  if (groupKind(object) === SECRET) return 'is a Secret: its content is copied nowhere';
  const secret = secretField(object);
  if (secret !== undefined) return `holds a secret in ${secret}: its content is copied nowhere`;
  const hooks = laterHooks(object);
  if (hooks !== undefined) return `is a hook of Helm (${hooks}), which would run at once where it is applied as other objects are`;
  const name = nameOf(object);
  if (name === undefined) return 'has no name';
  if ([name, namespaceOf(object) ?? ''].some((text) => VARIABLE.test(text))) {
    return 'has variables in its name: fill them first, e.g. with "clusterctl generate yaml --from FILE"';
  }
  const broken = ['finalizers', 'ownerReferences'].find((field) => isSet(object, 'metadata', field) && !Array.isArray(fieldAt(object, 'metadata', field)));
  if (broken !== undefined) return `has metadata.${broken} that is no list`;
  const number = inexactNumber(object);
  if (number !== undefined) return `has the number ${number}, which this program cannot copy exactly`;
  const owner = objectsAt(object, 'metadata', 'ownerReferences').map(([reference]) => reference).find(isController);
  return owner ? `is made by a controller, of the ${stringAt(owner, 'kind') ?? 'object'} ${stringAt(owner, 'name') ?? ''}` : undefined;
}

/** The field of an object that holds a secret: by its meaning, or a private key. */
function secretField(object: ManifestObject): string | undefined {
  const known = knownKind(groupKind(object))?.secretFields?.find((field) => fieldAt(object, ...field.split('.')));
  return known ?? fieldWithKey(object);
}

/** The first field with a private key. */
function fieldWithKey(value: unknown, path: FieldPath = []): string | undefined {
  if (typeof value === 'string') return holdsPrivateKey(value) ? fieldText(path) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const found = fieldWithKey(inner, [...path, Array.isArray(value) ? Number(name) : name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The hooks of an object that Helm runs later, such as before it deletes a release; undefined for any other object. */
function laterHooks(object: ManifestObject): string | undefined {
  const text = stringAt(object, 'metadata', 'annotations', 'helm.sh/hook');
  return text?.split(',').every((hook) => LATER_HOOKS.includes(hook.trim())) ? text : undefined;
}

/** A number that JSON cannot have, or an integer that is rounded when it is read. */
function inexactNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const field of Object.values(value)) {
    const found = inexactNumber(field);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True for the owner that makes an object. A Cluster owns what users write, too. */
function isController(reference: Fields): boolean {
  return reference.controller === true && !(stringAt(reference, 'kind') === 'Cluster' && CLUSTER.startsWith(groupOfVersion(reference)));
}

function groupOfVersion({ apiVersion }: Fields): string {
  return typeof apiVersion === 'string' ? apiVersion.split('/')[0] : '-';
}

/** An object as a user would write it. Objects of a dump have a `uid`. */
function withoutServerFields(object: ManifestObject): ManifestObject {
  const { status: _status, ...rest } = object;
  if (!isFields(object.metadata)) return rest;
  const { annotations, ...metadata } = object.metadata;
  const isDump = metadata.uid !== undefined || metadata.resourceVersion !== undefined;
  const dropped = isDump ? [...SERVER_FIELDS, 'finalizers', 'ownerReferences'] : SERVER_FIELDS;
  const kept = isFields(annotations) ? Object.entries(annotations).filter(([key]) => !SERVER_ANNOTATIONS.includes(key)) : [];
  return {
    ...rest,
    metadata: {
      ...Object.fromEntries(Object.entries(metadata).filter(([key]) => !dropped.includes(key))),
      ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
    },
  };
}

/** Gives an object that states no namespace the one that it is applied to. */
function withNamespace(object: ManifestObject, namespace: string | undefined): ManifestObject {
  if (namespace === undefined || namespaceOf(object) !== undefined || !isNamespaced(object)) return object;
  return { ...object, metadata: { ...fieldAt(object, 'metadata') as Fields, namespace } };
}

/** True for kinds that are known to be in a namespace, and for all of Cluster API's providers. */
function isNamespaced(object: ManifestObject): boolean {
  const scoped = isClusterScoped(groupOf(object), String(object.kind));
  return scoped === undefined ? groupOf(object).endsWith('cluster.x-k8s.io') : !scoped;
}

/** A left object on one line. */
export function leftText({ read: { object, place }, reason }: LeftObject): string {
  return `${placeText(place)}: ${String(object.kind)} ${nameOf(object) ?? 'without name'} ${reason}`;
}
