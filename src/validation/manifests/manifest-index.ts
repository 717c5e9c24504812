import { groupKind, groupOf, ManifestObject, textAt } from '../../images/manifest-object';

/** Objects that are validated together, found by what others call them. */
export class ManifestIndex {
  private readonly byName = new Map<string, ManifestObject>();
  private readonly byKind = new Map<string, ManifestObject[]>();
  private readonly groups = new Set<string>();

  /** @param objects all objects; of those with the same kind, namespace and name the first one is found */
  public constructor(objects: readonly ManifestObject[]) {
    for (const object of objects) {
      const kind = groupKind(object);
      const namespace = textAt(object, 'metadata', 'namespace');
      this.groups.add(keyOf(groupOf(object), namespace));
      const key = keyOf(kind, namespace, textAt(object, 'metadata', 'name'));
      if (!this.byName.has(key)) this.byName.set(key, object);
      const same = this.byKind.get(kind);
      if (same) same.push(object);
      else this.byKind.set(kind, [object]);
    }
  }

  /**
   * An object by its name.
   *
   * @param kind `group/Kind`
   * @param namespace its namespace; undefined where it has none
   * @param name its name
   */
  public find(kind: string, namespace: string | undefined, name: string | undefined): ManifestObject | undefined {
    return this.byName.get(keyOf(kind, namespace, name));
  }

  /**
   * All objects of a kind, in the order in which they were given.
   *
   * @param kind `group/Kind`
   */
  public all(kind: string): readonly ManifestObject[] {
    return this.byKind.get(kind) ?? [];
  }

  /**
   * Whether there are objects of an API group in a namespace: where there are none, what is named of the group may be somewhere else.
   *
   * @param group the API group
   * @param namespace the namespace
   */
  public holds(group: string, namespace: string | undefined): boolean {
    return this.groups.has(keyOf(group, namespace));
  }
}

function keyOf(kind: string, namespace = '', name = ''): string {
  // With their lengths, whatever there may be in them.
  return `${kind.length} ${namespace.length} ${kind}${namespace}${name}`;
}
