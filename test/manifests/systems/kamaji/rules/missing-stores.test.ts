import { MISSING_STORES } from '../../../../../src/manifests/systems/kamaji/rules/data-stores';
import { detailsIn } from '../../../rules/rules-under-test';

const store = (name: string) => `---\napiVersion: kamaji.clastix.io/v1alpha1\nkind: DataStore\nmetadata: {name: ${name}}\nspec: {driver: etcd}\n`;
const tenant = (spec: string) => `apiVersion: kamaji.clastix.io/v1alpha1\nkind: TenantControlPlane\nmetadata: {name: acme, namespace: t}\nspec: ${spec}\n`;

const found = (text: string) => detailsIn(MISSING_STORES, text).map(({ path, message, fix }) => `${path.join('.')}: ${message}; ${fix}`);

test('a DataStore is in no namespace, and one that is not among those that were read is named', () => {
  expect(found(tenant('{dataStore: tenants}') + store('tenants'))).toEqual([]);
  expect(found(tenant('{dataStore: tenant}') + store('tenants'))).toEqual([
    'spec.dataStore: among the manifests that were read, there is no DataStore "tenant"; write "tenants", or add the DataStore',
  ]);
  expect(found(tenant('{dataStore: tenants, dataStoreOverrides: [{resource: /events, dataStore: events}]}') + store('tenants'))).toEqual([
    expect.stringMatching(/^spec\.dataStoreOverrides\.0\.dataStore: /),
  ]);
});

test('where no DataStore is read, they are elsewhere', () => {
  expect(found(tenant('{dataStore: tenants}'))).toEqual([]);
});
