import { CLUSTER_STORE, EXTERNAL_SECRET } from './stores';
import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { Lookup } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, isFields, stringAt } from '../../values/fields';
import { Finding } from '../../values/finding';

const ACCOUNT = '/ServiceAccount';
const ACCOUNTS = new Lookup([ACCOUNT], (account) => [nameOf(account)]);
const STORES = new Lookup([CLUSTER_STORE], (store) => [nameOf(store)]);

const TEXT = documents(`apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: certificate, namespace: shop}
spec:
  secretStoreRef: {name: vault, kind: ClusterSecretStore}
  data: [{secretKey: crt, remoteRef: {key: certificates}}]
`, `apiVersion: external-secrets.io/v1
kind: ClusterSecretStore
metadata: {name: vault}
spec:
  provider:
    vault:
      server: http://vault.vault.svc:8200
      auth: {kubernetes: {mountPath: kubernetes, role: reader, serviceAccountRef: {name: reader, namespace: external-secrets}}}
`, `apiVersion: v1
kind: ServiceAccount
metadata: {name: reader, namespace: external-secrets}
`);

const account: ManifestRule = {
  id: 'TC-TRAP-EXTERNAL-SECRETS-ACCOUNT',
  title: 'The service account of a ClusterSecretStore must be in the namespace that the store names, or in that of the ExternalSecret where it names none.',
  source: 'external-secrets/external-secrets runtime/esutils/utils.go (ValidateReferentServiceAccountSelector), issue 3798',
  kinds: [EXTERNAL_SECRET],
  trap: true,
  elsewhere: true,
  example: replaced(TEXT, 'serviceAccountRef: {name: reader, namespace: external-secrets}', 'serviceAccountRef: {name: reader}'),
  check: (object, index) => {
    const name = stringAt(object, 'spec', 'secretStoreRef', 'name');
    if (name === undefined || stringAt(object, 'spec', 'secretStoreRef', 'kind') !== 'ClusterSecretStore') return [];
    // Several clusters may have stores of one name.
    const stores = STORES.find(index, name);
    return stores.length !== 1 ? [] : accountsIn(fieldAt(stores[0], 'spec', 'provider')).flatMap((wanted): Finding[] => {
      const namespace = wanted.namespace ?? namespaceOf(object);
      const places = ACCOUNTS.find(index, wanted.name).map((one: ManifestObject) => namespaceOf(one));
      return namespace === undefined || places.length === 0 || places.includes(namespace) || places.includes(undefined) ? [] : [{
        path: ['spec', 'secretStoreRef', 'name'],
        message: `the store takes the service account "${wanted.name}" of the namespace "${namespace}", where none is; one is in "${places[0]}"`,
        fix: `write namespace: ${places[0]} into serviceAccountRef of the ClusterSecretStore "${name}"`,
      }];
    });
  },
};

interface Account {
  readonly name: string;
  readonly namespace?: string;
}

function accountsIn(value: unknown): Account[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap(accountsIn);
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    const name = field === 'serviceAccountRef' ? stringAt(inner, 'name') : undefined;
    // Each namespace has an account with the name "default".
    return name === 'default' ? [] : name === undefined ? accountsIn(inner) : [{ name, namespace: stringAt(inner, 'namespace') }];
  });
}

/** Rules over the accounts that stores act as. */
export const REFERENTS: readonly ManifestRule[] = [account];
