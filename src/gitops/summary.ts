import { RepositoryFiles } from './repository-files';
import { TreeSummary } from '../synth/tree/tree-file';

/** What a synthesis has done, in a line. */
export function summaryText({ clusters, objects }: RepositoryFiles, { written, unchanged, adopted, removed }: TreeSummary, seconds: number): string {
  return [
    count(clusters, 'cluster'), count(objects, 'object'),
    `files: ${written.length} written, ${unchanged.length + adopted.length} unchanged, ${removed.length} removed`, `${seconds.toFixed(1)} s`,
  ].join('; ');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
