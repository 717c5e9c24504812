import { objectKey } from '../../manifests/landscape/file-appliers';
import { compareTexts } from '../../manifests/landscape/place';
import { ReadObject } from '../../manifests/landscape/placed-objects';
import { targetGroups } from '../../manifests/landscape/target-groups';
import { tenantOf } from '../../manifests/landscape/targets';
import { groupKind, ManifestObject, nameOf } from '../../manifests/objects/manifest-object';
import { ManifestIndex } from '../../manifests/rules/manifest-index';
import { ManifestRule, RuleFinding } from '../../manifests/rules/manifest-rule';
import { manifestRules } from '../../manifests/validation/manifest-rules';

/** Objects of now and of before, of one management cluster. */
export type Compared<T> = readonly [now: readonly T[], before: readonly T[]];

/** Kinds of objects that several kustomizations of one cluster have. */
const SHARED: ReadonlySet<string> = new Set(['/Namespace', 'apiextensions.k8s.io/CustomResourceDefinition']);

/** A kustomization or chart, and the keys of the objects that it builds. */
type Unit = readonly [file: string, built: ReadonlySet<string>];

/**
 * Objects by the cluster that they are for, where kustomizations build the same ones: overlays of one base are for different clusters. What is in
 * one of them only, and what was not built, is for each.
 */
export class BuildGroups {
  public readonly groups: readonly Compared<ReadObject>[];
  private readonly units: readonly Unit[];
  private readonly besides = new Map<string, ManifestIndex[]>();
  private rules?: ReadonlyMap<string, ManifestRule>;

  /**
   * @param compared the objects
   * @param builtFrom the kustomization or chart that an object was built from
   * @param substituted those that a delivery builds, and may replace variables of
   */
  public constructor(
    private readonly compared: Compared<ReadObject>,
    private readonly builtFrom: ReadonlyMap<ManifestObject, string>,
    substituted: ReadonlySet<string>,
  ) {
    const [now, before] = compared;
    const keys = new Map<string, Set<string>>();
    for (const read of [...now, ...before]) {
      const unit = this.unitOf(read);
      if (unit === undefined || read.pack || SHARED.has(groupKind(read.object)) || (substituted.has(unit) && nameOf(read.object)?.includes('${'))) continue;
      const key = `${tenantOf(read.appliers?.[0]) ?? ''} ${objectKey(read.object)}`;
      const built = keys.get(unit) ?? new Set<string>();
      keys.set(unit, built.add(key));
    }
    this.units = [...keys].sort(([one], [other]) => compareTexts(one, other));
    const groups: Unit[][] = [];
    for (const unit of this.units.filter((one) => this.units.some((other) => overlaps(one, other)))) {
      const group = groups.find((units) => !units.some((other) => overlaps(unit, other)));
      if (group) group.push(unit);
      else groups.push([unit]);
    }
    this.groups = groups.length < 2 ? [compared] : groups.map((group) => {
      const left = new Set(groups.filter((other) => other !== group).flatMap((units) => units.map(([unit]) => unit)));
      // Of two objects with one name the first is found: that of a build, not the same as it is written.
      const own = (objects: readonly ReadObject[]) => {
        const found = objects.filter((read) => !left.has(this.unitOf(read) ?? ''));
        return [...found.filter((read) => this.unitOf(read) !== undefined), ...found.filter((read) => this.unitOf(read) === undefined)];
      };
      return [own(now), own(before)] as const;
    });
  }

  /**
   * True if an object that another one needs is not there, either, in kustomizations that are in another group, and build nothing in common with
   * that of the other one: they may be for one cluster.
   *
   * @param finding a finding about what is not there
   * @param object the object that needs it
   */
  public isMissing({ rule: { id }, path }: RuleFinding, object: unknown): boolean {
    if (this.groups.length < 2) return true;
    // An object that was not built is for each cluster.
    const unit = this.builtFrom.get(object as ManifestObject) ?? '';
    this.rules ??= new Map(manifestRules().map((rule) => [rule.id, rule]));
    const rule = this.rules.get(id);
    const index = this.indexesFor(unit).find((one) => one.all(groupKind(object as ManifestObject)).includes(object as ManifestObject));
    if (!rule || !index) return true;
    const field = JSON.stringify(path);
    return rule.check(object as ManifestObject, index).some((found) => JSON.stringify(found.path) === field);
  }

  /** The objects that may be in one cluster with those of a kustomization, by the cluster that they are delivered to. */
  private indexesFor(unit: string): readonly ManifestIndex[] {
    let found = this.besides.get(unit);
    if (!found) {
      const own = this.units.find(([file]) => file === unit);
      const others = new Set(own ? this.units.filter((other) => overlaps(own, other)).map(([file]) => file) : []);
      const objects = this.compared[0].filter((read) => !others.has(this.unitOf(read) ?? ''));
      this.besides.set(unit, found = targetGroups(objects, [], 0).map(({ now }) => new ManifestIndex(now)));
    }
    return found;
  }

  private unitOf({ object, pack }: ReadObject): string | undefined {
    return this.builtFrom.get(pack ?? object);
  }
}

function overlaps([one, built]: Unit, [other, others]: Unit): boolean {
  return one !== other && [...built].some((key) => others.has(key));
}
