import * as fc from 'fast-check';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { pairManifests } from '../../../src/manifests/validation/pair-manifests';
import { SILENCE_ANNOTATION } from '../../../src/manifests/validation/silences';
import { ManifestValidator, ValidationOptions } from '../../../src/manifests/validation/validate-manifests';
import { fieldAt, sameValue, stringAt } from '../../../src/manifests/values/fields';

const ID = 'TC-CHANGE-STORAGE-CLASS';
const GONE = 'TC-CHANGE-STORAGE-CLASS-REMOVED';

function storageClass(provisioner: string, silence?: string, name = 'fast'): ManifestObject {
  const annotations = silence === undefined ? {} : { annotations: { [SILENCE_ANNOTATION]: silence } };
  return { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name, ...annotations }, provisioner };
}

function validate(before: unknown[] | undefined, now: unknown[], options: Partial<ValidationOptions> = {}) {
  const { found, silenced } = new ManifestValidator().validate([now], { silences: [], strict: false, ...options, before: before && [before] });
  return { found: found.map(({ finding }) => finding.rule.id), silenced: silenced.map(({ finding, reason }) => `${finding.rule.id} ${reason}`), objects: found.map(({ object }) => object) };
}

describe('pairs', () => {
  const map = (name: string, value: number, more = {}): ManifestObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'a' }, data: { value }, ...more });

  test('are objects of one group, kind, namespace and name, in whatever version', () => {
    const [old, now] = [{ ...map('m', 1), apiVersion: 'a.io/v1' }, { ...map('m', 2), apiVersion: 'a.io/v2' }];
    expect(pairManifests([old], [now])).toEqual({ before: new Map([[now, old]]), gone: [] });
    const others = [{ ...now, apiVersion: 'b.io/v1' }, { ...now, kind: 'Secret' }, { ...now, metadata: { name: 'm', namespace: 'b' } }, { ...now, metadata: { name: 'n', namespace: 'a' } }];
    for (const other of others) expect(pairManifests([old], [other])).toEqual({ before: new Map(), gone: [old] });
  });

  test('of objects that share a name are those that did not change, and the others in their order', () => {
    const old = [map('m', 1), map('m', 2), map('m', 3)];
    const now = [map('m', 3), map('m', 9), map('m', 1)];
    expect([...pairManifests(old, now).before.values()].map((object) => fieldAt(object, 'data', 'value'))).toEqual([1, 3, 2]);
    expect(pairManifests(old, now.slice(0, 2)).gone).toEqual([old[1]]);
    expect(pairManifests(now, old.slice(0, 1)).gone).toEqual([now[0], now[1]]);
  });

  test('know what has no name by the start of a generated one', () => {
    const [nameless, same, other] = ['a-', 'a-', 'b-'].map((generateName) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { generateName } }));
    expect(pairManifests([nameless], [])).toEqual({ before: new Map(), gone: [nameless] });
    expect(pairManifests([nameless], [same, other])).toEqual({ before: new Map([[same, nameless]]), gone: [] });
  });

  test('cost no more for many objects of one name than for others', () => {
    const many = (count: number, more: object) => Array.from({ length: count }, (_, index) => map('m', index, more));
    expect(pairManifests(many(20_000, {}), many(20_000, { x: 1 })).gone).toEqual([]);
  });

  test('account for every object that has a name, once', () => {
    const objects = fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 3 })).map(([name, value]) => map(name, value)));
    fc.assert(fc.property(objects, objects, (old, now) => {
      const { before, gone } = pairManifests(old, now);
      expect(new Set([...before.values(), ...gone]).size).toBe(old.length);
      expect(before.size + gone.length).toBe(old.length);
      for (const [one, other] of before) expect(stringAt(one, 'metadata', 'name')).toBe(stringAt(other, 'metadata', 'name'));
    }));
  });
});

test('values are the same whatever the order of their keys, and null is nothing', () => {
  expect(sameValue({ a: 1, b: [1, { c: null }] }, { b: [1, {}], a: 1 })).toBe(true);
  for (const [one, other] of [[1, '1'], [[1], { 0: 1 }], [[], {}], [[1, 2], [2, 1]], [null, 0], [{ a: undefined }, { a: 0 }], ['', null]]) {
    expect(sameValue(one, other)).toBe(false);
    expect(sameValue(other, one)).toBe(false);
  }
  fc.assert(fc.property(fc.jsonValue(), (value) => { expect(sameValue(value, structuredClone(value))).toBe(true); }));
});

describe('validation with what was written before', () => {
  test('finds what changed beside everything else, and nothing in what was', () => {
    const wrong = { apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot', metadata: { name: 'x', namespace: 'a' }, spec: { source: { persistentVolumeClaimName: 'a' }, volumeSnapshotClassName: 5 } };
    expect(validate([storageClass('a'), wrong, null], [storageClass('b')]).found).toEqual([ID]);
    expect(validate([storageClass('a')], [storageClass('b'), wrong]).found).toEqual([ID, 'TC-ADMIT-FIELD-TYPE']);
    expect(validate(undefined, [storageClass('b')]).found).toEqual([]);
  });

  test('names an object that is gone as it was', () => {
    const old = storageClass('a');
    expect(validate([old], [])).toMatchObject({ found: [GONE], objects: [old] });
  });

  test('compares the objects of one place alone', () => {
    const { found } = new ManifestValidator().validate([[storageClass('a')], [storageClass('b')]], { silences: [], strict: false, before: [[storageClass('a')], [storageClass('b')]] });
    expect(found).toEqual([]);
  });

  test('takes silences of the object as it is now, or as it was when it is gone', () => {
    expect(validate([storageClass('a')], [storageClass('b', `${ID}: nobody has volumes`)])).toMatchObject({ found: [], silenced: [`${ID} nobody has volumes`] });
    expect(validate([storageClass('a', `${ID}: old`)], [storageClass('b')]).found).toEqual([ID]);
    expect(validate([storageClass('a', `${GONE}: nobody has volumes`)], [])).toMatchObject({ found: [], silenced: [`${GONE} nobody has volumes`] });
    // Other faults in silences of an object that is gone do not matter any more.
    expect(validate([storageClass('a', 'TC-NOTHING: x\nTC-ADMIT-FIELD-TYPE')], []).found).toEqual([GONE]);
  });

  test('takes silences of the run', () => {
    const silences = [{ rule: ID, reason: 'planned' }];
    expect(validate([storageClass('a')], [storageClass('b')], { silences })).toMatchObject({ found: [], silenced: [`${ID} planned`] });
    expect(validate([storageClass('a')], [storageClass('a')], { silences }).found).toEqual(['TC-SILENCE-UNUSED']);
  });

  test('alone says that a silence of a change is of no use', () => {
    const silent = storageClass('a', `${ID}: planned`);
    expect(validate(undefined, [silent], { silences: [{ rule: GONE, reason: 'planned' }] }).found).toEqual([]);
    expect(validate([silent], [silent]).found).toEqual(['TC-SILENCE-UNUSED']);
  });

  test('survives whatever it is given', () => {
    fc.assert(fc.property(fc.array(fc.anything()), fc.array(fc.anything()), (before, now) => {
      const plain = JSON.parse(JSON.stringify([before, now], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))) as unknown[][];
      validate(plain[0], plain[1]);
    }));
  });
});
