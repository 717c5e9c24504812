import { JsonSchema } from '../../../manifests/schema/json-schema';

/**
 * The names in a path such as `.spec.replicas` or `.metadata.annotations['a.b']`.
 *
 * @returns the names, or undefined if the text is no such path
 */
export function namesInPath(path: string): string[] | undefined {
  const parts = /^(?:\.[^.[\]\s']+|\['(?:[^'\\]|\\.)+'\])+$/.test(path) ? path.match(/\.[^.[\]\s']+|\['(?:[^'\\]|\\.)+'\]/g) : undefined;
  return parts?.map((part) => (part.startsWith('.') ? part.slice(1) : part.slice(2, -2).replace(/\\(.)/g, '$1')));
}

/** The schema that a path leads to; undefined where it leads nowhere. Lists are not entered. */
export function schemaAt(schema: JsonSchema, names: readonly string[]): JsonSchema | undefined {
  return names.reduce<JsonSchema | undefined>((place, name) => {
    if (place?.properties) return Object.hasOwn(place.properties, name) ? place.properties[name] : undefined;
    return typeof place?.additionalProperties === 'object' ? place.additionalProperties : undefined;
  }, schema);
}

/** True if fields that the schema does not describe are kept somewhere on the way of a path. */
export function isOpenOnTheWay(schema: JsonSchema, names: readonly string[]): boolean {
  return names.some((_name, index) => schemaAt(schema, names.slice(0, index))?.['x-kubernetes-preserve-unknown-fields'] === true);
}
