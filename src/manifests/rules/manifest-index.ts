import { groupKind, groupOf, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { stringAt } from '../values/fields';

/** The objects of one namespace, or those without one. */
interface Namespace {
  /** By `group/Kind` and name. */
  readonly byName: Map<string, Map<string, ManifestObject>>;

  /** API groups that it has objects of. */
  readonly groups: Set<string>;
}

const NONE: readonly ManifestObject[] = [];

/** The cluster that objects are applied to, by its `Cluster` object. */
export interface TargetCluster {
  /** The objects of its management cluster. */
  readonly management: ManifestIndex;
  readonly namespace?: string;
  readonly name: string;
}

/**
 * The namespaces that an object is looked for in, by that of an object that refers to it, in this order: without one, it is where the tool puts it that
 * applies it, which is `default` for kubectl.
 */
export function namespacesFor(namespace: string | undefined): readonly (string | undefined)[] {
  return [namespace, namespace === undefined ? 'default' : undefined];
}

/** Objects that are validated together, found by what others call them. */
export class ManifestIndex {
  private readonly namespaces = new Map<string, Namespace>();
  private readonly byKind = new Map<string, ManifestObject[]>();

  /** Of kinds that were asked for by namespace. */
  private readonly byNamespace = new Map<string, Map<string | undefined, ManifestObject[]>>();

  /** Of kinds that were asked for by name alone. */
  private readonly byName = new Map<string, ReadonlyMap<string | undefined, readonly ManifestObject[]>>();

  /**
   * @param objects all objects; of those with the same kind, namespace and name the first one is found
   * @param target the cluster that they are applied to; undefined for a management cluster, and where it is not known
   */
  public constructor(objects: readonly ManifestObject[], public readonly target?: TargetCluster) {
    for (const object of objects) {
      const kind = groupKind(object);
      const { byName, groups } = this.namespace(stringAt(object, 'metadata', 'namespace') ?? '');
      groups.add(groupOf(object));
      const name = stringAt(object, 'metadata', 'name') ?? '';
      const named = byName.get(kind);
      if (!named) byName.set(kind, new Map([[name, object]]));
      else if (!named.has(name)) named.set(name, object);
      const same = this.byKind.get(kind);
      if (same) same.push(object);
      else this.byKind.set(kind, [object]);
    }
  }

  /**
   * An object by its name. One without a namespace gets it when it is applied, as charts do with `helm template`: it is found in any, if none
   * of its name is there. One in the namespace `default` is found by those without one.
   *
   * @param kind `group/Kind`
   * @param namespace its namespace; undefined where it has none
   * @param name its name
   */
  public find(kind: string, namespace: string | undefined, name: string | undefined): ManifestObject | undefined {
    const inNamespace = (one = '') => this.namespaces.get(one)?.byName.get(kind)?.get(name ?? '');
    const [own, other] = namespacesFor(namespace);
    return inNamespace(own) ?? (name === undefined ? undefined : inNamespace(other));
  }

  /**
   * All objects of a kind, in the order in which they were given.
   *
   * @param kind `group/Kind`
   */
  public all(kind: string): readonly ManifestObject[] {
    return this.byKind.get(kind) ?? NONE;
  }

  /**
   * The objects of a kind that state a namespace, in the order in which they were given.
   *
   * @param kind `group/Kind`
   * @param namespace the namespace; undefined for objects that state none
   */
  public allIn(kind: string, namespace: string | undefined): readonly ManifestObject[] {
    let groups = this.byNamespace.get(kind);
    if (!groups) this.byNamespace.set(kind, groups = groupedBy(this.all(kind), namespaceOf));
    return groups.get(namespace) ?? NONE;
  }

  /**
   * The objects of a kind that have a name, in any namespace, in the order in which they were given.
   *
   * @param kind `group/Kind`
   * @param name the name
   */
  public named(kind: string, name: string): readonly ManifestObject[] {
    let names = this.byName.get(kind);
    if (!names) this.byName.set(kind, names = groupedBy(this.all(kind), nameOf));
    return names.get(name) ?? NONE;
  }

  /** The kinds of all objects, as `group/Kind`. */
  public kinds(): string[] {
    return [...this.byKind.keys()];
  }

  /**
   * True if there are objects of an API group in a namespace: where there are none, what is named of the group may be somewhere else.
   *
   * @param group the API group
   * @param namespace the namespace
   */
  public holds(group: string, namespace: string | undefined): boolean {
    return (namespace === undefined || namespace === 'default' ? ['', 'default'] : [namespace]).some((one) => this.namespaces.get(one)?.groups.has(group));
  }

  private namespace(name: string): Namespace {
    let namespace = this.namespaces.get(name);
    if (!namespace) this.namespaces.set(name, namespace = { byName: new Map(), groups: new Set() });
    return namespace;
  }
}

/** Finds objects by something that they say. What each index holds is gone through once. */
export class Lookup {
  private readonly found = new WeakMap<ManifestIndex, ReadonlyMap<string, readonly ManifestObject[]>>();

  /**
   * @param kinds kinds of the objects, as `group/Kind`, or what lists them when they are first looked for
   * @param keysOf what an object is found by
   */
  public constructor(
    private readonly kinds: readonly string[] | (() => readonly string[]),
    private readonly keysOf: (object: ManifestObject) => readonly (string | undefined)[],
  ) {}

  /**
   * The objects that say this, in the order of their kinds.
   *
   * @param index where to look
   * @param key what they are found by
   */
  public find(index: ManifestIndex, ...key: readonly (string | undefined)[]): readonly ManifestObject[] {
    let all = this.found.get(index);
    if (!all) this.found.set(index, all = this.collect(index));
    return all.get(JSON.stringify(key)) ?? [];
  }

  private collect(index: ManifestIndex): ReadonlyMap<string, readonly ManifestObject[]> {
    const kinds = typeof this.kinds === 'function' ? this.kinds() : this.kinds;
    return groupedBy(kinds.flatMap((kind) => index.all(kind)), (object) => JSON.stringify(this.keysOf(object)));
  }
}

/** Objects by a key, in the order in which they were given. */
export function groupedBy<Key>(objects: readonly ManifestObject[], keyOf: (object: ManifestObject) => Key): Map<Key, ManifestObject[]> {
  const groups = new Map<Key, ManifestObject[]>();
  for (const object of objects) {
    const key = keyOf(object);
    const same = groups.get(key);
    if (same) same.push(object);
    else groups.set(key, [object]);
  }
  return groups;
}

/**
 * The cluster that objects are applied to, in examples of rules.
 *
 * @param management objects of the management cluster, the `Cluster` first; undefined if there are none
 */
export function targetAmong(management: readonly ManifestObject[]): TargetCluster | undefined {
  const name = stringAt(management[0], 'metadata', 'name');
  return name === undefined ? undefined : { management: new ManifestIndex(management), namespace: stringAt(management[0], 'metadata', 'namespace'), name };
}
