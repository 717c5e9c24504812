import { FieldPath, isFields } from '../values/fields';

/**
 * The items of a list of objects. In a list of one kind, such as a `PodList`, they need not say what they are (kubernetes/kubernetes
 * staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructured_list.go), so that they are told here.
 *
 * @returns the items, each at its place; undefined for what is no list
 */
function listItems(value: unknown): unknown[] | undefined {
  if (!isFields(value) || typeof value.kind !== 'string' || !value.kind.endsWith('List') || !Array.isArray(value.items)) return undefined;
  const own = value.kind === 'List' ? {} : { apiVersion: value.apiVersion, kind: value.kind.slice(0, -'List'.length) };
  return value.items.map((item: unknown) => (isFields(item) ? { ...own, ...item } : item));
}

/** The items of a list that are objects, each with its place in the list. */
export function objectsInList(value: unknown): { readonly path: readonly string[]; readonly object: Record<string, unknown> }[] | undefined {
  return listItems(value)?.flatMap((object, index) => (isFields(object) ? [{ path: ['items', `${index}`], object }] : []));
}

/** An object, and where in a list it stands; nowhere if it is in none. */
export interface ListedObject {
  readonly object: unknown;
  readonly within: FieldPath;
}

/** The items of a list, and of lists in it; everything else as it is. */
export function listedObjects(value: unknown, within: FieldPath = []): ListedObject[] {
  return listItems(value)?.flatMap((item, index) => listedObjects(item, [...within, 'items', index])) ?? [{ object: value, within }];
}
