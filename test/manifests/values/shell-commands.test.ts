import { shellCommands } from '../../../src/manifests/values/shell-commands';

test.each<[string, string[][]]>([
  ['flux suspend source git fleet', [['flux', 'suspend', 'source', 'git', 'fleet']]],
  ['a;b&&c||d|e\nf', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
  ['a \\\n  b', [['a', 'b']]],
  ['a # b\nc', [['a'], ['c']]],
  ['a b#c', [['a', 'b#c']]],
  ['-p \'{"a": "b; c"}\' "d \\"e\\" f"g h\\ i', [['-p', '{"a": "b; c"}', 'd "e" fg', 'h i']]],
  ['--patch=\'{"a": 1}\'', [['--patch={"a": 1}']]],
  ["it's", [['it', 's']]],
  ['', []],
])('%j', (script, commands) => {
  expect(shellCommands(script)).toEqual(commands);
});

test.each([
  ['"\\'.repeat(9_000), 1],
  ['\'a"'.repeat(6_000), 1],
  ['a'.repeat(20_000) + '"', 0],
])('quotes that are never closed do not hold it up', (script, commands) => {
  expect(shellCommands(script)).toHaveLength(commands);
});
