import { Comparison, Difference } from './paired-objects';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { classesWithPatchesOf } from '../rules/cluster-api/runtime-extensions';
import { ManifestIndex } from '../rules/manifest-index';
import { isSecretMade, secretMakerKinds, secretsMadeOf } from '../systems/made-secrets';
import { FieldPath, fieldText, isFields, stringAt } from '../values/fields';

/** Fields that hold other things than the names of objects that are needed: values of charts, selections, and marks of users and owners. */
const OTHERS: ReadonlySet<string> = new Set([
  'claimRef', 'consumerRef', 'dependsOn', 'ignore', 'ignoreDifferences', 'ownerReferences', 'patches', 'subjects', 'target', 'targets', 'values', 'valuesObject',
]);

/** Parts of an object that hold no reference to what it needs. */
const OUTSIDE: ReadonlySet<string> = new Set(['apiVersion', 'data', 'kind', 'metadata', 'status', 'stringData']);

/** Kinds of objects that fields name without a kind. */
const NAMED: readonly (readonly [field: RegExp, kind: string])[] = [
  [/^(identityRef|imagePullSecrets|secret|\w*secretRef|\w*secretKeyRef)$/i, '/Secret'],
  [/^(configMap|\w*configMapRef|\w*configMapKeyRef)$/i, '/ConfigMap'],
];
const NAMES: Readonly<Record<string, string>> = { dataSecretName: '/Secret', secretName: '/Secret', serviceAccountName: '/ServiceAccount' };

/** A field that names an object. */
interface NamingField {
  readonly object: ManifestObject;
  readonly path: FieldPath;

  /** Group of the named object, if the field states it. */
  readonly group?: string;
}

const KNOWN = new WeakMap<ManifestIndex, ReadonlyMap<string, readonly NamingField[]>>();

/** Failures of objects that stay, and name an object of the management cluster that is removed. */
export function lostReferences(difference: Difference, { now }: Comparison): string[] {
  const { before, after, shown, target, made: part, alsoIn, recreated } = difference;
  if (!before || after || shown.stays || target !== undefined || part || alsoIn !== undefined || recreated || isMadeAnew(before, now)) return [];
  let fields = KNOWN.get(now);
  if (!fields) KNOWN.set(now, fields = namingFields(now));
  const made = secretsMadeOf(before).filter(({ goesAlong, name }) => goesAlong && !isSecretMade(now, namespaceOf(before), name));
  const lost = [[String(before.kind), groupOf(before), nameOf(before)], ...made.map(({ name }) => ['Secret', '', name])];
  const named = lost.flatMap(([kind, ownGroup, name]) => {
    const found = (fields.get(keyOf(kind!, namespaceOf(before), name)) ?? []).filter(({ group }) => group === undefined || group === ownGroup);
    if (found.length === 0) return [];
    const others = new Set(found.map(({ object }) => object)).size - 1;
    const [{ object, path }] = found;
    const users = `${String(object.kind)} ${nameOf(object)}${others > 0 ? ` and ${others} more name` : ' names'}`;
    return [`${kind} ${name} is gone${kind === shown.kind ? '' : `, which ${shown.kind} ${shown.name} has made`}, and ${users} it in ${fieldText(path)}`];
  });
  return named.length > 0 ? named : lostUsers(before, now);
}

/** The failure of topologies whose patches come from a removed extension. */
function lostUsers(before: ManifestObject, now: ManifestIndex): string[] {
  const [first, ...others] = classesWithPatchesOf(before, now);
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return first ? [`${String(before.kind)} ${nameOf(before)} is gone, and topologies of ${String(first.kind)} ${nameOf(first)}${more} change no more without its patches`] : [];
}

/** True of a Secret that another object or Cluster API makes anew. */
function isMadeAnew(removed: ManifestObject, now: ManifestIndex): boolean {
  if (groupKind(removed) !== '/Secret') return false;
  const [name = '', namespace] = [nameOf(removed), namespaceOf(removed)];
  const owner = /^(.+?)(-admin)?-kubeconfig$/.exec(name)?.[1];
  return (owner !== undefined && now.find(CLUSTER, namespace, owner) !== undefined) || isSecretMade(now, namespace, name);
}

function namingFields(index: ManifestIndex): ReadonlyMap<string, readonly NamingField[]> {
  const found = new Map<string, NamingField[]>();
  // A field may name the Secret that its object makes.
  const makes = new Map(secretMakerKinds().flatMap((kind) => index.all(kind)).map((object) => (
    [object, new Set(secretsMadeOf(object).flatMap(({ field }) => (field ? [fieldText(field)] : [])))] as const)));
  const add = (kind: string, namespace: string | undefined, name: string, field: NamingField) => {
    const key = keyOf(kind, namespace, name);
    const same = found.get(key);
    if (same) same.push(field);
    else found.set(key, [field]);
  };
  const visit = (value: unknown, path: FieldPath, object: ManifestObject): void => {
    if (Array.isArray(value)) value.forEach((item, position) => visit(item, [...path, position], object));
    if (!isFields(value) || value.optional === true) return;
    const [name, kind] = [stringAt(value, 'name'), stringAt(value, 'kind')];
    const named = name === undefined || makes.get(object)?.has(fieldText(path)) ? undefined : kind === undefined ? kindNamedBy(path) : `${groupIn(value) ?? '*'}/${kind}`;
    if (name !== undefined && named !== undefined) {
      const [group, short] = named.split('/');
      add(short, stringAt(value, 'namespace') ?? namespaceOf(object), name, { object, path, ...group !== '*' && { group } });
    }
    for (const [key, inner] of Object.entries(value)) {
      if (OTHERS.has(key)) continue;
      if (typeof inner !== 'string') visit(inner, [...path, key], object);
      else if (Object.hasOwn(NAMES, key) && !makes.get(object)?.has(fieldText([...path, key]))) add(NAMES[key].slice(1), namespaceOf(object), inner, { object, path: [...path, key], group: '' });
    }
  };
  for (const object of index.kinds().filter((kind) => !kind.startsWith('kustomize.config.k8s.io/')).flatMap((kind) => index.all(kind))) {
    for (const [key, value] of Object.entries(object)) if (!OUTSIDE.has(key)) visit(value, [key], object);
  }
  return found;
}

/** The kind of an object that a field names without a kind. */
function kindNamedBy(path: FieldPath): string | undefined {
  const field = path.filter((part) => typeof part === 'string').at(-1) ?? '';
  return NAMED.find(([pattern]) => pattern.test(String(field)))?.[1];
}

/** The group of a reference; undefined if it states none. */
function groupIn(reference: unknown): string | undefined {
  const [group, version] = [stringAt(reference, 'apiGroup') ?? stringAt(reference, 'group'), stringAt(reference, 'apiVersion')];
  return group ?? (version === undefined ? undefined : version.includes('/') ? version.slice(0, version.indexOf('/')) : '');
}

function keyOf(kind: string, namespace: string | undefined, name: string | undefined): string {
  return `${kind} ${namespace ?? ''} ${name ?? ''}`;
}
