import { groupedClusters, groupedParts } from './grouped-clusters';
import { PlannedPart } from './plan-model';
import { PlannedChanges } from './plan-objects';
import { planTotals, totalsWords } from './plan-totals';
import { clusterName, isDisruptive, objectLine, objectsWords, othersWords, partLines, partName, sharedHeading, shownParts, UNREAD_HEADING, unreadLine } from './plan-words';

/** A plan for a pull request: what happens in tables, and each object below. */
export function planMarkdown(plan: PlannedChanges): string {
  const sections = groupedClusters(plan.clusters).flatMap(({ first, others }) => [
    `### ${escaped(clusterName(first))}: ${first.change}${escaped(othersWords(others))}`,
    ...first.notes.map((note) => `**${escaped(note)}**`),
    ...table(shownParts(first)),
    ...details(first.parts),
  ]);
  const shared = groupedParts(plan.shared).flatMap(([first, parts]) => [`### ${escaped(sharedHeading(first))}`, ...table(parts), ...details(parts)]);
  const unread = plan.unread.length === 0 ? [] : [`### ${UNREAD_HEADING}`, plan.unread.map((file) => `- :warning: ${escaped(unreadLine(file))}`).join('\n')];
  return `${[`**${totalsWords(planTotals(plan))}**`, ...sections, ...shared, ...unread].join('\n\n')}\n`;
}

function table(parts: readonly PlannedPart[]): string[] {
  if (parts.length === 0) return [];
  const rows = parts.map((part) => {
    const mark = part.effects.some(isDisruptive) ? ':warning: ' : '';
    return `| ${mark}${escaped(partName(part))} | ${partLines(part).map(escaped).join('<br>')} |`;
  });
  return [['| part | what happens |', '|---|---|', ...rows].join('\n')];
}

function details(parts: readonly PlannedPart[]): string[] {
  const objects = parts.flatMap((part) => part.objects);
  const lines = objects.map((object) => `- ${escaped(objectLine(object))}`);
  return [`<details><summary>${objectsWords(objects.length)}</summary>\n\n${lines.join('\n')}\n\n</details>`];
}

/** Text of manifests must not become markup. */
function escaped(text: string): string {
  return text.replace(/\r?\n/g, ' ').replace(/[\\`*_|[\]]/g, '\\$&').replace(/</g, '&lt;').replace(/@/g, '&#64;').replace(/#(?=\d)/g, '&#35;');
}
