import { compareObjects, Comparison, Difference, recreated } from './paired-objects';
import { Refusal } from './plan-model';
import { changeFindings, ChangeFindings } from './refused-objects';
import { classOfTopology, StayingClusters } from './topology-changes';
import { groupedBy, objectKey } from '../landscape/file-appliers';
import { groupKind, ManifestObject, nameOf } from '../objects/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { RuleFinding } from '../rules/manifest-rule';
import { whileUnchanged } from '../rules/of-one-object';
import { deliveryFacts } from '../systems/providers';
import { ManifestValidator } from '../validation/validate-manifests';

/**
 * Compares two states, with what is refused. A Cluster that is refused stays as it was, and its topology follows what changes of its class.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/topology/cluster/cluster_controller.go (clusterClassToCluster), v1.14.2.
 */
export function comparedWithRefusals(...[before, after, live, charts]: Parameters<typeof compareObjects>): Comparison {
  const compared = compareObjects(before, after, live, charts);
  const differences = withRefusals(compared, new Map());
  const staying = stayingClusters(differences, compared);
  if (staying.size === 0) return { ...compared, differences };
  const again = compareObjects(before, after, live, charts, staying);
  return { ...again, differences: withRefusals(again, staying) };
}

/** Clusters with a topology that are not applied, and of whose class something is. A class cannot go before its Clusters. */
function stayingClusters(differences: readonly Difference[], { now }: Comparison): StayingClusters {
  const applied = new Set(differences.filter(({ refusals, heldBy }) => !refusals && !heldBy).flatMap(({ before, after }) => [before, after]));
  return new Map(differences.flatMap(({ before, after, refusals, heldBy }) => {
    if (!before || !after || !(refusals ?? heldBy) || groupKind(after) !== CLUSTER) return [];
    const isChanged = classOfTopology(before, now).some((object) => object && applied.has(object));
    return isChanged ? [[after, before] as const] : [];
  }));
}

/**
 * Finds the differences that a server refuses, and those that are not applied because of them: of a delivery that applies its manifests in an
 * order, those that come after.
 */
function withRefusals(comparison: Comparison, staying: StayingClusters): readonly Difference[] {
  const all = whileUnchanged(() => findingsIn(comparison));
  if (all.size === 0) return comparison.differences;
  const differences = comparison.differences.flatMap((difference): readonly Difference[] => {
    const forcedBy = all.get(difference)?.forcedBy;
    if (forcedBy) {
      const both = recreated(difference, forcedBy);
      both.forEach((one) => all.set(one, NOTHING_WRONG));
      return both;
    }
    const failing = all.get(difference)?.failing ?? [];
    const refusals = (findings: readonly RuleFinding[]) => findings.map((finding) => refusalOf(difference, finding, []));
    const marked = failing.length > 0
      ? { ...difference, failing: refusals(failing), stranding: refusals(failing.filter(({ rule }) => rule.stranding)) } : difference;
    all.set(marked, all.get(difference) ?? NOTHING_WRONG);
    return [marked];
  });
  const found = new Map(differences.flatMap((difference) => {
    const { refused } = all.get(difference)!;
    return refused.length > 0 ? [[difference, refused] as const] : [];
  }));
  const holding = new Map<string, readonly Holds[]>();
  for (const difference of found.keys()) {
    for (const delivery of difference.appliers) {
      const holds = deliveryFacts(delivery)?.holds?.(objectOf(difference), delivery);
      if (holds) holding.set(objectKey(delivery), [...holding.get(objectKey(delivery)) ?? [], holds]);
    }
  }
  const isHeld = (delivery: ManifestObject, difference: Difference) => (
    (holding.get(objectKey(delivery)) ?? []).some((holds) => holds(objectOf(difference), !difference.after)));
  const applied = differences.map((difference) => {
    const { appliers, formerOwners } = difference;
    const findings = found.get(difference);
    const names = [...new Set(appliers.filter((delivery) => isHeld(delivery, difference)).map(deliveryName))];
    // A refused object stays with the clusters that it belongs to.
    if (findings) {
      const refusals = findings.map((finding) => refusalOf(difference, finding, names));
      return { ...difference, refusals, owners: formerOwners ?? difference.owners };
    }
    return appliers.length > 0 && appliers.every((delivery) => isHeld(delivery, difference)) ? { ...difference, heldBy: names } : difference;
  });
  return withHeldTopologies(applied, comparison, new Set(staying.values()));
}

