import { readGcfg } from '../../../src/manifests/values/gcfg';

const G = '[Global]\n';

test.each<[what: string, text: string, fault: string | undefined]>([
  ['comments and empty lines', `; a\n# b\n\n${G}  user-id = a  # c\n`, undefined],
  ['a section with a name', '[LoadBalancerClass "public one"] ; a\nsubnet-id=b', undefined],
  ['a variable without a value', `${G}use-clouds\nother ; a`, undefined],
  ['an escaped quote', `${G}password="a\\"b\\\\c"`, undefined],
  ['a value that is filled in', `${G}password={{ .a | quote "\\" }}`, undefined],
  ['lines of a template', `{{- with .a }}\n${G}user-id=a\n{{- end }}`, undefined],
  ['a quote that is kept', `${G}password=a\\"b`, undefined],
  ['a line that goes on', `${G}user-id=a\\\nb c: d\\\n"e\nregion=f`, undefined],
  ['a line after one that goes on', `${G}user-id=a\\\nb\nregion: f`, '4: is no variable'],
  ['no section', 'user-id=a', '1: is in no section'],
  ['a section that is not closed', '[Global\nuser-id=a', '1: is no section'],
  ['YAML', `${G}user-id: a`, '2: is no variable'],
  ['an underscore', `${G}user_id=a`, '2: is no variable'],
  ['an open quote', `${G}password="a`, '2: has the variable password whose value has a quote that is not closed'],
  ['a backslash', `${G}password=a\\b`, '2: has the variable password whose value has a backslash outside of quotes'],
  ['another escape', `${G}password="a\\b"`, '2: has the variable password whose value has a backslash that begins no escape'],
])('%s', (_, text, expected) => {
  const { fault } = readGcfg(text);
  expect(fault && `${fault.line}: ${fault.message}`).toBe(expected);
});

test.each<[text: string, value: string | undefined, isCut: boolean]>([
  ['password=a#b', 'a', true],
  ['password=a;b', 'a', true],
  ['password=a #b', 'a', false],
  ['password=a;', 'a', false],
  ['password="a#b"', 'a#b', false],
  ['password=', '', false],
  ['password', undefined, false],
])('%s', (line, value, isCut) => {
  expect(readGcfg(G + line).variables).toEqual([{ section: 'Global', name: 'password', value, line: 2, isCut }]);
});
