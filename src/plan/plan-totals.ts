import { ChangeKind, PlannedCluster } from './plan-model';
import { PlannedChanges } from './plan-objects';
import { countWords } from './plan-words';
import { MachineCount } from '../landscape/cluster-model';
import { Effect } from '../rules/changes/effects';

/** Sums over a plan. */
export interface PlanTotals {
  readonly clusters: number;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  readonly machinesReplaced: MachineCount;

  /** Machines of removed pools. */
  readonly machinesDeleted: MachineCount;

  /** The largest number of machines that are replaced at one time, if all clusters begin together. */
  readonly machinesAtATime: number;

  /** Parts of which it cannot be told what happens. */
  readonly unknownEffects: number;
  readonly objects: number;
}

const NONE: MachineCount = { minimum: 0, maximum: 0 };

/** Sums over a plan. */
export function planTotals({ clusters, shared, clusterCount }: PlannedChanges): PlanTotals {
  const parts = [...clusters.flatMap((cluster) => cluster.parts), ...shared];
  const counts = (effect: Effect, change?: ChangeKind) => parts.filter((part) => change === undefined || part.change === change)
    .flatMap(({ effects }) => effects.filter((one) => one.effect === effect));
  const of = (change: ChangeKind) => clusters.filter((cluster: PlannedCluster) => cluster.change === change).length;
  return {
    clusters: clusterCount,
    created: of(ChangeKind.CREATED),
    changed: of(ChangeKind.CHANGED),
    removed: of(ChangeKind.REMOVED),
    machinesReplaced: sum(counts(Effect.MACHINES).map(({ count }) => count)),
    machinesDeleted: sum(counts(Effect.SCALED, ChangeKind.REMOVED).map(({ count }) => count)),
    machinesAtATime: counts(Effect.MACHINES).reduce((all, { atATime = 0 }) => all + atATime, 0),
    unknownEffects: parts.filter(({ effects }) => effects.some(({ effect }) => effect === Effect.UNKNOWN)).length,
    objects: parts.reduce((all, { objects }) => all + objects.length, 0),
  };
}

/** The sums in a sentence. */
export function totalsWords(totals: PlanTotals): string {
  if (totals.objects === 0) return 'Nothing changes.';
  const { clusters, created, changed, removed, machinesReplaced, machinesDeleted, machinesAtATime, unknownEffects, objects } = totals;
  const touched = created + changed + removed;
  const kinds = [[created, 'new'], [changed, 'changed'], [removed, 'removed']] as const;
  const of = kinds.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`).join(', ');
  return [
    `${touched} of ${clusters} cluster${clusters === 1 ? '' : 's'} differ${touched === 1 ? 's' : ''}${touched > 0 ? ` (${of})` : ''}`,
    `${objects} object${objects === 1 ? '' : 's'}`,
    `${countWords(machinesReplaced, 'machine', 'machines')} replaced${machinesReplaced.maximum > 0 ? `, at most ${machinesAtATime} at a time` : ''}`,
    ...(machinesDeleted.maximum > 0 ? [`${countWords(machinesDeleted, 'machine', 'machines')} of removed pools deleted`] : []),
    ...(unknownEffects > 0 ? [`${unknownEffects} effect${unknownEffects === 1 ? '' : 's'} unknown`] : []),
  ].join('; ').concat('.');
}

function sum(counts: readonly (MachineCount | undefined)[]): MachineCount {
  return counts.reduce<MachineCount>((all, count = NONE) => ({ minimum: all.minimum + count.minimum, maximum: all.maximum + count.maximum }), NONE);
}
