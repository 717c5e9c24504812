import { FolderPlans } from './folder-plans';
import { RepositoryFiles } from './repository-files';
import { TouchedFolder } from './touched-folders';
import { groupedClusters } from '../../manifests/plan/grouped-clusters';
import { PlannedChanges } from '../../manifests/plan/plan-objects';
import { planTotals, totalsWords } from '../../manifests/plan/plan-totals';
import { clusterName, isDisruptive, partLines, partName } from '../../manifests/plan/plan-words';
import { TreeSummary } from '../app/synth/tree/write-tree';

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

/** Of more folders it would take too long to say what happens. */
const MOST_PLANNED = 100;

const MORE = 'npx cdk8s-cluster-api plan shows everything.';

/**
 * What controllers will do with what differs, in three lines at most: the sums, what is replaced or deleted first, and where the rest is.
 *
 * @param folders folders of the output that differ
 * @param plans what happens with them
 * @param clusters how many clusters there are now
 */
export function changesText(folders: readonly TouchedFolder[], plans: FolderPlans, clusters: number): string {
  if (folders.length === 0) return '';
  if (folders.length > MOST_PLANNED) return `${folders.length} folders differ. ${MORE}\n`;
  const found = folders.flatMap((folder) => plans.of(folder) ?? []);
  const all: PlannedChanges = {
    clusters: found.flatMap((plan) => plan.clusters),
    shared: found.flatMap((plan) => plan.shared),
    unread: found.flatMap((plan) => plan.unread),
    clusterCount: clusters,
  };
  return [totalsWords(planTotals(all)), ...worstChange(all), MORE].map((line) => `${line}\n`).join('');
}

/** The first part of which something is replaced, moved or deleted, or may be. */
function worstChange({ clusters }: PlannedChanges): string[] {
  for (const { first, others } of groupedClusters(clusters)) {
    const part = first.parts.find(({ effects }) => effects.some(isDisruptive));
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    if (part) return [`  ${clusterName(first)}${more}: ${partName(part)}: ${partLines(part)[0]}`];
  }
  return [];
}
