import { Compared, DISAGREEMENTS, Outcome } from './compare';
import { OwnVerdict } from './own-verdict';
import { REFUSERS, ServerVerdict } from './server-verdict';
import { tableText } from './table-text';

/** Of what a server refuses, so much has to be found by rules. */
export const LEAST_AGREEMENT = 0.95;

/** Stages that check the rules of a project: the rules must find all of their refusals. */
const ALL_FOUND: readonly ServerVerdict['by'][] = ['cel', 'webhook'];

const FOUND: readonly Outcome[] = ['both-refuse', 'trap-refused'];
const MISSED: readonly Outcome[] = ['missed', 'excepted'];

/** Number of server refusals that the rules find and miss. */
export interface Agreement {
  readonly found: number;
  readonly missed: number;

  /** Number of the missed that are explained. */
  readonly explained: number;
}

/** The agreement over cases. */
export function agreement(compared: readonly Compared[]): Agreement {
  return { found: count(compared, ...FOUND), missed: count(compared, ...MISSED), explained: count(compared, 'excepted') };
}

/** Faults of a run as a whole, in words. */
export function shortfalls(compared: readonly Compared[]): string[] {
  const disagreements = compared.filter(({ outcome }) => DISAGREEMENTS.has(outcome)).length;
  const { found, missed } = agreement(compared);
  return [
    ...disagreements > 0 ? [`${disagreements} cases in which the rules and the server disagree`] : [],
    ...found + missed > 0 && share(found, missed) < LEAST_AGREEMENT
      ? [`the rules find ${percent(found, missed)} of what the server refuses, and have to find ${LEAST_AGREEMENT * 100} %`] : [],
    ...ALL_FOUND.flatMap((by) => {
      const { missed: more } = agreement(compared.filter(({ server }) => server.by === by));
      return more === 0 ? [] : [`the rules do not find ${more} of what is refused by ${by}, and have to find all of it`];
    }),
  ];
}

/** The examples of rules, a line for each rule. */
export function ruleTable(compared: readonly Compared[]): string {
  const ofRules = compared.filter(({ case: { origin } }) => origin !== 'mutation');
  return tableText(['rule', 'tried', 'server refused', 'we refused', 'traps', 'explained', 'disagreements'], rows(ofRules).map(([row, cases]) => [
    row,
    cases.length,
    refused(cases),
    cases.filter(({ own }) => own.refusals.length > 0).length,
    cases.filter(({ own }) => own.traps.length > 0).length,
    count(cases, 'unenforced', 'uncorrected', 'excepted'),
    cases.filter(({ outcome }) => DISAGREEMENTS.has(outcome)).length,
  ]));
}

/** The mutants, a line for each golden file. */
export function exampleTable(compared: readonly Compared[]): string {
  const mutants = compared.filter(({ case: { origin } }) => origin === 'mutation');
  const line = (name: string, cases: readonly Compared[]) => [
    name,
    cases.length,
    refused(cases),
    cases.filter(({ own }) => own.refusals.length > 0).length,
    ...(['trap', 'trap-refused', 'missed', 'excepted', 'too-strict'] as const).map((outcome) => count(cases, outcome)),
  ];
  return tableText(
    ['example', 'mutations', 'server refused', 'we refused', 'traps', 'refused traps', 'missed', 'explained', 'too strict'],
    [...rows(mutants).map(([row, cases]) => line(row, cases)), line('all', mutants)],
  );
}

/** Table of the refusals, a line for each of those who refuse. */
export function refuserTable(compared: readonly Compared[]): string {
  const line = (name: string, cases: readonly Compared[]) => {
    const { found, missed, explained } = agreement(cases);
    return [name, found + missed, found, missed - explained, explained, percent(found, missed)];
  };
  return tableText(
    ['refused by', 'refused', 'found', 'missed', 'explained', 'agreement'],
    [...REFUSERS.map((by) => line(by, compared.filter(({ server }) => server.by === by))), line('all', compared)],
  );
}

/** Every disagreement, with what both say and the way to see it again. */
export function disagreementText(compared: readonly Compared[], replay: (id: string) => string): string {
  return compared.filter(({ outcome }) => DISAGREEMENTS.has(outcome)).map(({ case: { id, words }, own, server, outcome }) => (
    `${OUTCOME_WORDS[outcome] ?? outcome}: ${id}: ${words}\n  server: ${serverWords(server)}\n  rules:  ${ownWords(own)}\n  replay: ${replay(id)}\n`
  )).join('\n');
}

const OUTCOME_WORDS: Partial<Record<Outcome, string>> = {
  'missed': 'the server refuses, the rules do not',
  'too-strict': 'the rules refuse, the server does not',
  'unexpected': 'the server says otherwise than the rule\'s example',
  'not-run': 'the server could not be asked',
};

function serverWords({ accepted, by, code, webhook, message, error }: ServerVerdict): string {
  if (error !== undefined) return error;
  return accepted ? 'takes it' : `refused by ${webhook ?? by ?? 'the server'} (${code ?? 'no status'}): ${(message ?? '').replace(/\s+/g, ' ').slice(0, 600)}`;
}

function ownWords({ refusals, traps }: OwnVerdict): string {
  const found = [...refusals, ...traps].map(({ id, field, message }) => `${id} ${field}: ${message}`.slice(0, 300));
  return found.length === 0 ? 'take it' : found.slice(0, 5).join('; ');
}

function rows(compared: readonly Compared[]): [string, Compared[]][] {
  const groups = new Map<string, Compared[]>();
  for (const one of compared) {
    const same = groups.get(one.case.row);
    if (same) same.push(one);
    else groups.set(one.case.row, [one]);
  }
  return [...groups];
}

function refused(compared: readonly Compared[]): number {
  return compared.filter(({ server }) => !server.accepted).length;
}

function count(compared: readonly Compared[], ...outcomes: readonly Outcome[]): number {
  return compared.filter(({ outcome }) => outcomes.includes(outcome)).length;
}

function share(found: number, missed: number): number {
  return found / (found + missed);
}

/** Rounded down: 99.99 % are not all. */
function percent(found: number, missed: number): string {
  return found + missed === 0 ? '-' : `${(Math.floor(share(found, missed) * 1000) / 10).toFixed(1)} %`;
}
