import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Words that hide the actor, or stand in for a plain one. "So that there are no …" is plain English. */
const REFUSED = /\b(somebody|nobody|everybody|anybody|whoever|whatever|what there is|what is there|(?<!so )that there (is|are)|(held|holds?) to)\b/i;

const COMMENT = /^\s*(\/\/|\/?\*)/;

const SOURCES: readonly string[] = readdirSync(join(ROOT, 'src'), { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.ts')).map((file) => `src/${file}`);

/** Files whose JSDoc is in the reference: those that the library and its submodules export. */
const PUBLIC: readonly string[] = SOURCES.filter((file) => basename(file) === 'index.ts').flatMap((index) => (
  [...read(index).matchAll(/ from '(\.{1,2}\/.*)';$/gm)].map(([, file]) => `${join(dirname(index), file)}.ts`)));

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function refused(path: string, isRead: (line: string) => boolean = () => true): string[] {
  return read(path).split('\n').flatMap((line, index) => (isRead(line) && REFUSED.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []));
}

test.each(['docs', 'docs/blueprints', 'docs/guides', 'docs/troubleshooting'])('pages in %s have no refused words', (folder) => {
  const pages = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));

  expect(pages).not.toEqual([]);
  expect(pages.flatMap((page) => refused(`${folder}/${page}`))).toEqual([]);
});

test.each(['README.md', 'CHANGELOG.md'])('%s has no refused words', (page) => {
  expect(refused(page)).toEqual([]);
});

test('messages, help and public JSDoc have no refused words', () => {
  expect(SOURCES.filter((file) => PUBLIC.includes(file)).length).toBeGreaterThan(200);
  expect(SOURCES.flatMap((file) => refused(file, (line) => PUBLIC.includes(file) || !COMMENT.test(line)))).toEqual([]);
});

/** Words that hide what a comment is about, at the beginning of it or of a paragraph in it. */
const BEGINNING = /^\s*(\/\*\*|\*|\/\/) (What|Whether|How|Where|That|Those|Which|Why)\b/;

const CONTINUED: Readonly<Record<string, RegExp>> = { '*': /^\s*(\/\*\*|\*) \S/, '//': /^\s*\/\/ \S/ };

function questions(path: string): string[] {
  const lines = read(path).split('\n');
  return lines.flatMap((line, index) => {
    const [, mark] = BEGINNING.exec(line) ?? [];
    return mark === undefined || CONTINUED[mark]?.test(lines[index - 1] ?? '') ? [] : [`${path}:${index + 1}: ${line.trim()}`];
  });
}

test('comments begin with nouns or verbs', () => {
  expect(SOURCES.flatMap(questions)).toEqual([]);
});

/** The comments of declarations and members in public files, without asterisks and tags. */
const COMMENTS: readonly { readonly file: string; readonly text: string }[] = SOURCES.filter((file) => PUBLIC.includes(file)).flatMap((file) => (
  [...read(file).matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\//g)].map(([, comment]) => ({
    file, text: comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '')).join('\n').split(/^@/m)[0].trim(),
  }))));

test('ids of rules stand at the end of public JSDoc', () => {
  const isInside = (text: string): boolean => !/^([-|]|```|\d\. )/m.test(text) && /\(`TC-[^)]*\)(?!\.?\s*(Source: [^]*)?$)/.test(text);

  expect(COMMENTS.length).toBeGreaterThan(2000);
  expect(COMMENTS.filter(({ text }) => isInside(text)).map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
