import { machineConsequences, MachineConsequences } from './machine-consequences';
import { objectConsequences } from './object-consequences';
import { revertOf } from './reverts';
import { groupKind, ManifestObject, nameOf } from '../../objects/manifest-object';
import { ChangeConsequences } from '../../rules/changes/consequences';
import { Difference } from '../paired-objects';
import { ComparedCluster } from '../part-effects';
import { PartKind, PartOf, PlannedConsequences, PlannedEffect } from '../plan-model';

/**
 * Consequences of a changed part for the users of a cluster; undefined if there are none.
 *
 * @param part the part
 * @param differences its differences
 * @param planned its effects
 * @param cluster the cluster
 */
export function partConsequences(
  part: PartOf, differences: readonly Difference[], planned: readonly PlannedEffect[], cluster: ComparedCluster,
): PlannedConsequences | undefined {
  const effects = planned.filter(({ waitsFor }) => waitsFor === undefined);
  const kinds = new Set(effects.map(({ effect }) => effect));
  const owner = cluster.isDeleted ? undefined : ownerOf(part, differences, cluster);
  const { time, ...ofMachines }: MachineConsequences = owner ? machineConsequences(part, owner, effects, cluster) : {};
  const found: readonly ChangeConsequences[] = [...differences.map((difference) => objectConsequences(difference, kinds, cluster)), ofMachines];
  const lost = found.flatMap((one) => one.lost ?? []);
  const down = found.flatMap((one) => one.down ?? []);
  const felt = [...new Set(found.flatMap((one) => one.felt ?? []))];
  const undo = revertOf(differences, effects, lost, cluster.comparison);
  if (lost.length + down.length + felt.length === 0 && !undo) return undefined;
  return { lost, down, felt, ...(time && { time }), ...(undo && { undo }) };
}

/** The pool or control plane that a part is about: as it will be, or was if it is removed. */
function ownerOf({ part, kind, name }: PartOf, differences: readonly Difference[], { comparison, now }: ComparedCluster): ManifestObject | undefined {
  if (part !== PartKind.POOL && part !== PartKind.CONTROL_PLANE) return undefined;
  const main = differences.find(({ before, after }) => groupKind((after ?? before)!) === kind);
  // Without a control plane, there is nothing to drain.
  if (main) return main.after ?? (part === PartKind.POOL ? main.before : undefined);
  const named = part === PartKind.POOL ? name : now?.controlPlane?.name;
  return comparison.now.allIn(kind, now?.namespace).find((object) => nameOf(object) === named);
}
