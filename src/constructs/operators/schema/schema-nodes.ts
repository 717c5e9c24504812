import { JsonSchema, OBJECT_FIELDS } from '../../../manifests/schema/schema-node';

/** Place of a schema in another one; everything inside `allOf`, `anyOf`, `oneOf` and `not` is a junctor. */
type SchemaPlace = 'root' | 'field' | 'entry' | 'value' | 'junctor';

/** A schema inside the schema of a version. */
export interface SchemaNode {
  readonly schema: JsonSchema;

  /** Path of the described value, `[*]` for the entries of a list and the values of a map. */
  readonly path: string;

  readonly place: SchemaPlace;

  /** True if it describes `apiVersion`, `kind` or `metadata` of the custom resource itself. */
  readonly objectField: boolean;

  /** Maximum number of the described values in an object; undefined if there is no limit. */
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
    ...[...allOf, ...anyOf, ...oneOf, ...(not ? [not] : [])].map((child): Child => ({ schema: child, path, place: 'junctor' })),
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

/**
 * Parses a path such as `.spec.replicas` or `.metadata.annotations['a.b']`.
 *
 * @returns the names in the path, or undefined if the string is not such a path
 */
export function namesInPath(path: string): string[] | undefined {
  const parts = /^(?:\.[^.[\]\s']+|\['(?:[^'\\]|\\.)+'\])+$/.test(path) ? path.match(/\.[^.[\]\s']+|\['(?:[^'\\]|\\.)+'\]/g) : undefined;
  return parts?.map((part) => (part.startsWith('.') ? part.slice(1) : part.slice(2, -2).replace(/\\(.)/g, '$1')));
}

/** The schema that a path leads to; undefined if it leads nowhere. Paths do not enter lists. */
export function schemaAt(schema: JsonSchema, names: readonly string[]): JsonSchema | undefined {
  return names.reduce<JsonSchema | undefined>((place, name) => {
    if (place?.properties) return Object.hasOwn(place.properties, name) ? place.properties[name] : undefined;
    return typeof place?.additionalProperties === 'object' ? place.additionalProperties : undefined;
  }, schema);
}

/** True if a schema on the way of a path preserves fields that it does not describe. */
export function isOpenOnTheWay(schema: JsonSchema, names: readonly string[]): boolean {
  return names.some((_name, index) => schemaAt(schema, names.slice(0, index))?.['x-kubernetes-preserve-unknown-fields'] === true);
}
