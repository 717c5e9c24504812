import * as fc from 'fast-check';
import { repeatsKey } from '../../src/manifests/repeated-keys';

test.each([
  '{"a":1,"a":2}', '{"a":1,"b":{"c":[],"c":null}}', '[{"a":1 , "a"\n: 1}]', '{"a":1,"\\u0061":2}', '{"\\"":1,"\\"":2}', '{"a\\\\":1,"b":"x","a\\\\":2}', '{"a":[{"a":1}],"a":2}',
])('%s has a key twice', (json) => {
  expect(repeatsKey(json)).toBe(true);
});

test.each(['{}', '[]', '1', '"a"', '["a","a"]', '{"a":"a","b":"a"}', '{"a":{"a":1},"b":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"\\"","b":"\\\\","c":"{\\"a\\":1,\\"a\\":2}"}'])('%s has none', (json) => {
  expect(repeatsKey(json)).toBe(false);
});

test('what JavaScript writes has none', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => !repeatsKey(JSON.stringify(value))));
});
