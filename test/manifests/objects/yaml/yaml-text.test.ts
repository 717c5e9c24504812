import { runInNewContext } from 'node:vm';
import { Yaml } from 'cdk8s';
import * as fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { READERS } from './readers';
import { Manifest, manifestsText } from '../../../../src/manifests/objects/yaml/manifests-text';
import { yamlText } from '../../../../src/manifests/objects/yaml/yaml-text';
import { goldenOutputs } from '../../../support/outputs';
import { amount, sample } from '../../../support/sample';


/** Texts that mean something else to some reader when they stand without quotes. */
const TRAPS = [
  '', ' ', '~', 'null', 'Null', 'NULL', 'true', 'False', 'TRUE', 'yes', 'No', 'ON', 'off', 'y', 'N', '<<', '=',
  '0', '-1', '+1', '0644', '0o17', '0O17', '0x1F', '0X1f', '0b11', '1_000', '_1', '-_1', '0_x1F', '1e3', '1E-3', '12e03', 'e5', '-E+5', '.5', '5.', '-.5', '1.5e+3', '.', '1__0', '1e1_0',
  '12:30', '1:2:3.5', '190:20:30', '.inf', '-.Inf', '+.INF', '.nan', '.NaN', '2001-01-01', '2001-1-1', '2001-12-14t21:59:43.10-05:00', '2001-12-14 21:59:43',
  ' leading', 'trailing ', 'a: b', 'a:', ':', 'a #b', '#a', '-', '- a', '?', '? a', ',a', '[a', ']a', '{a', '}a', '&a', '*a', '!a', '|', '>', '\'a', '"a', '%a', '@a', '`a',
  '---', '--- a', '-----BEGIN', '...', '\t', 'a\tb', '\ta', 'a\t', 'a:\tb', 'a\t#b', '\u0000', '\u0007', '\u001b[0m', '\u007f', '\u0085', 'a\u0085b', '\u2028', 'a\u2029b', '\ufeff', '\ufffe',
  'a\u202eb', 'a\u200bb', '\r', 'a\rb', 'a\r\nb', 'a"b: c', 'a\'b: c', 'a\\b: c', 'a\'"\\b: c',
  '\n', '\n\n', 'a\n', 'a\nb', 'a\n\n', '\na', '\n\na\n\n\n', ' a\nb', '\n a', '\ta\nb', 'a\n\tb\n', 'a\n b', '  \na', 'a\n  ', 'a\n  \n', 'a\n   \nb', 'a \nb', '# a\n', '---\na', 'a\n---\nb', '- a\n- b\n', 'a: b\n',
  'a\nb\u0000', 'a\n\u2028', '\n\t', ' \n', 'a\n\n ',
];

/** Texts that are the same to everybody without quotes. */
const PLAIN = [
  'a', 'a b', 'a-b', '-a', '--flag=x', '?a', ':8080', 'a:b', 'a#b', 'http://a/b?c#d', '1.35.4', '40Gi', '500m', '10.0.0.0/16', '2001:db8::/32', '6443:443', '~/a', '.a', '..', '_', '__',
  'yEs', 'nulls', 'e5a', '1e', '1.2.3', '0xg', '2001-01', '2001-01-01x', 'a"b', 'a\'b', 'a\\b', 'a,b', 'a[0]', 'a{b}', 'a & b', '$(VAR)', '${a}', 'ä', '\u00a0', '😀', '👨‍👩‍👧', '日本', 'a'.repeat(5000), 'a '.repeat(500) + 'b',
];

/** Texts of all kinds, the hostile ones often. */
const text = fc.oneof(
  fc.constantFrom(...TRAPS, ...PLAIN),
  fc.string({ unit: fc.constantFrom(...'ab01 -:#\n\t\r\'"\\.,_+~?|>%@`![]{}&*=<'.split(''), '\u0085', '\u2028', '\ufeff', '😀') }),
  fc.string({ unit: 'binary', maxLength: 20 }).filter((one) => !/\p{Surrogate}/u.test(one)),
  fc.stringMatching(/^[-+.]?[0-9][0-9_.:xXobeE+-]{0,8}$/),
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constantFrom(1e21, -1e21, 1e-7, 5e-324, 2 ** 53, 1e20, 0.1),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text, number, fc.boolean(), fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
}));

describe.each(READERS)('%s reads', (_, read) => {
  /** Compares with the value as JSON: without minus zero. */
  const expectRead = (written: string, ...documents: unknown[]) => expect(read(written)).toEqual(JSON.parse(JSON.stringify(documents)));

  test.each([...TRAPS, ...PLAIN])('%j, as value, item, key and document', (one) => {
    const all = { value: one, items: [one, [one, [one]], { [one]: one, z: one }], [one]: { inner: one }, z: 0 };
    expectRead(yamlText(all), all);
    expectRead(yamlText(one), one);
  });

  test('any value', () => {
    fc.assert(fc.property(value, (one) => expectRead(yamlText(one), one)), { numRuns: amount(1000, 300) });
  });

  test('each document of a file', () => {
    fc.assert(fc.property(fc.array(value, { maxLength: 5 }), (documents) => {
      expectRead(documents.map((one) => yamlText(one)).join('---\n'), ...documents);
    }), { numRuns: 200 });
  });

  test('keys that are longer than what readers look at', () => {
    const long = { ['k'.repeat(2000)]: { a: [1] }, [`${'k'.repeat(1100)}: `]: ['b'], list: [{ ['l'.repeat(1500)]: 'c\nd\n', m: {} }] };
    expectRead(yamlText(long), long);
  });

  test('names that mean something to JavaScript', () => {
    const map = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "toString": [3]}') as unknown;
    expect(JSON.stringify(read(yamlText(map)))).toBe(JSON.stringify([map]));
  });
});

