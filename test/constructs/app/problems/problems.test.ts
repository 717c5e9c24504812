import { App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { Problems, strategyScope } from '../../../../src/constructs/app/problems/problems';
import { WARNINGS } from '../../../../src/constructs/app/problems/warnings';
import { formatProblem, Problem } from '../../../../src/manifests/values/problem';
import { problemsOf } from '../../../support/problems';

const PROBLEM: Problem = { rule: { id: 'XX-A', title: 'A.' }, property: 'size', message: '0 is too small', accepted: '1 to 9', fix: 'write 1' };

function tree(): { app: App; chart: Chart } {
  const app = Testing.app();
  return { app, chart: new Chart(app, 'chart') };
}

test('an entry names the rule, the property, what is accepted and the fix', () => {
  expect(formatProblem(PROBLEM)).toBe('XX-A size: 0 is too small. Accepted: 1 to 9. Fix: write 1.');
  expect(formatProblem({ rule: PROBLEM.rule, message: 'it is wrong', fix: 'mend it' })).toBe('XX-A it is wrong. Fix: mend it.');
  expect(formatProblem({ rule: PROBLEM.rule, message: 'it is wrong', fix: 'did you mean it?' })).toBe('XX-A it is wrong. Fix: did you mean it?');
});

test('an entry is one line, whatever the value holds', () => {
  expect(formatProblem({ ...PROBLEM, message: '"a\nb\r\nc" is wrong' })).toContain('"a\\nb\\nc" is wrong');
});

test('problems of all constructs come in one error, in the order of the tree', () => {
  const { app, chart } = tree();
  const [one, two] = [new Construct(chart, 'one'), new Construct(chart, 'two')];
  Problems.of(two).add(PROBLEM);
  Problems.of(one).add(PROBLEM);
  Problems.of(one).add({ ...PROBLEM, message: 'another' });

  expect(problemsOf(app).map(({ path }) => path)).toEqual(['chart/one', 'chart/one', 'chart/two']);
});

test('a construct has one collector', () => {
  const { chart } = tree();

  expect(Problems.of(chart)).toBe(Problems.of(chart));
});

test('a check runs at synthesis, each time anew', () => {
  const { app, chart } = tree();
  const found: Problem[] = [];
  Problems.of(chart)._addCheck(() => found);

  expect(problemsOf(app)).toEqual([]);
  found.push(PROBLEM);
  expect(problemsOf(app)).toHaveLength(1);
});

test('a strategy reports under the construct that was given it', () => {
  const { app, chart } = tree();
  Problems.of(strategyScope(chart, 'Machine')).add(PROBLEM);

  expect(problemsOf(app)).toMatchObject([{ path: 'chart', id: 'XX-A' }]);
});

test('a strategy in a strategy reports below the property that holds it', () => {
  const { app, chart } = tree();
  const problems = Problems.of(strategyScope(strategyScope(chart, 'ControlPlane'), 'Machine', 'controlPlane'));
  problems.add(PROBLEM);
  problems._addCheck(() => [{ ...PROBLEM, property: undefined }]);

  expect(problemsOf(app)).toMatchObject([{ path: 'chart', text: expect.stringMatching(/^controlPlane\.size: /) }, { path: 'chart', text: expect.stringMatching(/^controlPlane: /) }]);
});

test('no manifest is written while there is a problem', () => {
  const { app, chart } = tree();
  Problems.of(chart).add(PROBLEM);

  expect(() => app.synth()).toThrow('XX-A');
  expect(() => chart.toJson()).toThrow('XX-A');
});

describe('a problem of a rule that only warns', () => {
  const WARNING: Problem = { ...PROBLEM, rule: { id: 'XX-B', title: 'B.', warning: true } };

  afterEach(() => jest.restoreAllMocks());

  test('is emitted once under its id, and refuses nothing', () => {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    const { app, chart } = tree();
    Problems.of(chart).add(WARNING);

    expect(problemsOf(app)).toEqual([]);
    expect(problemsOf(app)).toEqual([]);
    expect(emitted.mock.calls).toEqual([['[chart] XX-B size: 0 is too small. Accepted: 1 to 9. Fix: write 1.', { code: 'XX-B' }]]);
  });

  test('leaves the others to be refused, and says whose it is below a property', () => {
    const emitted = jest.spyOn(WARNINGS, 'emit').mockReturnValue();
    const { app, chart } = tree();
    Problems.of(strategyScope(chart, 'Machine', 'machine')).add(WARNING);
    Problems.of(chart).add(PROBLEM);

    expect(problemsOf(app)).toMatchObject([{ path: 'chart', id: 'XX-A' }]);
    expect(emitted.mock.calls).toEqual([[expect.stringContaining('[chart] XX-B machine.size: '), { code: 'XX-B' }]]);
  });
});
