import { ChangeKind, PartKind, PlannedCluster, PlannedEffect, PlannedPart } from './plan-model';
import { PlannedChanges } from './plan-objects';
import { countWords, objectsWords } from './plan-words';
import { MachineCount } from '../landscape/cluster-model';
import { Effect } from '../rules/changes/effects';

/** Sums over a plan. Machines of clusters and parts that are paused, and of parts that are held back, are not among them. */
export interface PlanTotals {
  readonly clusters: number;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;

  /** Clusters that another delivery applies from now on, and that the former one deletes if it comes first. */
  readonly moved: number;

  /** Clusters that change while they are paused. */
  readonly paused: number;

  /** Parts of other clusters that change while their object is paused. */
  readonly pausedParts: number;

  /** Parts of which machines wait until versions agree, or a rollout is resumed. */
  readonly waitingParts: number;

  /** Changes that a server refuses. */
  readonly refused: number;

  /** Parts that a delivery does not apply as long as the server refuses another of its changes. */
  readonly heldParts: number;
  readonly machinesReplaced: MachineCount;
  readonly machinesDeleted: MachineCount;

  /**
   * The largest number of machines that are replaced at one time, if all clusters begin together.
   *
   * @default - it cannot be told
   */
  readonly machinesAtATime?: number;

  /**
   * The largest number of machines that are replaced at one time in one cluster, where more than one replaces machines.
   *
   * @default - no more than one cluster does, or it cannot be told
   */
  readonly machinesAtATimeInACluster?: number;

  /** Parts whose machines are created without end, replaced or deleted, and are not counted, because their number is not known. */
  readonly uncountedParts: number;

  /** Parts of which it cannot be told what happens, and files that are not read. */
  readonly unknownEffects: number;

  /** Files that differ, or change what differs, and are not read. */
  readonly unreadFiles: number;

  /** Files that differ, are read, and that nothing applies. */
  readonly unappliedFiles: number;
  readonly objects: number;
}

const NONE: MachineCount = { minimum: 0, maximum: 0 };

/** Sums over a plan. */
export function planTotals(plan: PlannedChanges): PlanTotals {
  const { clusters, shared, unread } = plan;
  const notRead = unread.filter(({ isUnapplied }) => !isUnapplied);
  const parts = [...clusters.flatMap((cluster) => cluster.parts), ...shared];
  const running = clusters.filter(({ paused }) => !paused);
  const [paused, others] = [true, false].map((isPaused) => (
    running.flatMap((cluster) => cluster.parts.filter((part) => (part.paused === true) === isPaused))));
  const acting = [...others, ...shared].filter(({ heldBy }) => !heldBy).flatMap(({ effects }) => effects.filter(isActing));
  const [replaced, deleted] = [Effect.MACHINES, Effect.DELETED].map((effect) => acting.filter((one) => one.effect === effect));
  const inTurns = replaced.every(({ atATime }) => atATime !== undefined);
  const of = (change: ChangeKind) => clusters.filter((cluster) => cluster.change === change).length;
  return {
    get clusters() {
      return plan.clusterCount;
    },
    created: of(ChangeKind.CREATED),
    changed: of(ChangeKind.CHANGED),
    removed: of(ChangeKind.REMOVED),
    moved: of(ChangeKind.MOVED),
    paused: clusters.length - running.length,
    pausedParts: paused.length,
    waitingParts: [...others, ...shared].filter(({ effects }) => !effects.every(isActing)).length,
    refused: parts.reduce((all, { refusals = [] }) => all + refusals.length, 0),
    heldParts: parts.filter(({ heldBy }) => heldBy).length,
    machinesReplaced: sum(replaced.map(({ count }) => count)),
    machinesDeleted: sum(deleted.map(({ count }) => count)),
    ...(inTurns && turnTotals(running, shared.filter(({ heldBy }) => !heldBy))),
    uncountedParts: running.flatMap((cluster) => cluster.parts.filter((part) => !part.paused && !part.heldBy && isUncounted(part, cluster))).length
      + shared.filter((part) => !part.heldBy && isUncounted(part)).length,
    unknownEffects: parts.filter(({ effects }) => effects.some(({ effect }) => effect === Effect.UNKNOWN)).length + notRead.length,
    unreadFiles: notRead.length,
    unappliedFiles: unread.length - notRead.length,
    objects: parts.reduce((all, { objects }) => all + objects.filter(({ made }) => !made).length, 0),
  };
}

/** The largest numbers of machines that are replaced at one time: in all clusters together, and in one. */
function turnTotals(clusters: readonly PlannedCluster[], shared: readonly PlannedPart[]): Pick<PlanTotals, 'machinesAtATime' | 'machinesAtATimeInACluster'> {
  const ofClusters = clusters.map(turnsOfCluster).filter((turns) => turns > 0);
  return {
    machinesAtATime: turnsOf(shared) + ofClusters.reduce((all, turns) => all + turns, 0),
    ...(ofClusters.length > 1 && { machinesAtATimeInACluster: Math.max(...ofClusters) }),
  };
}

