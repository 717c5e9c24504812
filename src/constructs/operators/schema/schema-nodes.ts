import { JsonSchema, OBJECT_FIELDS } from '../../../manifests/schema/json-schema';

/** Where a schema stands in another one. */
export type SchemaPlace = 'root' | 'field' | 'entry' | 'value' | 'junctor';

/** A schema inside the schema of a version. */
export interface SchemaNode {
  readonly schema: JsonSchema;

  /** Path of what it describes, `[*]` for the entries of a list and the values of a map. */
  readonly path: string;

  readonly place: SchemaPlace;

  /** The schema around it; the root has none. */
  readonly parent?: SchemaNode;

  /** True if it says something about `apiVersion`, `kind` or `metadata` of the custom resource itself. */
  readonly objectField: boolean;

  /** How often what it describes can be there; undefined where nothing limits it. */
  readonly repeats?: number;

  /** Path of the outermost list or map whose entries cannot be told apart after an update. */
  readonly uncorrelated?: string;
}

type Child = Pick<SchemaNode, 'schema' | 'path' | 'place'> & { readonly name?: string };

/** A schema and all schemas inside it, itself first. */
export function* nodesOf(schema: JsonSchema, path: string): Generator<SchemaNode> {
  yield* below({ schema, path, place: 'root', objectField: false, repeats: 1 });
}

function* below(node: SchemaNode): Generator<SchemaNode> {
  yield node;
  for (const { name, ...child } of childrenOf(node)) {
    yield* below({
      ...child,
      parent: node,
      objectField: node.objectField || (node.place === 'root' && name !== undefined && OBJECT_FIELDS.includes(name)),
      repeats: repeatsOf(node),
      uncorrelated: node.uncorrelated ?? (losesTrack(node.schema, child.place) ? node.path : undefined),
    });
  }
}

function childrenOf({ schema, path, place }: SchemaNode): Child[] {
  const { properties, additionalProperties, items, allOf = [], anyOf = [], oneOf = [], not } = schema;
  const inner = (to: SchemaPlace): SchemaPlace => (place === 'junctor' ? 'junctor' : to);
  return [
    ...Object.entries(properties ?? {}).map(([name, child]): Child => ({ schema: child, path: `${path}.${name}`, place: inner('field'), name })),
    ...(typeof additionalProperties === 'object' ? [{ schema: additionalProperties, path: `${path}[*]`, place: inner('value') }] : []),
    ...(items ? [{ schema: items, path: `${path}[*]`, place: inner('entry') }] : []),
    ...Object.entries({ allOf, anyOf, oneOf, not: not ? [not] : [] })
      .flatMap(([, parts]) => parts.map((child): Child => ({ schema: child, path, place: 'junctor' }))),
  ];
}

function repeatsOf({ schema, repeats }: SchemaNode): number | undefined {
  const most = schema.type === 'array' ? schema.maxItems : (schema.additionalProperties === undefined ? 1 : schema.maxProperties);
  return most === undefined || repeats === undefined ? undefined : repeats * most;
}

function losesTrack(schema: JsonSchema, place: SchemaPlace): boolean {
  if (place === 'entry') return schema['x-kubernetes-list-type'] !== 'map';
  return place === 'field' && schema['x-kubernetes-map-type'] === 'atomic';
}
