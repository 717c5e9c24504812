/*
 * Writes the table of supported versions into docs/versions.md.
 *
 * With `--check` it writes nothing and fails if the table is not what the code says.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { versionTable } from './version-table';
import { writeGeneratedFiles } from '../generated-files';

const ROOT = resolve(__dirname, '../..');
const PAGE = 'docs/versions.md';
const BEGIN = '<!-- npm run readme: versions -->\n';
const END = '<!-- end of versions -->\n';

const page = readFileSync(join(ROOT, PAGE), 'utf8');
const [before, rest] = page.split(BEGIN);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`${PAGE} has no place for the table: ${BEGIN.trim()} and ${END.trim()}`);
writeGeneratedFiles('readme', new Map([[PAGE, `${before}${BEGIN}${versionTable()}${END}${after}`]]));
