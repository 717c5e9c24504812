import { ReferenceChart } from './reference';
import { jsonTable } from '../generated-files';
import { KeyTree, keyTree } from './render-keys';

/** The keys of values that charts have in their pinned versions: names joined by commas, and in braces those below a key. */
export function renderKeyNames(charts: readonly ReferenceChart[]): string {
  return jsonTable(Object.fromEntries(charts.map((chart) => [chart.chart, names(keyTree(chart), chart.chart)])), 1);
}

function names(tree: KeyTree, chart: string): string {
  return Object.entries(tree).map(([name, below]) => {
    if (/[{},]/.test(name)) throw new Error(`the key ${name} of ${chart} has a character that the table has a use for`);
    return typeof below === 'object' ? `${name}{${names(below, chart)}}` : name;
  }).join(',');
}
