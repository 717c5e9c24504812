import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CrdVersion, CustomResourceDefinition, OpenApiSchema } from '../../../../scripts/crds/definition';
import { structureFiles } from '../../../../scripts/structure/structure-files';
import { FileNode, StructureFile } from '../../../../src/manifests/rules/structure/kind-structure';

const SCHEMAS = resolve(__dirname, '../../../../data/schemas');

const files = new Map(readdirSync(SCHEMAS).sort().map((name) => [name, readFileSync(join(SCHEMAS, name), 'utf8')]));

test('all files together are small, and hold no prose', () => {
  expect([...files.values()].join('').length).toBeLessThan(400_000);
  const keywords = [...files.values()].flatMap((text) => (JSON.parse(text) as StructureFile).nodes.flatMap((node) => Object.keys(node)));
  expect([...new Set(keywords)].filter((keyword) => /description|title|example|validations/.test(keyword))).toEqual([]);
});

test('what lies inside a node stands before it, so that none holds itself', () => {
  for (const text of files.values()) {
    const { nodes } = JSON.parse(text) as StructureFile;
    nodes.forEach(({ fields, values, items }, position) => {
      const inside = [...Object.values(fields ?? {}), values, items].filter((one) => one !== undefined);
      expect(inside.filter((one) => one >= position)).toEqual([]);
    });
    expect(new Set(nodes.map((node) => JSON.stringify(node))).size).toBe(nodes.length);
  }
});

/** The nodes that a schema of a kind gives; the last one is its root. */
function nodesOf(openAPIV3Schema: OpenApiSchema, version: Partial<CrdVersion> = {}): readonly FileNode[] {
  const crd: CustomResourceDefinition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Box', plural: 'boxes' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version },
        { name: 'v0', served: false, storage: false, schema: { openAPIV3Schema: {} } },
      ],
    },
  };
  const source = { project: 'boxes/box', version: 'v1.2.3', docs: '', file: '', urls: [], crds: [{ name: 'boxes.example.com', version: 'v1', sha256: '' }] };
  const file = JSON.parse(structureFiles([crd], [source]).get('example.com.json')!) as StructureFile;
  expect(file.kinds).toEqual({ Box: { release: 'boxes/box v1.2.3', plural: 'boxes', scope: 'Namespaced', versions: { v1: file.nodes.length - 1 } } });
  return file.nodes;
}

test('a node holds what its schema demands, and a reference to what lies inside', () => {
  expect(nodesOf({
    'type': 'object',
    'description': 'a box',
    'required': ['b', 'a'],
    'x-kubernetes-validations': [{ rule: 'true' }],
    'properties': {
      a: { 'type': 'array', 'minItems': 1, 'items': { type: 'string', pattern: '^a$' }, 'x-kubernetes-list-type': 'set' },
      b: { 'x-kubernetes-int-or-string': true, 'anyOf': [{ type: 'integer' }, { type: 'string' }], 'default': 1 },
      c: { type: 'object', nullable: true, additionalProperties: { type: 'string', pattern: '^a$', description: 'the same' } },
      d: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-embedded-resource': true },
    },
  })).toEqual([
    { type: 'string', pattern: '^a$' },
    { type: 'array', minItems: 1, set: true, items: 0 },
    { type: 'int-or-string', default: 1 },
    { type: 'object', nullable: true, values: 0 },
    { type: 'object', open: true, embedded: true },
    { type: 'object', required: ['a', 'b'], fields: { a: 1, b: 2, c: 3, d: 4 } },
  ]);
});

test('a status may be anything where it is a subresource', () => {
  const schema: OpenApiSchema = { type: 'object', properties: { status: { type: 'string' } } };
  expect(nodesOf(schema)).toEqual([{ type: 'string' }, { type: 'object', fields: { status: 0 } }]);
  expect(nodesOf(schema, { subresources: { status: {} } })).toEqual([{ open: true }, { type: 'object', fields: { status: 0 } }]);
});

test('what a schema says of metadata is refused: nobody would look at it', () => {
  const properties = { metadata: { type: 'object', description: 'of the object', properties: { name: { type: 'string', maxLength: 40 } } } };
  expect(() => nodesOf({ type: 'object', properties })).toThrow('Box/v1.metadata');
});

test.each<[why: string, schema: OpenApiSchema, error: string]>([
  ['keywords without a word', { multipleOf: 2 }, 'keywords that the structure has no words for: multipleOf'],
  ['alternatives', { anyOf: [{ required: ['a'] }] }, 'has alternatives'],
  ['other alternatives than integer and string', { 'x-kubernetes-int-or-string': true, 'anyOf': [{ type: 'string' }] }, 'other alternatives'],
  ['a type that is not known', { type: 'file' }, 'has type \'file\''],
  ['a pattern that only Go can read', { type: 'string', pattern: '^\\p{Letter}$' }, 'only Go can read'],
  ['choices that are no scalars', { type: 'array', enum: [['a']] }, 'choices that are no scalars'],
  ['a set of objects', { 'type': 'array', 'items': { type: 'object' }, 'x-kubernetes-list-type': 'set' }, 'is a set of something other than scalars'],
  ['keys that are maps', {
    'type': 'array', 'items': { type: 'object', properties: { a: { type: 'object' } } }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a'],
  }, 'keys that are no scalars'],
  ['a list of a type that is not known', { 'type': 'array', 'x-kubernetes-list-type': 'bag' }, 'a list of a type that is not known'],
])('nothing gets lost: %s', (_, schema, error) => {
  expect(() => nodesOf({ type: 'object', properties: { a: schema } })).toThrow('Box/v1.a');
  expect(() => nodesOf({ type: 'object', properties: { a: schema } })).toThrow(error);
});
