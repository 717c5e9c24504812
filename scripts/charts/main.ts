/*
 * Writes the table of bundled charts, and for the tests the keys that their values may have, from the reference list of charts.
 *
 *   node -r ts-node/register/transpile-only scripts/charts/main.ts            writes the files
 *   node -r ts-node/register/transpile-only scripts/charts/main.ts --check    fails if a file is not what would be written
 *
 * The reference is no part of the repository: REFERENCE_DIR names its folder. Without it the committed files are taken as they are.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readCharts, referencePath } from './reference';
import { renderCatalogue } from './render-catalogue';
import { renderKeys } from './render-keys';

const ROOT = resolve(__dirname, '../..');
const CATALOGUE = 'src/addons/chart-catalogue.generated.ts';
const KEYS = 'test/addons/chart-keys.generated.json';

function main(check: boolean): number {
  const charts = readCharts();
  if (!charts) {
    process.stderr.write(`note: ${referencePath()} is not there; ${CATALOGUE} and ${KEYS} are taken as they are (REFERENCE_DIR names another folder)\n`);
    return 0;
  }
  const texts = { [CATALOGUE]: renderCatalogue(charts), [KEYS]: renderKeys(charts) };
  const stale = Object.entries(texts).filter(([file, text]) => {
    const path = resolve(ROOT, file);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });
  for (const [file, text] of stale) {
    if (check) process.stderr.write(`${file} is not what the reference gives; run scripts/charts/main.ts without --check\n`);
    else writeFileSync(resolve(ROOT, file), text);
  }
  return check && stale.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.includes('--check'));
