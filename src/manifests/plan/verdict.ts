import { ChangeKind, ObjectChange, PartKind, PlannedCluster, PlannedEffect, PlannedPart, Refusal, Undo } from './plan-model';
import { PlannedChanges } from './plan-objects';
import { isNothing, PlanTotals, planTotals, totalsWords } from './plan-totals';
import { clusterName, countWords, isDisruptive, namesWords, objectWords, partName, refusalWords } from './plan-words';
import { Consequence } from '../rules/changes/consequences';
import { Effect } from '../rules/changes/effects';

/** Most important fact about a plan for a reviewer. Of several that apply, it is the first. */
export enum Verdict {
  /** The API server or a webhook refuses a change. */
  BLOCKED = 'BLOCKED',

  /** Something is lost that a revert does not bring back: a cluster, or data. Machines are not: a revert makes others. */
  DESTROYS = 'DESTROYS',

  /** Machines, pods or objects are replaced, moved or deleted, a release is upgraded, something is not available or fails later, or an effect is unknown. */
  DISRUPTS = 'DISRUPTS',

  /** Nothing of that. It may be something that a revert does not undo, which a line of its own says. */
  SAFE = 'SAFE',
}

/** Severities of what happens, in their order. */
export enum Severity {
  REFUSED,
  LOST,
  DOWN,
  MACHINES_DELETED,
  MACHINES_REPLACED,
  DISRUPTED,
  UNKNOWN,
  REST,
}

/** Something that is refused, lost or not available, and where. */
export interface VerdictEntry {
  /** The cluster, as it is named in the plan. */
  readonly cluster?: string;
  readonly text: string;

  /** The object because of which it happens. */
  readonly object?: ObjectChange;

  /** Verdict of the server. */
  readonly refusal?: Refusal;
}

/** The verdict on a plan, and its reasons. What waits for a pause to end, or for what is refused, counts as well. */
export interface PlanVerdict {
  readonly verdict: Verdict;

  /** False if it follows from unknown effects and files that are not read alone. */
  readonly isCertain: boolean;
  readonly refused: readonly VerdictEntry[];
  readonly lost: readonly VerdictEntry[];
  readonly down: readonly VerdictEntry[];

  /** Changes that a revert does not undo, beside what is lost: a server refuses it, or it does harm. */
  readonly irreversible: readonly VerdictEntry[];
}

/** A part, and the cluster that it is of. */
interface Placed {
  readonly part: PlannedPart;
  readonly cluster?: PlannedCluster;
}

/** Returns the verdict on a plan. */
export function planVerdict(plan: PlannedChanges): PlanVerdict {
  const parts = placedParts(plan);
  const refused = parts.flatMap(({ part, cluster }) => (part.refusals ?? []).map((refusal): VerdictEntry => (
    { ...placeOf(cluster), text: refusedText(refusal), object: refusal.object, refusal })));
  const staying = parts.filter(({ part, cluster }) => !isLost(cluster) && !part.heldBy);
  const entries = (list: 'lost' | 'down') => staying.flatMap(({ part, cluster }) => (
    (part.consequences?.[list] ?? []).map((one) => ({ ...placeOf(cluster), text: consequenceText(part, one), object: part.objects[0] }))));
  const lost = [...plan.clusters.filter(isLost).map(lostCluster), ...entries('lost')];
  const down = entries('down');
  const irreversible = staying.flatMap(({ part, cluster }) => {
    const { revert, why = '' } = part.consequences?.undo ?? {};
    if (part.refusals || (revert !== Undo.REFUSED && revert !== Undo.HARMFUL)) return [];
    const words = revert === Undo.REFUSED ? 'a revert is refused' : 'do not revert it';
    return [{ ...placeOf(cluster), text: `${partName(part)}: ${words}: ${why}`, object: part.objects[0] }];
  });
  const isDisrupted = down.length > 0 || plan.unread.some(({ fails }) => fails) || parts.some(({ part }) => severityOfPart(part) < Severity.UNKNOWN);
  const isUnknown = plan.unread.some(({ isUnapplied }) => !isUnapplied) || parts.some(({ part }) => severityOfPart(part) === Severity.UNKNOWN);
  const reached = [
    [refused.length > 0, Verdict.BLOCKED], [lost.length > 0, Verdict.DESTROYS], [isDisrupted || isUnknown, Verdict.DISRUPTS], [true, Verdict.SAFE],
  ] as const;
  const [, verdict] = reached.find(([isReached]) => isReached)!;
  return { verdict, isCertain: verdict !== Verdict.DISRUPTS || isDisrupted, refused, lost, down, irreversible };
}

