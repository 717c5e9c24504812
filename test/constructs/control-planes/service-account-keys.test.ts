import { Duration } from 'cdk8s';
import { bound as boundKamaji, refused } from './kamaji/bound';
import { bound as boundKubeadm } from './kubeadm/control-plane/bound';
import { ServiceAccountKeys } from '../../../src/constructs/control-planes/service-account-keys';

const OLD = { name: '2026', remoteKey: 'tenants/acme/sa-2026' };
const NEW = { name: '2027', remoteKey: 'tenants/acme/sa-2027' };

const keys = (changes: Partial<ServiceAccountKeys> = {}) => ({ serviceAccountKeys: { secretStore: 'vault', keys: [OLD, NEW], ...changes } });
const secretOf = (manifests: any[]) => manifests.find(({ kind }) => kind === 'ExternalSecret');

test('Kamaji gets all public keys, that of the private one first, and the private key of the first', () => {
  const { metadata, spec } = secretOf(boundKamaji(keys()).manifests);

  expect(metadata).toEqual({ name: 'acme-sa-certificate', namespace: 'tenant-acme', annotations: { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' } });
  expect(spec.target).toEqual({
    name: 'acme-sa-certificate',
    creationPolicy: 'Orphan',
    deletionPolicy: 'Retain',
    template: {
      data: { 'sa.pub': '{{ index . "2026.pub" | trim }}\n{{ index . "2027.pub" | trim }}\n', 'sa.key': '{{ index . "2026.key" | trim }}\n' },
      engineVersion: 'v2',
      mergePolicy: 'Replace',
    },
  });
  expect(spec.data.map(({ secretKey, remoteRef }: any) => [secretKey, remoteRef.key, remoteRef.property])).toEqual([
    ['2026.pub', 'tenants/acme/sa-2026', 'sa.pub'], ['2027.pub', 'tenants/acme/sa-2027', 'sa.pub'], ['2026.key', 'tenants/acme/sa-2026', 'sa.key'],
  ]);
});

test('Cluster API gets them in a Secret as it makes one itself', () => {
  const { spec } = secretOf(boundKubeadm(keys({ keys: [NEW, OLD] })).manifests);

  expect(spec.target).toMatchObject({
    name: 'acme-sa',
    template: {
      type: 'cluster.x-k8s.io/secret',
      metadata: { labels: { 'cluster.x-k8s.io/cluster-name': 'acme' } },
      data: { 'tls.crt': '{{ index . "2027.pub" | trim }}\n{{ index . "2026.pub" | trim }}\n', 'tls.key': '{{ index . "2027.key" | trim }}\n' },
    },
  });
});

test('fields, store and interval are those of the page, and what is signed is stated', () => {
  const { metadata, spec } = secretOf(boundKamaji(keys({
    keys: [{ ...NEW, publicKeyProperty: 'public', privateKeyProperty: 'private' }], tokensSignedWith: '2027', refreshInterval: Duration.minutes(5),
  })).manifests);

  expect(metadata.annotations).toMatchObject({ 'cdk8s-cluster-api/tokens-signed-with': '2027' });
  expect(spec.refreshInterval).toBe('5m0s');
  expect(spec.data.map(({ remoteRef }: any) => remoteRef.property)).toEqual(['public', 'private']);
});

test('without keys of the page nothing is written', () => {
  expect(secretOf(boundKamaji().manifests)).toBeUndefined();
  expect(secretOf(boundKubeadm().manifests)).toBeUndefined();
});

test.each<[Partial<ServiceAccountKeys>, string]>([
  [{ secretStore: 'a_b' }, 'secretStore: "a_b" is not a DNS name'],
  [{ keys: [] }, 'keys: it has no keys'],
  [{ keys: [{ name: 'a b', remoteKey: 'x' }] }, 'keys[0].name: "a b" is not a name for a key of a Secret'],
  [{ keys: [{ name: '', remoteKey: 'x' }] }, 'keys[0].name: "" is not a name for a key of a Secret'],
  [{ keys: [OLD, { ...NEW, name: '2026' }] }, 'keys[1].name: "2026" is already the name of keys[0]'],
  [{ keys: [OLD, { ...OLD, name: '2027' }] }, 'keys[1].remoteKey: "tenants/acme/sa-2026" is already the entry of keys[0]'],
  [{ keys: [{ name: 'a', remoteKey: '' }] }, 'keys[0].remoteKey: it is empty'],
  [{ tokensSignedWith: '2027' }, 'tokensSignedWith: "2027" is not the first key, which is "2026"'],
])('%j is refused', (changes, problem) => {
  expect(refused(keys(changes))).toEqual([expect.stringContaining(`TC-CONTROL-PLANE-SERVICE-ACCOUNT-KEY controlPlane.serviceAccountKeys.${problem}`)]);
});
