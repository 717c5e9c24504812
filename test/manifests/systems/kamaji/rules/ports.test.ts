import { isNodePort } from '../../../../../src/manifests/systems/kamaji/rules/ports';

test.each<[number, boolean]>([[29999, false], [30000, true], [32767, true], [32768, false], [30000.5, false], [NaN, false]])('%d', (port, expected) => {
  expect(isNodePort(port)).toBe(expected);
});
