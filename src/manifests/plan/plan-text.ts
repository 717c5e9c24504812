import { orderWords } from './consequences/part-order';
import { ChangeKind, PlannedPart } from './plan-model';
import { PlannedChanges } from './plan-objects';
import { planSections } from './plan-sections';
import {
  clusterName, detailedPartLines, isDisruptive, objectLine, objectsWords, othersWords, partName, sharedHeading, shownParts, unreadHeading,
  unreadLine,
} from './plan-words';
import { verdictLines } from './verdict';
import { wrapped } from '../values/printable';

/** Options of the printed plan. */
export interface TextOptions {
  readonly colors: boolean;

  /**
   * The width of the terminal, in characters.
   *
   * @default - lines are as long as they are
   */
  readonly columns?: number;

  /** True if each object is listed below its part. */
  readonly objects: boolean;
}

/** Indentation of a lower level; further lines of a text have it twice. */
const INDENT = '  ';

const BOLD = 1;
const RED = 31;
const GREEN = 32;
const YELLOW = 33;

/** A plan for a terminal. */
export function planText(plan: PlannedChanges, { colors, columns = Infinity, objects }: TextOptions): string {
  const paint = (code: number, text: string) => (colors ? `\u001b[${code}m${text}\u001b[0m` : text);
  const partsText = (parts: readonly PlannedPart[]): string[] => {
    const texts = parts.map((part) => [...detailedPartLines(part), ...objects ? part.objects.map((object) => `${INDENT}${objectLine(object)}`) : []]);
    const nameWidth = Math.max(0, ...parts.map((part) => partName(part).length));
    const longestWord = Math.max(0, ...texts.flat().flatMap((text) => text.split(' ').map((word) => word.length)));
    // Names stand beside the texts, or above them where these would be too narrow.
    const isBeside = nameWidth + longestWord + 3 * INDENT.length <= columns;
    const indent = isBeside ? ' '.repeat(nameWidth + 2 * INDENT.length) : `${INDENT}${INDENT}`;
    return parts.flatMap((part, index) => {
      const lines = texts[index].flatMap((text) => wrapped(`${indent}${text}`, columns, `${indent}${INDENT}`));
      const name = paint(colorOf(part), isBeside ? partName(part).padEnd(nameWidth) : partName(part));
      return isBeside ? [`${INDENT}${name}${INDENT}${lines[0].trimStart()}`, ...lines.slice(1)] : [`${INDENT}${name}`, ...lines];
    });
  };
  const wrappedText = (text: string, code?: number): string[] => (
    wrapped(text, columns, `${/^ */.exec(text)![0]}${INDENT}`).map((line) => (code === undefined ? line : paint(code, line))));
  const sections = planSections(plan).map(({ group, shared }) => {
    if (shared) {
      const [, ...others] = shared.managementClusters;
      const names = objects && others.length > 0 ? [`${INDENT}all: ${shared.managementClusters.join(', ')}`] : [];
      return [...wrappedText(sharedHeading(shared.managementClusters), BOLD), ...names.flatMap((text) => wrappedText(text)), ...partsText(shared.parts)].join('\n');
    }
    const { first, others } = group!;
    const names = objects && others.length > 0 ? [`all: ${[first, ...others].map(clusterName).join(', ')}`] : [];
    return [
      ...wrappedText(`${clusterName(first)}: ${first.change}${othersWords(others)}`, BOLD),
      ...[...names, ...first.notes, ...orderWords(first)].flatMap((note) => wrappedText(`${INDENT}${note}`)),
      ...partsText(objects ? first.parts : shownParts(first)),
      ...(first.change === ChangeKind.CHANGED || objects ? [] : [`  ${objectsWords(first.parts.reduce((all, part) => all + part.objects.length, 0))}`]),
    ].join('\n');
  });
  const unread = plan.unread.length === 0 ? [] : [[
    ...wrappedText(unreadHeading(plan.unread), BOLD), ...plan.unread.flatMap((file) => wrappedText(`${INDENT}${unreadLine(file)}`, RED)),
  ].join('\n')];
  const [sums, ...reasons] = verdictLines(plan);
  const verdict = [...wrappedText(sums), ...reasons.flatMap((text) => wrappedText(text, RED))];
  return `${[verdict.join('\n'), ...sections, ...unread].join('\n\n')}\n`;
}

function colorOf({ change, effects }: PlannedPart): number {
  if (effects.some(isDisruptive)) return RED;
  return change === ChangeKind.CREATED ? GREEN : YELLOW;
}
