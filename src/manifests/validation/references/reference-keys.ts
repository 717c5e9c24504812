import { keysOf, madeSecrets, missingKey } from './source-keys';
import { groupOf, ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { deliveryFacts, providers } from '../../systems/providers';
import { FieldPath, Fields, isFields, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';
import { misspelledName } from '../../values/nearest-name';

/** Fields that name a key of a Secret or of a ConfigMap, by the convention of Kubernetes' own. */
const REFERENCE = /(?:secret|configmap)(?:key)?(?:ref|selector)$/i;

/** Fields of an object that names a key and nothing else, as those of Prometheus' operator do. */
const SELECTOR: readonly string[] = ['name', 'key', 'optional'];

/** A key of a Secret or a ConfigMap that a field names. */
export interface NamedKey {
  readonly kind: '/Secret' | '/ConfigMap';
  readonly name: string;
  readonly key: string;
  readonly namespace?: string;

  /** The field with the key. */
  readonly path: FieldPath;
}

/** All references to keys below a value. */
export function namedKeys(value: unknown, path: FieldPath): NamedKey[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((entry, index) => (typeof entry === 'object' ? namedKeys(entry, [...path, index]) : []));
  if (!isFields(value)) return [];
  const found: NamedKey[] = [];
  for (const field of Object.keys(value)) {
    const inner = value[field];
    if (typeof inner !== 'object' || inner === null) continue;
    const isReference = REFERENCE.test(field) || (!Array.isArray(inner) && Object.keys(inner).every((one) => SELECTOR.includes(one)));
    const [name, key] = isReference ? [stringAt(inner, 'name'), stringAt(inner, 'key')] : [];
    if (name === undefined || key === undefined) found.push(...namedKeys(inner, [...path, field]));
    else if ((inner as Fields).optional !== true) found.push({ kind: /configmap/i.test(field) ? '/ConfigMap' : '/Secret', name, key, namespace: stringAt(inner, 'namespace'), path: [...path, field, 'key'] });
  }
  return found;
}

/** A finding for a key that is not in an object which is among the manifests. */
export function keyFindings({ kind, name, key, namespace, path }: NamedKey, place: string | undefined, index: ManifestIndex): Finding[] {
  // In another namespace, one of the same name is another one.
  if ((namespace ?? place) === undefined && !index.find(kind, undefined, name)) return [];
  const known = keysOf({ apiVersion: '', kind: '', metadata: { namespace: namespace ?? place } }, { kind, name }, index);
  return !known || known.keys.includes(key) ? [] : [missingKey({ kind, name }, { key, path }, known.keys)];
}

const TEXT = documents(`apiVersion: cert-manager.io/v1
kind: Issuer
metadata: {name: letsencrypt, namespace: shop}
spec:
  acme:
    server: https://acme-v02.api.letsencrypt.org/directory
    privateKeySecretRef: {name: letsencrypt}
    solvers:
      - dns01: {cloudflare: {apiTokenSecretRef: {name: cloudflare, key: token}}}
`, `apiVersion: v1
kind: Secret
metadata: {name: cloudflare, namespace: shop}
stringData: {token: placeholder}
`);

const keys: ManifestRule = {
  id: 'TC-TRAP-REF-NAMED-KEY',
  title: 'A key of a Secret or ConfigMap that an object names must be in it: its controller cannot do its work otherwise.',
  source: 'kubernetes/api core/v1/types.go (SecretKeySelector, ConfigMapKeySelector), and the kinds of others that follow it',
  kinds: [],
  kindSuffix: '',
  trap: true,
  example: replaced(TEXT, 'key: token', 'key: api-token'),
  // Pods and deliveries have rules of their own.
  check: (object, index) => (isOfOthers(object)
    ? namedKeys(object.spec, ['spec']).flatMap((named) => keyFindings(named, namespaceOf(object) ?? usualNamespace(object), index)) : []),
};

/** The namespace that controllers usually run in, and read Secrets of objects without a namespace from: it is named as the API group begins. */
function usualNamespace(object: ManifestObject): string {
  return groupOf(object).split('.')[0];
}

/** Secrets of each namespace, as far as manifests have them or controllers make them of objects. */
const NAMES = new WeakMap<ManifestIndex, ReadonlyMap<string | undefined, ReadonlySet<string>>>();

function secretNames(index: ManifestIndex): ReadonlyMap<string | undefined, ReadonlySet<string>> {
  let found = NAMES.get(index);
  if (found) return found;
  const names = new Map<string | undefined, Set<string>>();
  const add = (namespace: string | undefined, name: string | undefined): void => {
    if (name !== undefined) names.set(namespace, (names.get(namespace) ?? new Set()).add(name));
  };
  index.all('/Secret').forEach((secret) => add(namespaceOf(secret), nameOf(secret)));
  for (const [kind, madeOf] of providers().flatMap(({ makesSecrets = {} }) => Object.entries(makesSecrets))) {
    index.all(kind).forEach((object) => madeOf(object).forEach(({ name }) => add(namespaceOf(object), name)));
  }
  NAMES.set(index, found = names);
  return found;
}

const EXTERNAL_TEXT = `apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: cloudflare, namespace: shop}
spec:
  secretStoreRef: {name: vault, kind: ClusterSecretStore}
  data: [{secretKey: token, remoteRef: {key: cloudflare}}]
`;

/** Fields that name a Secret with all of its keys, or an identity of another kind. */
const HOLDER = /(?:secret|credentials?|identity)ref$/i;

/** An object with credentials that a field names. */
interface NamedHolder {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;

  /** The field with the name. */
  readonly path: FieldPath;
}

/** Secrets and identities that an object names, with a key or without. */
function namedHolders(value: unknown, group: string, path: FieldPath): NamedHolder[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((entry, index) => namedHolders(entry, group, [...path, index]));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([field, inner]): NamedHolder[] => {
    const [name, key, kind] = HOLDER.test(field) ? ['name', 'key', 'kind'].map((one) => stringAt(inner, one)) : [];
    if (name === undefined || key !== undefined) return namedHolders(inner, group, [...path, field]);
    // A reference of Cluster API's providers without a kind is one to a Secret, unless its type is another one.
    const isSecret = kind === 'Secret' || (kind === undefined && (stringAt(inner, 'type') ?? 'Secret') === 'Secret');
    if (!isSecret && kind === undefined) return [];
    return [{ kind: isSecret ? '/Secret' : `${group}/${kind}`, name, namespace: stringAt(inner, 'namespace'), path: [...path, field, 'name'] }];
  });
}

const secrets: ManifestRule = {
  id: 'TC-TRAP-REF-NAMED-SECRET',
  title: 'A Secret or an identity that an object names should be there: one of almost the same name is, in its namespace.',
  source: 'kubernetes/api core/v1/types.go (SecretKeySelector), and the kinds of others that follow it',
  kinds: [],
  kindSuffix: '',
  trap: true,
  warning: true,
  elsewhere: true,
  example: replaced(documents(TEXT.slice(0, TEXT.indexOf('---')), EXTERNAL_TEXT), 'apiTokenSecretRef: {name: cloudflare,', 'apiTokenSecretRef: {name: cloudflare-secret,'),
  check: (object, index) => {
    if (!isOfOthers(object)) return [];
    const withKeys = namedKeys(object.spec, ['spec']).filter(({ kind }) => kind === '/Secret').map((named) => ({ ...named, path: [...named.path.slice(0, -1), 'name'] }));
    return [...withKeys, ...namedHolders(object.spec, groupOf(object), ['spec'])].flatMap(({ kind, name, namespace, path }): Finding[] => {
      const place = namespace ?? namespaceOf(object);
      if (place === undefined) return [];
      const names = kind === '/Secret' ? secretNames(index).get(place) : namesOf(kind, place, index);
      if (!names || names.has(name) || madeSecrets(index).get(place)?.has(name)) return [];
      const near = misspelledName(name, names) ?? [...names].find((one) => name === `${one}-secret` || one === `${name}-secret`);
      if (near === undefined) return [];
      const what = `${kind.split('/')[1]} "${name}"`;
      return [{ path, message: `no ${what} is in the namespace "${place}", and one "${near}" is`, fix: `write "${near}" if it is meant` }];
    });
  },
};

function namesOf(kind: string, namespace: string | undefined, index: ManifestIndex): ReadonlySet<string> {
  return new Set(index.all(kind).filter((one) => namespaceOf(one) === namespace).map((one) => nameOf(one) ?? ''));
}

function isOfOthers(object: ManifestObject): boolean {
  const group = groupOf(object);
  return group.includes('.') && !group.endsWith('.k8s.io') && !deliveryFacts(object);
}

/** Rules for keys that objects of any kind name. */
export const REFERENCE_KEYS: readonly ManifestRule[] = [keys, secrets];
