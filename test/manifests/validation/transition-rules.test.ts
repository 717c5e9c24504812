import * as fc from 'fast-check';
import { groupKind, ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { reportedRules } from '../../../src/manifests/validation/manifest-rules';
import { transitionRules } from '../../../src/manifests/validation/transition-rules';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';
import { stringAt } from '../../../src/manifests/values/fields';
import { goldenOutputs } from '../../support/outputs';
import { amount, sample } from '../../support/sample';
import { changes, changesBetween } from '../rules/changes/changes';
import { objectsIn, placesIn, replace } from '../rules/rules-under-test';
import { BUILT_IN_KINDS } from '../schema/built-in';
import { SchemaValidator } from '../schema/validate';

const RULES = transitionRules().map((rule) => [rule.id, rule] as const);

test('ids are there once, and say that they are about changes', () => {
  const ids = reportedRules().map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const { id } of transitionRules()) expect(id).toMatch(/^TC-CHANGE(-[A-Z0-9]+)+$/);
});

describe.each(RULES)('%s', (id, { title, source, kinds, kindSuffix, warning, trap, example }) => {
  test('says what it demands, and who says so', () => {
    expect(title).toMatch(/^[A-Z].{20,}\.$/);
    expect(source).not.toBe('');
    if (kindSuffix !== '') expect(kinds.length).toBeGreaterThan(0);
    for (const kind of kinds) expect(kind).toMatch(/^[a-z0-9.-]*\/[A-Z][A-Za-z0-9]+$/);
    expect(warning && trap).toBeFalsy();
  });

  test('is broken by its failing example, which breaks no other but warnings, and not by the corrected one', () => {
    const broken = (after: string) => changes(example.before, after).map(({ rule }) => rule).filter((rule) => rule.id === id || !rule.warning);

    expect(new Set(broken(example.failing).map((rule) => rule.id))).toEqual(new Set([id]));
    expect(broken(example.corrected)).toEqual([]);
  });

  test('changes something in both examples', () => {
    expect(new Set([example.before, example.failing, example.corrected]).size).toBe(3);
  });

  test('says a sentence without a full stop, and a way out', () => {
    for (const finding of changes(example.before, example.failing)) {
      expect(finding.message).toMatch(/[^.\s]$/);
      expect(finding.message).not.toContain('undefined');
      expect(finding.fix).toMatch(/[^.\s]$/);
    }
  });

  test('shows manifests that their servers take', () => {
    const validator = SchemaValidator.load();
    const ordinary = new ManifestValidator();
    for (const text of Object.values(example)) {
      const objects = objectsIn(text);
      const custom = objects.filter(({ apiVersion, kind }) => (
        validator.knows(String(apiVersion), String(kind)) && !BUILT_IN_KINDS.has(`${String(apiVersion)}/${String(kind)}`)));
      expect(custom.flatMap((object) => validator.validate(object))).toEqual([]);
      // A part of a cluster alone is enough for an example.
      const { found } = ordinary.validate([objects], { silences: [], strict: false });
      expect(found.map(({ finding }) => finding.rule.id).filter((broken) => broken.startsWith('TC-ADMIT-FIELD'))).toEqual([]);
    }
  });

  if (source.includes('x-kubernetes-validations')) {
    test('finds what the definition of the kind refuses, and nothing else', () => {
      const validator = SchemaValidator.load();
      const old = new ManifestIndex(objectsIn(example.before));
      const refused = (text: string): string[] => objectsIn(text).flatMap((object) => (
        validator.validate(object, old.find(groupKind(object), stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')))));
      expect(refused(example.failing)).not.toEqual([]);
      expect(refused(example.corrected)).toEqual([]);
    });
  }

  test('throws at nothing that somebody may write', () => {
    const odd = fc.constantFrom<unknown>(null, undefined, '', 'x', 0, -1, 1.5, true, [], [null], [[]], ['x'], [1], {}, { name: null }, { toString: 1 }, [{ name: 1 }], [{ name: 'x' }]);
    const given = [objectsIn(example.before), objectsIn(example.failing)] as const;
    const places = given.flatMap((objects, side) => objects.flatMap((object, at) => placesIn(object).map((place) => [side, at, ...place] as const)));

    fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom(...places), odd), { minLength: 1, maxLength: 3 }), (edits) => {
      const spoiled = structuredClone(given);
      for (const [[side, at, ...place], value] of edits) replace(spoiled[side][at], place, structuredClone(value));
      expect(() => changesBetween(...spoiled)).not.toThrow();
      expect(() => changesBetween(spoiled[1], spoiled[0])).not.toThrow();
      expect(changesBetween(spoiled[0], structuredClone(spoiled[0]))).toEqual([]);
    }), { numRuns: amount(60, 12) });
  });
});

describe.each(sample(goldenOutputs(), 8))('%s', (_, { management }) => {
  const objects = objectsIn(management);

  test('against itself breaks nothing', () => {
    expect(changesBetween(objects, structuredClone(objects))).toEqual([]);
  });

  test('against itself breaks nothing, in whatever order', () => {
    expect(changesBetween(objects, structuredClone(objects).reverse() as ManifestObject[])).toEqual([]);
  });
});

test('objects that are all new break nothing', () => {
  const all = transitionRules().flatMap(({ example }) => objectsIn(example.failing));
  expect(changesBetween([], all)).toEqual([]);
});
