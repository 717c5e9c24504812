import * as fc from 'fast-check';
import { only, operatorObjects, operatorProblems } from './operators';
import { OperatorPodDisruptionBudget } from '../../../src/constructs/operators/controller/disruption-budget';
import { OperatorProps } from '../../../src/constructs/operators/controller/operator-props';
import { amount } from '../../support/sample';

function guarded(replicas: number, podDisruptionBudget: OperatorPodDisruptionBudget): Partial<OperatorProps> {
  return { replicas, podDisruptionBudget, leaderElection: {} };
}

test.each<[what: string, budget: OperatorPodDisruptionBudget, spec: object]>([
  ['one pod at a time goes, unless told otherwise', {}, { maxUnavailable: 1 }],
  ['as many go as are named', { maxUnavailable: 2 }, { maxUnavailable: 2 }],
  ['as many stay as are named', { minAvailable: 2 }, { minAvailable: 2 }],
])('%s', (_what, budget, spec) => {
  const objects = operatorObjects(guarded(3, budget));
  const { metadata, spec: found } = only(objects, 'PodDisruptionBudget');

  expect(metadata).toMatchObject({ name: 'foo-operator', namespace: 'foo-system' });
  expect(found).toEqual({ ...spec, selector: only(objects, 'Deployment').spec.selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
});

test.each([0, 1])('with %d pods there is none, which would keep a node from being drained', (replicas) => {
  expect(operatorObjects(guarded(replicas, { minAvailable: 1 })).filter(({ kind }) => kind === 'PodDisruptionBudget')).toEqual([]);
  expect(operatorProblems(guarded(replicas, { minAvailable: 3 }))).toEqual([]);
});

test('what is accepted lets at least one pod go and keeps at least one, and nothing else is refused', () => {
  const counts = fc.oneof(fc.integer({ min: -2, max: 11 }), fc.double({ min: 0, max: 9, noNaN: true }));
  const numbers = fc.record({ replicas: fc.integer({ min: 2, max: 9 }), count: counts });
  fc.assert(fc.property(numbers, fc.constantFrom('minAvailable', 'maxUnavailable'), ({ replicas, count }, name) => {
    const budget = { [name]: count };
    const evicted = name === 'minAvailable' ? replicas - count : count;
    const sound = Number.isInteger(count) && evicted >= 1 && replicas - evicted >= 1;

    expect(operatorProblems(guarded(replicas, budget)).map(({ id }) => id)).toEqual(sound ? [] : [
      expect.stringMatching(/^TC-(OPERATOR-DISRUPTION|ADMIT-KUBERNETES-DISRUPTION-BUDGET|ADMIT-FIELD-TYPE)$/),
    ]);
    if (sound) expect(only(operatorObjects(guarded(replicas, budget)), 'PodDisruptionBudget').spec).toMatchObject(budget);
  }), { numRuns: amount(60, 12) });
});
