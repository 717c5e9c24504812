import * as fc from 'fast-check';
import { checkQuantity, compareQuantities, NANO, parseQuantity } from '../../../src/manifests/values/quantity';

describe('quantities', () => {
  test.each([
    ['0', 0n], ['1', NANO], ['+1', NANO], ['-1', -NANO], ['1.5', 1_500_000_000n], ['.5', 500_000_000n], ['1.', NANO], ['500m', 500_000_000n],
    ['1n', 1n], ['1u', 1000n], ['1k', 1000n * NANO], ['1M', 10n ** 6n * NANO], ['1G', 10n ** 9n * NANO], ['1T', 10n ** 12n * NANO],
    ['1P', 10n ** 15n * NANO], ['1E', 10n ** 18n * NANO], ['1Ki', 1024n * NANO], ['1Mi', 1024n ** 2n * NANO], ['1Gi', 1024n ** 3n * NANO],
    ['1Ti', 1024n ** 4n * NANO], ['1Pi', 1024n ** 5n * NANO], ['1Ei', 1024n ** 6n * NANO], ['1e3', 1000n * NANO], ['1E3', 1000n * NANO],
    ['1e+3', 1000n * NANO], ['1e-3', 1_000_000n], ['0.1Gi', 107_374_182_400_000_000n], ['0.1n', 1n], ['-0.1n', -1n], ['1.0000000001', NANO + 1n],
    ['007', 7n * NANO],
  ])('%s', (text, nano) => {
    expect(parseQuantity(text)).toBe(nano);
  });

  test.each([
    '', '.', '+', 'Gi', '1 Gi', '1gi', '1GI', '1KB', '1K', '1GB', '1mi', '1.2.3', '1,5', '1e', '1e1.5', '0x10', '1_000', '--1', '1Gi ', 'Infinity', '1e99999999999',
  ])('%p is none', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
    expect(checkQuantity(text)).toContain('is not a quantity; accepted is a number with one of the suffixes');
  });

  test('one amount in several forms', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (whole) => {
      expect(parseQuantity(`${whole}`)).toBe(parseQuantity(`${whole}000m`));
      expect(compareQuantities(`${whole}Gi`, `${whole * 1024}Mi`)).toBe(0);
      expect(compareQuantities(`${whole}k`, `${whole}e3`)).toBe(0);
      expect(compareQuantities(`${whole}.5`, `${whole}500m`)).toBe(0);
    }));
  });

  test('order is that of the numbers', () => {
    const suffixes = { '': 1, 'm': 1e-3, 'k': 1e3, 'Mi': 1024 ** 2, 'G': 1e9 };
    const suffix = fc.constantFrom(...Object.keys(suffixes) as (keyof typeof suffixes)[]);
    const quantity = fc.record({ number: fc.integer({ min: -999, max: 999 }), suffix });
    fc.assert(fc.property(quantity, quantity, (one, other) => {
      const difference = one.number * suffixes[one.suffix] - other.number * suffixes[other.suffix];
      fc.pre(difference === 0 || Math.abs(difference) > 1e-6);
      expect(compareQuantities(`${one.number}${one.suffix}`, `${other.number}${other.suffix}`)).toBe(Math.sign(difference) + 0);
    }));
  });

  test.each([
    ['1', {}, undefined],
    ['0', {}, undefined],
    ['-1', {}, '"-1" is negative; accepted are quantities from 0'],
    ['0', { positive: true }, '"0" is zero; accepted are quantities above 0'],
    ['100m', { whole: true }, '"100m" is not a whole number ("m" means thousandths; "M" and "Mi" mean millions); accepted are whole quantities such as "512Mi" or "2"'],
    ['1000m', { whole: true }, undefined],
    ['1.5Gi', { whole: true }, undefined],
    ['8Ei', {}, '"8Ei" is larger than 2^63-1, to which Kubernetes cuts it; accepted are smaller quantities'],
    ['7Ei', {}, undefined],
  ])('check of %s with %p', (text, rules, expected) => {
    expect(checkQuantity(text, rules)).toBe(expected);
  });

  test('only quantities can be compared', () => {
    expect(() => compareQuantities('1', 'x')).toThrow('"x" is not a quantity');
  });
});
