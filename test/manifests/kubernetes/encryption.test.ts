import * as fs from 'node:fs';
import * as path from 'node:path';
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

/** Configurations, of which conformance/servers asks the API server's own code, too. */
const TABLE = JSON.parse(fs.readFileSync(path.join(__dirname, '../../../conformance/servers/encryption/configurations.json'), 'utf8')) as readonly {
  readonly words: string;
  readonly configuration: object;
  readonly refused?: string;
}[];

test.each(TABLE.map(({ words, configuration, refused }) => [words, configuration, refused] as const))(
  '%s: the verdict of the table, for texts and packed ones', (_, configuration, refused) => {
    const expected = refused === undefined ? [] : [refused];
    expect(found(secret(configuration))).toEqual(expected);
    expect(found(secret(configuration, 'data'))).toEqual(expected);
  });

test('secrets that a tool fills in later are accepted', () => {
  expect(found(secret(ofKey('secretbox', { name: 'a', secret: '{{ .a }}' })))).toEqual([]);
});

test('line breaks in a secret do not count', () => {
  expect(found(secret(ofKey('secretbox', { name: 'a', secret: `${KEY.slice(0, 20)}\n${KEY.slice(20)}\r\n` })))).toEqual([]);
});

test('a template without quotes is read, too', () => {
  const text = (key: string) => `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources: [{resources: [Secrets], providers: [{secretbox: {keys: [{name: a, secret: ${key}}]}}]}]
`;
  const object = (key: string) => ({ ...secret({}), stringData: { 'config.yaml': text(key) } }) as ManifestObject;
  expect(found(object('{{ .a | b64enc }}'))).toHaveLength(1);
  expect(found(object("'{{ .a }}'"))).toHaveLength(1);
});

test('a very long secret is refused as any other', () => {
  expect(found(secret(ofKey('secretbox', { name: 'a', secret: 'A'.repeat(2_000_000) })))).toEqual(['the secret of the key "a" has 1500000 bytes']);
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
