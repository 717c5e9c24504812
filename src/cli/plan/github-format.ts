import { PlannedPart } from '../../manifests/plan/plan-model';
import { PlannedChanges } from '../../manifests/plan/plan-objects';
import { planSections } from '../../manifests/plan/plan-sections';
import {
  clusterName, isDisruptive, othersWords, partLines, partName, sameWords, unreadReason, unreadState, withManagement,
} from '../../manifests/plan/plan-words';
import { githubCommand } from '../validate/github-format';

/**
 * Annotations of a GitHub workflow for each part of which something is refused, replaced, deleted, or of unknown effect, and each file that is
 * not read: the most severe ones first, since GitHub shows ten of a step. Clusters that change in the same way share one.
 */
export function githubFormat(plan: PlannedChanges): string {
  const parts = planSections(plan).flatMap(({ group, shared }) => {
    if (shared) {
      const [name, ...others] = shared.managementClusters;
      return shared.parts.map((part) => ({ part, where: withManagement(name, ''), others: sameWords(others.map(String)) }));
    }
    const { first, others } = group!;
    return first.parts.map((part) => ({ part, where: `${clusterName(first)}: `, others: othersWords(others) }));
  });
  const level = ({ refusals }: PlannedPart) => (refusals ? 'error' : 'warning');
  return parts.filter(({ part }) => part.effects.some(isDisruptive))
    .map(({ part, where, others }) => githubCommand(level(part), { title: `${where}${partName(part)}` }, `${partLines(part).join('; ')}${others}`))
    .concat(plan.unread.map((file) => githubCommand('warning', { title: `${unreadState(file)}: ${file.file}` }, unreadReason(file)))).join('');
}