/** Pools that wait are not replaced along with their control plane. */
function turnsOfCluster({ parts }: PlannedCluster): number {
  const acting = parts.filter(({ paused, heldBy }) => !paused && !heldBy);
  const [waiting, others] = [true, false].map((waits) => acting.filter((part) => (part.waits === true) === waits));
  const controlPlane = turnsOf(others.filter(({ part }) => part === PartKind.CONTROL_PLANE));
  return turnsOf(others) - controlPlane + Math.max(controlPlane, turnsOf(waiting));
}

function turnsOf(parts: readonly PlannedPart[]): number {
  const acting = parts.flatMap(({ effects }) => effects.filter(isActing));
  return acting.reduce((all, { effect, atATime = 0 }) => (effect === Effect.MACHINES ? all + atATime : all), 0);
}

/** True of an effect that waits for nothing. */
function isActing({ waitsFor }: PlannedEffect): boolean {
  return waitsFor === undefined;
}

const MACHINE_EFFECTS: readonly Effect[] = [Effect.ENDLESS, Effect.MACHINES];

/** The machines of a removed cluster are counted together. */
function isUncounted({ part, change, effects }: PlannedPart, cluster?: PlannedCluster): boolean {
  const deletesMachines = change === ChangeKind.REMOVED && part === (cluster?.change === ChangeKind.REMOVED ? PartKind.CLUSTER : PartKind.POOL);
  return effects.some(({ effect, count }) => !count && (MACHINE_EFFECTS.includes(effect) || (effect === Effect.DELETED && deletesMachines)));
}

/** True if nothing changes. */
export function isNothing({ objects, unreadFiles, unappliedFiles }: PlanTotals): boolean {
  return objects === 0 && unreadFiles === 0 && unappliedFiles === 0;
}

/** The sums in a sentence. */
export function totalsWords(totals: PlanTotals): string {
  if (isNothing(totals)) return 'Nothing changes.';
  const { clusters, created, changed, removed, moved, paused, pausedParts, waitingParts, objects } = totals;
  const { uncountedParts, unknownEffects, unreadFiles, unappliedFiles, machinesReplaced, machinesDeleted, refused, heldParts } = totals;
  const touched = created + changed + removed + moved;
  const kinds = [[created, 'new'], [changed, 'changed'], [removed, 'removed'], [moved, ChangeKind.MOVED]] as const;
  const of = kinds.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`).join(', ');
  return [
    `${touched} of ${clusters} cluster${clusters === 1 ? '' : 's'} differ${touched === 1 ? 's' : ''}${touched > 0 ? ` (${of})` : ''}`,
    objectsWords(objects),
    `${countWords(machinesReplaced, 'machine', 'machines')} replaced${machinesReplaced.maximum > 0 ? turnWords(totals) : ''}`,
    ...(machinesDeleted.maximum > 0 ? [`${countWords(machinesDeleted, 'machine', 'machines')} deleted`] : []),
    ...(uncountedParts > 0 ? [`machines of ${uncountedParts} part${uncountedParts === 1 ? '' : 's'} not counted, because their number is not known`] : []),
    ...(refused > 0 ? [`${refused} change${refused === 1 ? '' : 's'} refused`] : []),
    ...(heldParts > 0 ? [`machines of ${heldParts} part${heldParts === 1 ? '' : 's'} not counted, because of what they wait for`] : []),
    ...(paused > 0 ? [`machines of ${paused} paused cluster${paused === 1 ? '' : 's'} not counted`] : []),
    ...(pausedParts > 0 ? [`machines of ${pausedParts} paused part${pausedParts === 1 ? '' : 's'} not counted`] : []),
    ...(waitingParts > 0 ? [`machines of ${waitingParts} waiting part${waitingParts === 1 ? '' : 's'} not counted`] : []),
    ...(unknownEffects > 0 ? [`${unknownEffects} effect${unknownEffects === 1 ? '' : 's'} unknown`] : []),
    ...(unreadFiles > 0 ? [`${unreadFiles} file${unreadFiles === 1 ? '' : 's'} not read`] : []),
    ...(unappliedFiles > 0 ? [`${unappliedFiles} file${unappliedFiles === 1 ? '' : 's'} not applied`] : []),
  ].join('; ').concat('.');
}

/** The machines that are replaced at one time, as the end of a sentence about them. */
export function turnWords({ machinesAtATime, machinesAtATimeInACluster: inACluster }: PlanTotals): string {
  if (!machinesAtATime) return '';
  return `, at most ${machinesAtATime} at a time${inACluster === undefined ? '' : `, ${inACluster} in one cluster`}`;
}

function sum(counts: readonly (MachineCount | undefined)[]): MachineCount {
  return counts.reduce<MachineCount>((all, count = NONE) => ({ minimum: all.minimum + count.minimum, maximum: all.maximum + count.maximum }), NONE);
}
