/*
 * Writes the table of supported versions into README.md.
 *
 * With `--check` it writes nothing and fails if the table is not what the code says.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { versionTable } from './version-table';
import { writeGeneratedFiles } from '../generated-files';

const ROOT = resolve(__dirname, '../..');
const BEGIN = '<!-- npm run readme: versions -->\n';
const END = '<!-- end of versions -->\n';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const [before, rest] = readme.split(BEGIN);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`README.md has no place for the table: ${BEGIN.trim()} and ${END.trim()}`);
writeGeneratedFiles('readme', new Map([['README.md', `${before}${BEGIN}${versionTable()}${END}${after}`]]));
