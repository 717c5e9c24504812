import { isFields, stringAt } from '../values/fields';

/** An object as it is written: plain JSON. */
export interface ManifestObject {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly [field: string]: unknown;
}

/** True if a value is an object with an API version and a kind. */
export function isManifestObject(value: unknown): value is ManifestObject {
  return isFields(value) && typeof value.apiVersion === 'string' && typeof value.kind === 'string';
}

/** The API group of an object, empty for the core group. */
export function groupOf({ apiVersion }: ManifestObject): string {
  return typeof apiVersion === 'string' ? apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/'))) : '';
}

/** Groups and kinds that were put together, by apiVersion and kind: objects are many, and these are few. */
const GROUP_KINDS = new Map<unknown, Map<unknown, string>>();
const MOST_GROUP_KINDS = 1000;

/** Group and kind of an object, e.g. `apps/Deployment`, `/Pod`. */
export function groupKind(object: ManifestObject): string {
  const { apiVersion, kind } = object;
  return GROUP_KINDS.get(apiVersion)?.get(kind) ?? newGroupKind(object);
}

function newGroupKind(object: ManifestObject): string {
  const { apiVersion, kind } = object;
  const text = `${groupOf(object)}/${String(kind)}`;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return text;
  let kinds = GROUP_KINDS.get(apiVersion);
  if (!kinds && GROUP_KINDS.size < MOST_GROUP_KINDS) GROUP_KINDS.set(apiVersion, kinds = new Map());
  if (kinds && kinds.size < MOST_GROUP_KINDS) kinds.set(kind, text);
  return text;
}

/** The namespace of an object. */
export function namespaceOf(object: ManifestObject): string | undefined {
  return stringAt(object, 'metadata', 'namespace');
}

/** The name of an object. */
export function nameOf(object: ManifestObject): string | undefined {
  return stringAt(object, 'metadata', 'name');
}

/** Name of an object in messages: kind, namespace and name. */
export function objectName(object: ManifestObject): string {
  const namespace = namespaceOf(object);
  const name = nameOf(object) ?? stringAt(object, 'metadata', 'generateName') ?? 'without name';
  return `${String(object.kind)} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