/** Objects of a topology stay as they are if their Cluster or something of its class is not applied. */
function withHeldTopologies(differences: readonly Difference[], { now }: Comparison, staying: ReadonlySet<ManifestObject>): readonly Difference[] {
  // Objects that a topology would no longer have are made of the Cluster before.
  const waiting = new Map(differences.filter(({ refusals, heldBy }) => refusals ?? heldBy)
    .flatMap((difference) => [difference.before, difference.after].map((object) => [object, difference] as const)));
  return differences.map((difference) => {
    if (!difference.made) return difference;
    const { cluster } = difference.made;
    const own = [...staying.has(cluster) ? [] : [cluster], ...classOfTopology(cluster, now)];
    const sources = own.flatMap((source) => (source && waiting.get(source)) ?? []);
    const heldBy = sources.flatMap((source) => (source.refusals ? [`${source.shown.kind} ${source.shown.name}`] : source.heldBy ?? []));
    return heldBy.length > 0 ? { ...difference, heldBy: [...new Set(heldBy)] } : difference;
  });
}

/** Findings of a change, and the delivery that gets past refusals by deleting the object and creating it anew. */
interface DifferenceFindings extends ChangeFindings {
  readonly forcedBy?: ManifestObject;
}

const NOTHING_WRONG: DifferenceFindings = { refused: [], failing: [] };

function findingsIn({ differences, indexesOf }: Comparison): Map<Difference, DifferenceFindings> {
  const found = new Map<Difference, DifferenceFindings>();
  if (differences.length === 0) return found;
  const validator = new ManifestValidator();
  const indexes = new Map<string | undefined, ReturnType<Comparison['indexesOf']>>();
  for (const { target, owners } of differences) {
    if (!indexes.has(target)) indexes.set(target, indexesOf(target, owners.length === 1 ? owners[0] : undefined));
  }
  // The rules of one kind after those of another are more than a processor has at hand.
  const byKind = groupedBy((difference) => groupKind(objectOf(difference)), differences);
  for (const difference of [...byKind.values()].flat()) {
    const { before, after, target, appliers, shown, machines, made, notApplied } = difference;
    if (made?.findings) found.set(difference, { refused: made.findings, failing: [] });
    if (machines || made || notApplied !== undefined || (!after && shown.stays)) continue;
    const [old, now] = indexes.get(target)!;
    const findings = changeFindings(validator, { before, after, old, now });
    if (findings.refused.length + findings.failing.length === 0) continue;
    const forcing = before && after && appliers.find((delivery) => isForced(findings.refused, delivery, after, before));
    const isAccepted = forcing && changeFindings(validator, { after, old, now }).refused.length === 0;
    found.set(difference, { ...findings, ...isAccepted && { forcedBy: forcing } });
  }
  return found;
}

/** True if a delivery deletes an object with a refused change, and creates it anew. */
function isForced(refused: readonly RuleFinding[], delivery: ManifestObject, after: ManifestObject, before: ManifestObject): boolean {
  const { forces, forcesByDryRun } = deliveryFacts(delivery) ?? {};
  return refused.some(({ rule }) => !(forcesByDryRun && rule.passesDryRun)) && forces?.(delivery, after, before) === true;
}

function refusalOf({ shown }: Difference, { rule, path, message, fix }: RuleFinding, holds: readonly string[]): Refusal {
  const fields = shown.fields.filter((change) => path.every((name, index) => change.path[index] === name));
  return { rule: rule.id, object: shown, path, fields, message, fix, holds, ...(rule.refusedLater && { isLate: true as const }) };
}

/** True of a manifest that is not applied, or pruned, because of another one. */
type Holds = (manifest: ManifestObject, isPruned: boolean) => boolean;

function objectOf({ before, after }: Difference): ManifestObject {
  return (after ?? before)!;
}

function deliveryName(delivery: ManifestObject): string {
  return `${String(delivery.kind)} ${nameOf(delivery)}`;
}

/** True of a change that a server accepts, and a controller refuses. */
export function isRefusedLater({ failing = [] }: Difference): boolean {
  return failing.some(({ isLate }) => isLate);
}

/** Later failures of a change: if a controller refuses it, nothing else of it comes to that. */
export function failuresOf(difference: Difference): readonly Refusal[] {
  const { failing = [] } = difference;
  return isRefusedLater(difference) ? failing.filter(({ isLate }) => isLate) : failing;
}
