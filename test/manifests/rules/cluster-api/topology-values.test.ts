import * as fc from 'fast-check';
import { ManifestObject } from '../../../../src/manifests/objects/manifest-object';
import { CLUSTER_API_RULES } from '../../../../src/manifests/rules/cluster-api/cluster-api-rules';
import { amount } from '../../../support/sample';
import { structuralErrors } from '../../schema/structural';
import { StructuralSchema } from '../../schema/structural-schema';
import { detailsIn, findings, findingsIn } from '../rules-under-test';

const GATE = '---\napiVersion: operator.cluster.x-k8s.io/v1alpha2\nkind: CoreProvider\nmetadata: {name: a, namespace: t}\nspec: {manager: {featureGates: {ClusterTopology: true}}}\n';

function classWith(schema: string, more = ''): string {
  return `apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: small, namespace: t}
spec: {variables: [{name: v, required: false, schema: {openAPIV3Schema: ${schema}}}], ${more}}
${GATE}`;
}

function cluster(value: string, where = 'variables: [{name: v, value: VALUE}]'): string {
  return `---\napiVersion: cluster.x-k8s.io/v1beta2\nkind: Cluster\nmetadata: {name: acme, namespace: t}\nspec: {topology: {classRef: {name: small}, version: v1.35.4, ${where.replace('VALUE', value)}}}\n`;
}

function found(text: string): string[] {
  return findings(CLUSTER_API_RULES, text).map((line) => line.split(':')[0]);
}

const AT = 'TC-ADMIT-TOPOLOGY-VALUE spec.topology.variables.0.value';

