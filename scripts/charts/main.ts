/*
 * Writes the table of bundled charts, those of the images of charts and of the names of their keys, and for the tests the keys with what
 * stands there, from the reference list of charts; for the tests, too, what real renders of the charts show.
 *
 *   node -r ts-node/register/transpile-only scripts/charts/main.ts            writes the files
 *   node -r ts-node/register/transpile-only scripts/charts/main.ts --check    fails if a file is not what would be written
 *
 * The reference is no part of the repository: REFERENCE_DIR names its folder. Without it the committed files are taken as they are.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BUNDLED_CHARTS, MANAGEMENT_CHARTS } from './bundled';
import { readCharts, referencePath } from './reference';
import { renderCatalogue } from './render-catalogue';
import { renderFacts } from './render-facts';
import { renderImages } from './render-images';
import { renderKeyNames } from './render-key-names';
import { renderKeys } from './render-keys';
import { readRenders } from './renders';

const ROOT = resolve(__dirname, '../..');
const CATALOGUE = 'src/addons/chart-catalogue.generated.ts';
const KEYS = 'test/addons/chart-keys.generated.json';
const KEY_NAMES = 'src/addons/chart-keys.generated.ts';
const IMAGES = 'src/images/chart-images.generated.ts';
const FACTS = 'test/addons/chart-facts.generated.json';

function main(check: boolean): number {
  const charts = readCharts(BUNDLED_CHARTS);
  const all = readCharts([...BUNDLED_CHARTS, ...MANAGEMENT_CHARTS]);
  if (!charts || !all) {
    process.stderr.write(`note: ${referencePath()} is not there; ${CATALOGUE}, ${IMAGES}, ${KEYS} and ${KEY_NAMES} are taken as they are (REFERENCE_DIR names another folder)\n`);
    return 0;
  }
  const renders = readRenders();
  if (!renders) process.stderr.write(`note: there are no renders beside ${referencePath()}; ${FACTS} and ${IMAGES} are taken as they are\n`);
  const texts = {
    ...(renders && { [FACTS]: renderFacts(renders, charts) }),
    [CATALOGUE]: renderCatalogue(charts),
    ...(renders && { [IMAGES]: renderImages(all, renders) }),
    [KEYS]: renderKeys(all),
    [KEY_NAMES]: renderKeyNames(charts),
  };
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
