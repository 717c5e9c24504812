import { groupKind, namespaceOf } from '../../objects/manifest-object';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
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

/** Rules over stores. */
export const STORES: readonly ManifestRule[] = [namespaces];
