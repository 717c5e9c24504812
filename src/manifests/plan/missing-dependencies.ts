import { Comparison, Difference } from './paired-objects';
import { objectKey } from '../landscape/file-appliers';
import { groupKind, ManifestObject, nameOf, namespaceOf } from '../objects/manifest-object';
import { Delivery } from '../rules/delivery-facts';
import { deliveryFacts, providers } from '../systems/providers';

/** A delivery that applies nothing, because it depends on one that is not there. */
interface MissingDependency {
  readonly delivery: ManifestObject;
  readonly name: string;

  /** True if the dependency is known to exist nowhere. */
  readonly isCertain: boolean;
}

/** Outcome of differences whose deliveries depend on others that are not there. */
export interface UnmetDependencies {
  /** Failures of deliveries that differ, or on which others depend. */
  readonly failures: readonly string[];

  /** Reasons that differences are never applied. */
  readonly notes: readonly string[];

  /** Dependencies without which none of the differences is applied. */
  readonly heldBy: readonly string[];
}

/**
 * Finds deliveries that wait for ever, because they depend on a delivery that is not there. One that the earlier state has, or that no folder
 * outside of the manifests can have, is not there; any other one may be in another repository.
 *
 * Sources: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (checkDependencies), v1.9.4; fluxcd/helm-controller
 * internal/controller/helmrelease_controller.go (checkDependencies), v1.6.3.
 */
export function unmetDependencies(differences: readonly Difference[], comparison: Comparison): UnmetDependencies {
  const found = differences.map((difference) => ({ difference, missing: missingOf(difference, comparison) }));
  const certain = found.flatMap(({ missing }) => (missing?.isCertain ? [missing] : []));
  const isOwn = ({ after }: Difference) => after !== undefined && deliveryFacts(after) !== undefined;
  const [own, applied] = [true, false].map((is) => found.filter(({ difference }) => isOwn(difference) === is));
  return {
    failures: [...new Set([
      ...own.flatMap(({ missing }) => (missing?.isCertain ? [neverApplied(missing)] : [])),
      ...differences.flatMap((difference) => lostBy(difference, comparison)),
    ])],
    notes: [...new Set([
      ...applied.flatMap(({ missing }) => (missing?.isCertain ? [neverApplied(missing)] : [])),
      ...own.flatMap(({ missing }) => (missing && !missing.isCertain ? [
        `${deliveryName(missing.delivery)} depends on ${missing.name}, which is not among the manifests: nothing is applied unless another repository defines it`,
      ] : [])),
    ])],
    heldBy: own.length === 0 && certain.length === found.length ? [...new Set(certain.map(({ delivery, name }) => `${String(delivery.kind)} ${name}`))] : [],
  };
}

function neverApplied({ delivery, name }: MissingDependency): string {
  return `never applied: ${deliveryName(delivery)} depends on ${name}, which nothing defines`;
}

/** The missing dependency of a delivery that differs, or of all deliveries that apply a difference. */
function missingOf({ after, appliers }: Difference, comparison: Comparison): MissingDependency | undefined {
  const own = after && deliveryFacts(after) ? dependenciesIn(comparison).missing(after) : undefined;
  if (own) return own;
  const applying = appliers.map((delivery) => dependenciesIn(comparison).missing(laterOf(delivery, comparison)));
  return applying.every((missing) => missing?.isCertain) ? applying[0] : undefined;
}

/** Dependencies of the deliveries of the later state. Each is looked up once: a fleet has many parts that the same delivery applies. */
class Dependencies {
  private readonly found = new Map<ManifestObject, MissingDependency | undefined>();
  private dependents?: ReadonlyMap<string, readonly ManifestObject[]>;

  public constructor(private readonly comparison: Comparison) {}

  /** The first dependency that is not there, of a delivery and of those that it depends on. */
  public missing(delivery: ManifestObject): MissingDependency | undefined {
    if (!this.found.has(delivery)) this.found.set(delivery, this.firstMissing(delivery));
    return this.found.get(delivery);
  }

  /** The deliveries that depend on one. */
  public dependentsOf(delivery: ManifestObject): readonly ManifestObject[] {
    this.dependents ??= this.allDependents();
    return this.dependents.get(objectKey(delivery)) ?? [];
  }

  private firstMissing(delivery: ManifestObject): MissingDependency | undefined {
    const { old, now } = this.comparison;
    const reached = new Set([delivery]);
    for (const one of reached) {
      for (const { namespace, name } of this.after(one)) {
        if (name === undefined) continue;
        const dependency = now.find(groupKind(one), namespace, name);
        if (dependency) {
          reached.add(dependency);
          continue;
        }
        const former = old.find(groupKind(one), namespace, name);
        if (!former || !this.stays(former)) return { delivery: one, name, isCertain: former !== undefined || this.isAllRead(one) };
      }
    }
    return undefined;
  }

  private after(delivery: ManifestObject): NonNullable<Delivery['after']> {
    return deliveryFacts(delivery)?.read?.(delivery, this.comparison.now)?.after ?? [];
  }

  /** True if a removed delivery is left in the cluster. */
  private stays(former: ManifestObject): boolean {
    return this.comparison.differences.some(({ before, shown }) => before === former && shown.stays);
  }

  /** True if a delivery that differs is applied from the manifests, and so are all others. */
  private isAllRead(delivery: ManifestObject): boolean {
    const { differences, hasAllFolders } = this.comparison;
    return differences.some(({ after, appliers }) => after === delivery && appliers.length > 0) && hasAllFolders();
  }

  private allDependents(): Map<string, ManifestObject[]> {
    const found = new Map<string, ManifestObject[]>();
    for (const { kind } of providers().flatMap(({ deliveries = [] }) => deliveries)) {
      for (const delivery of this.comparison.now.all(kind)) {
        for (const { namespace, name } of this.after(delivery)) {
          const key = `${kind} ${namespace ?? ''} ${name ?? ''}`;
          const same = found.get(key);
          if (same) same.push(delivery);
          else found.set(key, [delivery]);
        }
      }
    }
    return found;
  }
}

const KNOWN = new WeakMap<Comparison, Dependencies>();

function dependenciesIn(comparison: Comparison): Dependencies {
  const known = KNOWN.get(comparison) ?? new Dependencies(comparison);
  KNOWN.set(comparison, known);
  return known;
}

/** The deliveries that depend on one that is removed. */
function lostBy({ before, after, shown }: Difference, comparison: Comparison): string[] {
  if (!before || after || shown.stays || !deliveryFacts(before)) return [];
  return dependenciesIn(comparison).dependentsOf(before)
    .map((delivery) => `${deliveryName(delivery)} depends on ${nameOf(before)}, which nothing defines any more: it applies nothing from now on`);
}

function laterOf(delivery: ManifestObject, { now }: Comparison): ManifestObject {
  return now.find(groupKind(delivery), namespaceOf(delivery), nameOf(delivery)) ?? delivery;
}

function deliveryName(delivery: ManifestObject): string {
  return `${String(delivery.kind)} ${nameOf(delivery)}`;
}
