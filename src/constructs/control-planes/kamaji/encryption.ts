import { Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { encryptionTemplate } from './encryption-template';
import { ApiServerFile, checkFileSource, fileDirectory, secretFile } from './volumes';
import { REWRITTEN_ANNOTATION } from '../../../manifests/rules/changes/encryption-changes';
import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { isDataKey } from '../../../manifests/values/secret-ref';
import { checkDuration } from '../../contracts/delivery/durations';
import { addExternalSecret, SecretStoreKind } from '../external-keys';

/** Ways to encrypt with a key. */
export enum EncryptionProvider {
  /** XSalsa20 and Poly1305, with a key of 32 bytes. */
  SECRETBOX = 'secretbox',

  /** AES-CBC with PKCS#7 padding, with a key of 16, 24 or 32 bytes. */
  AES_CBC = 'aescbc',

  /** AES-GCM, with a key of 16, 24 or 32 bytes. It must be rotated every 200,000 writes. */
  AES_GCM = 'aesgcm',
}

/** A key that an external store holds. */
export interface EncryptionKey {
  /** Name of the key, e.g. `2026`, of letters, digits, `-`, `_` and `.`. It is stored with everything that the key encrypts (`TC-KAMAJI-ENCRYPTION-KEY`). */
  readonly name: string;

  /** Name of the entry in the store, e.g. `tenants/acme/encryption` (`TC-KAMAJI-ENCRYPTION-KEY`). */
  readonly remoteKey: string;

  /**
   * Field of that entry. Its value is the base64 of random bytes: `head -c 32 /dev/urandom | base64`.
   *
   * @default - the whole entry
   */
  readonly property?: string;

  /**
   * The way to encrypt.
   *
   * @default EncryptionProvider.SECRETBOX
   */
  readonly provider?: EncryptionProvider;
}

/** Keys for the encryption of a tenant's objects, in a store that the External Secrets Operator of the management cluster reads. */
export interface ExternalEncryptionKeys {
  /** Name of the store (`TC-KAMAJI-ENCRYPTION-KEY`). */
  readonly secretStore: string;

  /**
   * Kind of the store.
   *
   * @default SecretStoreKind.CLUSTER_SECRET_STORE
   */
  readonly secretStoreKind?: SecretStoreKind;

  /**
   * The keys. The first one writes, all of them read. A new key comes second, and first in a later change; the old one goes when
   * everything has been written again.
   *
   * Rules: `TC-KAMAJI-ENCRYPTION-KEY`, `TC-CHANGE-ENCRYPTION-FIRST-KEY`, `TC-CHANGE-ENCRYPTION-REMOVED-KEY`.
   */
  readonly keys: EncryptionKey[];

  /**
   * Name of the first key, once everything has been written again with it: then other keys may go.
   *
   * Rules: `TC-KAMAJI-ENCRYPTION-KEY`, `TC-CHANGE-ENCRYPTION-REMOVED-KEY`.
   *
   * @default - not all is written with the first key
   */
  readonly rewrittenWith?: string;

  /**
   * Resources that are encrypted, as `resource` or `resource.group`.
   *
   * Rule: `TC-TRAP-KUBERNETES-ENCRYPTION`.
   *
   * @default ['secrets']
   */
  readonly resources?: string[];

  /**
   * Time after which the operator reads the store again. Whole seconds (`TC-DELIVERY-DURATION`).
   *
   * @default Duration.hours(1)
   */
  readonly refreshInterval?: Duration;
}

/**
 * Encryption of the objects in the data store.
 *
 * The keys stay where they are: only the reference to them is written.
 */
export interface ControlPlaneEncryption {
  /** Name of the Secret in the tenant cluster's namespace (`TC-KAMAJI-FILE-SOURCE`). */
  readonly secretName: string;

  /** Key of the Secret that holds an `EncryptionConfiguration` (apiserver.config.k8s.io/v1) (`TC-KAMAJI-FILE-SOURCE`). */
  readonly key: string;

  /**
   * The keys, and where they are: an `ExternalSecret` (external-secrets.io/v1) makes the Secret, which stays when the ExternalSecret goes.
   * Objects that are stored already are read with all of them, and without a key.
   *
   * Source: external-secrets/external-secrets apis/externalsecrets/v1/externalsecret_types.go.
   *
   * @default - the Secret comes from elsewhere
   */
  readonly externalKeys?: ExternalEncryptionKeys;
}

const PROPERTY = 'controlPlane.encryption';
const VOLUME = 'encryption-config';

/** Puts the encryption configuration beside the API server, which reads it anew when the Secret changes. */
export function encryptionFile(scope: Construct, encryption: ControlPlaneEncryption): ApiServerFile {
  if (encryption.externalKeys) addKeys(scope, encryption, encryption.externalKeys);
  return {
    volume: secretFile(VOLUME, encryption.secretName, encryption.key),
    mountPath: fileDirectory(VOLUME),
    args: [
      { name: 'encryption-provider-config', value: `${fileDirectory(VOLUME)}/${encryption.key}` },
      { name: 'encryption-provider-config-automatic-reload', value: 'true' },
    ],
  };
}

function addKeys(scope: Construct, { secretName, key }: ControlPlaneEncryption, external: ExternalEncryptionKeys): void {
  const { keys, rewrittenWith, resources = ['secrets'] } = external;
  addExternalSecret(scope, 'Encryption', {
    ...external,
    secretName,
    annotations: rewrittenWith === undefined ? {} : { [REWRITTEN_ANNOTATION]: rewrittenWith },
    values: keys.map(({ name, remoteKey, property }) => ({ secretKey: name, remoteKey, property })),
    template: {
      data: { [key]: encryptionTemplate(keys.map(({ name, provider = EncryptionProvider.SECRETBOX }) => ({ name, provider })), resources) },
    },
  });
}

const KEY_RULE: Rule = {
  id: 'TC-KAMAJI-ENCRYPTION-KEY',
  title: 'Keys for encryption must have unique names that the External Secrets Operator accepts, and name their store and entry.',
  source: 'external-secrets/external-secrets apis/externalsecrets/v1/externalsecret_types.go (SecretStoreRef, ExternalSecretData)',
};

/** Checks the reference to the keys. */
export function checkEncryption({ secretName, key, externalKeys }: ControlPlaneEncryption): Problem[] {
  return [
    ...checkFileSource(PROPERTY, secretName, key, 'secretName'),
    ...(externalKeys ? checkExternalKeys(externalKeys) : []),
  ];
}

function checkExternalKeys({ secretStore, keys, rewrittenWith, refreshInterval }: ExternalEncryptionKeys): Problem[] {
  const property = `${PROPERTY}.externalKeys`;
  const problem = (at: string, message: string | undefined, fix: string) => problemIf(KEY_RULE, `${property}.${at}`, message, fix);
  const [first] = keys;
  return [
    ...problem('secretStore', checkDnsSubdomain(secretStore), 'write the name of the store'),
    ...problem('keys', first ? undefined : 'it has no keys', 'name a key'),
    ...keys.flatMap(({ name, remoteKey }, index) => [
      ...problem(`keys[${index}].name`, checkKeyName(name, keys.findIndex((other) => other.name === name), index), 'name it by letters, digits, "-", "_" and ".", e.g. "2026"'),
      ...problem(`keys[${index}].remoteKey`, remoteKey === '' ? 'it is empty' : undefined, 'write the name of the entry in the store'),
    ]),
    ...problem('rewrittenWith', rewrittenWith === undefined || rewrittenWith === first?.name
      ? undefined : `${JSON.stringify(rewrittenWith)} is not the first key, which is ${JSON.stringify(first?.name)}`,
    'write everything again with the first key, then name that one, or remove the property'),
    ...checkDuration(refreshInterval, `${property}.refreshInterval`),
  ];
}

function checkKeyName(name: string, first: number, index: number): string | undefined {
  if (!isDataKey(name)) return `${JSON.stringify(name)} is not a key of a Secret`;
  return first === index ? undefined : `${JSON.stringify(name)} is already the name of keys[${first}]`;
}
