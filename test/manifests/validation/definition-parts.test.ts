import { ManifestValidator } from '../../../src/manifests/validation/validate-manifests';

function found(spec: unknown, silenced = false): string[] {
  const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'webs.example.com' }, spec };
  const silences = silenced ? [{ rule: 'TC-VALIDATE-PART', reason: 'a patch' }] : [];
  return new ManifestValidator().validate([[definition]], { silences, strict: false }).found.map(({ finding: { rule, path } }) => `${rule.id} ${path.join('.')}`);
}

test('a part of a definition is a warning, which can be silenced', () => {
  expect(found({ conversion: { strategy: 'None' } })).toEqual(['TC-VALIDATE-PART spec']);
  expect(found(undefined)).toEqual(['TC-VALIDATE-PART spec']);
  expect(found({ conversion: { strategy: 'None' } }, true)).toEqual([]);
});

test('a value of another type is none', () => {
  for (const spec of [5, 'a', true, [], [5]]) expect(found(spec)).toEqual(['TC-ADMIT-FIELD-TYPE spec']);
  expect(found({ group: 'example.com' })).not.toContain('TC-VALIDATE-PART spec');
});
