import { ClusterVerdict, ENDLESS, Verdict } from './verdict';
import { PlanJson, PlannedCluster, planFaults, PlannedObject, PlannedPart } from '../compare-plan';
import { MachineOutcome } from '../outcome';

/** Quality of a plan, from best to worst. */
export enum Grade {
  /** Effect and number are right. */
  EXACT = 'exact',

  /** It says that it does not know. */
  VAGUE = 'vague',

  /** It says what does not happen. */
  WRONG = 'wrong',

  /** It says nothing of what happens. */
  SILENT = 'silent',
}

const GRADES = Object.values(Grade);

/** Judgment of the plan of a pair. */
export interface Judgment {
  readonly grade: Grade;

  /** Disagreements with the controllers, in words. */
  readonly faults: readonly string[];
}

interface Fault {
  readonly grade: Grade;
  readonly words: string;
}

const NO_MACHINES: MachineOutcome = { before: 0, after: 0, kept: 0, newSets: 0, changed: [] };

/**
 * Compares a plan with what the real controllers did.
 *
 * @param plan the output of `plan --format json`
 * @param verdict what they did
 */
export function judge(plan: PlanJson, verdict: Verdict): Judgment {
  const faults = verdict.refused ? refusalFaults(plan, verdict.refused)
    : [...wrongRefusals(plan, verdict), ...waitFaults(plan, verdict), ...clusterFaults(plan, verdict), ...releaseFaults(plan, verdict)];
  const worst = Math.max(0, ...faults.map(({ grade }) => GRADES.indexOf(grade)));
  return { grade: GRADES[worst], faults: faults.map(({ words }) => words) };
}

/** All parts of a plan. */
function partsOf(plan: PlanJson): PlannedPart[] {
  return [...plan.clusters.flatMap(({ parts }) => parts), ...plan.shared ?? []];
}

function plannedRefusals(plan: PlanJson): PlannedObject[] {
  return partsOf(plan).flatMap(({ refusals = [] }) => refusals);
}

function wrongRefusals(plan: PlanJson, { waits, clusters }: Verdict): Fault[] {
  // The server accepts a Cluster, and refuses what the topology controller makes of it: the controller waits.
  if (waits && clusters === undefined) return [];
  return plannedRefusals(plan).map(({ kind, name }) => fault(true, false, `planned ${kind} ${name} refused, and it is not`));
}

function waitFaults(plan: PlanJson, { waits }: Verdict): Fault[] {
  const waiting = waits ? [] : partsOf(plan).filter(({ effects }) => effects.some(({ waitsFor }) => waitsFor !== undefined));
  return waiting.map(({ name }) => fault(true, false, `planned ${name} to wait, and nothing waits`));
}

function refusalFaults(plan: PlanJson, refused: readonly string[]): Fault[] {
  // A dry run names the first one of several.
  if (refused.some((object) => plannedRefusals(plan).some(({ kind, name }) => object.startsWith(`${kind} `) && object.endsWith(`/${name}`)))) return [];
  const words = `not planned: ${refused.join(', ')} refused`;
  if (isUnknown(plan)) return [{ grade: Grade.VAGUE, words }];
  return [{ grade: partsOf(plan).length > 0 ? Grade.WRONG : Grade.SILENT, words }];
}

function isUnknown(plan: PlanJson): boolean {
  return (plan.unread ?? []).length > 0 || partsOf(plan).some(({ effects }) => effects.some(({ effect }) => effect === 'unknown'));
}

function clusterFaults(plan: PlanJson, { clusters = {} }: Verdict): Fault[] {
  const keys = new Set([...plan.clusters.map(keyOf), ...Object.keys(clusters)]);
  return [...keys].sort().flatMap((key) => {
    const planned = plan.clusters.find((cluster) => keyOf(cluster) === key);
    return faultsOf(planned, clusters[key] ?? {}, isUnknown(plan)).map(({ grade, words }) => ({ grade, words: `${key}: ${words}` }));
  });
}

function keyOf({ managementCluster, namespace, name }: PlannedCluster): string {
  return `${managementCluster === undefined ? '' : `${managementCluster}:`}${namespace}/${name}`;
}

