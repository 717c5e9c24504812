import { madeResources } from '../../../../src/manifests/systems/flux-operator/resource-sets';

const made = (input: object, replicas: string) => madeResources({
  apiVersion: 'fluxcd.controlplane.io/v1',
  kind: 'ResourceSet',
  metadata: { name: 'tenants', namespace: 'flux-system' },
  spec: { inputs: [input], resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { replicas } }] },
})?.map((object: any) => object.data.replicas);

test.each<[what: string, value: unknown, filled: unknown]>([
  ['a number', 5, 5],
  ['digits', '12', 12],
  ['zero', '0', 0],
  ['digits behind a zero', '007', '007'],
  ['a name', 'acme', 'acme'],
  ['a switch', true, true],
])('%s as an input', (_, value, filled) => {
  expect(made({ tenant: value }, '<< inputs.tenant >>')).toEqual([filled]);
  expect(made({ tenant: value }, '<< inputs.tenant | quote >>')).toEqual([`${String(value)}`]);
});

test('an input that is not there is not known', () => {
  expect(made({ tenant: 'acme' }, '<< inputs.owner >>')).toBeUndefined();
});
