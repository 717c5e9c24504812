import { FieldPath, isFields } from './fields';
import { Finding } from './finding';
import { parseGoDuration } from './go-duration';
import { checkQuantity } from './quantity';

/** A field of a configuration: those in it, or the type of its value. */
export interface FieldNode {
  readonly fields: Map<string, FieldNode>;
  type?: string;
}

/** A step that stands for the elements of a list. */
const ELEMENT = '[]';

/** A step that stands for any key. */
const ANY_KEY = '*';

/**
 * The tree of the fields of a configuration.
 *
 * @param types type of each field by its path, such as `apiServer.certSANs[]`
 */
export function fieldTree(types: Iterable<readonly [path: string, type: string]>): FieldNode {
  const root: FieldNode = { fields: new Map() };
  for (const [path, type] of types) leafAt(root, path).type = type;
  return root;
}

function leafAt(root: FieldNode, path: string): FieldNode {
  return path.replaceAll(ELEMENT, `.${ELEMENT}`).split('.').reduce((node, step) => {
    const inner = node.fields.get(step) ?? { fields: new Map() };
    node.fields.set(step, inner);
    return inner;
  }, root);
}

/** True if a tree has a field. */
export function hasField(tree: FieldNode, path: FieldPath): boolean {
  return path.reduce<FieldNode | undefined>((node, step) => (
    typeof step === 'number' ? node?.fields.get(ELEMENT) : node?.fields.get(step) ?? node?.fields.get(ANY_KEY)), tree) !== undefined;
}

/** Findings of a field that its parent does not have. */
export type UnknownField = (path: FieldPath, field: string, parent: FieldNode) => readonly Finding[];

/** Checks names and types of the fields of a value, in their order. A value of the type `any` may be anything. */
export function checkFieldTree(value: unknown, node: FieldNode, unknown: UnknownField, path: FieldPath = []): Finding[] {
  if (value === undefined || value === null) return [];
  const element = node.fields.get(ELEMENT);
  if (element) {
    return Array.isArray(value) ? value.flatMap((item, index) => checkFieldTree(item, element, unknown, [...path, index]))
      : [wrongType(path, value, 'a list')];
  }
  if (node.type !== undefined) {
    const accepted = acceptedScalar(node.type, value);
    return accepted === undefined ? [] : [wrongType(path, value, accepted)];
  }
  if (!isFields(value)) return [wrongType(path, value, 'an object')];
  return Object.entries(value).flatMap(([field, item]) => {
    const inner = node.fields.get(field) ?? node.fields.get(ANY_KEY);
    const place = [...path, field];
    return inner ? checkFieldTree(item, inner, unknown, place) : unknown(place, field, node);
  });
}

function wrongType(path: FieldPath, value: unknown, accepted: string): Finding {
  return { path, message: `${JSON.stringify(value)} is of the wrong type`, fix: `give ${accepted}` };
}

function acceptedScalar(type: string, value: unknown): string | undefined {
  switch (type) {
    case 'bool': return typeof value === 'boolean' ? undefined : 'true or false';
    case 'int': return Number.isInteger(value) ? undefined : 'a whole number';
    case 'number': return typeof value === 'number' ? undefined : 'a number';
    case 'durationOrInt': return Number.isInteger(value) ? undefined : acceptedScalar('duration', value);
    case 'duration': return typeof value === 'string' && parseGoDuration(value) !== undefined ? undefined : 'a duration such as "30s" or "5m0s"';
    case 'quantity': return typeof value === 'number' || (typeof value === 'string' && checkQuantity(value) === undefined) ? undefined : 'a quantity such as "100Mi"';
    case 'string': case 'time': return typeof value === 'string' ? undefined : 'text in quotes';
    default: return undefined;
  }
}
