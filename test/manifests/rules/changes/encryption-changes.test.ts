import * as fs from 'node:fs';
import * as path from 'node:path';
import { changesBetween } from './changes';
import { ManifestObject } from '../../../../src/manifests/objects/manifest-object';

const REWRITTEN = 'cdk8s-cluster-api/rewritten-with';

/** A Secret with keys in an order: "-" is no encryption. */
function keys(names: string, rewritten?: string, resources: readonly string[] = ['secrets']): ManifestObject[] {
  const providers = names.split(' ').map((name) => (name === '-' ? { identity: {} } : { aesgcm: { keys: [{ name, secret: Buffer.alloc(16).toString('base64') }] } }));
  const configuration = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources: [{ resources, providers }] };
  const annotations = rewritten === undefined ? undefined : { [REWRITTEN]: rewritten };
  return [{
    apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys', namespace: 'tenant-acme', annotations }, stringData: { 'config.yaml': JSON.stringify(configuration) },
  } as unknown as ManifestObject];
}

const found = (before: ManifestObject[], after: ManifestObject[]) => changesBetween(before, after)
  .map(({ rule, message }) => `${rule.id.replace('TC-CHANGE-ENCRYPTION-', '')} ${message.split(' ').slice(0, 4).join(' ')}`);

test('a rotation in its four steps is accepted', () => {
  const steps = [keys('a -'), keys('a b -'), keys('b a -'), keys('b a -', 'b'), keys('b -', 'b'), keys('b c -', 'b')];

  for (let index = 1; index < steps.length; index++) expect(found(steps[index - 1], steps[index])).toEqual([]);
});

test('the last step may say at once what was written again', () => {
  expect(found(keys('b a -'), keys('b -', 'b'))).toEqual([]);
});

test.each<[string, ManifestObject[], ManifestObject[], string[]]>([
  ['a new key comes first', keys('a -'), keys('b a -'), ['FIRST-KEY the aesgcm key "b"']],
  ['a key is exchanged', keys('a -'), keys('b -'), ['FIRST-KEY the aesgcm key "b"', 'REMOVED-KEY the aesgcm key "a"']],
  ['keys are swapped and one goes', keys('a b -'), keys('b -', 'b'), ['REMOVED-KEY the aesgcm key "a"']],
  ['an old key goes before all is written again', keys('b a -'), keys('b -'), ['REMOVED-KEY the aesgcm key "a"']],
  ['another key was written with', keys('b a -'), keys('b -', 'a'), ['REMOVED-KEY the aesgcm key "a"']],
  ['encryption begins', keys('-'), keys('a -'), ['FIRST-KEY the aesgcm key "a"']],
  ['objects without encryption are left behind', keys('a -'), keys('a'), ['REMOVED-KEY no key (identity) is']],
])('%s: refused', (_, before, after, expected) => {
  expect(found(before, after)).toEqual(expected);
});

test('encryption that ends is accepted as long as keys can read', () => {
  expect(found(keys('a -'), keys('- a'))).toEqual([]);
});

test('encryption ends when everything is written without a key', () => {
  expect(found(keys('- a'), keys('-'))).toEqual(['REMOVED-KEY the aesgcm key "a"']);
  expect(found(keys('- a'), keys('-', 'identity'))).toEqual([]);
});

test.each<[string, ManifestObject[], ManifestObject[], string[]]>([
  ['leaves the list', keys('a -', undefined, ['secrets', 'configmaps']), keys('a -', undefined, ['configmaps']), ['REMOVED-KEY the aesgcm key "a"']],
  ['gets the keys of its group', keys('a -'), keys('b -', undefined, ['*.']), ['FIRST-KEY the aesgcm key "b"', 'REMOVED-KEY the aesgcm key "a"']],
  ['gets the same keys from its group', keys('a -'), keys('a -', undefined, ['*.']), []],
  ['gets the same keys from all groups', keys('a -', undefined, ['orders.shop.example.com']), keys('a -', undefined, ['*.*']), []],
  ['comes to the list', keys('a -'), keys('a -', undefined, ['secrets', 'configmaps']), []],
])('a resource that %s', (_, before, after, expected) => {
  expect(found(before, after)).toEqual(expected);
});

test('a text that is encrypted later says nothing', () => {
  const [{ ...secret }] = keys('a -');
  expect(found(keys('a -'), [{ ...secret, stringData: { 'config.yaml': 'ENC[AES256_GCM,data:abc,type:str]' } } as ManifestObject])).toEqual([]);
});

test('templates without quotes are read', () => {
  const template = (names: readonly string[]) => [{
    apiVersion: 'external-secrets.io/v1beta1',
    kind: 'ExternalSecret',
    metadata: { name: 'keys', namespace: 'tenant-acme' },
    spec: {
      target: {
        template: {
          data: {
            'config.yaml': `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [secrets]
    providers:
      - aesgcm:
          keys:
${names.map((name) => `            - {name: ${name}, secret: {{ index . "${name}" | b64enc }}}\n`).join('')}      - identity: {}
`,
          },
        },
      },
    },
  } as unknown as ManifestObject];
  expect(found(template(['b', 'a']), template(['b']))).toEqual(['REMOVED-KEY the aesgcm key "a"']);
});

const words = (key: string) => (key === '-' ? 'no key (identity) is' : `the aesgcm key "${key}"`);

test('the verdicts on all orders of two keys and none are those of the table, which conformance/servers checks with the API server\'s own code', () => {
  const file = path.join(__dirname, '../../../../conformance/servers/encryption/changes.json');
  const table = JSON.parse(fs.readFileSync(file, 'utf8')) as readonly { readonly before: string; readonly after: string; readonly first: boolean; readonly removed: string[] }[];

  expect(table).toHaveLength(15 * 15);
  for (const { before, after, first, removed } of table) {
    const lost = removed.map((key) => `REMOVED-KEY ${words(key)}`);
    expect([before, after, found(keys(before), keys(after))]).toEqual([before, after, [...(first ? [`FIRST-KEY ${words(after[0])}`] : []), ...lost]]);
  }
});
