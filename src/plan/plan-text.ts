import { groupedClusters, groupedParts } from './grouped-clusters';
import { ChangeKind, PlannedPart } from './plan-model';
import { PlannedChanges } from './plan-objects';
import { planTotals, totalsWords } from './plan-totals';
import { clusterName, isDisruptive, objectLine, objectsWords, othersWords, partLines, partName, sharedHeading, shownParts, UNREAD_HEADING, unreadLine } from './plan-words';

/** How a plan is printed. */
export interface TextOptions {
  readonly colors: boolean;

  /** Whether each object is listed below its part. */
  readonly objects: boolean;
}

const BOLD = 1;
const RED = 31;
const GREEN = 32;
const YELLOW = 33;

/** A plan for a terminal. */
export function planText(plan: PlannedChanges, { colors, objects }: TextOptions): string {
  const paint = (code: number, text: string) => (colors ? `\u001b[${code}m${text}\u001b[0m` : text);
  const partsText = (parts: readonly PlannedPart[]): string[] => {
    const width = Math.max(0, ...parts.map((part) => partName(part).length));
    return parts.flatMap((part) => [
      ...partLines(part).map((line, index) => `  ${index === 0 ? paint(colorOf(part), partName(part).padEnd(width)) : ' '.repeat(width)}  ${line}`),
      ...(objects ? part.objects.map((object) => `  ${' '.repeat(width)}    ${objectLine(object)}`) : []),
    ]);
  };
  const sections = groupedClusters(plan.clusters).map(({ first, others }) => [
    paint(BOLD, `${clusterName(first)}: ${first.change}${othersWords(others)}`),
    ...first.notes.map((note) => `  ${note}`),
    ...partsText(objects ? first.parts : shownParts(first)),
    ...(first.change === ChangeKind.CHANGED || objects ? [] : [`  ${objectsWords(first.parts.reduce((all, part) => all + part.objects.length, 0))}`]),
  ].join('\n'));
  const shared = groupedParts(plan.shared).map(([first, parts]) => [paint(BOLD, sharedHeading(first)), ...partsText(parts)].join('\n'));
  const unread = plan.unread.length === 0 ? [] : [[paint(BOLD, UNREAD_HEADING), ...plan.unread.map((file) => `  ${paint(RED, unreadLine(file))}`)].join('\n')];
  return `${[totalsWords(planTotals(plan)), ...sections, ...shared, ...unread].join('\n\n')}\n`;
}

function colorOf({ change, effects }: PlannedPart): number {
  if (effects.some(isDisruptive)) return RED;
  return change === ChangeKind.CREATED ? GREEN : YELLOW;
}
