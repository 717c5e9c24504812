import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { requireSameFiles } from '../../../scripts/languages/language';

const EXPECTED = { 'a.yaml': 'a: 1\n', 'pools/b.yaml': 'b: ü\n' };

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'same-files-'));
});

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Compares the folder of a page in TypeScript with one that has these files. */
function compare(actual: { readonly [file: string]: string }, expected: { readonly [file: string]: string } = EXPECTED): void {
  for (const [name, files] of Object.entries({ expected, actual })) {
    fs.mkdirSync(path.join(folder, name));
    for (const [file, content] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, name, file)), { recursive: true });
      fs.writeFileSync(path.join(folder, name, file), content);
    }
  }
  requireSameFiles('Python', path.join(folder, 'expected'), path.join(folder, 'actual'));
}

test('the same files are accepted', () => {
  expect(() => compare({ ...EXPECTED })).not.toThrow();
});

test.each([
  ['a missing file', { 'a.yaml': 'a: 1\n' }, 'pools/b.yaml'],
  ['an empty file more', { ...EXPECTED, 'c.yaml': '' }, 'c.yaml'],
  ['another character', { ...EXPECTED, 'pools/b.yaml': 'b: u\n' }, 'pools/b.yaml'],
])('%s is refused by its name', (_, actual, file) => {
  expect(() => compare(actual)).toThrow(`Python: these files differ from those of TypeScript, or one has none: ${file}`);
});

test('an empty folder proves nothing', () => {
  expect(() => compare({}, {})).toThrow('is empty');
});
