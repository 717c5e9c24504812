import { checkDefault } from './default-checks';
import { checkLimits } from './limit-checks';
import { checkListType } from './list-checks';
import { nodesOf, SchemaNode } from './schema-nodes';
import { checkValidations } from './validation-checks';
import { checkKeywords } from '../../../manifests/schema/check-keywords';
import { JsonSchema } from '../../../manifests/schema/json-schema';
import { checkStructuralSchema } from '../../../manifests/schema/structural-schema';
import { Problem, problemIf } from '../../../manifests/values/problem';
import { CRD_RULES } from '../custom-resource/crd-rules';

/**
 * Checks the schema of a version as the API server does, as far as it goes without CEL, if it is structural: a rule over definitions reports
 * that it is not.
 *
 * @param schema the schema
 * @param property where it stands
 */
export function checkSchema(schema: JsonSchema, property: string): Problem[] {
  const malformed = checkKeywords(schema);
  if (malformed.length > 0) {
    return malformed.filter(({ isRefused }) => !isRefused).map(({ path, message, accepted, fix }) => (
      { rule: CRD_RULES.schema, property: [property, ...path].join('.'), message, accepted, fix }));
  }
  if (!isStructural(schema)) return [];
  const nodes = [...nodesOf(schema, property)];
  const structure = nodes.flatMap((node) => [...checkInside(node), ...checkListType(node)]);
  // What is said about values means something only once it is clear what the values are.
  return structure.length > 0 ? structure : nodes.flatMap((node) => [...checkLimits(node), ...checkDefault(node), ...checkValidations(node)]);
}

/** True if a schema is one that API servers read: paths lead into it, and its values mean something. */
export function isStructural(schema: JsonSchema): boolean {
  return checkKeywords(schema).length === 0 && checkStructuralSchema({ ...schema }).length === 0;
}

/** The API server ignores what does not belong to the type. */
function checkInside({ schema, path, place }: SchemaNode): Problem[] {
  const { type, items, properties, additionalProperties } = schema;
  if (place === 'junctor') return [];
  return [
    ...problemIf(CRD_RULES.schema, path, items && type !== 'array' ? `items belong to a list, and the type is ${type}` : undefined, 'remove items, or make the type "array"'),
    ...problemIf(CRD_RULES.schema, path, (properties ?? additionalProperties) !== undefined && type !== 'object' && type !== undefined
      ? `fields belong to an object, and the type is ${type}` : undefined, 'remove the fields, or make the type "object"'),
  ];
}

const SOUND = new WeakMap<JsonSchema, boolean>();

/** True if nothing is wrong with a schema, so that values can be held to it. Found out once: a type may have any number of objects. */
export function isSound(schema: JsonSchema): boolean {
  const known = SOUND.get(schema) ?? (isStructural(schema) && checkSchema(schema, '').length === 0);
  SOUND.set(schema, known);
  return known;
}
