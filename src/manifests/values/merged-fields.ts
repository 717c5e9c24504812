import { Fields, isFields, objectsAt, pathOf, stringAt } from './fields';

/** Merges maps: of lists and single values, the second one counts. */
export function mergedFields(one: Fields, other: Fields): Fields {
  const both = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = both[name];
    if (value === null) delete both[name];
    else both[name] = isFields(value) && isFields(before) ? mergedFields(before, value) : value;
  }
  return both;
}

/** Fields that the operations of a JSON patch set: `add` and `replace` of fields; lists are not followed. */
export function patchedFields(fields: Fields, operations: unknown): Fields {
  return objectsAt({ operations }, 'operations').reduce<Fields>((soFar, [operation]) => {
    const names = pathOf(stringAt(operation, 'path') ?? '');
    if (names.length === 0 || !['add', 'replace'].includes(stringAt(operation, 'op') ?? '') || names.some((name) => /^(\d*|-)$/.test(name))) return soFar;
    return mergedFields(soFar, names.reduceRight<unknown>((value, name) => ({ [name]: value }), operation.value) as Fields);
  }, fields);
}
