import { FileNode } from '../../src/manifests/rules/structure/kind-structure';
import { matchesGoPattern } from '../../src/manifests/schema/formats';
import { ValueType } from '../../src/manifests/schema/schema-node';
import { OpenApiSchema } from '../crds/definition';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Keywords that are written as they are. */
const KEPT = [
  'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'default', 'format',
] as const;

/** Marks the metadata of an object that a Kubernetes kind describes inside another one, such as a template of pods. */
export const METADATA = 'x-structure-metadata';

/** Keywords that are looked at one by one, and those that say nothing about which values are accepted, or say it in CEL. */
const READ: ReadonlySet<string> = new Set([
  ...KEPT, 'type', 'enum', 'nullable', 'required', 'properties', 'additionalProperties', 'items', 'anyOf',
  'x-kubernetes-int-or-string', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type', 'x-kubernetes-list-map-keys',
  'description', 'title', 'example', 'externalDocs', 'x-kubernetes-map-type', 'x-kubernetes-validations', METADATA,
]);

const TYPES: ReadonlySet<string> = new Set<ValueType>(['object', 'array', 'string', 'integer', 'number', 'boolean', 'quantity']);

/** The nodes of one file. Equal parts of schemas are one node, and what lies inside a node comes before it. */
export class NodeTable {
  /** The nodes so far. */
  public readonly nodes: FileNode[] = [];

  private readonly positions = new Map<string, number>();

  /**
   * Adds a schema.
   *
   * @param schema the schema as upstream wrote it
   * @param place where it stands in the API, for errors
   * @returns the position of its node
   * @throws for what the table has no words for: it must not get lost
   */
  public add(schema: OpenApiSchema, place: string): number {
    const unread = Object.keys(schema).filter((keyword) => !READ.has(keyword));
    if (unread.length > 0) throw new Error(`${place} has keywords that the structure has no words for: ${unread.join(', ')}`);

    const node: Writable<FileNode> = { ...type(schema, place), ...limits(schema, place), ...list(schema, place) };
    if (schema.properties) {
      const names = Object.keys(schema.properties).sort();
      node.fields = Object.fromEntries(names.map((name) => [name, this.add(schema.properties![name], `${place}.${name}`)]));
    }
    if (schema['x-kubernetes-preserve-unknown-fields'] || schema.additionalProperties === true) node.open = true;
    if (schema['x-kubernetes-embedded-resource']) node.embedded = true;
    if (schema[METADATA]) node.metadata = true;
    if (typeof schema.additionalProperties === 'object') node.values = this.add(schema.additionalProperties, `${place}.*`);
    if (schema.items) node.items = this.add(schema.items, `${place}[]`);
    return this.position(node);
  }

  private position(node: FileNode): number {
    const text = JSON.stringify(node);
    const known = this.positions.get(text);
    if (known !== undefined) return known;
    this.positions.set(text, this.nodes.length);
    return this.nodes.push(node) - 1;
  }
}

function type(schema: OpenApiSchema, place: string): FileNode {
  const nullable = schema.nullable ? { nullable: true as const } : {};
  if (schema['x-kubernetes-int-or-string']) {
    const alternatives = JSON.stringify(schema.anyOf ?? [{ type: 'integer' }, { type: 'string' }]);
    if (alternatives !== '[{"type":"integer"},{"type":"string"}]') throw new Error(`${place} has other alternatives than integer and string: ${alternatives}`);
    return { type: 'int-or-string', ...nullable };
  }
  if (schema.anyOf) throw new Error(`${place} has alternatives, for which the structure has no words`);
  if (schema.type === undefined) return nullable;
  if (!TYPES.has(schema.type)) throw new Error(`${place} has type '${schema.type}', which is not known`);
  return { type: schema.type as ValueType, ...nullable };
}

function limits(schema: OpenApiSchema, place: string): FileNode {
  if (schema.pattern !== undefined && matchesGoPattern(schema.pattern, '') === undefined) throw new Error(`${place} has a pattern that only Go can read: ${schema.pattern}`);
  if (schema.enum?.some((value) => !['string', 'number', 'boolean'].includes(typeof value))) throw new Error(`${place} has choices that are no scalars`);
  const kept = Object.fromEntries(KEPT.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]]));
  return {
    ...kept,
    ...(schema.enum && { enum: schema.enum as FileNode['enum'] }),
    ...(schema.required && schema.required.length > 0 && { required: [...schema.required].sort() }),
  };
}

function list(schema: OpenApiSchema, place: string): FileNode {
  const keys = schema['x-kubernetes-list-map-keys'] as readonly string[] | undefined;
  switch (schema['x-kubernetes-list-type']) {
    case undefined:
    case 'atomic':
      return {};
    case 'map':
      if (keys?.some((key) => !isScalar(schema.items?.properties?.[key]))) throw new Error(`${place} has keys that are no scalars`);
      return { keys };
    case 'set':
      if (!isScalar(schema.items)) throw new Error(`${place} is a set of something other than scalars`);
      return { set: true };
    default:
      throw new Error(`${place} is a list of a type that is not known`);
  }
}

function isScalar(schema: OpenApiSchema | undefined): boolean {
  return ['string', 'integer', 'number', 'boolean'].includes(schema?.type ?? '') || schema?.['x-kubernetes-int-or-string'] === true;
}
