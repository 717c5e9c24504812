import { withoutImplied } from '../../../src/cli/graph/planned-boxes';

test('an arrow is left out if a longer way leads to the same box', () => {
  const arrows = (...ties: string[]) => ties.map(([from, to]) => ({ from, to, isOrder: true }));
  const left = (...ties: string[]) => withoutImplied(arrows(...ties)).map(({ from, to }) => `${from}${to}`);
  expect(left('ab', 'bc', 'ac')).toEqual(['ab', 'bc']);
  expect(left('ab', 'bc', 'cd', 'ad', 'ab')).toEqual(['ab', 'bc', 'cd']);
  expect(left('ab', 'ac', 'bd', 'cd')).toEqual(['ab', 'ac', 'bd', 'cd']);
  expect(left('ab', 'ba', 'bc', 'ac')).toEqual(['ab', 'ba', 'bc', 'ac']);
});
