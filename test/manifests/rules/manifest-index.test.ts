import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';

const object = (apiVersion: string, kind: string, metadata: object) => ({ apiVersion, kind, metadata });

const first = object('apps/v1', 'Deployment', { namespace: 'acme', name: 'web' });
const second = object('apps/v1beta1', 'Deployment', { namespace: 'acme', name: 'web' });
const other = object('apps/v1', 'Deployment', { namespace: 'acmew', name: 'eb' });
const unnamed = object('v1', 'Pod', {});
const index = new ManifestIndex([first, second, other, unnamed]);

test('of two objects of one name the first one is found, whatever their version', () => {
  expect(index.find('apps/Deployment', 'acme', 'web')).toBe(first);
  expect(index.all('apps/Deployment')).toEqual([first, second, other]);
});

test('names and namespaces that read the same when put together are told apart', () => {
  expect(index.find('apps/Deployment', 'acmew', 'eb')).toBe(other);
  expect(index.find('apps/Deployment', 'acmewe', 'b')).toBeUndefined();
  expect(index.find('apps/Deployment', undefined, 'web')).toBeUndefined();
  expect(index.find('/Deployment', 'acme', 'web')).toBeUndefined();
});

test('an object without a name or a namespace is found by none', () => {
  expect(index.find('/Pod', undefined, undefined)).toBe(unnamed);
  expect(index.find('/Pod', 'acme', undefined)).toBeUndefined();
});

test('a namespace holds the groups that it has objects of', () => {
  expect([index.holds('apps', 'acme'), index.holds('', undefined)]).toEqual([true, true]);
  expect([index.holds('apps', undefined), index.holds('', 'acme'), index.holds('batch', 'acme'), index.holds('apps', 'other')]).toEqual([false, false, false, false]);
});

test('what has no namespace is in "default", as kubectl applies it', () => {
  const [none, stated] = [object('apps/v1', 'Deployment', { name: 'a' }), object('apps/v1', 'Deployment', { name: 'b', namespace: 'default' })];
  const applied = new ManifestIndex([none, stated]);
  expect([applied.find('apps/Deployment', 'default', 'a'), applied.find('apps/Deployment', undefined, 'b')]).toEqual([none, stated]);
  expect(applied.find('apps/Deployment', 'acme', 'b')).toBeUndefined();
  expect(new ManifestIndex([stated]).holds('apps', undefined)).toBe(true);
  expect(new ManifestIndex([none]).holds('apps', 'default')).toBe(true);
});
