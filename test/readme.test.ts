import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

test.each([
  ['README.md', 'blueprint-diy-cloud'],
  ['docs/tenant-page.md', 'diy-cloud'],
])('the page in %s is the example %s, whole', (file, name) => {
  const example = read(`examples/${name}/main.ts`);
  const page = /```ts\n([^]*?)```/.exec(read(file))![1];

  expect(page).toBe(example.slice(example.indexOf('import ')));
});

test('what the README links to is there', () => {
  const targets = [...read('README.md').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target);

  expect(targets).toContain('docs/blueprints/index.md');
  expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
});

test('the README is a screen or two', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(100);
});
