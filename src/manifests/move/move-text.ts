import { Carrier, ClusterMove, MovedObject, MoveStep } from './move-model';
import { clusterName } from '../plan/plan-words';
import { MoveFinding } from '../rules/move-facts';
import { wrapped } from '../values/printable';

const INDENT = '   ';

const CARRIERS: readonly (readonly [Carrier, string])[] = [
  [Carrier.CLUSTERCTL, 'clusterctl moves, with what its controllers have made of them'],
  [Carrier.LABEL, 'clusterctl moves with the label'],
  [Carrier.COPY, 'copied before'],
  [Carrier.DELIVERY, 'come by the repository'],
];

/** A move for a terminal. Commands stay on one line each. */
export function moveText(move: ClusterMove, columns = Infinity): string {
  const { obstacles, lookups, objects, steps } = move;
  const lines = [
    headline(move),
    ...section('It cannot move as it is:', obstacles.map(({ message, fix }: MoveFinding) => `${message}: ${fix}`)),
    ...section('To look up before, since it does not follow from these manifests:', lookups),
    ...section('Objects:', CARRIERS.flatMap(([by, words]) => objectLines(words, objects.filter((object) => object.by === by)))),
  ].flatMap((line) => wrapped(line, columns, `${/^ */.exec(line)![0]}${INDENT}`));
  return `${[...lines, ...steps.flatMap((step, position) => ['', ...stepLines(step, position + 1, columns)])].join('\n')}\n`;
}

function headline({ cluster, from, to, steps }: ClusterMove): string {
  const words = steps.length === 0 ? 'no steps' : `${steps.length} steps, each when the one before has taken effect`;
  return `${clusterName(cluster)} from ${from} to ${to}: ${words}`;
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `${INDENT}${line}`)];
}

/** Objects by their kinds; those that have a reason of their own by their names. */
function objectLines(words: string, objects: readonly MovedObject[]): string[] {
  const kinds = new Map<string, number>();
  objects.forEach(({ kind }) => kinds.set(shortKind(kind), (kinds.get(shortKind(kind)) ?? 0) + 1));
  if (objects.length === 0) return [];
  const reasons = new Map<string, string[]>();
  for (const { kind, name, why } of objects) {
    if (why !== undefined) reasons.set(why, [...reasons.get(why) ?? [], `${shortKind(kind)} ${name}`]);
  }
  const named = [...reasons].map(([why, names]) => `${INDENT}${names.join(', ')}: ${why}`);
  return [`${words}: ${[...kinds].map(([kind, number]) => `${number} ${kind}`).join(', ')}`, ...named];
}

function shortKind(kind: string): string {
  return kind.slice(kind.indexOf('/') + 1);
}

function stepLines({ step, title, changes, commands, back }: MoveStep, number: number, columns: number): string[] {
  const words = (text: string, indent = INDENT) => wrapped(`${indent}${text}`, columns, `${indent}${INDENT}`);
  return [
    ...wrapped(`${`${number}. `.padEnd(INDENT.length)}${step === 'commit' ? 'commit: ' : ''}${title}`, columns, INDENT),
    ...changes.flatMap((change) => words(change)),
    ...commands.map((command) => `${INDENT}$ ${command}`),
    ...words(`back: ${back}`),
  ];
}
