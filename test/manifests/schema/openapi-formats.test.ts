import { breaksFormat, exceedsFormat, formatsOf } from '../../../src/manifests/schema/formats';

test('only texts and numbers have formats, and each type has its own', () => {
  expect(formatsOf('integer')).toEqual(['int32', 'int64']);
  expect(formatsOf('number')).toEqual(['float', 'double']);
  expect(formatsOf('string')).toEqual(expect.arrayContaining(['date-time', 'ipv4', 'k8s-short-name']));
  expect(formatsOf('string')).not.toContain('int32');
  expect(formatsOf(undefined)).toEqual(formatsOf('string'));
  for (const type of ['boolean', 'object', 'array']) expect(formatsOf(type)).toEqual([]);
});

test.each([
  ['date', '2026-02-28', '2026-13-01'],
  ['date-time', '2026-02-28T10:00:00Z', '2026-02-28'],
  ['ipv4', '192.0.2.1', '2001:db8::1'],
  ['ipv6', '2001:db8::1', '192.0.2.1'],
  ['cidr', '192.0.2.0/24', '192.0.2.0'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
  ['byte', 'YQ==', 'YQ='],
])('a string of the format %s is %s, and not %s', (format, right, wrong) => {
  expect(breaksFormat(format, right)).toBe(false);
  expect(breaksFormat(format, wrong)).toBe(true);
});

test('a format that is not looked into refuses nothing', () => {
  expect(breaksFormat('hostname', '-')).toBe(false);
  expect(breaksFormat('toString', '-')).toBe(false);
});

test('whole numbers fit into the bits that their format names', () => {
  expect(exceedsFormat('int32', 2 ** 31 - 1)).toBe(false);
  expect(exceedsFormat('int32', 2 ** 31)).toBe(true);
  expect(exceedsFormat('int32', -(2 ** 31) - 1)).toBe(true);
  expect(exceedsFormat('int64', 2 ** 31)).toBe(false);
  expect(exceedsFormat('int64', 2 ** 63)).toBe(true);
  expect(exceedsFormat('double', 1e300)).toBe(false);
});
