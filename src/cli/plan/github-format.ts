import { PlannedChanges } from '../../manifests/plan/plan-objects';
import { clusterName, isDisruptive, partLines, partName, unreadReason, unreadState, withManagement } from '../../manifests/plan/plan-words';
import { githubCommand } from '../validate/github-format';

/** An annotation of a GitHub workflow for each part of which something is replaced, deleted, or of unknown effect, and each file that is not read. */
export function githubFormat({ clusters, shared, unread }: PlannedChanges): string {
  const parts = [
    ...clusters.flatMap((cluster) => cluster.parts.map((part) => ({ part, where: `${clusterName(cluster)}: ` }))),
    ...shared.map((part) => ({ part, where: withManagement(part.managementCluster, '') })),
  ];
  return parts.filter(({ part }) => part.effects.some(isDisruptive))
    .map(({ part, where }) => githubCommand('warning', { title: `${where}${partName(part)}` }, partLines(part).join('; ')))
    .concat(unread.map((file) => githubCommand('warning', { title: `${unreadState(file)}: ${file.file}` }, unreadReason(file)))).join('');
}
