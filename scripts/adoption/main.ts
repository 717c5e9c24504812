/**
 * Measures `adopt` on manifests of others, and writes the table in docs/guides/adopt.md: each case is adopted, the app that was written is run,
 * and its output is compared with the manifests.
 *
 *   node -r ./scripts/esbuild-register.js scripts/adoption/main.ts DIR [TITLE…]
 *
 * DIR has a clone of each repository of corpus.ts, as `owner+name` or `owner/name`, or as `repo` below that. Charts are rendered by the program
 * that HELM names, otherwise by helm. With titles, only these are measured, and nothing is written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHART_SOURCES, REPOSITORY_SOURCES, TEMPLATE_SOURCES } from './corpus';
import { Case, casesOf, cloneOf, rendersOf, revisionOf } from './gather';
import { added, measure, Measured, NOTHING } from './measure';
import { registerProviders } from '../../src/manifests/systems/providers';
import { withSection } from '../generated-section';
import { readGolden } from '../golden/golden-store';

const GUIDE = join(__dirname, '..', '..', 'docs', 'guides', 'adopt.md');
const [clones, ...titles] = process.argv.slice(2);
if (clones === undefined) throw new Error('name the folder with the clones');
const helm = process.env.HELM ?? 'helm';

registerProviders();
// Warnings of synthesis are those of the apps.
process.removeAllListeners('warning');
process.on('warning', () => undefined);

/** A row of the table. */
interface Row {
  readonly title: string;
  readonly place: string;
  readonly cases: () => Case[];
}

function row(title: string, repository: string, cases: (clone: string) => Case[]): Row {
  const clone = cloneOf(clones, repository);
  if (clone === undefined) throw new Error(`${clones} has no clone of ${repository}`);
  return { title, place: `${repository} ${revisionOf(clone)}`, cases: () => cases(clone) };
}

const examples: Row = {
  title: 'the examples',
  place: 'this repository',
  cases: () => Object.entries(readGolden()).filter(([name]) => name.startsWith('example-'))
    .map(([name, files]) => ({ name, namespace: 'default', files: new Map(Object.entries(files).filter(([file]) => /\.ya?ml$/.test(file))) })),
};

async function measureRow({ title, cases }: Row): Promise<Measured> {
  let sum = NOTHING;
  for (const one of cases()) {
    const outcome = await measure(one).catch((error: unknown) => error as Error);
    if (outcome === undefined) continue;
    if (outcome instanceof Error) {
      console.error(`${title}: ${one.name}: FAILED ${outcome.stack}`);
      process.exitCode = 1;
      continue;
    }
    sum = added(sum, outcome.measured);
    if (outcome.measured.unchanged === 0 || outcome.measured.lost > 0) {
      console.error(`${title}: ${one.name}:\n${outcome.remarks.map((remark) => `  ${remark}`).join('\n')}`);
    }
  }
  return sum;
}

/** Columns by what is counted; the order of `rowText` follows from it. */
const COLUMNS: readonly (readonly [title: string, count: keyof Measured])[] = [
  ['cases', 'cases'], ['objects', 'objects'], ['typed', 'typed'], ['manifest', 'manifest'], ['carried', 'carried'], ['left', 'left'], ['equal', 'equal'],
  ['in another version', 'converted'], ['stored as equal', 'stored'], ['different', 'different'], ['lost', 'lost'], ['empty plans', 'unchanged'],
];
const HEADING = `| ${['manifests', ...COLUMNS.map(([title]) => title)].join(' | ')} |\n${'|---'.repeat(COLUMNS.length + 1)}|\n`;

function rowText(title: string, measured: Measured): string {
  return `| ${[title, ...COLUMNS.map(([, count]) => measured[count])].join(' | ')} |\n`;
}

async function main(): Promise<void> {
  const rows = [
    ...TEMPLATE_SOURCES.map((source) => row(source.title, source.repository, (clone) => casesOf(clone, source))),
    ...REPOSITORY_SOURCES.map((source) => row(source.title, source.repository, (clone) => casesOf(clone, source))),
    ...CHART_SOURCES.map((source) => row(source.title, source.repository, (clone) => rendersOf(clone, source, helm))),
    examples,
  ].filter(({ title }) => titles.length === 0 || titles.includes(title));
  let [text, sum] = [HEADING, NOTHING];
  for (const one of rows) {
    const measured = await measureRow(one);
    sum = added(sum, measured);
    const line = rowText(one.place.startsWith('this') ? one.title : `${one.title} (${one.place})`, measured);
    process.stdout.write(line);
    text += line;
  }
  text += rowText('**all**', sum);
  process.stdout.write(rowText('all', sum));
  if (titles.length === 0) writeFileSync(GUIDE, withSection(readFileSync(GUIDE, 'utf8'), 'scripts/adoption/main.ts', 'counts', text));
}

void main();
