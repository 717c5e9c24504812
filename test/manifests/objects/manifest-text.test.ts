import { decode, readText, readWithoutText } from '../../../src/manifests/objects/manifest-text';

const values = (text: string) => {
  const { documents, faults } = readText(text);
  expect(faults).toEqual([]);
  return documents.map(({ value }) => value);
};

test('documents have the line that they start in, and empty ones are left out', () => {
  const { documents } = readText('# first\n---\nkind: A\n---\n---\n# nothing\n---\n\nkind: B\n');
  expect(documents).toMatchObject([{ line: 3, value: { kind: 'A' } }, { line: 9, value: { kind: 'B' } }]);
});

test('JSON is read as it is', () => {
  expect(values('{"kind": "A", "a": [1, null]}')).toEqual([{ kind: 'A', a: [1, null] }]);
  expect(values('{"kind": "A"}\n---\n{"kind": "B"}')).toEqual([{ kind: 'A' }, { kind: 'B' }]);
});

test('values mean what they mean to Kubernetes', () => {
  expect(values('a: yes\nb: n\nc: 0644\nd: 12:30\ne: 2020-01-01\nf: 1.10\ng: "1.10"\nh: ~')).toEqual([
    { a: true, b: false, c: 420, d: '12:30', e: '2020-01-01', f: 1.1, g: '1.10', h: null },
  ]);
  expect(values('a: 0899\nb: 0x1F\nc: -0o17\nd: 0b11\ne: 1_000\nf: -.5\ng: 1e3\nh: .\ni: 1.2.3\nj: Off\nk: YES\nl: nO\nm: "0644"')).toEqual([
    { a: 899, b: 31, c: -15, d: 3, e: 1000, f: -0.5, g: 1000, h: '.', i: '1.2.3', j: false, k: true, l: 'nO', m: '0644' },
  ]);
  expect(values('p: &x {a: 1}\nq: *x\nr: {<<: *x, b: 2}')).toEqual([{ p: { a: 1 }, q: { a: 1 }, r: { a: 1, b: 2 } }]);
});

// Results of sigs.k8s.io/yaml v1.6.0 (YAMLToJSON).
test('strings that look like numbers are strings, as for Go', () => {
  const strings = [
    '.', 'e1000', 'e2', '1e400', '-1e400', '.e1', '-.', '._', '.0_', '0x', '0x_', '0b_', '0b12', '-._', '0xFFFFFFFFFFFFFFFFFF', '--1', '_1', '.5e400', '0x1p-2',
    '1e', '0o8', '0o',
  ];
  expect(values(strings.map((text) => `- ${text}\n`).join(''))).toEqual([strings]);
});

test.each([
  ['0o17', 15], ['0O17', 15], ['0X1f', 31], ['+0x1f', 31], ['0B11', 3], ['0_', 0], ['1_', 1], ['1e1_0', 1e10], ['1_0.5', 10.5], ['1._', 1], ['.5_0', 0.5],
  ['0x1_f', 31], ['08', 8], ['5e-400', 0], ['01777777777777777777777777', 1777777777777777777777777],
])('%s is a number, as for Go', (text, number) => {
  expect(values(`a: ${text}`)).toEqual([{ a: number }]);
});

test('a quoted string over several lines need not be indented more than its key', () => {
  expect(values("a:\n  b: 'one\n  two\n  three'\n")).toEqual([{ a: { b: 'one two three' } }]);
});

test('objects of a JSON stream need nothing between them', () => {
  const { documents, faults } = readText('{"a": "}{\\"",\n"b": 1}\n{\n"kind": "B"}{"kind": "C"}');
  expect(faults).toEqual([]);
  expect(documents).toMatchObject([{ line: 1, value: { a: '}{"', b: 1 } }, { line: 3, value: { kind: 'B' } }, { line: 4, value: { kind: 'C' } }]);
  expect(documents[1].lineOf(['kind'])).toBe(4);
  expect(readText('{"a": 1}\n{"b": 2,\n"b": 3}\n{"c": 4}').faults).toMatchObject([{ line: 3, message: 'is no YAML: duplicated mapping key' }]);
});

test('values with unknown tags are read without them', () => {
  expect(values('a: !foo x\nb: !!timestamp 2020-01-01\nc: !bar [1]\nd: !!set {e: 1}\nf: !!str 1\n')).toEqual([{ a: 'x', b: '2020-01-01', c: [1], d: { e: 1 }, f: '1' }]);
});

test('a key like __proto__ is a key', () => {
  const [value] = values('__proto__: {kind: A}\n') as object[];
  expect(Object.keys(value)).toEqual(['__proto__']);
  expect((value as { kind?: string }).kind).toBeUndefined();
});

