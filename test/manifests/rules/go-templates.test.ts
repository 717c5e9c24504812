import * as fc from 'fast-check';
import { checkNameTemplate, templateFields } from '../../../src/manifests/rules/go-templates';

const SAMPLE = { cluster: { name: 'acme' }, machineSet: { name: 'acme-general' } };

test.each([
  '{{ .machineSet.name }}-{{ .random }}',
  '{{.cluster.name}}-{{.random}}',
  '{{ .cluster.name -}} -{{ .random }}',
  'worker-{{ .random }}.example.com',
  // Results longer than 63 characters are cut.
  `${'a'.repeat(80)}-{{ .random }}`,
  '{{ .cluster.name | printf "%s-" }}{{ .random }}',
  '{{ if eq .cluster.name "acme" }}a{{ end }}-{{ .random }}',
])('%s makes names', (template) => {
  expect(checkNameTemplate(template, SAMPLE)).toBeUndefined();
});

test.each([
  ['{{ .cluster.nam }}-{{ .random }}', 'no entry for key "nam"'],
  ['{{ .cluster }}-{{ .random }}', 'no object may have'],
  ['{{ .cluster.name }-{{ .random }}', 'unexpected "}"'],
  ['{{ .random }}-{{ .cluster.name', 'not closed'],
  ['{{ .cluster.name | printf "%s_" }}{{ .random }}', 'no object may have'],
  ['{{ upper .cluster.name }}{{ .random }}', 'function "upper" is not defined'],
  ['Worker-{{ .random }}', 'no object may have'],
  ['{{ .random }}-', 'no object may have'],
  ['', 'no object may have'],
])('%s does not: %s', (template, text) => {
  expect(checkNameTemplate(template, SAMPLE)).toContain(text);
});

test('a template of names and marks makes names, whatever their order', () => {
  const part = fc.constantFrom('{{ .cluster.name }}', '{{ .random }}', '{{ .machineSet.name }}', 'a', '0', 'node');
  fc.assert(fc.property(fc.array(part, { minLength: 1 }), (parts) => {
    expect(checkNameTemplate(parts.join('-'), SAMPLE)).toBeUndefined();
    expect(checkNameTemplate(`_${parts.join('-')}`, SAMPLE)).toBeDefined();
  }));
});

test('the fields are said as a template writes them', () => {
  expect(templateFields(SAMPLE)).toBe('{{ .cluster.name }}, {{ .machineSet.name }}, {{ .random }}');
});
