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

test('quotes that are never closed take no time', () => {
  const begin = Date.now();
  shellCommands(`${'"\\'.repeat(9_000)}`);
  shellCommands(`${'\'a"'.repeat(6_000)}`);
  shellCommands('a'.repeat(20_000) + '"');
  expect(Date.now() - begin).toBeLessThan(2_000);
});
