import { groupKind, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { Lookup } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { missing } from '../../rules/references/missing-references';
import { fieldAt, FieldPath, isFields, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

/** Store of values for all namespaces. */
export const CLUSTER_STORE = 'external-secrets.io/ClusterSecretStore';
const STORE = 'external-secrets.io/SecretStore';

/** External stores whose credentials cannot be in the namespace of each ExternalSecret. */
const FIXED: readonly string[] = [
  'akeyless', 'barbican', 'beyondtrustworkloadcredentials', 'chef', 'delinea', 'doppler', 'dvls', 'gitlab', 'ibm', 'keepersecurity', 'onboardbase',
  'onepassword', 'onepasswordSDK', 'oracle', 'scaleway', 'secretserver',
];

const TEXT = `apiVersion: external-secrets.io/v1
kind: ClusterSecretStore
metadata: {name: vaults}
spec:
  provider:
    onepassword:
      connectHost: http://connect.onepassword.svc:8080
      vaults: {shop: 1}
      auth: {secretRef: {connectTokenSecretRef: {name: connect, key: token, namespace: onepassword}}}
`;

const namespaces: ManifestRule = {
  id: 'TC-TRAP-EXTERNAL-SECRETS-NAMESPACE',
  title: 'A ClusterSecretStore must name the namespace of its credentials where its external store asks for it, and a SecretStore no other namespace than its own: it does not become ready otherwise.',
  source: 'external-secrets/external-secrets runtime/esutils/utils.go (ValidateSecretSelector, ValidateReferentSecretSelector), providers/v1 (ValidateStore, NewClient)',
  kinds: [CLUSTER_STORE, STORE],
  trap: true,
  example: replaced(TEXT, ', namespace: onepassword', ''),
  check: (object) => {
    const provider = fieldAt(object, 'spec', 'provider');
    if (!isFields(provider)) return [];
    const isOfCluster = groupKind(object) === CLUSTER_STORE;
    return Object.keys(provider).flatMap((store) => selectorsIn(provider[store], ['spec', 'provider', store]).flatMap(({ namespace, path }): Finding[] => {
      if (!isOfCluster) {
        const own = namespaceOf(object);
        return namespace === undefined || own === undefined || namespace === own ? [] : [{
          path: [...path, 'namespace'], message: `a SecretStore takes credentials of its own namespace, and not of "${namespace}"`, fix: `write ${own}, or make it a ClusterSecretStore`,
        }];
      }
      return namespace !== undefined || !FIXED.includes(store) ? [] : [{
        path: [...path, 'namespace'], message: 'the namespace of the Secret is missing, and the store is in none', fix: 'write the namespace of the Secret',
      }];
    }));
  },
};

interface Selector {
  readonly namespace?: string;
  readonly path: FieldPath;
}

/** Fields that name a key of a Secret. */
function selectorsIn(value: unknown, path: FieldPath): Selector[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((entry, index) => selectorsIn(entry, [...path, index]));
  if (!isFields(value)) return [];
  if (['name', 'key'].every((field) => stringAt(value, field) !== undefined)) return [{ namespace: stringAt(value, 'namespace'), path }];
  return Object.entries(value).flatMap(([field, inner]) => selectorsIn(inner, [...path, field]));
}

/** The kind of the object that makes a Secret from an external store. */
export const EXTERNAL_SECRET = 'external-secrets.io/ExternalSecret';

const SECRET_TEXT = `apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: cloudflare, namespace: shop}
spec:
  secretStoreRef: {name: vaults, kind: ClusterSecretStore}
  data: [{secretKey: token, remoteRef: {key: cloudflare}}]
`;

const NAMED = new Lookup([CLUSTER_STORE, STORE], (store) => [groupKind(store), nameOf(store)]);

const store: ManifestRule = {
  id: 'TC-TRAP-EXTERNAL-SECRETS-STORE',
  title: 'The store of an ExternalSecret must be of the kind that is named, which is SecretStore by default, and one of its namespace: no Secret is made otherwise.',
  source: 'external-secrets/external-secrets apis/externalsecrets/v1/externalsecret_types.go (SecretStoreRef), pkg/controllers/secretstore/client_manager.go (getStore), v2.9.0',
  kinds: [EXTERNAL_SECRET],
  trap: true,
  elsewhere: true,
  example: replaced(documents(SECRET_TEXT, TEXT), ', kind: ClusterSecretStore', ''),
  check: (object, index) => {
    const path = ['spec', 'secretStoreRef', 'name'];
    const name = stringAt(object, ...path);
    const kind = stringAt(object, 'spec', 'secretStoreRef', 'kind') || 'SecretStore';
    const wanted = `external-secrets.io/${kind}`;
    if (name === undefined || ![CLUSTER_STORE, STORE].includes(wanted)) return [];
    const namespace = namespaceOf(object);
    const same = NAMED.find(index, wanted, name);
    if (same.length > 0) {
      const places = same.map((one) => namespaceOf(one));
      return wanted === CLUSTER_STORE || namespace === undefined || places.includes(namespace) || places.includes(undefined) ? [] : [{
        path, message: `the SecretStore "${name}" is in the namespace "${places[0]}", and serves no other`, fix: 'make it a ClusterSecretStore, or add a SecretStore to this namespace',
      }];
    }
    const other = wanted === STORE ? CLUSTER_STORE : STORE;
    const isOfOther = NAMED.find(index, other, name).some((one) => wanted === STORE || [namespace, undefined].includes(namespaceOf(one)));
    const short = other.slice(other.indexOf('/') + 1);
    if (isOfOther) return [{ path, message: `"${name}" is a ${short} among the manifests that were read, and no ${kind}`, fix: `write kind: ${short}` }];
    return missing(object, index, { kind: wanted, name, path, clusterScoped: wanted === CLUSTER_STORE });
  },
};

/** Rules over stores. */
export const STORES: readonly ManifestRule[] = [namespaces, store];
