import * as fc from 'fast-check';
import { checkDnsLabel } from '../../../src/manifests/values/dns';
import { checkName, joinName, shortenName } from '../../../src/manifests/values/object-name';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789-'.split('');
const label = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 1, maxLength })
  .map((text) => `a${text}z`);

// Names are an interface: whoever changes one of these moves objects of living clusters.
const GOLDEN: readonly (readonly [parts: readonly (string | undefined)[], name: string])[] = [
  [['acme'], 'acme'],
  [['acme', 'general'], 'acme-general'],
  [['acme', undefined, 'general', ''], 'acme-general'],
  [['acme', 'general', '0a1b2c3d'], 'acme-general-0a1b2c3d'],
  [['a'.repeat(31), 'b'.repeat(31)], `${'a'.repeat(31)}-${'b'.repeat(31)}`],
  [['a'.repeat(31), 'b'.repeat(32)], `${'a'.repeat(31)}-${'b'.repeat(22)}-e67a3605`],
  [['a'.repeat(53), 'b'.repeat(20)], `${'a'.repeat(53)}-af3ec493`],
  [['tenant-of-a-company-with-a-long-name', 'cluster-for-production', 'cloud-controller-manager'],
    'tenant-of-a-company-with-a-long-name-cluster-for-produ-a1018b73'],
];

describe('object names', () => {
  test.each(GOLDEN)('%p makes %s', (parts, name) => {
    expect(joinName(...parts)).toBe(name);
    expect(checkDnsLabel(name)).toBeUndefined();
  });

  test('a shortened name is a DNS label within the limit, whatever the limit', () => {
    fc.assert(fc.property(label(150), fc.integer({ min: 10, max: 63 }), (name, max) => {
      const short = shortenName(name, max);
      expect(short.length).toBeLessThanOrEqual(max);
      expect(checkDnsLabel(short)).toBeUndefined();
      expect(short).toBe(name.length <= max ? name : short);
      expect(shortenName(short, max)).toBe(short);
    }));
  });

  test('a name that fits is left alone', () => {
    fc.assert(fc.property(label(61), (name) => {
      expect(shortenName(name)).toBe(name);
    }));
  });

  test('names with one head stay apart', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `${'x'.repeat(70)}-${index}`);
    expect(new Set(names.map((name) => shortenName(name))).size).toBe(names.length);
  });

  test('a cut at a hyphen or dot leaves no loose end', () => {
    expect(shortenName(`${'a'.repeat(53)}--------${'b'.repeat(20)}`)).toMatch(/^a{53}-[0-9a-f]{8}$/);
    expect(shortenName(`${'a'.repeat(53)}.${'b'.repeat(20)}`)).toMatch(/^a{53}-[0-9a-f]{8}$/);
    expect(shortenName('-'.repeat(70))).toMatch(/^[0-9a-f]{8}$/);
  });

  test('a limit without room for the hash is refused', () => {
    expect(() => shortenName('abc', 9)).toThrow('accepted are at least 10');
  });

  test.each([
    ['acme', {}, undefined],
    ['a.b', {}, 'is not a DNS label'],
    ['a.b', { grammar: 'subdomain' }, undefined],
    ['1a', { grammar: 'letter-first-label' }, 'starting with a letter'],
    ['1a', {}, undefined],
    ['abcdef', { maxLength: 5 }, 'at most 5'],
    ['a'.repeat(64), { grammar: 'subdomain' }, undefined],
    ['a'.repeat(64), {}, 'at most 63'],
  ] as const)('check of %p with %p', (name, rules, problem) => {
    if (problem === undefined) {
      expect(checkName(name, rules)).toBeUndefined();
    } else {
      expect(checkName(name, rules)).toContain(problem);
    }
  });
});
