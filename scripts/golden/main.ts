/**
 * Writes the golden output in full, a file for each example and scenario in `management/`, `tenants/` and `hosts/`, by who reads it.
 *
 *   node -r ./scripts/esbuild-register.js scripts/golden/main.ts FOLDER
 */
import { writeSorted } from './write-sorted';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name a folder to write to');
writeSorted(folder);
