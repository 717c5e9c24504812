import { refusedKeyword } from './check-keywords';
import { checkShape, PlacedSchema, placedSchemas, TYPES } from './schema-shape';
import { fieldAt, FieldPath, Fields, isFields, isSet, objectsAt } from '../values/fields';
import { Finding, findingsAt } from '../values/finding';

/** Keywords that decide what a value is made of. `allOf`, `anyOf`, `oneOf` and `not` may only narrow it. */
const STRUCTURE: readonly string[] = [
  'additionalProperties', 'default', 'description', 'nullable', 'title', 'type', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys', 'x-kubernetes-list-type', 'x-kubernetes-map-type', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-validations',
];

/** `anyOf: [{ type: integer }, { type: string }]`, which old tools write beside `x-kubernetes-int-or-string`. */
const INT_OR_STRING = '[{"type":"integer"},{"type":"string"}]';

/**
 * Checks that the schema of a version is structural. Unknown keywords at its root are not reported: the structure of definitions has them.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/validation.go (`ValidateStructural`) and
 * pkg/apis/apiextensions/validation/validation.go (`ValidateCustomResourceDefinitionOpenAPISchema`).
 */
export function checkStructuralSchema(root: Fields): Finding[] {
  return placedSchemas(root).flatMap((placed) => {
    const { schema, isPart } = placed;
    const faults = [
      ...keywordFaults(placed),
      ...checkShape(schema, isPart).map(({ keyword, message, accepted, fix }) => faultAt([keyword], message, fix, accepted)),
      ...(isPart ? partFaults(placed) : [...typeFaults(placed), ...extensionFaults(schema), ...objectFieldFaults(placed)]),
    ];
    return findingsAt(placed.path, faults);
  });
}

function faultAt(path: FieldPath, message: string, fix: string, accepted?: string): Finding {
  return { path, message, fix, ...(accepted !== undefined && { accepted }) };
}

function keywordFaults({ schema, parent, isLenient }: PlacedSchema): Finding[] {
  return Object.keys(schema).flatMap((keyword) => {
    const refused = refusedKeyword(keyword, schema[keyword]);
    return refused && (refused.isRead || (parent && !isLenient)) ? [faultAt([keyword], refused.message, refused.fix)] : [];
  });
}

function typeFaults({ schema, parent }: PlacedSchema): Finding[] {
  const { type, additionalProperties } = schema;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isOther = typeof type === 'string' && TYPES.includes(type) && type !== 'object';
  return [
    ...(isOther && !parent ? [faultAt(['type'], `the schema of a version describes ${type}`, 'write type: object', 'object')] : []),
    ...(isOther && parent && isEmbedded ? [faultAt(['type'], `an embedded object has the type ${type}`, 'write type: object', 'object')] : []),
    ...((isFields(additionalProperties) || additionalProperties === true) && !parent
      ? [faultAt(['additionalProperties'], 'the schema of a version is an object', 'write properties instead')] : []),
    ...(additionalProperties === false ? [faultAt(['additionalProperties'], 'additionalProperties is false', 'remove it: fields without a schema are dropped')] : []),
    ...(schema.nullable === true && !parent ? [faultAt(['nullable'], 'the whole object may be null', 'remove nullable')] : []),
  ];
}

function extensionFaults(schema: Fields): Finding[] {
  const { type, properties, additionalProperties } = schema;
  const preserved = schema['x-kubernetes-preserve-unknown-fields'];
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const mapType = schema['x-kubernetes-map-type'];
  const isConflict = schema['x-kubernetes-int-or-string'] === true && (preserved === true || isEmbedded);
  const hasFields = isFields(properties) && Object.keys(properties).length > 0;
  return [
    ...(preserved === false ? [faultAt(['x-kubernetes-preserve-unknown-fields'], 'x-kubernetes-preserve-unknown-fields is false', 'remove it', 'true')] : []),
    ...(isConflict ? [faultAt(['x-kubernetes-int-or-string'], 'a whole number or string has no fields to keep', 'remove x-kubernetes-int-or-string, or what is said about fields')] : []),
    ...(isEmbedded && (isFields(additionalProperties) || additionalProperties === true)
      ? [faultAt(['additionalProperties'], 'an embedded object is an object', 'remove additionalProperties')] : []),
    ...(isEmbedded && preserved !== true && !hasFields
      ? [faultAt(['properties'], 'an embedded object has no fields', 'add properties or x-kubernetes-preserve-unknown-fields')] : []),
    ...(typeof mapType === 'string' && (type !== 'object' || !['atomic', 'granular'].includes(mapType))
      ? [faultAt(['x-kubernetes-map-type'], `x-kubernetes-map-type is ${JSON.stringify(mapType)} on the type ${String(type)}`, 'correct it', 'atomic or granular, on an object')] : []),
  ];
}

