import { refusedKeyword } from './check-keywords';
import { fieldAt, FieldPath, Fields, isFields, isSet, objectsAt } from '../values/fields';
import { Finding, findingsAt } from '../values/finding';

/** The types of values that schemas know. */
const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Deeper schemas are not checked: the time for a manifest must have a bound. */
const DEEPEST = 200;

/** A schema, and where it is in another one. */
export interface PlacedSchema {
  readonly schema: Fields;

  /** The keywords, names and indexes that lead to it. */
  readonly path: FieldPath;

  /** The schema around it; the root has none. */
  readonly parent?: PlacedSchema;

  /** True if it is inside `allOf`, `anyOf`, `oneOf` or `not`, where it narrows values and need not have a type. */
  readonly isPart: boolean;

  /** True if it is inside `items` or `additionalProperties`, where API servers drop keywords that they do not know. */
  readonly isLenient: boolean;
}

/** A schema of any JSON and all schemas inside it, itself first. */
export function placedSchemas(schema: Fields, path: FieldPath = []): PlacedSchema[] {
  return below({ schema, path, isPart: false, isLenient: false }, 0);
}

function below(placed: PlacedSchema, depth: number): PlacedSchema[] {
  const { schema, path } = placed;
  if (depth > DEEPEST) return [];
  const inside = (value: unknown, steps: FieldPath, more: Partial<PlacedSchema> = {}) => (
    isFields(value) ? below({ ...placed, ...more, schema: value, path: [...path, ...steps], parent: placed }, depth + 1) : []);
  return [
    placed,
    ...Object.entries(isFields(schema.properties) ? schema.properties : {}).flatMap(([name, value]) => inside(value, ['properties', name])),
    ...['items', 'additionalProperties'].flatMap((keyword) => inside(schema[keyword], [keyword], { isLenient: true })),
    ...inside(schema.not, ['not'], { isPart: true }),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => objectsAt(schema, keyword).flatMap(([value, index]) => inside(value, [keyword, index], { isPart: true }))),
  ];
}

/** True if a schema is deeper than what is checked. */
export function isTooDeep(schema: unknown, depth = 0): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  // Each level of a schema is two of its JSON at most.
  return depth > 2 * DEEPEST || Object.values(schema).some((inside) => isTooDeep(inside, depth + 1));
}

/** Fault of the shape of a schema. */
export interface ShapeFault {
  readonly code: 'type-missing' | 'type-unknown' | 'items-missing' | 'fields-and-values';

  /** The keyword that is wrong or missing. */
  readonly keyword: string;

  /** Message. No full stop at the end. */
  readonly message: string;

  /** Accepted values. */
  readonly accepted?: string;

  /** Fix, as an instruction. No full stop at the end. */
  readonly fix: string;
}

/**
 * Checks that a schema has a known type, lists have a schema of their entries, and objects have fields or values, not both.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/validation.go (validateStructuralInvariants).
 */
export function checkShape(schema: Fields, isPart = false): ShapeFault[] {
  const { type, items, properties, additionalProperties } = schema;
  const isOpen = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const hasType = isSet(schema, 'type') && type !== '';
  const faults: ShapeFault[] = [];
  const accepted = TYPES.join(', ');
  if (!hasType && !isOpen && !isPart) {
    faults.push({ code: 'type-missing', keyword: 'type', message: 'the schema has no type', accepted, fix: 'add the type, or x-kubernetes-preserve-unknown-fields: true for any value' });
  } else if (hasType && typeof type === 'string' && !TYPES.includes(type)) {
    faults.push({ code: 'type-unknown', keyword: 'type', message: `${JSON.stringify(type)} is no type`, accepted, fix: 'correct the type' });
  }
  if (type === 'array' && !isFields(items) && !isPart) {
    faults.push({ code: 'items-missing', keyword: 'items', message: 'the list has no schema of its entries', fix: 'add items' });
  }
  if ((isFields(additionalProperties) || additionalProperties === false) && isFields(properties) && Object.keys(properties).length > 0) {
    faults.push({
      code: 'fields-and-values',
      keyword: 'additionalProperties',
      message: 'an object has either fields with given names or fields of any name, and this one has both',
      fix: 'keep properties or additionalProperties',
    });
  }
  return faults;
}

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

/** Faults of the schemas of the fields that every object has. */
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

function partFaults(placed: PlacedSchema): Finding[] {
  const { schema, parent } = placed;
  const structural = isIntOrString(schema, parent) ? [] : STRUCTURE.filter((keyword) => isSaid(schema, keyword));
  return [
    ...structural.map((keyword) => faultAt([keyword], `${keyword} stands inside allOf, anyOf, oneOf or not`, `write ${keyword} outside, and only limit values here`)),
    ...(isFields(fieldAt(schema, 'properties', 'metadata')) ? [faultAt(['properties', 'metadata'], 'metadata is limited inside allOf, anyOf, oneOf or not', 'remove it')] : []),
    ...(parent && !parent.parent ? limitsWithoutField(placed, () => false) : []),
  ];
}

/**
 * Limits of fields that a schema does not have. At the root API servers refuse them (validateStructuralCompleteness). Below it they drop such
 * fields from objects, so that the limits have no effect.
 */
export function checkIdleLimits(root: Fields): Finding[] {
  return placedSchemas(root).filter(({ isPart, parent }) => isPart && parent?.parent)
    .flatMap((placed) => findingsAt(placed.path, limitsWithoutField(placed, keepsAnyField)));
}

function limitsWithoutField({ schema, parent }: PlacedSchema, keepsAny: (structure: Fields) => boolean): Finding[] {
  return !parent || parent.isPart ? [] : missingFields(schema, parent.schema, keepsAny).map((name) => faultAt(
    [], `"${name}" is limited inside allOf, anyOf, oneOf or not, and is no field of the schema`, `add ${name} to the schema, or remove it here`,
  ));
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

/** The fields that a part limits and the structure around it does not have. API servers drop none of an object that keeps fields of any name. */
function missingFields(part: Fields, structure: Fields, keepsAny: (structure: Fields) => boolean): string[] {
  if (keepsAny(structure)) return [];
  const own = Object.entries(isFields(part.properties) ? part.properties : {}).flatMap(([name, inner]) => {
    const outer = fieldAt(structure, 'properties', name);
    if (!isFields(outer)) return [name];
    return isFields(inner) ? missingFields(inner, outer, keepsAny) : [];
  });
  const entries = isFields(part.items) ? (isFields(structure.items) ? missingFields(part.items, structure.items, keepsAny) : ['items']) : [];
  const nested = [...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => objectsAt(part, keyword).map(([one]) => one)), ...isFields(part.not) ? [part.not] : []];
  return [...new Set([...own, ...entries, ...nested.flatMap((one) => missingFields(one, structure, keepsAny))])];
}

function keepsAnyField(structure: Fields): boolean {
  return isSet(structure, 'additionalProperties') || ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'].some((keyword) => structure[keyword] === true);
}
