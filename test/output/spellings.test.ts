import { SPELLINGS } from './spellings';
import { ManifestObject, objectName } from '../../src/manifests/objects/manifest-object';
import { plan } from '../../src/manifests/plan/plan-objects';
import { planTotals, totalsWords } from '../../src/manifests/plan/plan-totals';
import { fieldChanges } from '../../src/manifests/rules/changes/field-changes';
import { ManifestIndex } from '../../src/manifests/rules/manifest-index';
import { storedPair } from '../../src/manifests/stored/stored-objects';
import { ChangeCheck } from '../../src/manifests/validation/change-check';
import { fieldText, sameValue } from '../../src/manifests/values/fields';
import { goldenOutputs, parse } from '../support/outputs';

const OUTPUTS = goldenOutputs().map(([name, { management }]) => [name, parse(management) as unknown as ManifestObject[]] as const);
const OBJECTS = OUTPUTS.flatMap(([, objects]) => objects);

test.each(Object.entries(SPELLINGS))('%s are no change of any object', (_, spelled) => {
  const differences = OBJECTS.flatMap((object) => {
    const { before, after } = storedPair(object, spelled(object));
    return fieldChanges(before, after).map(({ path, ...values }) => `${objectName(object)} ${fieldText(path)}: ${JSON.stringify(values)}`);
  });

  expect(new Set(differences)).toEqual(new Set());
  expect(OBJECTS.some((object) => JSON.stringify(object) !== JSON.stringify(spelled(object)))).toBe(true);
});

test.each(OUTPUTS)('%s: all spellings together change nothing, and break no rule over changes', (_, objects) => {
  const spelled = objects.map((object) => Object.values(SPELLINGS).reduce((written, spell) => spell(written), object));
  const differs = objects.some((object, index) => !sameValue(object, spelled[index]));

  expect([differs, totalsWords(planTotals(plan(objects, spelled)))]).toEqual([true, 'Nothing changes.']);
  expect(totalsWords(planTotals(plan(spelled, objects)))).toBe('Nothing changes.');

  const changes = new ChangeCheck().compare(objects, spelled, new ManifestIndex(spelled));
  expect(spelled.flatMap((object) => changes.ofNow(object).map(({ rule, message }) => `${objectName(object)} ${rule.id}: ${message}`))).toEqual([]);
});
