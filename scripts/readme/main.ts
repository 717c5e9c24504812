/*
 * Writes the table of supported versions into docs/versions.md.
 *
 * With `--check` it writes nothing and fails if the table is not what the code says.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { versionTable } from './version-table';
import { writeGeneratedFiles } from '../generated-files';
import { withSection } from '../generated-section';

const ROOT = resolve(__dirname, '../..');
const PAGE = 'docs/versions.md';

writeGeneratedFiles('readme', new Map([[PAGE, withSection(readFileSync(join(ROOT, PAGE), 'utf8'), 'npm run readme', 'versions', versionTable())]]));