/** Severity of a part. */
export function severityOfPart({ effects, consequences, refusals = [] }: PlannedPart): Severity {
  if (refusals.length > 0) return Severity.REFUSED;
  if (consequences && consequences.lost.length > 0) return Severity.LOST;
  if (consequences && consequences.down.length > 0) return Severity.DOWN;
  return Math.min(Severity.REST, ...effects.map(severityOfEffect));
}

/** Severity of what becomes of a cluster. */
export function severityOfCluster(cluster: PlannedCluster): Severity {
  const worst = Math.min(Severity.REST, ...cluster.parts.map(severityOfPart));
  return isLost(cluster) ? Math.min(worst, Severity.LOST) : worst;
}

/** The largest number of machines and pods that a part concerns. */
export function sizeOfPart({ effects }: PlannedPart): number {
  return effects.reduce((all, { effect, count }) => all + (effect === Effect.SCALED ? 0 : count?.maximum ?? 0), 0);
}

/** The largest number of machines and pods of a cluster that are concerned. */
export function sizeOfCluster({ parts }: PlannedCluster): number {
  return parts.reduce((all, part) => all + sizeOfPart(part), 0);
}

/**
 * The verdict in at most ten lines: first the sums, then what is refused, lost and not available, then, in a plan of several clusters, the
 * clusters whose machines are deleted and replaced, what is unknown, and what is not read. Clusters that nothing applies are named, too.
 */
export function verdictLines(plan: PlannedChanges): string[] {
  const totals = planTotals(plan);
  const { verdict, isCertain, refused, lost, down, irreversible } = planVerdict(plan);
  const sums = totalsWords(totals);
  const refusals = refusedTexts(refused);
  // Of nothing, there is nothing to say.
  if (isNothing(totals)) return [sums];
  return [
    `${verdict}${isCertain ? '' : ' (if what is unknown does)'}: ${sums}`,
    ...refusals.slice(0, MOST_REFUSED).map((text) => `REFUSED: ${text}`),
    ...refusals.length > MOST_REFUSED ? [`REFUSED: ${refusals.length - MOST_REFUSED} more`] : [],
    ...line('LOST', lost.map(entryText)),
    ...line('NOT AVAILABLE', down.map(entryText)),
    ...line('NOT APPLIED', plan.unread.flatMap(({ file, clusters = [] }) => clusters.map((name) => `${name} in ${file}`))),
    ...line('FAILS', plan.unread.filter(({ fails }) => fails).map(({ file }) => file)),
    // Of the others, the parts tell.
    ...verdict === Verdict.SAFE ? line('NO WAY BACK', irreversible.map(entryText)) : [],
    ...plan.clusters.length + plan.shared.length > 1 ? listLines(plan, totals) : [],
  ];
}

/** All names and texts of a verdict of which its lines show some. */
export function longLists({ refused, lost, down }: PlanVerdict): { readonly heading: string; readonly texts: readonly string[] }[] {
  return [
    { heading: 'refused', texts: refusedTexts(refused), most: MOST_REFUSED },
    { heading: 'lost', texts: lost.map(entryText), most: MOST_NAMED },
    { heading: 'not available', texts: down.map(entryText), most: MOST_NAMED },
  ].filter(({ texts, most }) => texts.length > most);
}

const MOST_REFUSED = 2;

