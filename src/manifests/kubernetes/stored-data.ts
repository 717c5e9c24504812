import { objectText, pair } from './examples';
import { apiValidation, fault } from './findings';
import { groupKind, ManifestObject } from '../objects/manifest-object';
import { allOf } from '../rules/all-of';
import { ManifestRule } from '../rules/manifest-rule';
import { DATA_KEYS, isDataKey } from '../values/data-key';
import { fieldAt, Fields, isFields, isSet, stringAt } from '../values/fields';

const SOURCE = apiValidation('core');
const CONFIG_MAP = '/ConfigMap';
const SECRET = '/Secret';
const MOST_BYTES = 1024 * 1024;
const ACCOUNT = 'kubernetes.io/service-account.name';

const keys: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-DATA-KEY',
  title: 'Keys of ConfigMaps and Secrets must consist of letters, digits, "-", "_" and ".", and must be in one of the two fields only.',
  source: `${SOURCE} (ValidateConfigMap, ValidateSecret)`,
  kinds: [CONFIG_MAP, SECRET],
  example: pair((key) => objectText('v1', 'ConfigMap', `data:\n  ${key}: text\n`), 'conf/web', 'web.conf'),
  check: (object) => mapsOf(object).flatMap(([name, map]) => Object.keys(map).flatMap((key) => allOf(
    isDataKey(key) ? [] : [fault([name, key], `${JSON.stringify(key)} cannot be a key`, 'use other characters; a volume gives it a path by "items"', DATA_KEYS)],
    name === 'data' && groupKind(object) === CONFIG_MAP && isSet(object, 'binaryData', key) ? [fault([name, key], 'the key stands in binaryData, too', 'leave it in one of them')] : [],
  ))),
};

const size: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-DATA-SIZE',
  title: 'The values of a ConfigMap or Secret must not exceed 1 MiB in total.',
  source: `${SOURCE} (ValidateConfigMap, ValidateSecret; MaxSecretSize)`,
  kinds: [CONFIG_MAP, SECRET],
  example: pair((text) => objectText('v1', 'ConfigMap', `data:\n  dashboard.json: "${text}"\n`), '{}'.padEnd(MOST_BYTES + 1), '{}'),
  check: (object) => {
    const isConfigMap = groupKind(object) === CONFIG_MAP;
    const plain = isConfigMap ? 'data' : 'stringData';
    const values = new Map<string, number>();
    for (const [name, map] of mapsOf(object)) {
      for (const [key, value] of Object.entries(map)) {
        if (typeof value === 'string') values.set(isConfigMap ? `${name} ${key}` : key, name === plain ? Buffer.byteLength(value) : decodedLength(value));
      }
    }
    const bytes = [...values.values()].reduce((sum, one) => sum + one, 0);
    return bytes <= MOST_BYTES ? [] : [fault(['data'], `the values are ${bytes} bytes together`, 'divide them among several objects, or keep them elsewhere', `up to ${MOST_BYTES} bytes`)];
  },
};

/** Keys that Secrets of a type have; one of several is enough where the type says so. */
const TYPES: Readonly<Record<string, { readonly keys: readonly string[]; readonly one?: boolean; readonly isJson?: boolean }>> = {
  'kubernetes.io/basic-auth': { keys: ['username', 'password'], one: true },
  'kubernetes.io/dockercfg': { keys: ['.dockercfg'], isJson: true },
  'kubernetes.io/dockerconfigjson': { keys: ['.dockerconfigjson'], isJson: true },
  'kubernetes.io/ssh-auth': { keys: ['ssh-privatekey'] },
  'kubernetes.io/tls': { keys: ['tls.crt', 'tls.key'] },
};

const secretType: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-SECRET-TYPE',
  title: 'A Secret must have the data of its type: certificate and key, registry credentials as JSON, or the name of a service account.',
  source: `${SOURCE} (ValidateSecret)`,
  kinds: [SECRET],
  example: pair((fields) => objectText('v1', 'Secret', `type: kubernetes.io/tls\nstringData:\n  tls.crt: certificate\n${fields}`), '', '  tls.key: key\n'),
  check: (object) => {
    const type = stringAt(object, 'type') ?? '';
    if (type === 'kubernetes.io/service-account-token') {
      return stringAt(object, 'metadata', 'annotations', ACCOUNT) !== undefined ? []
        : [fault(['metadata', 'annotations', ACCOUNT], 'the service account is not named', 'add the annotation')];
    }
    if (!Object.hasOwn(TYPES, type)) return [];
    const { keys: wanted, one, isJson } = TYPES[type];
    const missing = wanted.filter((key) => !mapsOf(object).some(([, map]) => Object.hasOwn(map, key)));
    if (one ? missing.length === wanted.length : missing.length > 0) {
      return [fault(['data'], `a Secret of the type ${type} has no ${missing.join(one ? ' or ' : ' and ')}`, 'add it, or write another type')];
    }
    return isJson ? wanted.filter((key) => !isJsonMap(object, key)).map((key) => (
      fault([isSet(object, 'stringData', key) ? 'stringData' : 'data', key], 'it is no JSON', 'write what "kubectl create secret docker-registry" makes'))) : [];
  },
};

/** ConfigMaps and Secrets. */
export const STORED_DATA: readonly ManifestRule[] = [keys, size, secretType];

function mapsOf(object: ManifestObject): [string, Fields][] {
  const names = groupKind(object) === CONFIG_MAP ? ['data', 'binaryData'] : ['data', 'stringData'];
  return names.flatMap((name): [string, Fields][] => {
    const map = object[name];
    return isFields(map) ? [[name, map]] : [];
  });
}

function decodedLength(text: string): number {
  return Buffer.byteLength(text, 'base64');
}

function isJsonMap(object: ManifestObject, key: string): boolean {
  const plain = fieldAt(object, 'stringData', key);
  const packed = fieldAt(object, 'data', key);
  const text = typeof plain === 'string' ? plain : typeof packed === 'string' ? Buffer.from(packed, 'base64').toString('utf8') : undefined;
  // What is of another type is reported as such.
  if (text === undefined) return true;
  try {
    return isFields(JSON.parse(text));
  } catch {
    return false;
  }
}
