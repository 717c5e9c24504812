import { objectText } from './examples';
import { ENCRYPTION_HOLDERS, encryptionConfigurations, isFilledIn, KEY_PROVIDERS } from '../rules/encryption-configurations';
import { indented, replaced } from '../rules/example-text';
import { ManifestRule } from '../rules/manifest-rule';
import { Fields, isFields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';

const API_VERSION = 'apiserver.config.k8s.io/v1';
const PROVIDERS = [...KEY_PROVIDERS, 'kms', 'identity'];

/** Lengths of keys in bytes. */
const AES_LENGTHS = [16, 24, 32];
const LENGTHS: Readonly<Record<string, readonly number[]>> = { secretbox: [32], aescbc: AES_LENGTHS, aesgcm: AES_LENGTHS };

/** Resources that have no API of their own. */
const WITHOUT_API = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];

/** Fault of a configuration, and the fix. Values of keys are never named. */
interface Fault {
  readonly message: string;
  readonly fix: string;
}

const encryption: ManifestRule = {
  id: 'TC-TRAP-KUBERNETES-ENCRYPTION',
  title: 'A configuration of encryption at rest must be one that the API server reads: with another one it does not start, or keeps the former.',
  source: 'kubernetes/kubernetes staging/src/k8s.io/apiserver/pkg/apis/apiserver/validation/validation_encryption.go',
  kinds: ENCRYPTION_HOLDERS,
  trap: true,
  example: replaced(objectText('v1', 'Secret', `stringData:
  config.yaml: |
${indented(`apiVersion: ${API_VERSION}
kind: EncryptionConfiguration
resources:
  - resources: [secrets]
    providers:
      - secretbox:
          keys: [{name: key1, secret: '{{ .key1 }}'}]
      - identity: {}
`, 4)}`), 'resources: [secrets]', 'resources: [Secrets]'),
  check: (object) => encryptionConfigurations(object).flatMap(({ path, value }) => faultsOf(value).map((fault) => ({ path, ...fault }))),
};

function faultsOf(configuration: Fields): Fault[] {
  const entries = objectsAt(configuration, 'resources');
  return [
    ...(configuration.apiVersion === API_VERSION ? [] : [{ message: `its apiVersion is ${JSON.stringify(configuration.apiVersion) ?? 'missing'}`, fix: `write ${API_VERSION}` }]),
    ...(entries.length > 0 ? [] : [{ message: 'it has no resources', fix: 'name the resources that are encrypted, e.g. secrets' }]),
    ...entries.flatMap(([entry, index]) => faultsOfEntry(entry, `resources[${index}]`)),
  ];
}

function faultsOfEntry(entry: Fields, place: string): Fault[] {
  const resources = stringsAt(entry, 'resources').map(([resource]) => resource);
  const providers = objectsAt(entry, 'providers');
  return [
    ...(resources.length > 0 ? [] : [{ message: `${place} names no resource`, fix: 'name the resources that are encrypted, e.g. secrets' }]),
    ...resources.flatMap((resource) => faultOfResource(resource, `${place}.resources`) ?? []),
    ...overlaps(resources, place),
    ...(providers.length > 0 ? [] : [{ message: `${place} has no providers`, fix: `name one of ${PROVIDERS.join(', ')}` }]),
    ...providers.flatMap(([provider, index]) => faultsOfProvider(provider, `${place}.providers[${index}]`)),
  ];
}

function faultOfResource(resource: string, place: string): Fault | undefined {
  const dot = resource.indexOf('.');
  const [name, group] = dot < 0 ? [resource, ''] : [resource.slice(0, dot), resource.slice(dot + 1)];
  const fault = (why: string, fix: string) => ({ message: `${place} has ${JSON.stringify(resource)}: ${why}`, fix });
  if (resource !== resource.toLowerCase()) return fault('names of resources have no capital letters', `write ${JSON.stringify(resource.toLowerCase())}`);
  if (resource === '*') return fault('this is no resource', 'write "*." for all of the core group, or "*.*" for all');
  if (WITHOUT_API.includes(resource)) return fault('it has no API', 'leave it out');
  if (group === 'events.k8s.io') return fault('events are stored in the core group', 'write "events"');
  if (group === 'extensions') return fault('this group is gone', 'leave it out');
  return group === '*' && name !== '*' ? fault('one resource of all groups cannot be encrypted', 'name its group') : undefined;
}

