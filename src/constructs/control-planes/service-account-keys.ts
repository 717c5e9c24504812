import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { addExternalSecret, SecretStoreKind } from './external-keys';
import { SIGNED_ANNOTATION } from '../../manifests/validation/service-account-keys';
import { checkDnsSubdomain } from '../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../manifests/values/problem';
import { isDataKey } from '../../manifests/values/secret-ref';
import { checkDuration } from '../contracts/delivery/durations';

/** A pair of keys for tokens of ServiceAccounts that an external store holds. */
export interface ServiceAccountKey {
  /** Name of the key, e.g. `2027`, of letters, digits, `-`, `_` and `.` (`TC-CONTROL-PLANE-SERVICE-ACCOUNT-KEY`). */
  readonly name: string;

  /** Name of the entry in the store, e.g. `tenants/acme/service-accounts-2027` (`TC-CONTROL-PLANE-SERVICE-ACCOUNT-KEY`). */
  readonly remoteKey: string;

  /**
   * Field of that entry with the public key, in PEM (`BEGIN PUBLIC KEY`).
   *
   * @default 'sa.pub'
   */
  readonly publicKeyProperty?: string;

  /**
   * Field of that entry with the private key, in PEM.
   *
   * @default 'sa.key'
   */
  readonly privateKeyProperty?: string;
}

/**
 * Keys for tokens of ServiceAccounts, in a store that the External Secrets Operator of the management cluster reads.
 *
 * An `ExternalSecret` (external-secrets.io/v1) writes them into the Secret of the control plane, which stays when the ExternalSecret goes. Without keys of the page
 * the control plane makes one when the cluster is created, and keeps it.
 */
export interface ServiceAccountKeys {
  /** Name of the store (`TC-CONTROL-PLANE-SERVICE-ACCOUNT-KEY`). */
  readonly secretStore: string;

  /**
   * Kind of the store.
   *
   * @default SecretStoreKind.CLUSTER_SECRET_STORE
   */
  readonly secretStoreKind?: SecretStoreKind;

  /**
   * The keys. The first one signs, all of them verify. In a cluster that exists, the first one is at first the key that it has. A new key comes second, and
   * first in a later change; the old one goes when no token that it signed is in use.
   *
   * Rules: `TC-CONTROL-PLANE-SERVICE-ACCOUNT-KEY`, `TC-CHANGE-SERVICE-ACCOUNT-FIRST-KEY`, `TC-CHANGE-SERVICE-ACCOUNT-REMOVED-KEY`.
   */
  readonly keys: ServiceAccountKey[];

  /**
   * Name of the first key, once no token that another one signed is in use: then other keys may go.
   *
   * Rules: `TC-CONTROL-PLANE-SERVICE-ACCOUNT-KEY`, `TC-CHANGE-SERVICE-ACCOUNT-REMOVED-KEY`.
   *
   * @default - tokens of the other keys may be in use
   */
  readonly tokensSignedWith?: string;

  /**
   * Time after which the operator reads the store again. Whole seconds (`TC-DELIVERY-DURATION`).
   *
   * @default Duration.hours(1)
   */
  readonly refreshInterval?: Duration;
}

/** The Secret of a control plane, and what it must have beside the keys. */
interface KeySecret {
  readonly secretName: string;
  readonly publicKeys: string;
  readonly privateKey: string;
  readonly type?: string;
  readonly metadata?: object;
}

const PROPERTY = 'controlPlane.serviceAccountKeys';
const [PUBLIC, PRIVATE] = ['sa.pub', 'sa.key'];

/** Adds the ExternalSecret that writes the keys. A tool of the control plane that looks at one public key finds that of the private one. */
export function addServiceAccountKeys(
  scope: Construct, { secretName, publicKeys, privateKey, ...secret }: KeySecret, keys: ServiceAccountKeys,
): void {
  const [signer] = keys.keys;
  if (!signer) return;
  const reference = (key: string) => `{{ index . ${JSON.stringify(key)} | trim }}\n`;
  addExternalSecret(scope, 'ServiceAccountKeys', {
    ...keys,
    secretName,
    annotations: keys.tokensSignedWith === undefined ? {} : { [SIGNED_ANNOTATION]: keys.tokensSignedWith },
    values: [
      ...keys.keys.map(({ name, remoteKey, publicKeyProperty = PUBLIC }) => ({ secretKey: `${name}.pub`, remoteKey, property: publicKeyProperty })),
      { secretKey: `${signer.name}.key`, remoteKey: signer.remoteKey, property: signer.privateKeyProperty ?? PRIVATE },
    ],
    template: {
      ...secret,
      data: { [publicKeys]: keys.keys.map(({ name }) => reference(`${name}.pub`)).join(''), [privateKey]: reference(`${signer.name}.key`) },
    },
  });
}

const KEY_RULE: Rule = {
  id: 'TC-CONTROL-PLANE-SERVICE-ACCOUNT-KEY',
  title: 'Keys for tokens of ServiceAccounts must have unique names and entries that the External Secrets Operator accepts, and name their store.',
  source: 'external-secrets/external-secrets apis/externalsecrets/v1/externalsecret_types.go (SecretStoreRef, ExternalSecretData)',
};

/** Checks the references to the keys. */
export function checkServiceAccountKeys({ secretStore, keys, tokensSignedWith, refreshInterval }: ServiceAccountKeys): Problem[] {
  const problem = (at: string, message: string | undefined, fix: string) => problemIf(KEY_RULE, `${PROPERTY}.${at}`, message, fix);
  const [first] = keys;
  return [
    ...problem('secretStore', checkDnsSubdomain(secretStore), 'write the name of the store'),
    ...problem('keys', first ? undefined : 'it has no keys', 'name a key'),
    ...keys.flatMap((key, index) => [
      ...problem(`keys[${index}].name`, checkName(key.name, keys, index), 'name it by letters, digits, "-", "_" and ".", e.g. "2027"'),
      ...problem(`keys[${index}].remoteKey`, checkEntry(key.remoteKey, keys, index), 'write the name of an entry in the store, which has one pair of keys'),
    ]),
    ...problem('tokensSignedWith', tokensSignedWith === undefined || tokensSignedWith === first?.name
      ? undefined : `${JSON.stringify(tokensSignedWith)} is not the first key, which is ${JSON.stringify(first?.name)}`,
    'wait until all tokens in use are signed with the first key, then name that one, or remove the property'),
    ...checkDuration(refreshInterval, `${PROPERTY}.refreshInterval`),
  ];
}

function checkName(name: string, keys: readonly ServiceAccountKey[], index: number): string | undefined {
  if (!isDataKey(`${name}.pub`) || name === '') return `${JSON.stringify(name)} is not a name for a key of a Secret`;
  const first = keys.findIndex((other) => other.name === name);
  return first === index ? undefined : `${JSON.stringify(name)} is already the name of keys[${first}]`;
}

function checkEntry(entry: string, keys: readonly ServiceAccountKey[], index: number): string | undefined {
  if (entry === '') return 'it is empty';
  const first = keys.findIndex((other) => other.remoteKey === entry);
  return first === index ? undefined : `${JSON.stringify(entry)} is already the entry of keys[${first}]`;
}
