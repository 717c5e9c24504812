import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

test('no page is larger than 200 kB, so that GitHub shows it and a reviewer can read it', () => {
  const pages = ['', 'docs', 'docs/blueprints', 'docs/guides', 'docs/troubleshooting'].flatMap((folder) => (
    readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md').map((name) => join(ROOT, folder, name))));

  expect(pages.length).toBeGreaterThan(60);
  expect(pages.filter((page) => statSync(page).size > 200_000)).toEqual([]);
});
