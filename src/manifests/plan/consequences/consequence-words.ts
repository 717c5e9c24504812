import { durationWords } from './duration-words';
import { DRAIN } from './machine-turns';
import { Consequence } from '../../rules/changes/consequences';
import { PlannedConsequences, PlannedTime, TurnStep, Undo } from '../plan-model';

/** The consequences of a part, at most three lines. */
export function consequenceLines({ lost, down, felt, time, undo }: PlannedConsequences): string[] {
  return [
    [...listWords('lost', lost), ...listWords('not available', down)].join('; '),
    [...felt, ...undo ? [undoWords(undo)] : []].join('; '),
    time ? timeWords(time) : '',
  ].filter((line) => line !== '');
}

function listWords(heading: string, found: readonly Consequence[]): string[] {
  return found.length === 0 ? [] : [`${heading}: ${found.map(({ what, detail }) => (detail === undefined ? what : `${what} (${detail})`)).join(', ')}`];
}

function undoWords({ revert, why }: NonNullable<PlannedConsequences['undo']>): string {
  switch (revert) {
    case Undo.REFUSED: return `a revert is refused: ${why}`;
    case Undo.HARMFUL: return `do not revert it: ${why}`;
    case Undo.WITHOUT_DATA: return 'a revert creates the same without data';
    default: return `a revert ${why}`;
  }
}

function timeWords({ seconds, turns = 0, steps }: PlannedTime): string {
  const limited = steps.flatMap((step) => (step.seconds === undefined ? [] : [`${durationWords(step.seconds)} to ${step.name}`]));
  const open = steps.filter((step) => step.seconds === undefined);
  const all = `${turns > 1 ? `${turns} turns of ` : ''}${limited.join(', ')}`;
  if (open.length === 0) return `time by timeouts: ${seconds === undefined || limited.length + turns < 3 ? '' : `at most ${durationWords(seconds)}, `}${all}`;
  return `${limited.length > 0 ? `time by timeouts: ${all}; ` : ''}no limit in time: ${open.map(openWords).join(', ')}`;
}

function openWords({ name, field }: TurnStep): string {
  return `${name === DRAIN ? `${name}, which waits for PodDisruptionBudgets,` : name} (no ${field})`;
}
