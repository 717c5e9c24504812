import { STRUCTURE_RULES } from '../../../../src/manifests/rules/structure/structure-rules';
import { STRUCTURE_CHECK } from '../../../../src/manifests/validation/manifest-rules';
import { ManifestValidator } from '../../../../src/manifests/validation/validate-manifests';
import { SchemaValidator } from '../../schema/validate';
import { objectsIn } from '../rules-under-test';

const validator = SchemaValidator.load();

test('ids are there once', () => {
  const ids = Object.values(STRUCTURE_RULES).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^TC-ADMIT-(KIND|FIELD-[A-Z]+)$/);
});

/** Broken only beside the definition of a kind. */
const { rule: FIELD_RULE, ...OF_ONE_OBJECT } = STRUCTURE_RULES;

test(`${FIELD_RULE.id} is broken beside a definition`, () => {
  const validated = (text: string) => new ManifestValidator().validate([objectsIn(text)], { silences: [], strict: false });
  const ids = (text: string) => validated(text).found.map(({ finding }) => finding.rule.id);
  expect(ids(FIELD_RULE.example.failing)).toEqual([FIELD_RULE.id]);
  expect(ids(FIELD_RULE.example.corrected)).toEqual([]);
});

describe.each(Object.values(OF_ONE_OBJECT))('$id', ({ id, example }) => {
  test('is what its failing example breaks, and nothing else', () => {
    const ids = objectsIn(example.failing).flatMap((object) => STRUCTURE_CHECK.check(object)).map(({ rule }) => rule.id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids)).toEqual(new Set([id]));
  });

  test('is kept by its corrected example, which a server takes', () => {
    const objects = objectsIn(example.corrected);
    expect(objects.flatMap((object) => STRUCTURE_CHECK.check(object))).toEqual([]);
    expect(objects.flatMap((object) => validator.validate(object))).toEqual([]);
  });

  test('has a failing example that a server refuses', () => {
    expect(objectsIn(example.failing).flatMap((object) => validator.validate(object))).not.toEqual([]);
  });
});
