import * as fc from 'fast-check';
import { checkLabelSelector, isEmptySelector, selects } from '../../../src/manifests/rules/label-selectors';

const expression = (operator: string, values?: string[]) => ({ matchExpressions: [{ key: 'tier', operator, ...(values && { values }) }] });

test.each([
  [{ matchLabels: { tier: 'web' } }, ['web']],
  [{ matchLabels: {} }, ['web', 'db', undefined]],
  [expression('In', ['web', 'db']), ['web', 'db']],
  [expression('NotIn', ['web']), ['db', undefined]],
  [expression('Exists'), ['web', 'db']],
  [expression('DoesNotExist'), [undefined]],
  [{ matchLabels: { tier: 'web' }, ...expression('NotIn', ['web']) }, []],
])('%j selects %j', (selector, tiers) => {
  expect(checkLabelSelector(selector)).toEqual([]);
  expect(['web', 'db', undefined].filter((tier) => selects(selector, tier === undefined ? {} : { tier }))).toEqual(tiers);
});

test.each([
  [{ matchLabels: { 'a b': 'c' } }, ['matchLabels', 'a b']],
  [{ matchLabels: { a: 'b c' } }, ['matchLabels', 'a']],
  [expression('In'), ['matchExpressions', 0]],
  [expression('NotIn', []), ['matchExpressions', 0]],
  [expression('Exists', ['web']), ['matchExpressions', 0, 'values']],
  [expression('Is', ['web']), ['matchExpressions', 0, 'operator']],
  [expression('In', ['web', 'a b']), ['matchExpressions', 0, 'values', 1]],
  [{ matchExpressions: [{ key: 'a b', operator: 'Exists' }] }, ['matchExpressions', 0, 'key']],
])('%j cannot be read at %j', (selector, path) => {
  expect(checkLabelSelector(selector).map((fault) => fault.path)).toEqual([path]);
});

test('only maps without anything to select by are empty', () => {
  const empty = [{}, { matchLabels: {} }, { matchExpressions: [] }, { matchLabels: {}, matchExpressions: [] }];

  for (const selector of empty) expect(isEmptySelector(selector)).toBe(true);
  for (const other of [undefined, null, [], 'x', { matchLabels: { a: 'b' } }, expression('Exists')]) expect(isEmptySelector(other)).toBe(false);
});

test('labels select themselves, and one that differs does not', () => {
  const labels = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z]{1,8}$/), { minKeys: 1 });
  fc.assert(fc.property(labels, fc.nat(), (matchLabels, which) => {
    const keys = Object.keys(matchLabels);
    const key = keys[which % keys.length];

    expect(selects({ matchLabels }, { ...matchLabels, more: 'labels' })).toBe(!('more' in matchLabels) || matchLabels.more === 'labels');
    expect(selects({ matchLabels }, { ...matchLabels, [key]: `${matchLabels[key]}-2` })).toBe(false);
  }));
});

test('nothing makes it throw', () => {
  fc.assert(fc.property(fc.anything(), fc.dictionary(fc.string(), fc.anything()), (selector, labels) => {
    checkLabelSelector(selector);
    isEmptySelector(selector);
    selects(selector, labels);
  }));
});
