import { Effect } from '../../rules/changes/effects';
import { ComparedCluster } from '../part-effects';
import { ChangeKind, PartKind, PlannedCluster, PlannedEffect, PlannedPart } from '../plan-model';

/** Effects that machines and pods take their time for. */
const TAKES_TIME: readonly Effect[] = [Effect.MACHINES, Effect.PODS, Effect.MOVED];

/** The note of pools that wait for the control plane. */
export const WAITS_FOR_CONTROL_PLANE = 'new machines wait until the control plane is upgraded';

/**
 * The order in which parts of a cluster act: names of parts, those of one step at the same time. Pools wait while the control plane is upgraded.
 * In a topology that is upgraded, pools wait for each other too, which their notes say.
 *
 * Source: kubernetes-sigs/cluster-api core/reconcilers/machineset/machineset_preflight.go, v1.14.2.
 *
 * @param parts the parts
 * @param cluster the cluster
 * @returns undefined for less than two parts
 */
export function orderOf(parts: readonly PlannedPart[], { old, now }: ComparedCluster): PlannedCluster['order'] {
  const acting = parts.filter(({ part, paused, effects }) => (
    (part === PartKind.CONTROL_PLANE || part === PartKind.POOL) && !paused && effects.some(takesTime)));
  if (acting.length < 2 || (now?.clusterClass !== undefined && old?.version !== now.version)) return undefined;
  const later = acting.filter(({ notes }) => notes.includes(WAITS_FOR_CONTROL_PLANE));
  const first = acting.filter((part) => !later.includes(part));
  return [first, later].filter((step) => step.length > 0).map((step) => step.map(nameOfPart));
}

function takesTime({ effect, count, waitsFor }: PlannedEffect): boolean {
  if (waitsFor !== undefined) return false;
  return TAKES_TIME.includes(effect) || (effect === Effect.DELETED && (count?.maximum ?? 0) > 0);
}

function nameOfPart({ part, name }: PlannedPart): string {
  return name === '' ? part : `${part} ${name}`;
}

/** Adds to pools that go which others come in the same change: nothing waits for them. */
export function withSuccessors(parts: readonly PlannedPart[]): readonly PlannedPart[] {
  const come = parts.filter(({ part, change }) => part === PartKind.POOL && change === ChangeKind.CREATED).map(({ name }) => name);
  if (come.length === 0) return parts;
  return parts.map((part) => {
    const { consequences, effects } = part;
    if (part.part !== PartKind.POOL || part.change !== ChangeKind.REMOVED || !consequences || !effects.some(takesTime)) return part;
    const text = `nothing waits for pool ${come.join(', ')}: add that in a commit before`;
    return { ...part, consequences: { ...consequences, felt: [...consequences.felt, text] } };
  });
}

/** The order of the parts of a cluster in words. */
export function orderWords({ order }: Pick<PlannedCluster, 'order'>): string[] {
  if (!order) return [];
  const steps = order.map((step) => (step.length === 1 ? step[0] : `${step.slice(0, -1).join(', ')} and ${step.at(-1)} at the same time`));
  return [`order: ${steps.join(', then ')}`];
}
