/*
 * Writes the tables of bundled charts: catalog, images and names of keys; for the tests also the keys with the kinds of their values, and facts of
 * renders by Helm.
 *
 *   npm run charts -- FOLDER… [--repository URL] [--source TEXT]
 *       writes the rows of unpacked charts (`helm pull REPOSITORY/CHART --version VERSION --untar`), and keeps the others; needs Helm (HELM names it)
 *   npm run charts
 *       writes the rows of a reference, which is no part of the repository: REFERENCE_DIR names its folder. Without it the files stay
 *   npm run charts -- --check
 *       fails if a row differs from the reference
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readChartFolder, renderChartFolder } from './chart-folder';
import { BUNDLED_CHARTS, ChartRenders, MANAGEMENT_CHARTS, readCharts, readRenders, ReferenceChart, referencePath } from './reference';
import { factRows } from './render-facts';
import { imageRows } from './render-images';
import { catalogEntry, keyNames, keyTree, Rows, rowsOf } from './tables';
import { jsonTable, writeGeneratedFiles } from '../generated-files';

const DEPTHS = {
  'data/charts.json': 2,
  'data/chart-images.json': 3,
  'data/chart-keys.json': 1,
  'test/constructs/addons/chart-keys.generated.json': 1,
  'test/constructs/addons/chart-facts.generated.json': 1,
} as const;

type Tables = Partial<Record<keyof typeof DEPTHS, Rows>>;

/** The rows of charts; some need renders. */
function tablesOf(charts: readonly ReferenceChart[], renders?: Readonly<Record<string, ChartRenders>>): Tables {
  const bundled = charts.filter(({ chart }) => !isOfManagement(chart));
  return {
    'data/charts.json': rowsOf(bundled, catalogEntry),
    'data/chart-keys.json': rowsOf(bundled, keyNames),
    'test/constructs/addons/chart-keys.generated.json': rowsOf(charts, keyTree),
    ...(renders && { 'data/chart-images.json': imageRows(charts, renders), 'test/constructs/addons/chart-facts.generated.json': factRows(bundled, renders) }),
  };
}

function isOfManagement(chart: string): boolean {
  return (MANAGEMENT_CHARTS as readonly string[]).includes(chart);
}

/** Writes rows; those of other charts stay. */
function write(tables: Tables): void {
  writeGeneratedFiles('charts', new Map(Object.entries(tables).map(([file, rows]) => {
    const former = JSON.parse(readFileSync(join(__dirname, '../..', file), 'utf8')) as Rows;
    const sorted = Object.entries({ ...former, ...rows }).sort(([one], [other]) => (one < other ? -1 : 1));
    return [file, jsonTable(Object.fromEntries(sorted), DEPTHS[file as keyof Tables])];
  })));
}

function main(): void {
  const { values: { repository, source }, positionals: folders } = parseArgs({
    options: { check: { type: 'boolean' }, repository: { type: 'string' }, source: { type: 'string' } }, allowPositionals: true,
  });
  if (folders.length > 0) {
    const charts = folders.map((folder) => readChartFolder(folder, { repository, source }));
    const renders = charts.flatMap((chart, index) => (isOfManagement(chart.chart) ? [] : [[chart.chart, renderChartFolder(folders[index], chart)]]));
    write(tablesOf(charts, Object.fromEntries(renders) as Readonly<Record<string, ChartRenders>>));
    return;
  }
  const charts = readCharts([...BUNDLED_CHARTS, ...MANAGEMENT_CHARTS]);
  if (!charts) {
    console.error(`note: ${referencePath()} is missing (REFERENCE_DIR names another folder), so these files stay: ${Object.keys(DEPTHS).join(', ')}`);
    return;
  }
  const renders = readRenders();
  if (!renders) console.error(`note: there are no renders beside ${referencePath()}, so the tables of images and facts stay`);
  write(tablesOf(charts, renders));
}

main();
