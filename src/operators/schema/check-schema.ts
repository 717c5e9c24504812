import { checkDefault } from './default-checks';
import { checkLimits } from './limit-checks';
import { checkListType } from './list-checks';
import { nodesOf } from './schema-nodes';
import { checkStructure } from './structure-checks';
import { checkValidations } from './validation-checks';
import { Problem } from '../../problems/problem';
import { checkKeywords } from '../../schema/check-keywords';
import { JsonSchema } from '../../schema/json-schema';
import { CRD_RULES } from '../custom-resource/crd-rules';

/**
 * Checks the schema of a version as the API server does, as far as it goes without CEL.
 *
 * @param schema the schema
 * @param property where it stands
 */
export function checkSchema(schema: JsonSchema, property: string): Problem[] {
  const malformed = checkKeywords(schema);
  if (malformed.length > 0) return malformed.map(({ path, ...fault }) => ({ rule: CRD_RULES.schema, property: [property, ...path].join('.'), ...fault }));
  const nodes = [...nodesOf(schema, property)];
  const structure = nodes.flatMap((node) => [...checkStructure(node), ...checkListType(node)]);
  // What is said about values means something only once it is clear what the values are.
  return structure.length > 0 ? structure : nodes.flatMap((node) => [...checkLimits(node), ...checkDefault(node), ...checkValidations(node)]);
}

const SOUND = new WeakMap<JsonSchema, boolean>();

/** Whether nothing is wrong with a schema, so that values can be held to it. Found out once: a type may have any number of objects. */
export function isSound(schema: JsonSchema): boolean {
  const known = SOUND.get(schema) ?? checkSchema(schema, '').length === 0;
  SOUND.set(schema, known);
  return known;
}
