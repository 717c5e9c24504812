import { valuesSecret } from '../../../src/manifests/rules/values-secret';

const RULE = valuesSecret({
  id: 'TC-TRAP-X',
  kind: 'example.com/Release',
  example: { failing: '', corrected: '' },
  fix: '',
  valuesOf: ({ values, text }) => [{ path: ['values'], values }, { path: ['text'], text: text as string | undefined }],
});
const found = (fields: object): string[] => RULE.check({ apiVersion: 'example.com/v1', kind: 'Release', ...fields }, undefined as never)
  .map(({ path, message }) => `${path.join('.')}: ${message.split(' is ')[0]}`);

test.each([
  ['adminPassword', 'swordfish'], ['token', 'abc'], ['apiKey', 'abc'], ['API_KEY', 'abc'], ['secretAccessKey', 'abc'], ['clientSecret', 'abc'], ['GF_SECURITY_ADMIN_PASSWORD', '{"a":1}'],
])('%s: %s is a secret', (key, value) => {
  expect(found({ values: { chart: { list: [{ [key]: value }] } } })).toEqual([`values.chart.list.0.${key}: "chart.list.0.${key}"`]);
});

test.each<[string, unknown]>([
  ['existingSecret', 'grafana'], ['passwordKey', 'admin-password'], ['tokenSecretName', 'x'], ['existingPassword', 'x'], ['secretName', 'x'], ['automountServiceAccountToken', true],
  ['password', ''], ['password', null], ['password', '${GRAFANA_PASSWORD}'], ['password', '$(PASSWORD)'], ['password', '{{ .Values.x }}'], ['password', '<path:secret#key>'],
  ['token', '/var/run/secrets/token'], ['password', 'ref+vault://x'], ['password', '$__file{/etc/x}'],
])('%s: %j is none', (key, value) => {
  expect(found({ values: { [key]: value } })).toEqual([]);
});

test('a string is read, and found as a whole', () => {
  expect(found({ text: 'grafana:\n  adminPassword: swordfish\n' })).toEqual(['text: "grafana.adminPassword"']);
  for (const text of ['', 'a: [', 'just words']) expect(found({ text })).toEqual([]);
});
