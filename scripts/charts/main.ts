/*
 * Writes the table of bundled charts, those of the images of charts and of the names of their keys, and for the tests the keys with what
 * stands there, from the reference list of charts; for the tests, too, what real renders of the charts show.
 *
 *   node -r ts-node/register/transpile-only scripts/charts/main.ts            writes the files
 *   node -r ts-node/register/transpile-only scripts/charts/main.ts --check    fails if a file is not what would be written
 *
 * The reference is no part of the repository: REFERENCE_DIR names its folder. Without it the committed files are taken as they are.
 */
import { BUNDLED_CHARTS, MANAGEMENT_CHARTS } from './bundled';
import { readCharts, referencePath } from './reference';
import { renderCatalogue } from './render-catalogue';
import { renderFacts } from './render-facts';
import { renderImages } from './render-images';
import { renderKeyNames } from './render-key-names';
import { renderKeys } from './render-keys';
import { readRenders } from './renders';
import { writeGeneratedFiles } from '../generated-files';

const CATALOGUE = 'data/charts.json';
const KEYS = 'test/constructs/addons/chart-keys.generated.json';
const KEY_NAMES = 'data/chart-keys.json';
const IMAGES = 'data/chart-images.json';
const FACTS = 'test/constructs/addons/chart-facts.generated.json';

function main(): void {
  const charts = readCharts(BUNDLED_CHARTS);
  const all = readCharts([...BUNDLED_CHARTS, ...MANAGEMENT_CHARTS]);
  if (!charts || !all) {
    const files = [CATALOGUE, IMAGES, KEYS, KEY_NAMES].join(', ');
    console.error(`note: ${referencePath()} is missing (REFERENCE_DIR names another folder), so these files stay: ${files}`);
    return;
  }
  const renders = readRenders();
  if (!renders) console.error(`note: there are no renders beside ${referencePath()}, so ${FACTS} and ${IMAGES} stay`);
  writeGeneratedFiles('charts', new Map([
    [CATALOGUE, renderCatalogue(charts)],
    [KEYS, renderKeys(all)],
    [KEY_NAMES, renderKeyNames(charts)],
    ...(renders ? [[FACTS, renderFacts(renders, charts)], [IMAGES, renderImages(all, renders)]] as const : []),
  ]));
}

main();
