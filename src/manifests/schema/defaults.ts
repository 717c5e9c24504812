import { SchemaNode } from './schema-node';
import { Fields, isFields } from '../values/fields';

const NONE: readonly (readonly [string, SchemaNode])[] = [];
/** Objects as they were given, by their copies. */
const GIVEN = new WeakMap<Fields, Fields>();

const HAVE_DEFAULTS = new WeakMap<SchemaNode, boolean>();

const DEFAULTED = new WeakMap<SchemaNode, readonly (readonly [string, SchemaNode])[]>();

/**
 * A value with the defaults of its schema, as an API server writes them before it validates. The value is not changed, and what gets no default is
 * not copied. Null counts as unset where a field has a default and may not be null.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/algorithm.go.
 */
export function withDefaults(node: SchemaNode, value: unknown): unknown {
  if (!hasDefaults(node)) return value;
  if (Array.isArray(value)) return node.items ? changedList(node.items, value) : value;
  if (!isFields(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const inside = node.fields?.get(name) ?? node.values;
    const given = value[name];
    if (!inside || typeof given !== 'object' || given === null) continue;
    const written = withDefaults(inside, given);
    if (written !== given) (copy ??= { ...value })[name] = written;
  }
  for (const [name, field] of defaultedFields(node)) {
    const given: unknown = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined || (given === null && !field.nullable)) (copy ??= { ...value })[name] = withDefaults(field, field.default);
  }
  if (!copy) return value;
  GIVEN.set(copy, value);
  return copy;
}

/** True if a field somewhere in a node has a default. */
function hasDefaults(node: SchemaNode): boolean {
  const known = HAVE_DEFAULTS.get(node);
  if (known !== undefined) return known;
  // A schema may be part of itself.
  HAVE_DEFAULTS.set(node, true);
  const inside = [node.values, node.items, ...node.fields?.values() ?? []].filter((one) => one !== undefined);
  const found = defaultedFields(node).length > 0 || inside.map(hasDefaults).includes(true);
  HAVE_DEFAULTS.set(node, found);
  return found;
}

/** An object as it was before defaults were written. */
export function withoutDefaults(object: Fields): Fields {
  return GIVEN.get(object) ?? object;
}

/** An object with the defaults of its schema. */
export function objectWithDefaults(root: SchemaNode, object: Fields): Fields {
  return withDefaults(root, object) as Fields;
}

function changedList(items: SchemaNode, list: readonly unknown[]): readonly unknown[] {
  const written = list.map((entry) => withDefaults(items, entry));
  return written.every((entry, index) => entry === list[index]) ? list : written;
}

/** The fields of a node that have a default. */
function defaultedFields(node: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  if (!node.fields) return NONE;
  let found = DEFAULTED.get(node);
  if (!found) DEFAULTED.set(node, found = [...node.fields].filter(([, field]) => field.default !== undefined));
  return found;
}
