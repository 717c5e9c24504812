import { CrdSchemas } from './crd-schemas';
import { StructuralSchema } from './structural-schema';
import { matchesGoPattern } from '../../../src/manifests/values/go-pattern';
import { formatsOf } from '../../../src/manifests/values/openapi-formats';

/** Keywords that the validator evaluates, and those that say nothing about a single object. */
const KEYWORDS = new Set([
  'additionalProperties', 'allOf', 'anyOf', 'default', 'enum', 'exclusiveMaximum', 'exclusiveMinimum', 'format', 'items', 'maxItems', 'maxLength',
  'maxProperties', 'maximum', 'minItems', 'minLength', 'minProperties', 'minimum', 'multipleOf', 'not', 'nullable', 'oneOf', 'pattern', 'properties',
  'required', 'type', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string', 'x-kubernetes-list-map-keys', 'x-kubernetes-list-type',
  'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-validations',
  'description', 'example', 'externalDocs', 'title', 'x-kubernetes-map-type',
]);

const schemas = CrdSchemas.load();

function* nodes(schema: StructuralSchema): Generator<StructuralSchema> {
  yield schema;
  const { properties = {}, additionalProperties, items, allOf = [], anyOf = [], oneOf = [], not } = schema;
  const children = [...Object.values(properties), additionalProperties, items, not, ...allOf, ...anyOf, ...oneOf];
  for (const child of children) if (typeof child === 'object') yield* nodes(child);
}

test('every keyword, format and pattern of the pinned definitions is understood', () => {
  const unknown = new Set<string>();
  for (const { schema } of schemas.all()) {
    for (const node of nodes(schema)) {
      for (const keyword of Object.keys(node)) if (!KEYWORDS.has(keyword)) unknown.add(`keyword ${keyword}`);
      if (node.format && !formatsOf(node.type).includes(node.format)) unknown.add(`format ${node.format}`);
      if (node.pattern) expect(matchesGoPattern(node.pattern, '')).toEqual(expect.any(Boolean));
    }
  }
  expect([...unknown]).toEqual([]);
});

test.each([
  ['cluster.x-k8s.io/v1beta2', 'Cluster', 'Namespaced'],
  ['controlplane.cluster.x-k8s.io/v1alpha2', 'KamajiControlPlane', 'Namespaced'],
  ['controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlane', 'Namespaced'],
  ['infrastructure.cluster.x-k8s.io/v1alpha1', 'KubevirtMachineTemplate', 'Namespaced'],
  ['kamaji.clastix.io/v1alpha1', 'DataStore', 'Cluster'],
  ['helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'Namespaced'],
  ['kubevirt.io/v1', 'KubeVirt', 'Namespaced'],
])('there is a schema for %s %s', (apiVersion, kind, scope) => {
  expect(schemas.find(apiVersion, kind)).toMatchObject({ apiVersion, kind, scope });
});

test('versions that are not served are no schemas', () => {
  expect(schemas.find('cluster.x-k8s.io/v1alpha4', 'Cluster')).toBeUndefined();
});
