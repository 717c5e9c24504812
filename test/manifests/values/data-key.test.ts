import * as fc from 'fast-check';
import { isDataKey } from '../../../src/manifests/values/secret-ref';

test.each([['api-key', true], ['.dockerconfigjson', true], ['tls.crt', true], ['A_b', true], ['a'.repeat(253), true], ['a'.repeat(254), false],
  ['', false], ['.', false], ['..', false], ['..data', false], ['a/b', false], ['a b', false], ['a\n', false]])('whether %j is a key: %s', (text, key) => {
  expect(isDataKey(text)).toBe(key);
});

test('a key is a file name that stays in its folder', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', '-', '_', ' ', 'Z', '0'), maxLength: 5 }), (text) => {
    expect(isDataKey(text)).toBe(text !== '' && text !== '.' && !text.startsWith('..') && !/[/ ]/.test(text));
  }));
});
