import { ManifestObject } from '../objects/manifest-object';
import { parsedJson } from '../objects/value-size';
import { identityOf } from '../rules/changes/field-changes';
import { FieldPath, Fields, isFields, objectsAt, sameValue, stringAt } from '../values/fields';

/** A program that owns a field. */
export interface FieldOwner {
  readonly manager: string;

  /** True if it states its fields by server-side apply. */
  readonly applies: boolean;

  /** The subresource that it wrote to, such as `scale`. */
  readonly subresource?: string;

  /** Time of its last write, as the server has it. */
  readonly time?: string;
}

/** The owners of the fields of a living object, by its managed fields. */
export class FieldOwners {
  /** Every program that has written the object, but for its status. */
  public readonly writers: readonly FieldOwner[];

  private readonly entries: readonly { readonly owner: FieldOwner; readonly fields: Fields }[];

  /** @param object the living object */
  public constructor(private readonly object: ManifestObject) {
    this.entries = objectsAt(object, 'metadata', 'managedFields').flatMap(([entry]) => {
      const [manager, subresource, time] = ['manager', 'subresource', 'time'].map((name) => stringAt(entry, name));
      if (subresource === 'status') return [];
      const owner = {
        manager: manager ?? '', applies: entry.operation === 'Apply', ...(subresource !== undefined && { subresource }), ...(time !== undefined && { time }),
      };
      return [{ owner, fields: isFields(entry.fieldsV1) ? entry.fieldsV1 : {} }];
    });
    this.writers = this.entries.map(({ owner }) => owner);
  }

  /** True if the object says who owns its fields: `kubectl get` leaves that out unless it is asked for. */
  public get areKnown(): boolean {
    return this.entries.length > 0;
  }

  /** The programs that own a field, or a part of it. */
  public of(path: FieldPath): readonly FieldOwner[] {
    const found = this.entries.filter(({ fields }) => Object.keys(fields).length > 0)
      .map(({ owner, fields }) => ({ owner, depth: depthOf(fields, path, this.object) }));
    // An entry may end above a field because the value is owned as a whole, or because nothing but an empty map is.
    const deepest = Math.max(0, ...found.map(({ depth = 0 }) => depth));
    return found.filter(({ depth }) => depth === deepest && deepest > 0).map(({ owner }) => owner);
  }
}

/**
 * Length of the part of a path that an entry has, if that is all of it or ends in what is owned as a whole.
 *
 * Source: kubernetes-sigs/structured-merge-diff fieldpath/serialize-pe.go (`f:` fields, `k:` keys, `v:` values, `i:` positions).
 */
function depthOf(node: unknown, path: FieldPath, live: unknown): number | undefined {
  if (!isFields(node)) return undefined;
  const [part, ...rest] = path;
  if (part === undefined || Object.keys(node).length === 0) return 0;
  const below = (inner: unknown, value: unknown) => {
    const depth = depthOf(inner, rest, value);
    return depth === undefined ? undefined : depth + 1;
  };
  if (!Array.isArray(live)) {
    const key = `f:${part}`;
    return Object.hasOwn(node, key) ? below(node[key], isFields(live) && Object.hasOwn(live, part) ? live[part] : undefined) : undefined;
  }
  const position = positionIn(live, part);
  const key = position < 0 ? undefined : Object.keys(node).find((one) => isItem(one, live[position], position));
  return key === undefined ? undefined : below(node[key], live[position]);
}

function isItem(key: string, item: unknown, position: number): boolean {
  const value = parsedJson(key.slice(2));
  switch (key.slice(0, 2)) {
    case 'k:': return isFields(value) && Object.entries(value).every(([name, one]) => isFields(item) && sameValue(item[name], one));
    case 'v:': return sameValue(value, item);
    case 'i:': return value === position;
    default: return false;
  }
}

/** The position of the item of a list that a part of a path names; -1 if there is none. */
export function positionIn(list: readonly unknown[], part: string | number): number {
  if (typeof part === 'number') return part < list.length ? part : -1;
  const identity = identityOf(list, list);
  return identity === undefined ? -1 : list.findIndex((item) => isFields(item) && item[identity] === part);
}
