import { MachineOutcome, PairOutcome } from './outcome';

/** The parts of `plan --format json` that are compared. */
interface PlannedEffect {
  readonly effect: string;
  readonly count?: { readonly minimum: number; readonly maximum: number };
  readonly atATime?: number;
  readonly waitsFor?: string;
}

/** A part of a plan as plain data. */
export interface PlannedPart {
  readonly part: string;
  readonly name: string;
  readonly change: string;
  readonly paused?: boolean;
  readonly effects: readonly PlannedEffect[];
  readonly refusals?: readonly PlannedObject[];
  readonly objects?: readonly PlannedObject[];
}

/** An object of a plan as plain data. */
export interface PlannedObject {
  readonly kind: string;
  readonly name: string;
}

/** A cluster of a plan as plain data. */
export interface PlannedCluster {
  readonly managementCluster?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly change?: string;
  readonly paused?: boolean;
  readonly parts: readonly PlannedPart[];
}

/** A plan as plain data. */
export interface PlanJson {
  readonly clusters: readonly PlannedCluster[];
  readonly shared?: readonly PlannedPart[];
  readonly unread?: readonly object[];
}

/**
 * Disagreements between the plan of a pair and the controllers, in words.
 *
 * @param plan the plan, of one cluster at most
 * @param outcome what became of its machines
 */
export function planFaults(plan: PlanJson, outcome: PairOutcome): string[] {
  if (outcome.error !== undefined) return [outcome.error.trim()];
  const parts = plan.clusters.flatMap((cluster) => cluster.parts);
  const pools = parts.filter(({ part }) => part === 'pool');
  const names = new Set([...Object.keys(outcome.pools), ...pools.map(({ name }) => name)]);
  const controlPlane = parts.find(({ part }) => part === 'control plane');
  return [
    ...[...names].sort().flatMap((name) => {
      const faults = poolFaults(pools.find((pool) => pool.name === name), outcome.pools[name]);
      return faults.map((words) => `pool ${name}: ${words}`);
    }),
    // Of a control plane without machines, pods are replaced.
    ...outcome.controlPlane.before === 0 ? [] : controlPlaneFaults(controlPlane, outcome.controlPlane).map((words) => `control plane: ${words}`),
  ];
}

function poolFaults(planned: PlannedPart | undefined, found: MachineOutcome = { before: 0, after: 0, kept: 0, newSets: 0, changed: [] }): string[] {
  const { before, after, kept, newSets } = found;
  if (planned?.change === 'created') return countFaults('new machines', effectOf(planned, 'scaled'), after);
  if (planned?.change === 'removed') return countFaults('deleted machines', effectOf(planned, 'deleted'), before - after);
  const rollout = effectOf(planned, 'machines replaced');
  // While it waits there may be a MachineSet for it, whose machines do not come.
  const replaced = rollout?.waitsFor === undefined ? rollout : undefined;
  // Of a pool without machines, controllers may make and remove MachineSets.
  const both = Math.min(before, after);
  // With 0 at a time they wait until somebody deletes them.
  const inTurn = replaced?.atATime !== undefined && replaced.atATime > 0;
  return [
    ...sharedFaults(planned, found),
    ...replaced !== undefined && newSets === 0 ? ['planned machines replaced, and there is no new MachineSet'] : [],
    ...rollout === undefined && newSets > 0 && both > 0 ? [`not planned: machines replaced (${newSets} new MachineSets)`] : [],
    ...inTurn && kept > 0 ? [`planned machines replaced, and ${kept} of ${before} stay`] : [],
    ...!inTurn && kept < both ? [`not planned: ${both - kept} machines replaced`] : [],
    ...replaced ? countFaults('replaced machines', replaced, both) : [],
  ];
}

function controlPlaneFaults(planned: PlannedPart | undefined, found: MachineOutcome): string[] {
  const { before, after, kept } = found;
  const { minimum, maximum } = effectOf(planned, 'machines replaced')?.count ?? { minimum: 0, maximum: 0 };
  // Of those that go because there are fewer, it cannot be told whether they would have been replaced.
  const [least, most] = [Math.min(before, after) - kept, before - kept];
  return [
    ...sharedFaults(planned, found),
    ...most < minimum || least > maximum ? [`planned ${minimum} to ${maximum} replaced machines, and ${least} of ${before} are`] : [],
  ];
}

function sharedFaults(planned: PlannedPart | undefined, { before, after, changed }: MachineOutcome): string[] {
  return [
    ...effectOf(planned, 'unknown') ? ['planned as unknown'] : [],
    ...before < after && !effectOf(planned, 'scaled') ? [`not planned: scaled from ${before} to ${after}`] : [],
    ...countFaults('deleted machines', effectOf(planned, 'deleted'), Math.max(0, before - after)),
    ...changed.length > 0 && !planned?.effects.some(({ effect }) => effect !== 'new ones only') ? [`not planned: machines changed in place (${changed.join(', ')})`] : [],
  ];
}

function countFaults(what: string, effect: PlannedEffect | undefined, found: number): string[] {
  const { minimum, maximum } = effect?.count ?? { minimum: 0, maximum: 0 };
  return found < minimum || found > maximum ? [`planned ${minimum === maximum ? minimum : `${minimum} to ${maximum}`} ${what}, and there are ${found}`] : [];
}

function effectOf(planned: PlannedPart | undefined, name: string): PlannedEffect | undefined {
  return planned?.effects.find(({ effect }) => effect === name);
}
