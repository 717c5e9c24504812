import { partName as nameOfPart } from './cluster-state';
import { ReadObject } from '../../manifests/landscape/placed-objects';
import { ChangeKind, PartKind, PlannedPart } from '../../manifests/plan/plan-model';
import { planObjects } from '../../manifests/plan/plan-objects';
import { clusterName, partLines, partName } from '../../manifests/plan/plan-words';
import { Effect } from '../../manifests/rules/changes/effects';
import { deliveryFacts } from '../../manifests/validation/providers';

/** The parts that machines follow from. */
const WITH_MACHINES: readonly PartKind[] = [PartKind.CLUSTER, PartKind.CONTROL_PLANE, PartKind.POOL];

const REPLACING: readonly Effect[] = [Effect.MACHINES, Effect.UNKNOWN];
const SHOWN: readonly Effect[] = [...REPLACING, Effect.DELETED];

/**
 * What replaces or removes machines of a cluster, or may, a line each.
 *
 * @param before the objects of the earlier state
 * @param after the objects of the later state
 * @param id namespace and name of the cluster
 */
export function machineReplacements(before: readonly ReadObject[], after: readonly ReadObject[], id: string): string[] {
  // The later state is one cluster alone: what applies its folder may be elsewhere.
  const former = before.filter(({ object }) => !deliveryFacts(object)?.folders);
  const cluster = planObjects({ objects: former }, { objects: after }).clusters.find((one) => clusterName(one) === id);
  if (!cluster) return [];
  return cluster.parts.filter(losesMachines).map((part) => {
    const shown = { ...part, name: nameOfPart(part.name, cluster), effects: part.effects.filter(({ effect }) => SHOWN.includes(effect)), notes: [] };
    return `${partName(shown)}: ${partLines(shown).join('; ')}`;
  });
}

function losesMachines({ part, change, effects }: PlannedPart): boolean {
  if (effects.some(({ effect }) => effect === Effect.MACHINES)) return true;
  return WITH_MACHINES.includes(part) && (change === ChangeKind.REMOVED || effects.some(({ effect }) => REPLACING.includes(effect)));
}
