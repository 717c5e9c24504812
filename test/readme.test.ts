import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('the page in the README is the example, whole', () => {
  const example = readFileSync(join(ROOT, 'examples/diy-cloud/main.ts'), 'utf8');
  const page = /```ts\n([^]*?)```/.exec(README)![1];

  expect(page).toBe(example.slice(example.indexOf('import ')));
});

test('what the README links to is there', () => {
  const targets = [...README.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target);

  expect(targets).toContain('examples/vultr/main.ts');
  expect(targets.filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
});
