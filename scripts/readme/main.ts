/*
 * Writes the table of systems into README.md, that of supported versions into docs/versions.md, and those of plans and of what happens into docs/forecasts.md.
 *
 * With `--check` it writes nothing and fails if a table is not what the code says.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemTable } from './system-table';
import { versionTable } from './version-table';
import { corpusPairs } from '../conformance/plan/corpus/corpus';
import { judgedPairs, pairTable, scoreTable } from '../conformance/plan/corpus/score';
import { writeGeneratedFiles } from '../generated-files';
import { withSection } from '../generated-section';

const ROOT = resolve(__dirname, '../..');

async function main(): Promise<void> {
  const judged = await judgedPairs(corpusPairs());
  writeGeneratedFiles('readme', new Map([
    page('README.md', { systems: systemTable() }),
    page('docs/versions.md', { versions: versionTable() }),
    page('docs/forecasts.md', { score: scoreTable(judged), pairs: pairTable(judged) }),
  ]));
}

/** The path of a page and its text with new sections, by their names. */
function page(file: string, sections: Readonly<Record<string, string>>): [string, string] {
  const text = Object.entries(sections).reduce((rest, [name, section]) => withSection(rest, 'npm run readme', name, section), readFileSync(join(ROOT, file), 'utf8'));
  return [file, text];
}

void main();
