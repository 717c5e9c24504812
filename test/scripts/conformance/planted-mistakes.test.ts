import { PLANTED_MISTAKES } from '../../../scripts/conformance/planted/planted-lists';
import { exampleObjects, plant, PlantedMistake } from '../../../scripts/conformance/planted/planted-mistake';
import { ManifestObject } from '../../../src/manifests/objects/manifest-object';
import { ManifestIndex } from '../../../src/manifests/rules/manifest-index';
import { ChangeCheck } from '../../../src/manifests/validation/change-check';
import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';

const VALIDATOR = new ManifestValidator();
const CHANGES = new ChangeCheck();

/** Findings of the whole validation, as id and message. */
function findings(objects: readonly ManifestObject[]): string[] {
  return VALIDATOR.validate([objects], { silences: [], strict: false }).found.map(({ finding: { rule, path, message } }) => `${rule.id} ${path.join('.')}: ${message}`);
}

/** Ids of the rules that find a mistake, and find nothing where it is not made. */
function finders(objects: readonly ManifestObject[], mistake: PlantedMistake): string[] {
  const { original, object, before, after } = plant(objects, mistake);
  if (mistake.isChange) {
    const found = CHANGES.check({ before: original, after: object, old: new ManifestIndex(before), now: new ManifestIndex(after) });
    return [...new Set(found.map(({ rule }) => rule.id))];
  }
  const known = new Set(findings(before));
  return [...new Set(findings(after).filter((text) => !known.has(text)).map((text) => text.split(' ')[0]))];
}

describe.each(PLANTED_MISTAKES.map((list) => ({ list })))('mistakes in $list.example', ({ list: { example, mistakes, provider } }) => {
  const objects = exampleObjects(example);

  test('are none in the example', () => {
    expect(findings(objects)).toEqual([]);
  });

  test('are as many as there are words', () => {
    expect(new Set(mistakes.map(({ words }) => words)).size).toBe(mistakes.length);
    expect(mistakes.length).toBeGreaterThanOrEqual(provider === 'dev' ? 8 : 15);
  });

  test.each(mistakes.map((mistake) => ({ mistake })))('$mistake.words: found by its rule', ({ mistake }) => {
    expect(finders(objects, mistake).sort()).toEqual([...mistake.found].sort());
  });
});
