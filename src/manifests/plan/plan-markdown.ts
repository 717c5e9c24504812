import { groupedClusters, groupedParts } from './grouped-clusters';
import { PlannedPart } from './plan-model';
import { PlannedChanges } from './plan-objects';
import { planTotals, totalsWords } from './plan-totals';
import { clusterName, isDisruptive, objectLine, objectsWords, othersWords, partLines, partName, sharedHeading, shownParts, UNREAD_HEADING, unreadLine } from './plan-words';

/** A plan for a pull request: what happens in tables, and each object below. */
export function planMarkdown(plan: PlannedChanges): string {
  const sections = groupedClusters(plan.clusters).flatMap(({ first, others }) => [
    `### ${markdownText(clusterName(first))}: ${first.change}${markdownText(othersWords(others))}`,
    ...first.notes.map((note) => `**${markdownText(note)}**`),
    ...table(shownParts(first)),
    ...details(first.parts),
  ]);
  const shared = groupedParts(plan.shared).flatMap(([first, parts]) => [`### ${markdownText(sharedHeading(first))}`, ...table(parts), ...details(parts)]);
  const unread = plan.unread.length === 0 ? [] : [`### ${UNREAD_HEADING}`, plan.unread.map((file) => `- :warning: ${markdownText(unreadLine(file))}`).join('\n')];
  return `${[`**${totalsWords(planTotals(plan))}**`, ...sections, ...shared, ...unread].join('\n\n')}\n`;
}

function table(parts: readonly PlannedPart[]): string[] {
  if (parts.length === 0) return [];
  const rows = parts.map((part) => {
    const mark = part.effects.some(isDisruptive) ? ':warning: ' : '';
    return `| ${mark}${markdownText(partName(part))} | ${partLines(part).map(markdownText).join('<br>')} |`;
  });
  return [['| part | what happens |', '|---|---|', ...rows].join('\n')];
}

function details(parts: readonly PlannedPart[]): string[] {
  const objects = parts.flatMap((part) => part.objects);
  const lines = objects.map((object) => `- ${markdownText(objectLine(object))}`);
  return [`<details><summary>${objectsWords(objects.length)}</summary>\n\n${lines.join('\n')}\n\n</details>`];
}

// Invisible: what GitHub would make a link of is not recognized with it, and text reads as before.
const BREAK = '&#8203;';

/** Characters that are markup, or become a link, a mention, an emoji or a formula on GitHub. */
const SPECIAL = new RegExp([
  '(?<line>[\\r\\n\\u2028\\u2029]+)',
  '(?<mark>[\\\\`*_|[\\]~])',
  '(?<entity>[&<])',
  '(?<dollar>\\$)',
  // A mention, or an address of mail; the @ before a digest is neither.
  '(?<joint>(?<![A-Za-z0-9_])@(?=\\w)|@(?=[\\w-]{1,63}\\.\\w)|#(?=\\d)|(?<!\\w)[Gg][Hh]-(?=\\d)|:(?=//|[\\w+-]{1,50}:)|(?<!\\w)[Ww]{3}(?=\\.)',
  // The first digit of the hash of a commit. A hash at the end of a name is part of a word.
  '(?<![\\w./-])[0-9a-f](?=[0-9a-f]{6,39}(?![\\w./-]))(?=[0-9a-f]{0,39}[a-f])(?=[0-9a-f]{0,39}[0-9]))',
].join('|'), 'g');

/**
 * Text of manifests as Markdown that shows it as it is. GitHub makes nothing else of it.
 *
 * Sources: github.github.com/gfm (autolinks), docs.github.com/en/get-started/writing-on-github (autolinked references, mathematical
 * expressions).
 */
export function markdownText(text: string): string {
  return text.replace(SPECIAL, (all: string, ...rest: unknown[]) => {
    const { line, mark, entity, dollar } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (line !== undefined) return ' ';
    if (mark !== undefined) return `\\${mark}`;
    if (entity !== undefined) return entity === '&' ? '&amp;' : '&lt;';
    return dollar === undefined ? `${all}${BREAK}` : `<span>${dollar}</span>`;
  });
}