test.each<[string, string, number | undefined, string]>([
  ['bad indentation', 'a: 1\nb: x\n  c: d\n', 3, 'is no YAML: bad indentation of a mapping entry'],
  ['a tab', 'a:\n\tb: 1', 2, 'tab characters'],
  ['a key twice', 'a: 1\nb: 2\na: 3', 3, 'duplicated mapping key'],
  ['a key twice in JSON', '{"a": {"b": 1,\n"b" : 2}}', 2, 'duplicated mapping key'],
  ['an open quote', 'a: 1\nb: "x', 3, 'quote'],
  ['an alias of nothing', 'a: 1\n---\nb: *x', 3, 'unidentified alias'],
  ['a template', 'a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}', undefined, 'it looks like a template'],
  ['a template that reads as maps', 'a: 1\nb: {{ .Values.x }}\n', 1, 'has an object as the key of another object; it looks like a template'],
  ['a template that starts with an action', '{{- if .Values.x }}\na: {{ .Values.a }}\n---\nb: {{ .Values.b }}\n{{- end }}', undefined, 'it looks like a template'],
  ['an alias of itself', 'a: &a [*a]', 1, 'contains itself'],
  ['lists without end', '['.repeat(100_000), undefined, 'nesting exceeded maxDepth (500)'],
  ['compact lists without end', '- '.repeat(100_000), undefined, 'nesting exceeded maxDepth (500)'],
  ['JSON without end', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, undefined, 'nesting exceeded maxDepth (500)'],
  ['cut JSON', '{"a": 1,\n"b": ', 3, 'is no YAML'],
])('%s is refused, with its line', (_name, text, line, message) => {
  const { documents, faults } = readText(text);
  expect(documents).toEqual([]);
  expect(faults).toHaveLength(1);
  if (line !== undefined) expect(faults[0].line).toBe(line);
  expect(faults[0].message).toContain(message);
  expect(faults[0].message).not.toContain('\n');
});

test('aliases may repeat, but not without measure', () => {
  const many = `x: &x {a: 1}\nlist:\n${'- *x\n'.repeat(500)}`;
  expect(values(many)).toHaveLength(1);
  const bomb = ['a0: &a0 [x, x]', ...Array.from({ length: 40 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`)].join('\n');
  expect(readText(bomb).faults).toEqual([{ line: 1, message: 'grows beyond all measure by its aliases' }]);
});

test.each([
  ['a plain string', (long: string) => `a: 1\nb: ${long}\n`],
  ['a string in quotes', (long: string) => `{a: 1, b: "${long}"}`],
  ['a block of lines', (long: string) => `a: 1\nb: |\n  ${long.replace(/.{100}/g, '$&\n  ')}\n`],
  ['a key', (long: string) => `? ${long}\n: 1\n`],
  ['a document', (long: string) => `--- ${long}\n`],
])('a string that no server accepts is a fault: %s', (_, text) => {
  const size = 3 * 1024 * 1024;
  const message = 'has a string of 4 MiB; an API server accepts requests of at most 3 MiB';
  expect(readText(text('x'.repeat(size + 1))).faults).toEqual([{ line: 1, message }]);
  expect(readWithoutText(text('x'.repeat(size + 1)), new Map()).faults).toEqual([{ line: 1, message }]);
  expect(readText(text('x'.repeat(size - 100_000))).faults).toEqual([]);
});

test('strings of a JSON stream are read however long they are, with braces in them', () => {
  const long = 'x'.repeat(40_000_000);
  expect(readText(`{"a": "${long}"}\n{"b": "\\"}{"}`).faults).toEqual([{ line: 1, message: 'has a string of 39 MiB; an API server accepts requests of at most 3 MiB' }]);
  expect(values('{"a": "}{\\\\"}{"b": "\\"{"}')).toEqual([{ a: '}{\\' }, { b: '"{' }]);
});

test.each([
  ['zero bytes', Buffer.from('kind: A\0'), 'is no text'],
  ['UTF-16', Buffer.from('\ufeffkind: A', 'utf16le'), 'is UTF-16'],
  ['UTF-16 of the other order', Buffer.from('\ufeffkind: A', 'utf16le').swap16(), 'is UTF-16'],
  ['UTF-16 without a mark', Buffer.from('kind: A', 'utf16le'), 'is no text'],
  ['Latin 1', Buffer.from('kind: é', 'latin1'), 'is not UTF-8'],
])('%s are no text', (_name, bytes, fault) => {
  expect(decode(bytes)).toEqual({ fault: expect.stringContaining(fault) as string });
});

test('lines may end as on Windows', () => {
  const { documents } = readText('kind: A\r\na:\r\n- |\r\n  x\r\n  y\r\n---\r\nkind: B\r\n');
  expect(documents).toMatchObject([{ line: 1, value: { kind: 'A', a: ['x\ny\n'] } }, { line: 7, value: { kind: 'B' } }]);
  expect(documents[0].lineOf(['a', 0])).toBe(3);
});

test('many documents have the line that they start in', () => {
  for (const document of ['kind: A\n', '{kind: A}\n']) {
    const { documents } = readText(`${document}---\n`.repeat(1500));
    expect(documents).toHaveLength(1500);
    expect(documents[1499].line).toBe(2999);
  }
});

// Each of them took minutes, or hours, when something looked at all that came before.
test.each<[string, string]>([
  ['keys', `{${Array.from({ length: 8_000 }, (_, index) => `k${index}: 1`).join(', ')}}`],
  ['empty lines before a fault', `:\n${'\n'.repeat(200_000)}a: [\n`],
  ['documents', '---\n{a: 1}\n'.repeat(1500)],
  ['objects of a stream', '{"a": 1}\n'.repeat(20_000)],
  ['aliases', `x: &x {a: 1}\nl:\n${'- *x\n'.repeat(2000)}`],
])('so many %s do not hold anybody up', (_name, text) => {
  expect(readText(text).documents.length + readText(text).faults.length).toBeGreaterThan(0);
});

test('a byte order mark is left out', () => {
  expect(decode(Buffer.from('\ufeffkind: A'))).toEqual({ text: 'kind: A' });
});