function faultsOf(planned: PlannedCluster | undefined, found: ClusterVerdict, isPlanUnknown: boolean): Fault[] {
  const change = planned?.change === 'changed' ? undefined : planned?.change;
  if (found.change !== undefined || change !== undefined) {
    if (change === found.change) return [];
    return [fault(planned !== undefined, isPlanUnknown, `planned ${change ?? 'no other cluster'}, and it is ${found.change ?? 'the same one'}`)];
  }
  const parts = planned?.parts.map((part) => (planned.paused || part.paused ? { ...part, effects: [] } : part)) ?? [];
  const all = withPlanned(found.pools ?? {}, parts);
  const isEndless = ({ name, effects }: PlannedPart): boolean => (
    effects.some(({ effect }) => effect === 'machines without end') && all[name].after === ENDLESS);
  const endless = parts.filter(isEndless).map(({ name }) => name);
  const pools = Object.fromEntries(Object.entries(all).filter(([name]) => !endless.includes(name)));
  const controlPlane = found.controlPlane ?? kept(parts.find(({ part }) => part === 'control plane'));
  const ending = planned ? [{ ...planned, parts: parts.filter((part) => !isEndless(part)) }] : [];
  const faults = planFaults({ clusters: ending }, { id: '', seconds: 0, pools, controlPlane });
  const unknown = isPlanUnknown || parts.some(({ effects }) => effects.some(({ effect }) => effect === 'unknown'));
  return faults.map((words) => fault(parts.some(({ effects }) => effects.length > 0), unknown, words));
}

/** A set of machines that stays, of the size that a plan has for it. */
function kept(part: PlannedPart | undefined): MachineOutcome {
  const size = part?.effects.find(({ effect }) => effect === 'machines replaced')?.count?.maximum ?? 0;
  return { ...NO_MACHINES, before: size, after: size, kept: size };
}

function withPlanned(pools: Readonly<Record<string, MachineOutcome>>, parts: readonly PlannedPart[]): Record<string, MachineOutcome> {
  const planned = parts.filter(({ part }) => part === 'pool').map((part) => [part.name, kept(part)] as const);
  return { ...Object.fromEntries(planned), ...pools };
}

function fault(isPlanned: boolean, isPlanUnknown: boolean, words: string): Fault {
  if (isPlanUnknown) return { grade: Grade.VAGUE, words };
  return { grade: isPlanned ? Grade.WRONG : Grade.SILENT, words };
}

/** Kinds of objects that stand for releases. */
const RELEASE_KINDS: readonly string[] = ['HelmRelease', 'HelmChartProxy'];

/** The effects that say what becomes of a release. A Cluster with another label changes in place, and gets one. */
const RELEASE_EFFECTS: Readonly<Record<string, readonly string[]>> = {
  installed: ['created', 'delivered elsewhere', 'release upgraded', 'deleted', 'in place'],
  upgraded: ['release upgraded'],
  uninstalled: ['deleted', 'delivered elsewhere'],
  reinstalled: ['delivered elsewhere', 'deleted'],
};

function releaseFaults(plan: PlanJson, { releases = {} }: Verdict): Fault[] {
  const acting = partsOf(plan).filter(({ paused }) => !paused);
  const said = new Set(acting.flatMap(({ part, change, effects }) => [...part === 'addon' ? [change] : [], ...effects.map(({ effect }) => effect)]));
  const missed = Object.entries(releases).filter(([, change]) => !RELEASE_EFFECTS[change].some((effect) => said.has(effect)));
  const faults = missed.map(([name, change]) => fault(acting.length > 0, isUnknown(plan), `release ${name} is ${change}`));
  const isPlanned = acting.some(({ effects, objects = [] }) => (
    objects.some(({ kind }) => RELEASE_KINDS.includes(kind)) && effects.some(({ effect }) => ['release upgraded', 'delivered elsewhere', 'deleted'].includes(effect))));
  return isPlanned && Object.keys(releases).length === 0 ? [...faults, fault(true, isUnknown(plan), 'a release is planned to change, and none does')] : faults;
}
