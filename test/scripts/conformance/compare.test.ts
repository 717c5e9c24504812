import { Compared, Comparison, Explanations, Judged } from '../../../scripts/conformance/compare';
import { ConformanceCase } from '../../../scripts/conformance/conformance-case';
import { disagreementText, exampleTable, refuserTable, ruleTable, shortfalls } from '../../../scripts/conformance/report';
import { readVerdicts, ServerVerdict } from '../../../scripts/conformance/server-verdict';

const EXPLANATIONS: Explanations = {
  exceptions: [{ kind: 'apps/Deployment', by: 'schema', message: /may not be odd/, reason: 'nobody writes that' }],
  unenforced: [
    { rule: 'TC-ADMIT-ABSENT', reason: 'its webhook does not run' },
    { rule: 'TC-ADMIT-PARTLY', finding: /^spec\.a: /, reason: 'the server drops it' },
  ],
  uncorrected: [{ rule: 'TC-ADMIT-GATE', reason: 'the gate is off' }],
};

const ACCEPTED: Partial<ServerVerdict> = { accepted: true };
const REFUSED: Partial<ServerVerdict> = { accepted: false, by: 'schema', code: 422, message: 'spec.size may not be odd' };

interface Given {
  readonly refusals?: readonly string[];
  readonly traps?: readonly string[];
  readonly server: Partial<ServerVerdict>;
  readonly case?: Partial<ConformanceCase>;
}

function judged({ refusals = [], traps = [], server, case: more }: Given): Judged {
  const found = (ids: readonly string[]) => ids.map((id) => ({ id, field: 'spec.size', message: '3 is odd' }));
  return {
    case: { id: 'example:1', origin: 'mutation', row: 'example', words: 'odd number: spec.size', set: [], text: '{"apiVersion":"v1","kind":"ConfigMap"}', around: [], ...more },
    own: { refusals: found(refusals), traps: found(traps) },
    server: { id: 'example:1', accepted: false, ...server },
  };
}

function compare(given: Given): Compared {
  return new Comparison(EXPLANATIONS).compare(judged(given));
}

const DEPLOYMENT: Partial<ConformanceCase> = { text: '{"apiVersion":"apps/v1","kind":"Deployment"}' };
const FAILING: Partial<ConformanceCase> = { origin: 'rule', row: 'TC-ADMIT-SIZE', expected: 'refused' };
const CORRECTED: Partial<ConformanceCase> = { origin: 'rule', row: 'TC-ADMIT-SIZE', expected: 'accepted' };

test.each<[string, Given, Compared['outcome']]>([
  ['both take it', { server: ACCEPTED }, 'both-accept'],
  ['both refuse it', { refusals: ['TC-ADMIT-SIZE'], server: REFUSED }, 'both-refuse'],
  ['a trap that the server takes', { traps: ['TC-TRAP-SIZE'], server: ACCEPTED }, 'trap'],
  ['a trap that the server refuses', { traps: ['TC-TRAP-SIZE'], server: REFUSED }, 'trap-refused'],
  ['the rules miss it', { server: REFUSED }, 'missed'],
  ['the rules leave it alone', { server: REFUSED, case: DEPLOYMENT }, 'excepted'],
  ['an exception for another refuser', { server: { ...REFUSED, by: 'webhook' }, case: DEPLOYMENT }, 'missed'],
  ['an exception for another message', { server: { ...REFUSED, message: 'no' }, case: DEPLOYMENT }, 'missed'],
  ['the rules are too strict', { refusals: ['TC-ADMIT-SIZE'], server: ACCEPTED }, 'too-strict'],
  ['a webhook that does not run', { refusals: ['TC-ADMIT-ABSENT'], server: ACCEPTED }, 'unenforced'],
  ['a webhook that does not run, and more', { refusals: ['TC-ADMIT-ABSENT', 'TC-ADMIT-SIZE'], server: ACCEPTED }, 'too-strict'],
  ['findings of a rule that are not the explained ones', { refusals: ['TC-ADMIT-PARTLY'], server: ACCEPTED }, 'too-strict'],
  ['a failing example that both refuse', { refusals: ['TC-ADMIT-SIZE'], server: REFUSED, case: FAILING }, 'both-refuse'],
  ['a failing example that both take', { server: ACCEPTED, case: FAILING }, 'unexpected'],
  ['a failing example whose gate is on', { server: ACCEPTED, case: { ...FAILING, row: 'TC-ADMIT-ABSENT' } }, 'unenforced'],
  ['a corrected example that both take', { server: ACCEPTED, case: CORRECTED }, 'both-accept'],
  ['a corrected example that the server refuses', { server: REFUSED, case: CORRECTED }, 'missed'],
  ['a corrected example that both refuse', { refusals: ['TC-ADMIT-SIZE'], server: REFUSED, case: CORRECTED }, 'unexpected'],
  ['a corrected example that nobody excepts', { server: REFUSED, case: { ...CORRECTED, ...DEPLOYMENT } }, 'missed'],
  ['a corrected example that needs a gate', { refusals: ['TC-ADMIT-GATE'], server: REFUSED, case: { ...CORRECTED, row: 'TC-ADMIT-GATE' } }, 'uncorrected'],
  ['a case that could not be run', { server: { error: 'before is refused' } }, 'not-run'],
  ['a case that somebody else\'s server is not asked about', { server: { error: 'left out: nothing is stored in this cluster' } }, 'left-out'],
])('%s', (_, given, outcome) => {
  expect(compare(given).outcome).toBe(outcome);
});

