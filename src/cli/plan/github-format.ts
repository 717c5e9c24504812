import { PlannedChanges } from '../../plan/plan-objects';
import { clusterName, isDisruptive, partLines, partName, withManagement } from '../../plan/plan-words';
import { githubCommand } from '../validate/github-format';

/** An annotation of a GitHub workflow for each part of which something is replaced, deleted, or of unknown effect. */
export function githubFormat({ clusters, shared }: PlannedChanges): string {
  const parts = [
    ...clusters.flatMap((cluster) => cluster.parts.map((part) => ({ part, where: `${clusterName(cluster)}: ` }))),
    ...shared.map((part) => ({ part, where: withManagement(part.managementCluster, '') })),
  ];
  return parts.filter(({ part }) => part.effects.some(isDisruptive))
    .map(({ part, where }) => githubCommand('warning', { title: `${where}${partName(part)}` }, partLines(part).join('; '))).join('');
}