function overlaps(resources: readonly string[], place: string): Fault[] {
  const groupOf = (resource: string) => resource.slice(`${resource}.`.indexOf('.') + 1);
  const twice = resources.find((resource, index) => resources.indexOf(resource) !== index);
  const masked = resources.length < 2 ? undefined : resources.find((resource) => (
    resource === '*.*' || (resource.startsWith('*.') && resources.some((other) => other !== resource && groupOf(other) === groupOf(resource)))));
  return [
    ...(twice === undefined ? [] : [{ message: `${place}.resources has ${JSON.stringify(twice)} twice`, fix: 'name it once' }]),
    ...(masked === undefined ? [] : [{ message: `${place}.resources has ${JSON.stringify(masked)} beside resources that it covers`, fix: 'name one of them in an entry of its own' }]),
  ];
}

function faultsOfProvider(provider: Fields, place: string): Fault[] {
  const kinds = PROVIDERS.filter((kind) => isSet(provider, kind));
  if (kinds.length !== 1) {
    return [{ message: `${place} has ${kinds.length === 0 ? 'no provider that is known' : `${kinds.join(' and ')} in one entry`}`, fix: `write one of ${PROVIDERS.join(', ')} in each entry` }];
  }
  const [kind] = kinds;
  if (kind === 'kms') return faultsOfKeyService(provider.kms, `${place}.kms`);
  if (kind === 'identity') return [];
  const keys = listAt(provider, kind, 'keys');
  return keys.length === 0
    ? [{ message: `${place}.${kind} has no keys`, fix: 'write a key, with a name and a secret' }]
    : keys.flatMap((key, index) => faultOfKey(key, kind, `${place}.${kind}.keys[${index}]`) ?? []);
}

function faultOfKey(key: unknown, kind: string, place: string): Fault | undefined {
  const [name, secret] = [stringAt(key, 'name'), stringAt(key, 'secret')];
  if (name === undefined) return { message: `${place} has no name`, fix: 'name it' };
  if (secret === undefined) return { message: `the key ${JSON.stringify(name)} has no secret`, fix: 'write base64 of random bytes' };
  if (isFilledIn(secret)) return undefined;
  const lengths = `${LENGTHS[kind].join(', ')} random bytes, as base64`;
  // Line breaks do not count to Go (encoding/base64).
  const digits = secret.replace(/[\r\n]+/g, '');
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) return { message: `the secret of the key ${JSON.stringify(name)} is no base64`, fix: `write ${lengths}` };
  const bytes = Buffer.byteLength(digits, 'base64');
  return LENGTHS[kind].includes(bytes) ? undefined : { message: `the secret of the key ${JSON.stringify(name)} has ${bytes} bytes`, fix: `write ${lengths}` };
}

function faultsOfKeyService(service: unknown, place: string): Fault[] {
  const endpoint = stringAt(service, 'endpoint');
  const apiVersion = isFields(service) && isSet(service, 'apiVersion') ? service.apiVersion : 'v1';
  return [
    ...(stringAt(service, 'name') === undefined ? [{ message: `${place} has no name`, fix: 'name it' }] : []),
    ...(endpoint?.startsWith('unix:') ? [] : [{ message: `${place}.endpoint is ${JSON.stringify(endpoint) ?? 'missing'}`, fix: 'write the socket of the key service, e.g. unix:///run/kms/socket.sock' }]),
    ...(apiVersion === 'v1' || apiVersion === 'v2' ? [] : [{ message: `${place}.apiVersion is ${JSON.stringify(apiVersion)}`, fix: 'write v2' }]),
  ];
}

/** Rules over encryption at rest. */
export const ENCRYPTION: readonly ManifestRule[] = [encryption];