test('what explains a difference is told, and explanations that explain nothing are', () => {
  const comparison = new Comparison(EXPLANATIONS);
  expect(comparison.compare(judged({ server: REFUSED, case: DEPLOYMENT })).reason).toBe('nobody writes that');
  expect(comparison.unused).toEqual([
    'rule that the server does not enforce: TC-ADMIT-ABSENT', 'rule that the server does not enforce: TC-ADMIT-PARTLY', 'rule whose corrected example the server refuses: TC-ADMIT-GATE',
  ]);
  expect(new Comparison(EXPLANATIONS).unused[0]).toBe('exception: apps/Deployment, refused by schema, /may not be odd/');
});

describe('the report', () => {
  const some = [
    ...Array.from({ length: 19 }, () => compare({ refusals: ['TC-ADMIT-SIZE'], server: REFUSED })),
    compare({ server: REFUSED, case: DEPLOYMENT }),
    compare({ refusals: ['TC-ADMIT-SIZE'], server: REFUSED, case: FAILING }),
  ];

  test('is fine when nothing is left open and nearly everything is found', () => {
    expect(shortfalls(some)).toEqual([]);
  });

  test('is not fine with a disagreement, with too much that is only explained, or with anything of a webhook or of CEL that is missed', () => {
    expect(shortfalls([...some, compare({ refusals: ['TC-ADMIT-SIZE'], server: ACCEPTED })])).toEqual(['1 cases in which the rules and the server disagree']);
    expect(shortfalls(some.slice(10))).toEqual(['the rules find 90.9 % of what the server refuses, and have to find 95 %']);
    const excepted = new Comparison({ ...EXPLANATIONS, exceptions: [{ by: 'cel', message: /./, reason: 'x' }] }).compare(judged({ server: { ...REFUSED, by: 'cel' } }));
    expect(shortfalls([...some.filter(({ outcome }) => outcome !== 'excepted'), excepted])).toEqual(['the rules do not find 1 of what is refused by cel, and have to find all of it']);
  });

  test('has a line for each rule, each example and each refuser', () => {
    expect(ruleTable(some).split('\n')).toContainEqual(expect.stringMatching(/^TC-ADMIT-SIZE +1 +1 +1 +0 +0 +0$/));
    expect(exampleTable(some).split('\n')).toContainEqual(expect.stringMatching(/^example +20 +20 +19 +0 +0 +0 +1 +0$/));
    expect(refuserTable(some).split('\n')).toContainEqual(expect.stringMatching(/^schema +21 +20 +0 +1 +95\.2 %$/));
    expect(refuserTable(some).split('\n')).toContainEqual(expect.stringMatching(/^webhook +0 +0 +0 +0 +-$/));
  });

  test('says of a disagreement what was done, what both say, and how to see it again', () => {
    const text = disagreementText([...some, compare({ server: { ...REFUSED, webhook: 'validation.example.com' } })], (id) => `run --only ${id}`);
    expect(text).toBe('the server refuses, the rules do not: example:1: odd number: spec.size\n'
      + '  server: refused by validation.example.com (422): spec.size may not be odd\n  rules:  take it\n  replay: run --only example:1\n');
  });
});

test('verdicts are about the cases, all of them and no others', () => {
  const text = '{"id":"a","accepted":true}\n{"id":"b","accepted":false,"by":"cel"}\n';
  expect(readVerdicts(text, ['a', 'b']).get('b')).toMatchObject({ by: 'cel' });
  expect(() => readVerdicts(text, ['a', 'b', 'c'])).toThrow('1 of 3 cases, e.g. c');
  expect(() => readVerdicts(text, ['a'])).toThrow('1 cases that there are not, e.g. b');
});
