/**
 * Writes API.md, the index of the library's classes. With `--pages` it writes docs/reference/ instead: a page for each class, with its options.
 *
 * The typed resources of `imports/` are named but not listed: they have the fields of their upstream definitions and would be 60,000 lines.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Library, ROOT } from './library';
import { apiIndex, referencePages } from './pages';

const library = new Library();
if (process.argv.includes('--pages')) {
  const folder = join(ROOT, 'docs/reference');
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of referencePages(library)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
} else {
  writeFileSync(join(ROOT, 'API.md'), apiIndex(library));
}
