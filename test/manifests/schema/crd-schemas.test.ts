import { CrdSchemas } from './crd-schemas';
import { StructuralSchema } from './structural-schema';
import { formatsOf } from '../../../src/manifests/schema/formats';

const schemas = CrdSchemas.load();

function* nodes(schema: StructuralSchema): Generator<StructuralSchema> {
  yield schema;
  const { properties = {}, additionalProperties, items } = schema;
  for (const child of [...Object.values(properties), additionalProperties, items]) if (typeof child === 'object') yield* nodes(child);
}

test('every format of the pinned definitions is understood', () => {
  const all = schemas.all().flatMap(({ schema }) => [...nodes(schema)]);
  expect(all.filter(({ type, format }) => format && !formatsOf(type).includes(format)).map(({ format }) => format)).toEqual([]);
});

test.each([
  ['cluster.x-k8s.io/v1beta2', 'Cluster', 'Namespaced'],
  ['controlplane.cluster.x-k8s.io/v1alpha2', 'KamajiControlPlane', 'Namespaced'],
  ['kamaji.clastix.io/v1alpha1', 'DataStore', 'Cluster'],
])('there is a schema for %s %s', (apiVersion, kind, scope) => {
  expect(schemas.find(apiVersion, kind)).toMatchObject({ apiVersion, kind, scope });
});

test('versions that are not served are no schemas', () => {
  expect(schemas.find('cluster.x-k8s.io/v1alpha4', 'Cluster')).toBeUndefined();
});
