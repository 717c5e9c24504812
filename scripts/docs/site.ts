/*
 * Writes the pages of the documentation site that are made from the code and not committed: docs/addons/, docs/construct-rules/,
 * docs/reference/ and docs/rules/.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addonPages } from './addons';
import { Library, ROOT } from '../api-reference/library';
import { referencePages } from '../api-reference/pages';
import { rulePages } from '../rules/pages';

const DOCS = join(ROOT, 'docs');

/** Largest page that a browser shows at once. */
const MOST_BYTES = 200_000;

const library = new Library();
const pages = new Map([...addonPages(library), ...referencePages(library), ...rulePages()]);

for (const folder of new Set([...pages.keys()].map((path) => path.split('/')[0]))) rmSync(join(DOCS, folder), { recursive: true, force: true });
for (const [path, text] of pages) {
  if (Buffer.byteLength(text) > MOST_BYTES) throw new Error(`docs/${path} is larger than ${MOST_BYTES} bytes`);
  mkdirSync(dirname(join(DOCS, path)), { recursive: true });
  writeFileSync(join(DOCS, path), text);
}
console.log(`npm run docs: ${pages.size} pages written`);
