import { Comparison, Difference } from './paired-objects';
import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { ManifestIndex } from '../rules/manifest-index';
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
  const { before, after, shown, target, made, alsoIn, recreated } = difference;
  if (!before || after || shown.stays || target !== undefined || made || alsoIn !== undefined || recreated || isMadeAnew(before, now)) return [];
  let fields = KNOWN.get(now);
  if (!fields) KNOWN.set(now, fields = namingFields(now));
  const lost = [[String(before.kind), groupOf(before), nameOf(before)], ...makesSecret(before) ? [['Secret', '', secretOf(before)]] : []];
  return lost.flatMap(([kind, ownGroup, name]) => {
    const found = (fields.get(keyOf(kind!, namespaceOf(before), name)) ?? []).filter(({ group }) => group === undefined || group === ownGroup);
    if (found.length === 0) return [];
    const others = new Set(found.map(({ object }) => object)).size - 1;
    const [{ object, path }] = found;
    const users = `${String(object.kind)} ${nameOf(object)}${others > 0 ? ` and ${others} more name` : ' names'}`;
    return [`${kind} ${name} is gone${kind === shown.kind ? '' : `, which ${shown.kind} ${shown.name} has made`}, and ${users} it in ${fieldText(path)}`];
  });
}

/** True of a Secret that another object or Cluster API makes anew. */
function isMadeAnew(removed: ManifestObject, now: ManifestIndex): boolean {
  if (groupKind(removed) !== '/Secret') return false;
  const [name = '', namespace] = [nameOf(removed), namespaceOf(removed)];
  const owner = /^(.+?)(-admin)?-kubeconfig$/.exec(name)?.[1];
  return (owner !== undefined && now.find(CLUSTER, namespace, owner) !== undefined)
    || now.kinds().filter((kind) => (kind.endsWith('Secret') && kind !== '/Secret') || isCertificate(kind))
      .flatMap((kind) => now.allIn(kind, namespace)).some((maker) => secretOf(maker) === name);
}

/**
 * True of an object with which the Secret goes that it has made, such as an ExternalSecret or a SealedSecret.
 *
 * Source: external-secrets/external-secrets apis/externalsecrets/v1/externalsecret_types.go (ExternalSecretCreationPolicy).
 */
function makesSecret(object: ManifestObject): boolean {
  return ['ExternalSecret', 'SealedSecret'].includes(String(object.kind))
    && (stringAt(object, 'spec', 'target', 'creationPolicy') ?? 'Owner') === 'Owner';
}

/** True of a kind whose `spec.secretName` is the Secret that it makes. */
function isCertificate(kind: string): boolean {
  return kind.endsWith('/Certificate');
}

/** True if a field names the Secret that its object makes. */
function isMade(field: string, parent: FieldPath, object: ManifestObject): boolean {
  return isCertificate(groupKind(object)) && fieldText([...parent, field]) === 'spec.secretName';
}

/** The name of the Secret that an object makes. */
function secretOf(maker: ManifestObject): string | undefined {
  return isCertificate(groupKind(maker)) ? stringAt(maker, 'spec', 'secretName') : stringAt(maker, 'spec', 'target', 'name') ?? nameOf(maker);
}

function namingFields(index: ManifestIndex): ReadonlyMap<string, readonly NamingField[]> {
  const found = new Map<string, NamingField[]>();
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
    const named = name === undefined ? undefined : kind === undefined ? kindNamedBy(path) : `${groupIn(value) ?? '*'}/${kind}`;
    if (name !== undefined && named !== undefined) {
      const [group, short] = named.split('/');
      add(short, stringAt(value, 'namespace') ?? namespaceOf(object), name, { object, path, ...group !== '*' && { group } });
    }
    for (const [key, inner] of Object.entries(value)) {
      if (OTHERS.has(key)) continue;
      if (typeof inner !== 'string') visit(inner, [...path, key], object);
      else if (Object.hasOwn(NAMES, key) && !isMade(key, path, object)) add(NAMES[key].slice(1), namespaceOf(object), inner, { object, path: [...path, key], group: '' });
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
