import { checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem, problemIf, Rule } from '../../../manifests/values/problem';
import { DATA_KEYS, isDataKey } from '../../../manifests/values/secret-ref';

/**
 * The Secret with the keys of Nifcloud's API, in the namespace of the component that reads it, by default `kube-system`. Create it with
 * kubectl, an ExternalSecret or a SealedSecret: its content must not be in a manifest (`TC-NIFCLOUD-CREDENTIALS`).
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

// A region such as jp-east-1 has one digit, a zone such as east-11 two.
const REGION = /^[a-z]{2}-[a-z]+-\d$/;

/** Neither names of Secrets nor usual keys within them look like this. */
const LIKE_AN_ACCESS_KEY = /^(?=.*[A-Z])(?=.*\d)[A-Za-z0-9+/=]{16,}$/;

/** True if a name has the form of a region. */
export function isRegion(name: string): boolean {
  return REGION.test(name);
}

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

const SOURCE = 'nifcloud/nifcloud-cloud-controller-manager charts/nifcloud-cloud-controller-manager/templates/daemonset.yaml';

const REGION_RULE: Rule = {
  id: 'TC-NIFCLOUD-REGION',
  title: 'A region must have the form of Nifcloud\'s API, such as jp-east-1.',
  source: SOURCE,
};

const CREDENTIALS_RULE: Rule = {
  id: 'TC-NIFCLOUD-CREDENTIALS',
  title: 'Credentials must be in a Secret with two keys, and nowhere else.',
  source: SOURCE,
};

/** Checks how Nifcloud's API is reached. */
export function checkApi(region: string, credentials: NifcloudCredentials): Problem[] {
  const rule = CREDENTIALS_RULE;
  return [
    ...(isRegion(region) ? [] : [{
      rule: REGION_RULE, property: 'region', message: `${JSON.stringify(region)} is not the name of a region`, accepted: 'names such as "jp-east-1"', fix: 'write the region, not a zone',
    }]),
    ...checkText('credentials.secretName', credentials.secretName, (property) => problemIf(rule, property, checkDnsSubdomain(credentials.secretName), 'write the name of the Secret')),
    ...Object.entries(credentialKeys(credentials)).flatMap(([name, key]) => checkText(`credentials.${name}`, key, (property) => (isDataKey(key) ? [] : [{
      rule, property, message: `${JSON.stringify(key)} is not a key of a Secret`, accepted: DATA_KEYS, fix: 'write the key within the Secret',
    }]))),
  ];
}

/** The message does not repeat a value that may be secret. */
function checkText(property: string, text: string, check: (property: string) => Problem[]): Problem[] {
  return LIKE_AN_ACCESS_KEY.test(text) ? [{
    rule: CREDENTIALS_RULE, property, message: 'it looks like an access key', fix: 'create a new access key, put it into the Secret, and write the name of the Secret or of its key',
  }] : check(property);
}
