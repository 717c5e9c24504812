import { orderWords } from './consequences/part-order';
import { PlannedPart } from './plan-model';
import { PlannedChanges } from './plan-objects';
import { planSections } from './plan-sections';
import {
  clusterName, detailedPartLines, isDisruptive, objectLine, objectsWords, othersWords, partName, sharedHeading, shownParts, unreadHeading,
  unreadLine,
} from './plan-words';
import { longLists, planVerdict, Severity, verdictLines } from './verdict';

/** So many sections are shown whole; of more, the less severe ones are folded. */
const MOST_OPEN = 10;

/**
 * A plan for a pull request: the verdict, then what happens in tables, and each object below, from the most severe to the least. Each section
 * begins with a heading, so that a comment can be cut between them.
 */
export function planMarkdown(plan: PlannedChanges): string {
  const all = planSections(plan);
  const sections = all.flatMap(({ severity, group, shared }) => {
    const isOpen = severity < (all.length > MOST_OPEN ? Severity.MACHINES_REPLACED : Severity.REST) || all.length === 1;
    if (shared) {
      const names = namesOf(shared.managementClusters.map(String), 'management clusters');
      return [`### ${markdownText(sharedHeading(shared.managementClusters))}`, ...folded(isOpen, table(shared.parts)), ...names, ...details(shared.parts)];
    }
    const { first, others } = group!;
    return [
      `### ${markdownText(clusterName(first))}: ${first.change}${markdownText(othersWords(others))}`,
      ...first.notes.map((note) => `**${markdownText(note)}**`),
      ...orderWords(first).map(markdownText),
      ...folded(isOpen, table(shownParts(first))),
      ...namesOf([first, ...others].map(clusterName), 'clusters'),
      ...details(first.parts),
    ];
  });
  const unread = plan.unread.length === 0 ? [] : [`### ${unreadHeading(plan.unread)}`, plan.unread.map((file) => `- :warning: ${markdownText(unreadLine(file))}`).join('\n')];
  return `${[...verdict(plan), ...sections, ...unread].join('\n\n')}\n`;
}

function verdict(plan: PlannedChanges): string[] {
  const [sums, ...reasons] = verdictLines(plan);
  const list = reasons.map((reason) => `- :warning: ${markdownText(reason)}`).join('\n');
  const lists = longLists(planVerdict(plan)).map(({ heading, texts }) => fold(`all that is ${heading}`, texts.map((text) => `- ${markdownText(text)}`).join('\n')));
  return [`**${sums}**`, ...list === '' ? [] : [list], ...lists];
}

/** The names of a group that its heading does not show. */
function namesOf(names: readonly string[], what: string): string[] {
  return names.length <= MOST_NAMED ? [] : [fold(`all ${names.length} ${what}`, names.map(markdownText).join(', '))];
}

const MOST_NAMED = 6;

function folded(isOpen: boolean, texts: readonly string[]): readonly string[] {
  return isOpen ? texts : texts.map((text) => fold('what happens', text));
}

function fold(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

function table(parts: readonly PlannedPart[]): string[] {
  if (parts.length === 0) return [];
  const rows = parts.map((part) => {
    const mark = part.effects.some(isDisruptive) ? ':warning: ' : '';
    return `| ${mark}${markdownText(partName(part))} | ${detailedPartLines(part).map(markdownText).join('<br>')} |`;
  });
  return [['| part | what happens |', '|---|---|', ...rows].join('\n')];
}

function details(parts: readonly PlannedPart[]): string[] {
  const objects = parts.flatMap((part) => part.objects);
  const lines = objects.map((object) => `- ${markdownText(objectLine(object))}`);
  return [fold(objectsWords(objects.length), lines.join('\n'))];
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