/** Refusals, each text once: objects of several management clusters may have one name. */
function refusedTexts(refused: readonly VerdictEntry[]): string[] {
  const counts = new Map<string, number>();
  refused.forEach(({ text }) => counts.set(text, (counts.get(text) ?? 0) + 1));
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text}, ${count} times`));
}

/** The number of names on a line. */
const MOST_NAMED = 5;

function listLines(plan: PlannedChanges, totals: PlanTotals): string[] {
  const parts = placedParts(plan).filter(({ part, cluster }) => !part.heldBy && !part.paused && !cluster?.paused);
  const acting = ({ effects }: PlannedPart) => effects.filter(({ waitsFor }) => waitsFor === undefined);
  const having = (isWanted: (effect: PlannedEffect, placed: Placed) => boolean) => [...new Set(parts
    .filter((placed) => acting(placed.part).some((effect) => isWanted(effect, placed))).map(({ part, cluster }) => nameOf(part, cluster)))];
  const deleted = having(({ effect, count }, { cluster }) => effect === Effect.DELETED && !isLost(cluster) && (count?.maximum ?? 0) > 0);
  const replaced = having(({ effect, count }) => effect === Effect.ENDLESS || (effect === Effect.MACHINES && count?.maximum !== 0));
  return [
    ...line(`DELETED, ${countWords(totals.machinesDeleted, 'machine', 'machines')} in all`, deleted),
    ...line(`REPLACED, ${countWords(totals.machinesReplaced, 'machine', 'machines')} in all`, replaced),
    ...line('UNKNOWN', having(({ effect }) => effect === Effect.UNKNOWN)),
    ...line('NOT READ', plan.unread.filter(({ fails, isUnapplied }) => !fails && !isUnapplied).map(({ file }) => file)),
  ];
}

function line(heading: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${heading}: ${namesWords(names)}`];
}

function placedParts({ clusters, shared }: PlannedChanges): Placed[] {
  return [...clusters.flatMap((cluster) => cluster.parts.map((part) => ({ part, cluster }))), ...shared.map((part) => ({ part }))];
}

/** True if a cluster goes with its data, or may do so. */
function isLost(cluster: PlannedCluster | undefined): boolean {
  return cluster?.change === ChangeKind.REMOVED || cluster?.change === ChangeKind.MOVED;
}

function lostCluster(cluster: PlannedCluster): VerdictEntry {
  const whole = cluster.parts.filter(({ part }) => part === PartKind.CLUSTER);
  const [count] = whole.flatMap(({ effects }) => effects.flatMap((effect) => effect.count ?? []));
  const machines = count && count.maximum > 0 ? ` with ${countWords(count, 'machine', 'machines')}` : '';
  const [object] = whole.flatMap(({ objects }) => objects.filter(({ kind }) => kind === 'Cluster'));
  const race = cluster.change === ChangeKind.MOVED ? ', if the former owner comes first' : '';
  return { ...placeOf(cluster), object, text: `the cluster${machines}${race}` };
}

function severityOfEffect(effect: PlannedEffect): Severity {
  switch (effect.effect) {
    case Effect.DELETED: return (effect.count?.maximum ?? 0) > 0 ? Severity.MACHINES_DELETED : Severity.DISRUPTED;
    case Effect.ENDLESS: return Severity.MACHINES_REPLACED;
    case Effect.MACHINES: return effect.count?.maximum === 0 ? Severity.REST : Severity.MACHINES_REPLACED;
    case Effect.RELEASE: return Severity.DISRUPTED;
    case Effect.UNKNOWN: return Severity.UNKNOWN;
    default: return isDisruptive(effect) ? Severity.DISRUPTED : Severity.REST;
  }
}

function refusedText(refusal: Refusal): string {
  const held = refusal.holds.length === 0 ? '' : `, and with it everything in ${refusal.holds.join(' and ')}`;
  return `${objectWords(refusal.object)} ${refusalWords(refusal)}${held}`;
}

function consequenceText(part: PlannedPart, { what, detail }: Consequence): string {
  const name = part.part === PartKind.CLUSTER || part.part === PartKind.CONTROL_PLANE ? '' : `${partName(part)}: `;
  return `${name}${what}${detail === undefined ? '' : ` (${detail})`}`;
}

function entryText({ cluster, text }: VerdictEntry): string {
  return cluster === undefined ? text : `${cluster}: ${text}`;
}

function placeOf(cluster: PlannedCluster | undefined): { readonly cluster?: string } {
  return cluster ? { cluster: clusterName(cluster) } : {};
}

function nameOf(part: PlannedPart, cluster: PlannedCluster | undefined): string {
  return cluster ? clusterName(cluster) : partName(part);
}
