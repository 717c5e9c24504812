import { TopologyStop } from './outcome';
import { isFields, pathOf } from '../values/fields';

/** An operation of a JSON patch. */
export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/**
 * Applies the operations that patches of a ClusterClass may have to a document: `add`, `replace` and `remove`. Libraries for JSON patches refuse
 * indexes below 0, and paths that end in a slash, which the one of Cluster API accepts.
 *
 * Source: evanphx/json-patch v5.9.11 v5/patch.go.
 *
 * @param document the document, which is not changed
 * @param operations what changes
 */
export function applyJsonPatch<T>(document: T, operations: readonly JsonPatchOperation[]): T {
  return operations.reduce((changed: unknown, { op, path, value }) => {
    if (!path.startsWith('/')) throw new TopologyStop(`${op} ${path}: not a path of a JSON patch`);
    return changedAt(changed, pathOf(path), value ?? null, { op, path });
  }, document) as T;
}

function changedAt(value: unknown, [key, ...rest]: readonly string[], change: unknown, operation: JsonPatchOperation): unknown {
  const { op, path } = operation;
  const missing = () => new TopologyStop(`${op} operation does not apply: doc is missing path: ${path}`);
  if (Array.isArray(value)) return changedList(value, [key, ...rest], change, operation);
  if (!isFields(value)) throw missing();
  const known = Object.hasOwn(value, key) ? value[key] : undefined;
  if (rest.length > 0) {
    if (known === undefined || known === null) throw missing();
    return { ...value, [key]: changedAt(known, rest, change, operation) };
  }
  if (op !== 'add' && !Object.hasOwn(value, key)) throw missing();
  if (op !== 'remove') return { ...value, [key]: change };
  const { [key]: _, ...others } = value;
  return others;
}

function changedList(list: readonly unknown[], [key, ...rest]: readonly string[], change: unknown, operation: JsonPatchOperation): unknown {
  const { op, path } = operation;
  const isAdded = op === 'add' && rest.length === 0;
  if (isAdded && key === '-') return [...list, change];
  const length = list.length + (isAdded ? 1 : 0);
  const given = /^[+-]?\d+$/.test(key) ? Number(key) : NaN;
  const index = given < 0 ? given + length : given;
  if (!(index >= 0 && index < length)) throw new TopologyStop(`${op} operation does not apply: no index ${key} at path: ${path}`);
  const changed = rest.length > 0 ? [changedAt(list[index], rest, change, operation)] : op === 'remove' ? [] : [change];
  return [...list.slice(0, index), ...changed, ...list.slice(isAdded ? index : index + 1)];
}
