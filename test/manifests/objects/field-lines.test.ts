import { fieldLines, readText } from '../../../src/manifests/objects/manifest-text';
import { FieldPath } from '../../../src/manifests/values/fields';

/** Lines of fields of the only document, or of the last one. */
function lines(text: string, ...fields: FieldPath[]): number[] {
  const { documents, faults } = readText(text);
  expect(faults).toEqual([]);
  return fields.map((field) => documents.at(-1)!.lineOf(field));
}

const TEXT = `# a file
kind: A
---
# an object
apiVersion: v1
kind: B
spec:
  # how many
  replicas: 3
  pools:
  - name: a
    size: 1
  - {name: b,
     size: 2}
  1.5: x
`;

test('a field is in the line of its name, counted in the file', () => {
  expect(lines(TEXT, ['kind'], ['spec'], ['spec', 'replicas'], ['spec', '1.5'])).toEqual([6, 7, 9, 15]);
});

test('an item is in the line where it begins', () => {
  expect(lines(TEXT, ['spec', 'pools', 0], ['spec', 'pools', 0, 'size'], ['spec', 'pools', 1], ['spec', 'pools', 1, 'size'])).toEqual([11, 12, 13, 14]);
});

test('what is missing is where the innermost field around it is', () => {
  expect(lines(TEXT, [], ['metadata', 'name'], ['spec', 'pools', 7, 'size'], ['spec', 'replicas', 'x', 0])).toEqual([5, 5, 10, 9]);
});

test('JSON has lines, too', () => {
  expect(lines('{\n"kind": "A",\n"spec": {\n\t"a": [\n1,\n2]},\n"x": "B"\n}', ['x'], ['spec', 'a', 1], ['spec', 'b'])).toEqual([7, 6, 3]);
});

test('what an alias stands for is where it is written, merged or not', () => {
  const text = 'a: &a\n  x: 1\nb: &b {w: 2}\nc: *a\nd:\n  <<: *a\n  z: 3\ne:\n  <<: [*a, *b]\n';
  expect(lines(text, ['c', 'x'], ['d', 'x'], ['d', 'z'], ['d', 'w'], ['e', 'w'])).toEqual([2, 2, 7, 5, 3]);
});

test('documents that begin in the middle of a line, behind comments or with directives are counted right', () => {
  expect(lines('%YAML 1.1\n--- {a: 1,\n b: 2}\n', ['b'])).toEqual([3]);
  expect(lines('a: 1\n...\n# more\n--- # here\n\nb: 2\n', ['b'])).toEqual([6]);
  expect(lines('\uFEFFa: 1\r\nb: 2\r\n', ['b'])).toEqual([2]);
});

test('a long text without structure is no obstacle', () => {
  const text = `a: "${'x y='.repeat(700_000)}"\nb: |\n  ${'x'.repeat(2000)}\n  c: ${'y '.repeat(2000)}\nd:${' '.repeat(1500)}{e: 1}\n`;
  expect(lines(text, ['a'], ['b'], ['d', 'e'])).toEqual([1, 2, 5]);
});

test('each of many fields is found without a look at all others', () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `field${index}`);
  const lineOf = fieldLines(() => `${names.map((name) => `${name}: 1`).join('\n')}\n`, 1);
  expect(names.map((name) => lineOf([name]))).toEqual(names.map((_, index) => index + 1));
});
