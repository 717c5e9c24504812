import { ObjectOwners } from '../landscape/object-owners';
import { ReadObject } from '../landscape/placed-objects';
import { targetGroups } from '../landscape/target-groups';
import { byTarget } from '../landscape/targets';
import { isManifestObject, ManifestObject, objectName } from '../objects/manifest-object';
import { RuleFinding } from '../rules/manifest-rule';
import { transitionRules } from '../validation/transition-rules';
import { FoundProblem, ManifestValidator } from '../validation/validate-manifests';
import { fieldText } from '../values/fields';

/** A finding, its object, and the clusters that the object belongs to, as `namespace/name`. */
export interface PlacedFinding {
  readonly finding: RuleFinding;
  readonly object: ManifestObject;
  readonly clusters: readonly string[];
}

/** Tells what rules find in each of several states of a management cluster, one after the other, that they have not found in the one before. */
export class StepFindings {
  private readonly changes: ReadonlySet<string> = new Set(transitionRules().map(({ id }) => id));
  private known?: ReadonlySet<string>;

  /** @param definitions CustomResourceDefinitions of kinds, beside those among the objects */
  public constructor(private readonly definitions: readonly unknown[] = []) {}

  /**
   * Returns the findings of rules in the next state, and in the change that leads to it.
   *
   * @param before the objects of the state before, which is that of the last call
   * @param after the objects of the next state
   * @param ignored ids of rules that are not looked at
   */
  public next(before: readonly ReadObject[], after: readonly ReadObject[], ignored: readonly string[]): PlacedFinding[] {
    const known = this.known ?? keysOf(this.found(before));
    const found = this.found(after, before);
    this.known = keysOf(found.filter(({ finding: { rule } }) => !this.changes.has(rule.id)));
    const owners = ownersOf(after);
    return found.flatMap((problem) => {
      const { finding, object } = problem;
      if (!isManifestObject(object) || known.has(keyOf(problem)) || ignored.includes(finding.rule.id)) return [];
      return [{ finding, object, clusters: owners.get(object) ?? [] }];
    });
  }

  private found(objects: readonly ReadObject[], before?: readonly ReadObject[]): readonly FoundProblem[] {
    const groups = targetGroups(objects, before ?? [], 0);
    return new ManifestValidator().validate(groups.map(({ now }) => now), {
      silences: [],
      strict: false,
      definitions: this.definitions,
      targets: groups.map(({ target }) => target),
      ...(before && { before: groups.map((group) => group.before) }),
    }).found;
  }
}

function keysOf(found: readonly FoundProblem[]): ReadonlySet<string> {
  return new Set(found.map(keyOf));
}

/** The same for a finding in two states. */
function keyOf({ finding: { rule, path, message }, object }: FoundProblem): string {
  return `${rule.id} ${isManifestObject(object) ? objectName(object) : ''} ${fieldText(path)} ${message}`;
}

function ownersOf(objects: readonly ReadObject[]): ReadonlyMap<ManifestObject, readonly string[]> {
  const groups = byTarget(objects);
  const owners = new ObjectOwners(groups);
  return new Map([...groups].flatMap(([target, reads]) => reads.map((read) => [read.object, owners.of(read, target).map(({ id }) => id)] as const)));
}
