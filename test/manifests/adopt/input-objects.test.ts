import { inputObjects } from '../../../src/manifests/adopt/input-objects';
import { fileOf, placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { registerProviders } from '../../../src/manifests/systems/providers';

registerProviders();

const KEY = `-----BEGIN RSA ${'PRIVATE KEY'}-----\nMIIB\n`;

const talos = (spec: object) => ({
  apiVersion: 'bootstrap.cluster.x-k8s.io/v1alpha3', kind: 'TalosConfigTemplate', metadata: { name: 'acme', namespace: 'tenant-acme' }, spec: { template: { spec } },
});
const withFile = (file: object) => ({
  apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
  kind: 'KubeadmConfigTemplate',
  metadata: { name: 'acme', namespace: 'tenant-acme' },
  spec: { template: { spec: { files: [{ path: '/etc/motd', content: 'hello' }, file] } } },
});

function leftOf(object: ReturnType<typeof talos>): string[] {
  return inputObjects(placedObjects([fileOf([object])]), undefined).left.map(({ reason }) => reason);
}

test.each([
  ['a configuration of a Talos machine', talos({ generateType: 'none', data: 'machine: {token: t}' }), 'spec.template.spec.data'],
  ['a private key in a file', withFile({ path: '/etc/key.pem', content: KEY }), 'spec.template.spec.files[1].content'],
  ['a private key in base64', withFile({ path: '/etc/key.pem', encoding: 'base64', content: Buffer.from(KEY).toString('base64') }), 'spec.template.spec.files[1].content'],
])('an object with %s is left where it is', (_, object, field) => {
  expect(leftOf(object)).toEqual([`holds a secret in ${field}: its content is copied nowhere`]);
});

test.each([
  ['a configuration that its provider generates', talos({ generateType: 'worker', configPatches: [{ op: 'replace', path: '/machine/install/disk', value: '/dev/vda' }] })],
  ['a file from a Secret', withFile({ path: '/etc/key.pem', contentFrom: { secret: { name: 'acme', key: 'key' } } })],
])('an object with %s is taken along', (_, object) => {
  expect(leftOf(object)).toEqual([]);
});
