/** An object as it is written: plain JSON. */
export interface ManifestObject {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly [field: string]: unknown;
}

/** A map of plain JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a map of fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** What stands at a path of field names; undefined where a part of it is missing. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let place = value;
  for (let depth = 0; depth < path.length; depth++) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, path[depth])) return undefined;
    place = (place as Fields)[path[depth]];
  }
  return place;
}

/** The text at a path of field names; undefined where there is none, or an empty one. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** How people call an object: kind, namespace and name. */
export function objectName(object: ManifestObject): string {
  const namespace = textAt(object, 'metadata', 'namespace');
  const name = textAt(object, 'metadata', 'name') ?? textAt(object, 'metadata', 'generateName') ?? 'without name';
  return `${String(object.kind)} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
