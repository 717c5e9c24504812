import { ConformanceCase } from '../../../scripts/conformance/conformance-case';
import { OwnJudge, UNREADABLE } from '../../../scripts/conformance/own-verdict';
import { TransitionRule } from '../../../src/manifests/rules/changes/transition-rule';
import { ManifestRule } from '../../../src/manifests/rules/manifest-rule';

const ABOUT = { title: 'A test.', source: 'a test', kinds: ['/ConfigMap'], example: { before: '', failing: '', corrected: '' } };
const WRONG = [{ path: ['data'], message: 'wrong', fix: 'correct it' }];
const OTHERS = (count: number) => Array.from({ length: count }, (_, index) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `other-${index}` } }));

const RULES: ManifestRule[] = [
  { ...ABOUT, id: 'TC-ADMIT-ALONE', check: (object) => (JSON.stringify(object).includes('alone') ? WRONG : []) },
  { ...ABOUT, id: 'TC-ADMIT-CROWD', check: (_, index) => (index.all('/ConfigMap').length > 1 ? WRONG : []) },
  { ...ABOUT, id: 'TC-TRAP-CROWD', trap: true, check: (_, index) => (index.all('/ConfigMap').length > 2 ? WRONG : []) },
  { ...ABOUT, id: 'TC-ADMIT-MEANT', warning: true, check: () => WRONG },
];
const TRANSITIONS: TransitionRule[] = [{ ...ABOUT, id: 'TC-CHANGE-ANY', check: ({ before }) => (before ? WRONG : []) }];

function verdict(given: Partial<ConformanceCase>) {
  const text = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}';
  const { refusals, traps } = new OwnJudge(RULES, TRANSITIONS).judge({ id: 'a', origin: 'mutation', row: 'a', words: '', set: [], around: [], text, ...given });
  return [refusals.map(({ id }) => id), traps.map(({ id }) => id)];
}

test('a server looks at the object and at what it holds; traps come from what is written besides, too', () => {
  expect(verdict({})).toEqual([[], []]);
  expect(verdict({ text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"alone"}}' })).toEqual([['TC-ADMIT-ALONE'], []]);
  expect(verdict({ around: OTHERS(2) })).toEqual([[], ['TC-TRAP-CROWD']]);
  expect(verdict({ set: OTHERS(1) })).toEqual([['TC-ADMIT-CROWD'], []]);
});

test('changes are judged by rules of changes', () => {
  expect(verdict({ before: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}' })).toEqual([['TC-CHANGE-ANY'], []]);
});

test('a string is read as a manifest is, and what is no object is refused', () => {
  expect(verdict({ text: '{"apiVersion":"v1","kind":"ConfigMap","kind":"ConfigMap","metadata":{"name":"a"}}' })).toEqual([[UNREADABLE], []]);
  expect(verdict({ text: '{"kind":"ConfigMap"}' })).toEqual([['TC-VALIDATE-OBJECT'], []]);
});

test('a kind that nobody knows is a doubt, and so are variables', () => {
  expect(verdict({ text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"a":"${alone}"}}}' })[1]).toEqual(['TC-VALIDATE-VARIABLES']);
  expect(verdict({ text: '{"apiVersion":"example.com/v1","kind":"Unheard","metadata":{"name":"a"}}' })).toEqual([[], ['TC-VALIDATE-KIND']]);
});
