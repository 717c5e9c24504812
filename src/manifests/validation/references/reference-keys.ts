import { keysOf, missingKey } from './source-keys';
import { groupOf, ManifestObject, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { deliveryFacts } from '../../systems/providers';
import { FieldPath, Fields, isFields, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

/** Fields that name a key of a Secret or of a ConfigMap, by the convention of Kubernetes' own. */
const REFERENCE = /(?:secret|configmap)(?:key)?(?:ref|selector)$/i;

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
    const [name, key] = REFERENCE.test(field) ? [stringAt(inner, 'name'), stringAt(inner, 'key')] : [];
    if (name === undefined || key === undefined) found.push(...namedKeys(inner, [...path, field]));
    else if ((inner as Fields).optional !== true) found.push({ kind: /configmap/i.test(field) ? '/ConfigMap' : '/Secret', name, key, namespace: stringAt(inner, 'namespace'), path: [...path, field, 'key'] });
  }
  return found;
}

/** A finding for a key that is not in an object which is among the manifests. */
export function keyFindings({ kind, name, key, namespace, path }: NamedKey, place: string | undefined, index: ManifestIndex): Finding[] {
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
    ? namedKeys(object.spec, ['spec']).flatMap((named) => keyFindings(named, namespaceOf(object), index)) : []),
};

function isOfOthers(object: ManifestObject): boolean {
  const group = groupOf(object);
  return group.includes('.') && !group.endsWith('.k8s.io') && !deliveryFacts(object);
}

/** Rules for keys that objects of any kind name. */
export const REFERENCE_KEYS: readonly ManifestRule[] = [keys];
