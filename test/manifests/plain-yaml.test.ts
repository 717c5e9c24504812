import * as fs from 'node:fs';
import * as path from 'node:path';
import { Yaml } from 'cdk8s';
import * as fc from 'fast-check';
import { readYaml } from '../../src/manifests/manifest-text';
import { readPlainYaml } from '../../src/manifests/plain-yaml';
import { EXPLAINED_RULES } from '../../src/validation/manifests/manifest-rules';

const GOLDEN = path.join(__dirname, '..', 'golden');

/** What the parser of all YAML reads. */
function wholly(text: string) {
  const { documents, faults } = readYaml(text);
  expect(faults).toEqual([]);
  return documents.map(({ value, line }) => ({ value, line }));
}

/** What is read as plain; undefined for another style. */
function plainly(text: string) {
  return readPlainYaml(text)?.map(({ value, line }) => ({ value, line }));
}

/** Either leaves a text alone, or reads what everybody reads. */
function agrees(text: string): boolean {
  const found = plainly(text);
  if (found !== undefined) expect(found).toEqual(wholly(text));
  return found !== undefined;
}

test.each(fs.readdirSync(GOLDEN))('reads what the library writes: %s', (file) => {
  expect(agrees(fs.readFileSync(path.join(GOLDEN, file), 'utf8'))).toBe(true);
});

test.each(EXPLAINED_RULES.map(({ id, example }) => [id, example] as const))('reads what people write, or leaves it alone: %s', (_id, { failing, corrected }) => {
  agrees(failing);
  agrees(corrected);
});

test('reads every form of the plain style', () => {
  const text = [
    '# first', '', 'apiVersion: v1', 'empty:', 'list:', '- a', '-   b: 1', '    c: 2', '- - x', '  - z', '-', '  k: v', 'deep:', '    list:', '      - q: "a\\n\\""', '"quoted key": \'it\'\'s\'',
    'version: 1.35.4', 'cidr: 10.0.0.0/8', 'memory: 4Gi', 'cpu: 500m', 'float: 1.5', 'int: -3', 'none: null', 'yes_: true', 'no-map: {}', 'no-list: []', 'url: https://example.com/a?b=c#d',
    'literal: |', '  one', '   two: #', '', '  \tthree', 'strip: |-', '  a', 'keep: |+', '  a', '', 'end: x', '---', '---', '# nothing', '---', 'kind: B', '',
  ].join('\n');
  expect(plainly(text)?.map(({ line }) => line)).toEqual([3, 43]);
  expect(agrees(text)).toBe(true);
});

test.each([
  'a: yes\n', 'a: 0644\n', 'a: 0x1f\n', 'a: 1e3\n', 'a: 12:30\n', 'a: 1_000\n', 'a: ~\n', 'a: .inf\n', 'y: 1\n', 'a: &x 1\n', 'a: *x\n', 'a: !!str 1\n', '<<: {}\n', 'a: b # c\n', 'a: b: c\n',
  'a: {b: 1}\n', 'a: [1]\n', 'a: >\n  b\n', 'a: |2\n  b\n', 'a: b\n  c\n', 'a: "b\n  c"\n', 'a: 1\na: 2\n', '__proto__: {}\n', 'a:\n\tb: 1\n', 'a: 1\r\n', '? a\n: b\n', 'text\n', '--- a\n', 'a: 1\n...\n',
  '%YAML 1.1\n---\na: 1\n', 'a: 1\n b: 2\n', 'a:\n  b: 1\n c: 2\n', 'a: |\n  b\n c\n', 'a: 1', '', 'a: "\\x41"\n', 'a: b:\n', `${'- '.repeat(1000)}a\n`,
])('leaves alone what has another style, or two meanings: %j', (text) => {
  expect(plainly(text) ?? []).toEqual([]);
});

test('agrees about whatever programs write', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('yes', 'null', '1', '1.0', '0x1', '1e3', '', '-', '- a', 'a: b', '#', '\n', 'a\n', 'a\nb\n\n', ' a\nb', '4Gi', '1.2.3', '12:30', '---', '...', '{}', '&a', '<<', 'true'));
  const keys = fc.oneof({ weight: 9, arbitrary: fc.stringMatching(/^[a-z]{1,5}$/) }, { weight: 1, arbitrary: texts });
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof({ depthSize: 'small' }, texts, fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null), fc.array(tie('json')), fc.dictionary(keys, tie('json'))),
  }));
  let read = 0;
  fc.assert(fc.property(fc.dictionary(keys, json, { minKeys: 1 }), (value) => {
    if (agrees(Yaml.stringify(value))) read++;
  }), { numRuns: 1500 });
  expect(read).toBeGreaterThan(100);
});

test('agrees about lines that are put together by chance', () => {
  const pieces = fc.constantFrom(
    'a:', 'b: 1', 'c: |', 'c: |-', 'c: |+', 'd: x', '- e', '- f: 1', '-', '- - g', '- |', '---', '# h', '', ' ', 'i: "j"', "k: 'l'", 'm: {}', 'n: []', 'o: true', '- p:', 'q: r s', '\tt', 'u: v:w', '"x": y',
  );
  const lines = fc.array(fc.tuple(fc.nat({ max: 4 }), pieces), { minLength: 1, maxLength: 8 });
  let read = 0;
  fc.assert(fc.property(lines, (all) => {
    if (agrees(`${all.map(([indent, piece]) => `${' '.repeat(indent)}${piece}`).join('\n')}\n`)) read++;
  }), { numRuns: 6000 });
  expect(read).toBeGreaterThan(300);
});