describe('values', () => {
  test.each([
    ['{type: string}', 'a', []],
    ['{type: string}', '1', [AT]],
    ['{type: integer}', '1.5', [AT]],
    ['{type: number}', '1.5', []],
    ['{type: boolean}', '"true"', [AT]],
    ['{type: string, enum: [small, large]}', 'medium', [AT]],
    ['{type: integer, minimum: 1, maximum: 9}', '10', [AT]],
    ['{type: integer, minimum: 1, exclusiveMinimum: true}', '1', [AT]],
    ['{type: string, pattern: "^v"}', 'v1', []],
    ['{type: string, pattern: "^v"}', 'x1', [AT]],
    // Backtracking does not end here.
    ['{type: string, pattern: "^([a-z0-9]+-?)+$"}', 'production-frankfurt-payments-platform-cluster_01', [AT]],
    ['{type: string, pattern: "^(a+)+$"}', `${'a'.repeat(5000)}!`, [AT]],
    ['{type: string, maxLength: 2}', 'abc', [AT]],
    ['{type: string, format: ipv4}', 'a', [AT]],
    ['{x-kubernetes-int-or-string: true}', '1', []],
    ['{type: array, items: {type: string}, maxItems: 1}', '[a, b]', [AT]],
    ['{type: array, items: {type: string}}', '[a, 1]', [`${AT}.1`]],
    ['{type: object, required: [a], properties: {a: {type: string}}}', '{}', [`${AT}.a`]],
    ['{type: object, required: [a], properties: {a: {type: string, default: x}}}', '{}', []],
    ['{type: object, properties: {a: {type: string}}}', '{b: x}', [`${AT}.b`]],
    ['{type: object, properties: {a: {type: object, properties: {"b c": {type: string}}}}}', '{a: {"b c": 1}}', [`${AT}.a.b c`]],
    ['{type: object, x-kubernetes-preserve-unknown-fields: true}', '{b: x}', []],
    ['{type: object, additionalProperties: {type: integer}}', '{a: 1, b: x}', [`${AT}.b`]],
    ['{type: string, default: a}', 'null', []],
    ['{type: string}', 'null', [AT]],
    // Nobody holds values to a schema that cannot be read.
    ['{type: string, enum: small}', '1', []],
    ['{type: string, x-metadata: {labels: {a: b}}, uniqueItems: false}', '1', [AT]],
  ])('%s and %s', (schema, value, expected) => {
    expect(found(classWith(schema) + cluster(value))).toEqual(expected);
  });

  test('of parts of a topology', () => {
    const overrides = 'variables: {overrides: [{name: v, value: VALUE}]}';
    const control = found(classWith('{type: integer}') + cluster('a', `controlPlane: {${overrides}}`));
    const pool = found(classWith('{type: integer}', 'workers: {machineDeployments: [{class: w}]}') + cluster('a', `workers: {machineDeployments: [{class: w, name: p, ${overrides}}]}`));

    expect(control).toEqual(['TC-ADMIT-TOPOLOGY-VALUE spec.topology.controlPlane.variables.overrides.0.value']);
    expect(pool).toEqual(['TC-ADMIT-TOPOLOGY-VALUE spec.topology.workers.machineDeployments.0.variables.overrides.0.value']);
  });

  test('where extensions define variables, nobody knows them all', () => {
    const extended = 'patches: [{name: p, external: {generatePatchesExtension: a, discoverVariablesExtension: b}}]';

    expect(found(classWith('{type: integer}', extended) + cluster('a')).filter((line) => line.includes('TOPOLOGY'))).toEqual([]);
  });

  test('a misspelt variable is recognized, and a missing one is named', () => {
    const text = classWith('{type: string}').replace('name: v, required: false', 'name: image, required: true') + cluster('a').replace('name: v', 'name: imgae');

    expect(detailsIn(CLUSTER_API_RULES, text).map(({ fix }) => fix)).toEqual(['write "image"', 'add an entry with name: image and its value']);
  });

  const scalar = fc.oneof(fc.constantFrom('a', 'abc', ''), fc.integer({ min: -2, max: 4 }), fc.boolean(), fc.constant(1.5));
  const leaf: fc.Arbitrary<StructuralSchema> = fc.oneof(
    fc.record({ type: fc.constant('string' as const), minLength: fc.nat(2), maxLength: fc.integer({ min: 2, max: 3 }) }),
    fc.record({ type: fc.constant('integer' as const), minimum: fc.integer({ min: -1, max: 1 }), maximum: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ type: fc.constantFrom('boolean' as const, 'number' as const) }),
  );
  const schemas = fc.oneof(
    leaf,
    fc.record({ type: fc.constant('array' as const), items: leaf, maxItems: fc.nat(2) }),
    fc.record({ type: fc.constant('object' as const), properties: fc.record({ a: leaf, b: leaf }), required: fc.subarray(['a', 'b'], { minLength: 1 }) }),
    fc.record({ type: fc.constant('object' as const), additionalProperties: leaf }),
  );
  const values = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(fc.constantFrom('a', 'b', 'c'), scalar, { maxKeys: 3 }));

  test('what an API server refuses of a schema is refused here, and nothing else', () => {
    fc.assert(fc.property(schemas, values, (schema, value) => {
      const definition: ManifestObject = {
        apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'ClusterClass', metadata: { name: 'small', namespace: 't' }, spec: { variables: [{ name: 'v', schema: { openAPIV3Schema: schema } }] },
      };
      const topology = { classRef: { name: 'small' }, variables: [{ name: 'v', value }] };
      const object: ManifestObject = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'a', namespace: 't' }, spec: { topology } };
      const refused = structuralErrors(
        { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a', namespace: 'a' }, v: value },
        { type: 'object', properties: { v: schema, metadata: { type: 'object' } } }, { scope: 'Namespaced' },
      );

      expect(findingsIn(CLUSTER_API_RULES, [definition, object]).some((line) => line.startsWith('TC-ADMIT-TOPOLOGY-VALUE'))).toBe(refused.length > 0);
    }), { numRuns: amount(300, 80) });
  });
});

describe('schemas', () => {
  const at = 'spec.variables.0.schema.openAPIV3Schema';

  test.each([
    ['{type: string, default: a}', []],
    ['{}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.type`]],
    ['{x-kubernetes-int-or-string: true}', []],
    ['{type: array}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.items`]],
    ['{type: array, items: {type: text}}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.items.type`]],
    ['{type: object, properties: {a: {type: string}}, additionalProperties: {type: string}}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.additionalProperties`]],
    ['{type: object, properties: {}, additionalProperties: {type: string}}', []],
    ['{type: object, properties: {a: {}}}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.properties.a.type`]],
    ['{type: string, default: 1}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.default`]],
    ['{type: object, properties: {a: {type: string}}, default: {b: c}}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.default`]],
    ['{type: object, properties: {a: {type: integer, default: x}}}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.properties.a.default`]],
    ['{type: string, enum: [a, 1]}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.enum.1`]],
    ['{type: string, enum: [a, b], default: c}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.default`]],
    ['{type: string, maxLength: 1, example: ab}', [`TC-ADMIT-CLASS-VARIABLE-SCHEMA ${at}.example`]],
    // As in classes whose variables are copied from definitions.
    ['{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}', []],
    ['{type: array, items: {type: string, maxLenght: 2}}', [`TC-TRAP-CLASS-VARIABLE-KEYWORD ${at}.items.maxLenght`]],
    ['{type: object, properties: {maxLenght: {type: string}}}', []],
  ])('%s', (schema, expected) => {
    expect(found(classWith(schema))).toEqual(expected);
  });
});
