import * as fs from 'node:fs';
import * as path from 'node:path';
import * as fc from 'fast-check';
import { dump } from 'js-yaml';
import { blockDocuments } from '../../../src/manifests/objects/block-yaml';
import { readEveryStyle, readText } from '../../../src/manifests/objects/manifest-text';

const ROOT = path.join(__dirname, '../../..');

/** Scalars of all styles, some of which are read as something else, or are none. */
const SCALARS = [
  'a', 'true', 'yes', 'n', 'null', '~', '1', '0x1F', '1e3', '.5', '-1', '- ', '-', '"q"', '"a\\nb"', '\'s\'', '\'it\'\'s\'', '{}', '[]', '|', '|-', '|+', '>', '# c', 'a # c',
  'a #c', 'a: b', 'a:b', 'http://x:1/', '<<', '*a', '&a x', '!t x', '@x', '%x', '.inf', '0777', '1_000', '"', '\'', '""', '\'\'', '{a: b}', '[a]', '? x', ': x', 'a:', '=',
  '2001-01-01', '1:30', 'é', '${A}', 'a  ', '\'a\': 1', '"a": 1', '1.', '+', '0b1', '"\\u0041"', '"\\x41"', '"a\\"b"',
];
const KEYS = [
  'a', 'b', 'c', 'a b', '"q"', '\'q\'', 'true', '1', 'y', '<<', '__proto__', 'a#', 'a #', 'a.b/c', '-x', '$x', '~', 'null', '[object Object]', 'a:b', '"a:b"', 'toString',
];
const LINES = ['text', '# no', '', 'a: b', '- x', '  more', '---', '   '];

/** Lines of a block, of which some are wrong. */
const { block } = fc.letrec<{ block: string[] }>((tie) => ({
  block: fc.array(fc.record({
    head: fc.oneof({ weight: 4, arbitrary: fc.nat(9).map((number) => `k${number}: `) }, { weight: 2, arbitrary: fc.constantFrom(...KEYS).map((key) => `${key}: `) }, fc.constant('- ')),
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...SCALARS, 'x', 'x', 'x', 'v1', 'v1').map((text) => ({ rest: text, lines: [] as string[] })),
      fc.record({ rest: fc.constantFrom('|', '|-'), lines: fc.array(fc.constantFrom(...LINES).map((line) => `  ${line}`), { maxLength: 4 }) }),
      fc.record({ rest: fc.constantFrom('', ' '), lines: tie('block').chain((lines) => fc.constantFrom('', ' ', '  ').map((indent) => lines.map((line) => `${indent}${line}`))) }),
    ),
    between: fc.constantFrom<string[]>([], [], [], [], [], [''], ['# c'], ['    # c'], ['  '], ['---'], ['...']),
  }), { minLength: 1, maxLength: 4 }).map((entries) => entries.flatMap(({ head, value, between }) => {
    const isList = entries[0].head === '- ';
    return [`${isList ? '- ' : head === '- ' ? 'k: ' : head}${value.rest}`.trimEnd(), ...value.lines, ...between];
  })),
}));

/** Texts, and such with something put in or left out. */
const text = fc.tuple(block, fc.constantFrom('', '\n', '\n\n'), fc.nat(), fc.option(fc.constantFrom(' ', '\n', '-', ':', '#', '"', '\'', '\\', '|', '{', '\t', '&', 'a')))
  .map(([lines, end, place, put]) => {
    const whole = lines.join('\n') + end;
    const at = place % (2 * whole.length + 1);
    return put === null ? whole : `${whole.slice(0, at)}${put}${whole.slice(at)}`;
  });

/** True if a text was read. What is read must be what the reader of all styles reads. */
function isRead(given: string): boolean {
  const found = blockDocuments(given);
  if (!found) return false;
  const { documents, faults } = readEveryStyle(given);
  expect({ given, faults, documents: found.map(({ line, value }) => ({ line, value })) })
    .toEqual({ given, faults: [], documents: documents.map(({ line, value }) => ({ line, value })) });
  expect(JSON.stringify(found.map(({ value }) => value))).toBe(JSON.stringify(documents.map(({ value }) => value)));
  return true;
}

test('what is read is what the reader of all styles reads', () => {
  let count = 0;
  fc.assert(fc.property(text, (given) => { if (isRead(given)) count++; }), { numRuns: 10_000 });
  expect(count).toBeGreaterThan(500);
});

test('values that were written in block style are read', () => {
  const leaf = fc.oneof(fc.string(), fc.constantFrom('a: b', 'true', '1', '', 'a\nb\n', '- a', '#', 'null'), fc.integer(), fc.boolean(), fc.constant(null));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('a', 'b', 'c.d/e')), tie('value'), { maxKeys: 4 })),
  }));
  let count = 0;
  fc.assert(fc.property(value, (given) => { if (isRead(dump({ value: given }, { lineWidth: -1 }))) count++; }), { numRuns: 3_000 });
  expect(count).toBeGreaterThan(1_000);
});

test('files are read as the reader of all styles reads them', () => {
  const files = ['conformance', 'examples', 'test'].flatMap((folder) => (
    fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => path.join(ROOT, folder, file))))
    .filter((file) => /\.ya?ml$/.test(file) && !file.includes('node_modules') && fs.statSync(file).isFile());
  const found = files.filter((file) => isRead(fs.readFileSync(file, 'utf8')));
  expect([files.length, found.length].map((count) => count > 0)).toEqual([true, true]);
});

test.each([
  ['maps and lists', 'a:\n  b: 1\n  c:\n    - d: x\n      e: "y z"\n    - f\nlist:\n- 1\n- {}\n', [{ a: { b: 1, c: [{ d: 'x', e: 'y z' }, 'f'] }, list: [1, {}] }]],
  ['literal blocks', 'a: |\n  one\n\n    two\n\nb: |-\n  three\nc: ""\n', [{ a: 'one\n\n  two\n', b: 'three', c: '' }]],
  ['documents and comments', '# one\n---\na: 1\n---\n# none\n---\nb: \'it\'\'s\'\n', [{ a: 1 }, { b: 'it\'s' }]],
  ['nothing', 'a:\nb: null\n', [{ a: null, b: null }]],
])('of block style, %s are read', (_, given, values) => {
  expect(blockDocuments(given)?.map(({ value }) => value)).toEqual(values);
});

test.each(['a: {b: c}', 'a: [b]', 'a: &b c', 'a: !b c', 'a: >\n  b', 'a: b # c', 'a: b\n  c', 'a: 1\na: 2', '"a\\n": b', '- - a', 'a:\n\tb: c', 'a: b\r\nc: d', '--- a', '...', 'a', '? a', 'true: 1', '__proto__: a'])(
  'the reader of all styles reads %j', (given) => {
    expect(blockDocuments(`${given}\n`)).toBeUndefined();
  });

test('many lines without a colon do not hold it up', () => {
  const lines = 200_000;
  expect(blockDocuments('- some text without a colon\n'.repeat(lines))?.[0].value).toHaveLength(lines);
});

test('a field stands in its line', () => {
  const [first, second] = readText('# a\n---\na:\n  b: 1\n---\nc:\n  - d: 1\n    e: 2\n').documents;
  expect([first.lineOf(['a', 'b']), second.line, second.lineOf(['c', 0, 'e'])]).toEqual([4, 6, 8]);
});
