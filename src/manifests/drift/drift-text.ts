import { Drift, DriftCause, DriftedField, DriftedObject, isNormal, LoneObject } from './drift-model';
import { fieldLines, fieldWords, loneWords, objectWords, totalLines } from './drift-words';
import { placeText } from '../landscape/place';
import { wrapped } from '../values/printable';

/** Options of the text of a drift. */
export interface DriftTextOptions {
  readonly colors: boolean;

  /**
   * The width of the terminal, in characters.
   *
   * @default - lines are as long as they are
   */
  readonly columns?: number;

  /** True if normal work is listed, too. */
  readonly all: boolean;
}

const INDENT = '  ';
const [BOLD, RED, YELLOW, GREEN] = [1, 31, 33, 32];

const COLORS: Readonly<Partial<Record<DriftCause, number>>> = {
  [DriftCause.HAND]: RED, [DriftCause.CONTESTED]: RED, [DriftCause.UNKNOWN]: YELLOW, [DriftCause.NOT_APPLIED]: YELLOW,
};

/** A drift for a terminal: the most severe first. */
export function driftText(drift: Drift, { colors, columns = Infinity, all }: DriftTextOptions): string {
  const lines = (text: string, depth: number, code?: number) => wrapped(`${INDENT.repeat(depth)}${text}`, columns, INDENT.repeat(depth + 1))
    .map((line) => (colors && code !== undefined ? `\u001b[${code}m${line}\u001b[0m` : line));
  const isShown = (one: { readonly cause: DriftCause }) => all || !isNormal(one);
  const fieldText = (field: DriftedField) => [
    ...lines(fieldWords(field), 1, COLORS[field.cause]), ...fieldLines(field).flatMap((line) => lines(line, 2)),
  ];
  const objectText = (object: DriftedObject) => {
    const delivered = object.delivery === undefined ? '' : `, delivered by ${object.delivery}`;
    return [
      ...lines(`${objectWords(object)}${object.place ? ` (${placeText(object.place)})` : ''}${delivered}`, 0, BOLD),
      ...object.fields.filter(isShown).flatMap(fieldText),
      ...object.revert.length > 0 ? lines('setting it back:', 1) : [],
      ...object.revert.flatMap((line) => lines(line, 2)),
    ].join('\n');
  };
  const loneText = (heading: string, objects: readonly LoneObject[]) => (objects.length === 0 ? [] : [[
    ...lines(heading, 0, BOLD),
    ...objects.flatMap((object) => [
      ...lines(loneWords(object), 1, COLORS[object.cause]), ...object.outcome === undefined ? [] : lines(object.outcome, 2),
    ]),
  ].join('\n')]);
  const [verdict, ...notes] = totalLines(drift);
  return `${[
    [...lines(verdict, 0, verdict.startsWith('DRIFTED') ? RED : GREEN), ...notes.flatMap((note) => lines(note, 0))].join('\n'),
    ...drift.objects.filter(({ fields }) => fields.some(isShown)).map(objectText),
    ...loneText('Objects that do not live', drift.missing),
    ...loneText('Living objects without a manifest', drift.extra.filter(isShown)),
  ].join('\n\n')}\n`;
}