/** What a schema says about the fields that every object has. */
function objectFieldFaults({ schema, parent }: PlacedSchema): Finding[] {
  if (parent && schema['x-kubernetes-embedded-resource'] !== true) return [];
  return [['apiVersion', 'string'], ['kind', 'string'], ['metadata', 'object']].flatMap(([name, wanted]) => {
    const field = fieldAt(schema, 'properties', name);
    if (!isFields(field)) return [];
    const path = ['properties', name];
    if (field.type !== wanted) return [faultAt([...path, 'type'], `${name} is described as ${typeof field.type === 'string' ? field.type : 'no type'}`, `remove ${name} from the schema`, wanted)];
    return name === 'metadata' && !parent && limitsMetadata(field)
      ? [faultAt(path, 'the schema limits metadata', 'remove everything else', 'limits of name and generateName')] : [];
  });
}

function limitsMetadata({ type: _, properties, ...more }: Fields): boolean {
  const names = isFields(properties) ? Object.keys(properties) : [];
  return names.some((name) => !['name', 'generateName'].includes(name)) || Object.keys(more).some((keyword) => isSet(more, keyword) && more[keyword] !== false);
}

function partFaults({ schema, parent }: PlacedSchema): Finding[] {
  const structural = isIntOrString(schema, parent) ? [] : STRUCTURE.filter((keyword) => isSaid(schema, keyword));
  return [
    ...structural.map((keyword) => faultAt([keyword], `${keyword} stands inside allOf, anyOf, oneOf or not`, `write ${keyword} outside, and only limit values here`)),
    ...(isFields(fieldAt(schema, 'properties', 'metadata')) ? [faultAt(['properties', 'metadata'], 'metadata is limited inside allOf, anyOf, oneOf or not', 'remove it')] : []),
    ...(!parent || parent.isPart ? [] : missingFields(schema, parent.schema).map((name) => faultAt(
      [], `"${name}" is limited inside allOf, anyOf, oneOf or not, and is no field of the schema`, `add ${name} to the schema, or remove it here`,
    ))),
  ];
}

function isSaid(schema: Fields, keyword: string): boolean {
  const value = schema[keyword];
  return isSet(schema, keyword) && value !== '' && (value !== false || keyword === 'default') && !(Array.isArray(value) && value.length === 0);
}

function isIntOrString(schema: Fields, parent: PlacedSchema | undefined): boolean {
  const outer = parent?.isPart ? parent.parent : parent;
  return outer?.schema['x-kubernetes-int-or-string'] === true && JSON.stringify(parent!.schema.anyOf) === INT_OR_STRING
    && objectsAt(parent!.schema, 'anyOf').some(([part]) => part === schema);
}

/** What is limited must be there: every field in a part is a field outside of it. */
function missingFields(part: Fields, structure: Fields): string[] {
  const own = Object.entries(isFields(part.properties) ? part.properties : {}).flatMap(([name, inner]) => {
    const outer = schemaOf(structure, name);
    if (!outer) return [name];
    return isFields(inner) ? missingFields(inner, outer) : [];
  });
  const entries = isFields(part.items) ? (isFields(structure.items) ? missingFields(part.items, structure.items) : ['items']) : [];
  const nested = [...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => objectsAt(part, keyword).map(([one]) => one)), ...isFields(part.not) ? [part.not] : []];
  return [...new Set([...own, ...entries, ...nested.flatMap((one) => missingFields(one, structure))])];
}

function schemaOf({ properties, additionalProperties }: Fields, name: string): Fields | undefined {
  const own = isFields(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  return isFields(own) ? own : undefined;
}
