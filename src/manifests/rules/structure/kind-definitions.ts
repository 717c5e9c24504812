import { DefinedKind, UnjudgedDefinition } from './defined-kind';
import { KUBERNETES_GROUPS } from './kind-structure';
import { DefinedKinds } from './structures';
import { groupKind, isManifestObject, ManifestObject } from '../../objects/manifest-object';
import { objectsAt, stringAt } from '../../values/fields';

/** The kind of definitions of kinds. */
export const DEFINITION = 'apiextensions.k8s.io/CustomResourceDefinition';

/** A definition that objects are not checked against, and the reason. */
export interface UnusedDefinition {
  readonly definition: ManifestObject;

  /** Its fault. No full stop at the end. */
  readonly reason: string;
}

/** The kinds of definitions among objects. */
export class KindDefinitions implements DefinedKinds {
  private readonly byGroup = new Map<string, Map<string, DefinedKind>>();
  private readonly refused = new Set<DefinedKind>();

  /** @param levels objects, with or without definitions among them: the first that have definitions of a kind count alone for it */
  public constructor(...levels: readonly (readonly unknown[])[]) {
    for (const objects of levels) {
      const known = new Set([...this.all()].map(({ group, kind }) => `${group}/${kind}`));
      this.addAll(objects, (name) => !known.has(name));
    }
  }

  public get groups(): readonly string[] {
    return [...this.byGroup.keys()];
  }

  /** Definitions of kinds that were looked up, and that API servers refuse. */
  public get unused(): readonly UnusedDefinition[] {
    return [...this.refused].map(({ definition, fault }) => ({ definition, reason: fault! }));
  }

  /** Rules in CEL that objects were not checked against. */
  public get unjudged(): readonly UnjudgedDefinition[] {
    return [...this.all()].flatMap(({ unjudged }) => unjudged);
  }

  public find(group: string, kind: string): DefinedKind | undefined {
    const found = this.byGroup.get(group)?.get(kind);
    if (found?.fault === undefined) return found;
    this.refused.add(found);
    return found.others.find(({ fault }) => fault === undefined);
  }

  public ofGroup(group: string): ReadonlyMap<string, DefinedKind> | undefined {
    return this.byGroup.get(group);
  }

  private* all(): Iterable<DefinedKind> {
    for (const kinds of this.byGroup.values()) {
      for (const kind of kinds.values()) {
        yield kind;
        yield* kind.others;
      }
    }
  }

  private addAll(objects: readonly unknown[], isWanted: (name: string) => boolean): void {
    const texts = new Map<string, Set<string>>();
    for (const definition of objects.filter(isDefinition)) {
      const [group, kind] = [stringAt(definition, 'spec', 'group'), stringAt(definition, 'spec', 'names', 'kind')];
      const name = `${group}/${kind}`;
      if (group === undefined || kind === undefined || KUBERNETES_GROUPS.has(group) || !isWanted(name)) continue;
      const kinds = this.byGroup.get(group) ?? new Map<string, DefinedKind>();
      this.byGroup.set(group, kinds);
      const known = kinds.get(kind);
      if (!known) {
        kinds.set(kind, new DefinedKind(group, kind, definition));
        continue;
      }
      // Clusters of a repository have the same definition each, or differ in releases.
      const same = texts.get(name) ?? new Set([JSON.stringify(known.definition.spec)]);
      texts.set(name, same);
      const text = JSON.stringify(definition.spec);
      if (!same.has(text)) known.others.push(new DefinedKind(group, kind, definition));
      same.add(text);
    }
  }
}

/** True of a definition, but for patches of one, which have no versions. */
export function isDefinition(object: unknown): object is ManifestObject {
  return isManifestObject(object) && groupKind(object) === DEFINITION && objectsAt(object, 'spec', 'versions').length > 0;
}
