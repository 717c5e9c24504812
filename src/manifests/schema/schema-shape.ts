import { FieldPath, Fields, isFields, isSet, objectsAt } from '../values/fields';

/** The types of values that schemas know. */
export const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

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

/** What is wrong with the shape of a schema. */
export interface ShapeFault {
  readonly code: 'type-missing' | 'type-unknown' | 'items-missing' | 'fields-and-values';

  /** The keyword that is wrong or missing. */
  readonly keyword: string;

  /** What is wrong. No full stop at the end. */
  readonly message: string;

  /** Accepted values. */
  readonly accepted?: string;

  /** What to do about it, as an instruction. No full stop at the end. */
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
  if ((isFields(additionalProperties) || additionalProperties === true) && isFields(properties) && Object.keys(properties).length > 0) {
    faults.push({
      code: 'fields-and-values',
      keyword: 'additionalProperties',
      message: 'an object has either fields with given names or fields of any name, and this one has both',
      fix: 'keep properties or additionalProperties',
    });
  }
  return faults;
}
