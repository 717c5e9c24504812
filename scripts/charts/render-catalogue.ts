import { ReferenceChart } from './reference';
import { jsonTable } from '../generated-files';

/** The charts that addons of the library install: where they are kept, their version, that of the program in them, and the source that was read. */
export function renderCatalogue(charts: readonly ReferenceChart[]): string {
  return jsonTable(Object.fromEntries(charts.map((chart) => [chart.chart, {
    repository: repositoryOf(chart), version: chart.chartVersion, appVersion: chart.appVersion, source: chart.source,
  }])), 2);
}

/** The repository without what a chart's name adds to it: an OCI address ends in that name, and Helm ignores a slash at the end. */
function repositoryOf({ chart, repository }: ReferenceChart): string {
  const plain = repository.replace(/\/$/, '');
  return plain.startsWith('oci://') && plain.endsWith(`/${chart}`) ? plain.slice(0, -chart.length - 1) : plain;
}
