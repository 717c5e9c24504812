import { validate } from '../../../src/manifests';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { keysByResource, encryptionConfigurations } from '../../../src/manifests/rules/encryption-configurations';

const KEY = Buffer.alloc(32, 7).toString('base64');
const PROVIDERS = [{ secretbox: { keys: [{ name: 'a', secret: KEY }] } }, { identity: {} }];

function secret(configuration: object, data: 'data' | 'stringData' = 'stringData'): ManifestObject {
  const text = JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', ...configuration });
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'acme-encryption', namespace: 'tenant-acme' },
    [data]: { 'config.yaml': data === 'data' ? Buffer.from(text).toString('base64') : text },
  } as ManifestObject;
}

const found = (object: ManifestObject) => validate([object]).findings
  .filter(({ rule }) => rule === 'TC-TRAP-KUBERNETES-ENCRYPTION').map(({ message }) => message);

const entry = (resources: readonly string[], providers: readonly unknown[] = PROVIDERS) => ({ resources: [{ resources, providers }] });
const ofKey = (kind: string, key: object) => entry(['secrets'], [{ [kind]: { keys: [key] } }]);

test.each<[string, object, string]>([
  ['no resources', {}, 'it has no resources'],
  ['another version', { ...entry(['secrets']), apiVersion: 'v1' }, 'its apiVersion is "v1"'],
  ['an entry without resources', entry([]), 'resources[0] names no resource'],
  ['capital letters', entry(['Secrets']), 'resources[0].resources has "Secrets": names of resources have no capital letters'],
  ['a bare star', entry(['*']), 'resources[0].resources has "*": this is no resource'],
  ['a resource without an API', entry(['serviceipallocations']), 'resources[0].resources has "serviceipallocations": it has no API'],
  ['events of their new group', entry(['events.events.k8s.io']), 'resources[0].resources has "events.events.k8s.io": events are stored in the core group'],
  ['a group that is gone', entry(['ingresses.extensions']), 'resources[0].resources has "ingresses.extensions": this group is gone'],
  ['a resource of all groups', entry(['events.*']), 'resources[0].resources has "events.*": one resource of all groups cannot be encrypted'],
  ['a resource twice', entry(['secrets', 'secrets']), 'resources[0].resources has "secrets" twice'],
  ['a resource beside all of its group', entry(['secrets', '*.']), 'resources[0].resources has "*." beside resources that it covers'],
  ['no providers', entry(['secrets'], []), 'resources[0] has no providers'],
  ['a provider that is none', entry(['secrets'], [{ rot13: {} }]), 'resources[0].providers[0] has no provider that is known'],
  ['two providers in one', entry(['secrets'], [{ identity: {}, aesgcm: { keys: [] } }]), 'resources[0].providers[0] has aesgcm and identity in one entry'],
  ['no keys', entry(['secrets'], [{ aescbc: { keys: [] } }]), 'resources[0].providers[0].aescbc has no keys'],
  ['a key without a name', ofKey('secretbox', { secret: KEY }), 'resources[0].providers[0].secretbox.keys[0] has no name'],
  ['a key without a secret', ofKey('secretbox', { name: 'a' }), 'the key "a" has no secret'],
  ['a key that is no base64', ofKey('secretbox', { name: 'a', secret: 'hush!' }), 'the secret of the key "a" is no base64'],
  ['a key that is too short', ofKey('secretbox', { name: 'a', secret: 'aHVzaA==' }), 'the secret of the key "a" has 4 bytes'],
  ['a key service without a name', entry(['secrets'], [{ kms: { endpoint: 'unix:///kms.sock' } }]), 'resources[0].providers[0].kms has no name'],
  ['a key service elsewhere', entry(['secrets'], [{ kms: { name: 'a', endpoint: 'https://kms' } }]), 'resources[0].providers[0].kms.endpoint is "https://kms"'],
  ['a key service of a future', entry(['secrets'], [{ kms: { name: 'a', apiVersion: 'v3', endpoint: 'unix:///kms.sock' } }]), 'resources[0].providers[0].kms.apiVersion is "v3"'],
])('%s is refused, in texts and packed ones', (_, configuration, message) => {
  expect(found(secret(configuration))).toEqual([message]);
  expect(found(secret(configuration, 'data'))).toEqual([message]);
});

test.each<[string, object]>([
  ['keys of all lengths of AES', entry(['secrets'], [16, 24, 32].map((bytes) => ({ aesgcm: { keys: [{ name: 'a', secret: Buffer.alloc(bytes).toString('base64') }] } })))],
  ['all resources', entry(['*.*'])],
  ['a resource with a group', entry(['secrets', 'orders.shop.example.com'])],
  ['secrets that are filled in later', ofKey('secretbox', { name: 'a', secret: '{{ .a }}' })],
  ['a key service', entry(['secrets'], [{ kms: { name: 'a', apiVersion: 'v2', endpoint: 'unix:///run/kms.sock' } }])],
])('%s are accepted', (_, configuration) => {
  expect(found(secret(configuration))).toEqual([]);
});

test('no finding shows a key', () => {
  const report = JSON.stringify(validate([secret(ofKey('secretbox', { name: 'a', secret: 'aHVzaGh1c2g=' }))]));

  expect(report).toContain('has 8 bytes');
  expect(report).not.toContain('aHVzaGh1c2g=');
});

test('the first entry that names a resource decides on its keys', () => {
  const keys = keysByResource(encryptionConfigurations(secret({
    resources: [{ resources: ['secrets'], providers: PROVIDERS }, { resources: ['secrets', 'configmaps'], providers: [{ kms: { name: 'service' } }] }],
  }))[0]);

  expect(keys.get('secrets')).toEqual([{ provider: 'secretbox', name: 'a' }, { provider: 'identity', name: '' }]);
  expect(keys.get('configmaps')).toEqual([{ provider: 'kms', name: 'service' }]);
});
