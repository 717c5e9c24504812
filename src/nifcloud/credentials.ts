import { NIFCLOUD_RULES } from './rules';
import { checkDnsSubdomain } from '../network/dns';
import { Problem, problemIf } from '../validation/problem';

/**
 * The Secret with the keys of Nifcloud's API, in the namespace of what uses it, `kube-system` unless said otherwise. Whatever brings it
 * there (kubectl, an ExternalSecret, a SealedSecret), its content never goes into a manifest (`TC-NIFCLOUD-CREDENTIALS`).
 */
export interface NifcloudCredentials {
  /** Name of the Secret. */
  readonly secretName: string;

  /**
   * Key within the Secret that holds the access key id.
   *
   * @default 'access_key_id'
   */
  readonly accessKeyIdKey?: string;

  /**
   * Key within the Secret that holds the secret access key.
   *
   * @default 'secret_access_key'
   */
  readonly secretAccessKeyKey?: string;
}

const REGION = /^[a-z]+(-[a-z0-9]+)+$/;
const SECRET_KEY = /^[-._a-zA-Z0-9]{1,253}$/;

/** The keys within the Secret. */
export function credentialKeys({ accessKeyIdKey, secretAccessKeyKey }: NifcloudCredentials) {
  return { accessKeyIdKey: accessKeyIdKey ?? 'access_key_id', secretAccessKeyKey: secretAccessKeyKey ?? 'secret_access_key' };
}

/** The values that both charts demand. */
export function apiValues(region: string, credentials: NifcloudCredentials) {
  const { secretName } = credentials;
  const { accessKeyIdKey, secretAccessKeyKey } = credentialKeys(credentials);
  return { nifcloud: { region, accessKeyId: { secretName, key: accessKeyIdKey }, secretAccessKey: { secretName, key: secretAccessKeyKey } } };
}

/** Checks how Nifcloud's API is reached. */
export function checkApi(region: string, credentials: NifcloudCredentials): Problem[] {
  const rule = NIFCLOUD_RULES.credentials;
  return [
    ...(REGION.test(region) ? [] : [{
      rule: NIFCLOUD_RULES.region, property: 'region', message: `"${region}" is not the name of a region`, accepted: 'names such as "jp-east-1"', fix: 'write the region, not a zone',
    }]),
    ...problemIf(rule, 'credentials.secretName', checkDnsSubdomain(credentials.secretName), 'write the name of the Secret, not an access key'),
    ...Object.entries(credentialKeys(credentials)).flatMap(([property, key]) => (SECRET_KEY.test(key) ? [] : [{
      rule, property: `credentials.${property}`, message: `${JSON.stringify(key)} is not a key of a Secret`, accepted: 'letters, digits, ".", "-" and "_"', fix: 'write the key within the Secret',
    }])),
  ];
}
