import { checkConflicts, checkExclusive, PresentCapabilities } from './addon-conflicts';
import { missingAfter, missingRequirement } from './addon-requirements';
import { ADDON_RULES } from './rules';
import { checkDnsLabel } from '../../manifests/values/dns';
import { Problem } from '../../manifests/values/problem';
import { Addon } from '../contracts/addon';

/** An addon with its dependencies. */
export interface PlannedAddon {
  readonly addon: Addon;
  /** Names of the addons that it comes after, sorted. */
  readonly dependencies: readonly string[];
}

/** The addons of a cluster in the order in which they are installed. */
export interface AddonPlan {
  readonly order: readonly PlannedAddon[];
  readonly problems: readonly Problem[];
}

/** Names of addons, each with the reason to wait for it. */
type Reasons = ReadonlyMap<string, string>;

/**
 * Sorts the addons of a cluster by their dependencies.
 *
 * The order of the list does not matter: among the possible next addons, the alphabetically first comes next.
 *
 * @param addons all addons of the cluster, the pod network included
 * @param present capabilities without an addon
 */
export function planAddons(addons: readonly Addon[], present: PresentCapabilities = {}): AddonPlan {
  const without = [...present.controlPlane ?? [], ...present.infrastructure ?? [], ...present.user ?? []];
  const sorted = [...addons].sort((one, other) => compare(one.name, other.name));
  const byName = new Map(sorted.map((addon) => [addon.name, addon]));
  const reasons = new Map([...byName.values()].map((addon) => [addon.name, reasonsOf(addon, byName)]));
  const { names, cycles } = sortTopologically(reasons);
  return {
    order: names.map((name) => ({ addon: byName.get(name)!, dependencies: [...reasons.get(name)!.keys()].sort(compare) })),
    problems: [
      ...checkNames(sorted),
      ...[...byName.values()].flatMap((addon) => [...missingRequirement(addon, byName, without), ...missingAfter(addon, byName)]),
      ...checkConflicts([...byName.values()]),
      ...checkExclusive([...byName.values()], present),
      ...cycles.map((cycle) => cycleProblem(cycle, reasons)),
    ],
  };
}

function reasonsOf(addon: Addon, byName: ReadonlyMap<string, Addon>): Reasons {
  const reasons = new Map<string, string>();
  for (const { name } of addon.after) {
    if (byName.has(name)) reasons.set(name, 'after');
  }
  for (const capability of addon.requires) {
    // An addon that provides a capability may also require it.
    if (addon.provides.includes(capability)) continue;
    for (const other of byName.values()) {
      if (other.provides.includes(capability)) reasons.set(other.name, `requires ${capability}`);
    }
  }
  return reasons;
}

/** Sorts names by their dependencies. Members of a cycle, and their dependents, follow once the cycle is recorded. */
function sortTopologically(reasons: ReadonlyMap<string, Reasons>): { names: string[]; cycles: string[][] } {
  const names: string[] = [];
  const cycles: string[][] = [];
  const waiting = [...reasons.keys()];
  while (waiting.length > 0) {
    const ready = waiting.findIndex((name) => ![...reasons.get(name)!.keys()].some((dependency) => waiting.includes(dependency)));
    const cycle = ready < 0 ? findCycle(waiting, reasons) : [];
    if (ready < 0) cycles.push(cycle);
    for (const name of ready < 0 ? cycle : [waiting[ready]]) {
      names.push(name);
      waiting.splice(waiting.indexOf(name), 1);
    }
  }
  return { names, cycles };
}

/** A cycle among names that all depend on one another, starting with its first name of the alphabet. */
function findCycle(waiting: readonly string[], reasons: ReadonlyMap<string, Reasons>): string[] {
  const path: string[] = [];
  for (let name = waiting[0]; !path.includes(name);) {
    path.push(name);
    name = waiting.find((candidate) => reasons.get(path[path.length - 1])!.has(candidate))!;
    if (path.includes(name)) path.splice(0, path.indexOf(name));
  }
  const first = path.indexOf([...path].sort(compare)[0]);
  return [...path.slice(first), ...path.slice(0, first)];
}

function cycleProblem(cycle: readonly string[], reasons: ReadonlyMap<string, Reasons>): Problem {
  const steps = cycle.map((name, index) => `${name} (${reasons.get(name)!.get(cycle[(index + 1) % cycle.length])})`);
  return {
    rule: ADDON_RULES.cycle,
    property: cycle[0],
    message: `each of these comes after the next: ${[...steps, cycle[0]].join(' -> ')}`,
    fix: 'remove one of these dependencies',
  };
}

function checkNames(sorted: readonly Addon[]): Problem[] {
  return sorted.flatMap((addon, index): Problem[] => {
    const fault = checkDnsLabel(addon.name);
    if (fault) return [{ rule: ADDON_RULES.name, property: 'name', message: fault, fix: 'rename the addon' }];
    const other = sorted[index + 1];
    if (addon.name !== other?.name) return [];
    const [message, fix] = addon === other ? [`the addon "${addon.name}" is added twice`, 'add it once']
      : [`two addons are called "${addon.name}"`, `${addon.constructor === other.constructor ? 'remove one of them, or ' : ''}give one of them another name`];
    return [{ rule: ADDON_RULES.nameTaken, property: addon.name, message, fix }];
  });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
