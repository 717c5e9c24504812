import * as fc from 'fast-check';
import { parseIntOrPercent } from '../../../src/manifests/values/counts';

test('a number is itself, and a percentage its number', () => {
  fc.assert(fc.property(fc.integer(), (amount) => {
    expect(parseIntOrPercent(amount)).toEqual({ amount, isPercent: false });
    expect(parseIntOrPercent(`${amount}%`)).toEqual({ amount, isPercent: true });
  }));
});

test.each(['1', '', '%', '1.5%', ' 1%', '1 %', 1.5, null, undefined, true, [], {}])('%j is neither', (value) => {
  expect(parseIntOrPercent(value)).toBeUndefined();
});