test.each(PLAIN)('%j stands without quotes', (one) => {
  expect(yamlText({ a: one })).toBe(`a: ${one}\n`);
});

test.each([
  ['0644', '"0644"'],
  ['say "no": it', '\'say "no": it\''],
  ['\\d+: a', '\'\\d+: a\''],
  ['it\'s "no": it', '"it\'s \\"no\\": it"'],
  ['a\u0085\u202e', '"a\\u0085\\u202e"'],
  ['a\tb', '"a\\tb"'],
])('%j is quoted as %s', (one, written) => {
  expect(yamlText([one])).toBe(`- ${written}\n`);
});

test('reads like a person wrote it', () => {
  expect(yamlText({
    a: { b: 1, empty: {}, none: [] },
    list: ['x', { c: true, d: null }, [['z'], []], {}],
    text: 'one\n  two\n\nthree\n',
    open: 'no line break\nat the end',
    kept: 'breaks\n\n\n',
    indented: '  a\nb\n',
    on: [{ script: '#!/bin/sh\necho\n' }],
    long: 'word '.repeat(40).trim(),
    numbers: [0, -0, 1.5, 1e21, 1e-7],
  })).toBe(`a:
  b: 1
  empty: {}
  none: []
list:
  - x
  - c: true
    d: null
  - - - z
    - []
  - {}
text: |
  one
    two

  three
open: |-
  no line break
  at the end
kept: |+
  breaks


indented: |2
    a
  b
"on":
  - script: |
      #!/bin/sh
      echo
long: ${'word '.repeat(40).trim()}
numbers:
  - 0
  - 0
  - 1.5
  - 1.0e+21
  - 1.0e-7
`);
});

test.each([
  [{ a: [{ 'b/c~': NaN }] }, '/a/0/b~1c~0 is the number NaN'],
  [{ a: -Infinity }, '/a is the number -Infinity'],
  [{ a: undefined }, '/a is undefined'],
  [[1, , 2], '/1 is undefined'], // eslint-disable-line no-sparse-arrays
  [undefined, 'the document is undefined'],
  [{ a: () => 1 }, '/a is a function'],
  [{ a: 1n }, '/a is a bigint'],
  [{ a: Symbol('s') }, '/a is a symbol'],
  [{ a: new Date(0) }, '/a is an object of class Date'],
  [new Map(), 'the document is an object of class Map'],
  [{ a: 'b\ud800' }, '/a is a string with half a character'],
  [{ a: 'b\n\udc00c' }, '/a is a string with half a character'],
  [{ a: { 'b\ud800': 1 } }, 'is a key with half a character'],
])('what is no plain data is refused: %p', (one, message) => {
  expect(() => yamlText(one)).toThrow(`YAML cannot be written: ${message.startsWith('is a key') ? '' : message}`);
  expect(() => yamlText(one)).toThrow(message);
});

test('what contains itself is refused', () => {
  const endless: { a: unknown[] } = { a: [] };
  endless.a.push(endless);
  expect(() => yamlText(endless)).toThrow(/nested deeper than 500 levels, or contains itself/);
});

test('plain objects of another realm, and those without a prototype, are maps', () => {
  const elsewhere: unknown = runInNewContext('({ b: [1] })');
  const bare: unknown = Object.assign(Object.create(null), { d: 1 });
  expect(yamlText({ a: elsewhere, c: bare })).toBe('a:\n  b:\n    - 1\nc:\n  d: 1\n');
});

test('what is used twice is written twice', () => {
  const shared = { a: ['b'] };
  expect(yamlText({ one: shared, other: shared })).toBe('one:\n  a:\n    - b\nother:\n  a:\n    - b\n');
});

test('texts are written the same however many there were before', () => {
  const before = yamlText({ no: 'no', a: 'a' });
  for (let count = 0; count < 25_000; count++) yamlText(`text ${count}`);
  expect(yamlText({ no: 'no', a: 'a' })).toBe(before);
});

describe('manifests', () => {
  const files = sample(goldenOutputs(), 6).flatMap(([, { management, tenants }]) => [management, ...Object.values(tenants)]);
  const manifests = files.flatMap((content) => parseAllDocuments(content, { version: '1.1' }).map((document) => document.toJS() as Manifest));

  test('have the bytes that cdk8s writes', () => {
    expect(manifests.length).toBeGreaterThan(100);
    for (const manifest of manifests) expect(yamlText(manifest)).toBe(Yaml.stringify(manifest));
  });

  test('are separate documents, read as they are', () => {
    for (const [, read] of READERS) expect(read(manifestsText(manifests))).toEqual(manifests);
    expect(manifestsText(manifests).split(/^---$/m)).toHaveLength(manifests.length);
    expect(manifestsText([])).toBe('');
  });

  test('begin with what a reader looks for', () => {
    expect(manifestsText([
      { spec: {}, metadata: { annotations: {}, finalizers: [], name: 'a', labels: {}, namespace: 'b' }, kind: 'K', apiVersion: 'v1' },
      { kind: 'List', apiVersion: 'v1', items: [] },
    ])).toBe(`apiVersion: v1
kind: K
metadata:
  name: a
  namespace: b
  labels: {}
  annotations: {}
  finalizers: []
spec: {}
---
apiVersion: v1
kind: List
items: []
`);
  });

  test('with metadata that are none are refused', () => {
    expect(() => manifestsText([{ metadata: new Date(0) }])).toThrow('/metadata is an object of class Date');
    expect(manifestsText([{ metadata: ['a'] }])).toBe('metadata:\n  - a\n');
  });
});
