import * as fc from 'fast-check';
import { canonicalJson, contentHash } from '../../../src/manifests/values/content-hash';

// A changed hash renames templates, and a renamed template replaces every machine of a living cluster.
const GOLDEN: readonly (readonly [value: unknown, hash: string])[] = [
  [{}, '44136fa3'],
  [[], '4f53cda1'],
  [null, '74234e98'],
  [undefined, '74234e98'],
  ['', '12ae32cb'],
  [0, '5feceb66'],
  [{ a: 1 }, '015abd7f'],
  [{ spec: { template: { spec: { cores: 4, memory: '16Gi', disks: ['root', 'data'] } } } }, 'c6509d34'],
  [{ ümlaut: '\u2028', emoji: '😀' }, 'fbe6a301'],
];

function shuffled(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => shuffled(item, random));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).map((entry) => ({ entry, rank: random() })).sort((a, b) => a.rank - b.rank);
  const copy: Record<string, unknown> = {};
  for (const { entry: [key, item] } of entries) {
    Object.defineProperty(copy, key, { value: shuffled(item, random), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

describe('content hash', () => {
  test.each(GOLDEN)('%j', (value, hash) => {
    expect(contentHash(value)).toBe(hash);
  });

  test('the order of keys is irrelevant', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (value, stream) => {
      expect(contentHash(shuffled(value, () => stream.next().value as number), 64)).toBe(contentHash(value, 64));
    }));
  });

  test('the canonical text is the value: reading it gives the value back', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }));
  });

  test('different content has a different hash', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      fc.pre(canonicalJson(one) !== canonicalJson(other));
      expect(contentHash(one)).not.toBe(contentHash(other));
    }));
    expect(new Set([{ a: 1 }, { a: '1' }, { a: [1] }, { a: null }, {}, { b: 1 }, [1], ['a', 1], { a: { a: 1 } }, 1, '1', true].map((one) => contentHash(one))).size).toBe(12);
  });

  test('undefined fields do not exist, the order of arrays counts', () => {
    expect(canonicalJson({ b: undefined, a: [1, undefined, 2] })).toBe('{"a":[1,null,2]}');
    expect(contentHash([1, 2])).not.toBe(contentHash([2, 1]));
  });

  test('keys are sorted by code unit, not by language, and integer-like keys too', () => {
    expect(canonicalJson({ b: 1, B: 2, ä: 3, 10: 4, 9: 5 })).toBe('{"10":4,"9":5,"B":2,"b":1,"ä":3}');
  });

  test('objects that know their JSON are asked for it', () => {
    expect(canonicalJson({ at: { toJSON: () => ({ z: 1, a: 2 }) } })).toBe('{"at":{"a":2,"z":1}}');
  });

  test('the same object may occur twice, but not inside itself', () => {
    const shared = { a: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(() => canonicalJson(cycle)).toThrow('contains itself');
  });

  test.each([[NaN], [Infinity], [1n], [() => 1], [Symbol('x')]])('%p has no JSON and is refused', (value) => {
    expect(() => contentHash({ value })).toThrow('has no canonical JSON');
  });

  test('digits', () => {
    expect(contentHash({}, 64)).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    expect(contentHash({}, 12)).toBe('44136fa355b3');
    expect(() => contentHash({}, 7)).toThrow('accepted are whole numbers from 8 to 64');
    expect(() => contentHash({}, 65)).toThrow();
  });
});
