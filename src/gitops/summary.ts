import { RepositoryFiles } from './repository-files';
import { TreeSummary } from '../synth/tree/write-tree';

/**
 * What a synthesis has done, in a line. Files for hosts are of clusters that are not counted: beside them nothing is said of what there is
 * none of.
 */
export function summaryText(files: RepositoryFiles, { written, unchanged, adopted, removed }: TreeSummary, seconds: number): string {
  const { clusters, objects, hostFiles } = files;
  const counts = [[clusters, 'cluster'], [objects, 'object']] as const;
  return [
    ...counts.filter(([number]) => number > 0 || hostFiles === 0).map(([number, what]) => `${number} ${what}${number === 1 ? '' : 's'}`),
    `files: ${written.length} written, ${unchanged.length + adopted.length} unchanged, ${removed.length} removed`, `${seconds.toFixed(1)} s`,
  ].join('; ');
}
