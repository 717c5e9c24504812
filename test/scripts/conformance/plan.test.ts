import { NOW } from '../../../scripts/conformance/plan/changes';
import { PlanJson, planFaults } from '../../../scripts/conformance/plan/compare-plan';
import { MachineOutcome, PairOutcome, readOutcomes } from '../../../scripts/conformance/plan/outcome';
import { pairLine, planPairs } from '../../../scripts/conformance/plan/plan-pairs';
import { amount } from '../../support/sample';

const NOTHING: MachineOutcome = { before: 0, after: 0, kept: 0, newSets: 0, changed: [] };
const STAYS: MachineOutcome = { before: 2, after: 2, kept: 2, newSets: 0, changed: [] };
const ROLLS: MachineOutcome = { before: 2, after: 2, kept: 0, newSets: 1, changed: [] };

function plan(part: string, change: string, ...effects: object[]): PlanJson {
  return { clusters: [{ name: 'acme', parts: [{ part, name: part === 'pool' ? 'a' : '', change, effects: effects as PlanJson['clusters'][0]['parts'][0]['effects'] }] }] };
}

function outcome(fields: Partial<PairOutcome>): PairOutcome {
  return { id: 'plan:x', pools: {}, controlPlane: NOTHING, seconds: 1, ...fields };
}

const count = (minimum: number, maximum = minimum) => ({ minimum, maximum });
const REPLACED = { effect: 'machines replaced', count: count(2), atATime: 1 };
const BY_HAND = { effect: 'machines replaced', count: count(2), atATime: 0 };
const NO_PLAN: PlanJson = { clusters: [] };

test.each<[string, PlanJson, Partial<PairOutcome>, string[]]>([
  ['nothing is planned, nothing happens', NO_PLAN, { pools: { a: STAYS } }, []],
  ['a rollout is planned and happens', plan('pool', 'changed', REPLACED), { pools: { a: ROLLS } }, []],
  ['a rollout is not planned', NO_PLAN, { pools: { a: ROLLS } }, ['pool a: not planned: machines replaced (1 new MachineSets)', 'pool a: not planned: 2 machines replaced']],
  ['a rollout does not happen', plan('pool', 'changed', REPLACED), { pools: { a: STAYS } }, [
    'pool a: planned machines replaced, and there is no new MachineSet', 'pool a: planned machines replaced, and 2 of 2 stay',
  ]],
  ['machines wait for a hand', plan('pool', 'changed', BY_HAND), { pools: { a: { ...STAYS, newSets: 1 } } }, []],
  ['machines do not wait for a hand', plan('pool', 'changed', BY_HAND), { pools: { a: ROLLS } }, ['pool a: not planned: 2 machines replaced']],
  ['the number of machines is another', plan('pool', 'changed', { ...REPLACED, count: count(3) }), { pools: { a: ROLLS } }, ['pool a: planned 3 replaced machines, and there are 2']],
  ['a pool is scaled', plan('pool', 'changed', { effect: 'scaled' }), { pools: { a: { ...STAYS, after: 3 } } }, []],
  ['a pool is scaled and that is not planned', NO_PLAN, { pools: { a: { ...STAYS, after: 1, kept: 1 } } }, ['pool a: planned 0 deleted machines, and there are 1']],
  ['a pool shrinks', plan('pool', 'changed', { effect: 'deleted', count: count(1) }), { pools: { a: { ...STAYS, after: 1, kept: 1 } } }, []],
  ['a pool shrinks and rolls', plan('pool', 'changed', { ...REPLACED, count: count(1) }, { effect: 'deleted', count: count(1) }), { pools: { a: { ...ROLLS, after: 1 } } }, []],
  ['a pool without machines rolls', plan('pool', 'changed', { effect: 'deleted', count: count(2) }), { pools: { a: { ...ROLLS, after: 0 } } }, []],
  ['machines change in place', plan('pool', 'changed', { effect: 'in place' }), { pools: { a: { ...STAYS, changed: ['labels'] } } }, []],
  ['new machines only are planned to differ', plan('pool', 'changed', { effect: 'new ones only' }), { pools: { a: { ...STAYS, changed: ['labels'] } } }, [
    'pool a: not planned: machines changed in place (labels)',
  ]],
  ['the effect is unknown', plan('pool', 'changed', { effect: 'unknown' }), { pools: { a: STAYS } }, ['pool a: planned as unknown']],
  ['a pool is new', plan('pool', 'created', { effect: 'scaled', count: count(2) }), { pools: { a: { ...NOTHING, after: 2, newSets: 1 } } }, []],
  ['a pool is removed', plan('pool', 'removed', { effect: 'deleted', count: count(2) }), { pools: { a: { ...NOTHING, before: 2 } } }, []],
  ['a removed pool has machines', plan('pool', 'removed', { effect: 'deleted', count: count(2) }), { pools: { a: STAYS } }, ['pool a: planned 2 deleted machines, and there are 0']],
  ['a machine of the control plane may be replaced', plan('control plane', 'changed', { ...REPLACED, count: count(0, 1) }), { controlPlane: { ...STAYS, kept: 1 } }, []],
  ['more machines of the control plane are replaced', plan('control plane', 'changed', { ...REPLACED, count: count(0, 1) }), { controlPlane: ROLLS }, [
    'control plane: planned 0 to 1 replaced machines, and 2 of 2 are',
  ]],
  ['pods of a control plane without machines are replaced', plan('control plane', 'changed', { effect: 'pods replaced' }), {}, []],
  ['a state is refused', NO_PLAN, { error: 'the old state: refused' }, ['the old state: refused']],
])('%s', (_, planned, found, faults) => {
  expect(planFaults(planned, outcome(found))).toEqual(faults);
});

const PAIRS = planPairs({ seed: 7, planPairs: amount(40, 4) });

test('a pair is drawn again from its seed, alone', () => {
  const [pair] = planPairs({ seed: 7, planPairs: 3, only: 'plan:random-1' });
  expect(PAIRS.find(({ id }) => id === pair.id)).toEqual(pair);
  expect(planPairs({ seed: 8, planPairs: 2, only: pair.id })).not.toEqual([pair]);
});

test('the parts of the changes have each of them once', () => {
  const idsOf = (planPart?: { number: number; of: number }) => planPairs({ seed: 7, planPairs: 0, planPart }).map(({ id }) => id);
  const parts = [1, 2, 3].map((number) => idsOf({ number, of: 3 }));
  expect(parts.flat().sort()).toEqual(idsOf().sort());
  expect(parts.every((ids) => ids.length >= 20)).toBe(true);
});

test('no pair begins with a rollout at a time to come', () => {
  const old = PAIRS.map((pair) => JSON.stringify(pair.old));
  expect(old.filter((text) => text.includes(NOW))).toEqual([]);
});

test('what a tool prunes is part of a line, and what it keeps is not', () => {
  const [pair] = planPairs({ seed: 1, planPairs: 0, only: 'plan:removed-pool' });
  const { removed } = JSON.parse(pairLine(pair, NOW)) as { removed: { kind: string; metadata: { name: string } }[] };
  expect(removed.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual(['MachineDeployment acme-second', 'MachineHealthCheck acme-second']);
});

test('outcomes of other pairs are no outcomes', () => {
  const line = JSON.stringify(outcome({}));
  expect(readOutcomes(`${line}\n`, ['plan:x'])).toHaveLength(1);
  expect(() => readOutcomes(`${line}\n`, ['plan:x', 'plan:y'])).toThrow("the controllers' program did not finish with plan:y");
});
