import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const DOCS = join(ROOT, 'docs');

/** `npm run check:languages` runs what is in the folder. */
const LANGUAGES = [
  { language: 'python', folder: 'examples/python', page: 'docs/python.md', program: 'examples/python/main.py' },
  { language: 'go', folder: 'examples/go', page: 'docs/go.md', program: 'examples/go/main.go' },
];

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The blocks of a language in the pages of the docs. */
function blocksOf(language: string): { readonly page: string; readonly block: string }[] {
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md') && !/^(addons|construct-rules|node_modules|reference|rules)\//.test(name));
  return ['README.md', ...pages.map((name) => join('docs', name))]
    .flatMap((page) => [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block]) => ({ page, block })));
}

describe.each(LANGUAGES)('in $language', ({ language, folder, page, program }) => {
  test('every sample is part of a program that is run', () => {
    const programs = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((name) => /\.(py|go)$/.test(name)).map((name) => read(join(folder, name)));
    const samples = blocksOf(language);

    expect(samples.length).toBeGreaterThan(3);
    expect(samples.filter(({ block }) => !programs.some((text) => text.includes(block))).map((sample) => `${sample.page}: ${sample.block}`)).toEqual([]);
  });

  test('the page has the program of the README whole', () => {
    expect(blocksOf(language)).toContainEqual({ page, block: read(program) });
  });
});
