import { ClusterGroup, groupedClusters, groupedParts, SharedParts } from './grouped-clusters';
import { PlannedChanges } from './plan-objects';
import { clusterName } from './plan-words';
import { Severity, severityOfCluster, severityOfPart, sizeOfCluster, sizeOfPart } from './verdict';
import { compareTexts } from '../landscape/place';

/** A section of a printed plan: clusters that change in the same way, or parts of no cluster or of several. */
export interface PlanSection {
  readonly severity: Severity;

  /** Largest number of machines and pods that it concerns. */
  readonly size: number;
  readonly group?: ClusterGroup;
  readonly shared?: SharedParts;
}

/** The sections of a plan: first the most severe, of those the largest, of those by name. Clusters come before what belongs to none. */
export function planSections({ clusters, shared }: Pick<PlannedChanges, 'clusters' | 'shared'>): PlanSection[] {
  const groups = groupedClusters(clusters).map((group): PlanSection & { readonly name: string } => {
    const all = [group.first, ...group.others];
    return {
      name: clusterName(group.first),
      severity: Math.min(...all.map(severityOfCluster)),
      size: sizeOfCluster(group.first) * all.length,
      group,
    };
  });
  const others = groupedParts(shared).map(({ managementClusters, parts }): PlanSection & { readonly name: string } => {
    const sorted = [...parts].sort((one, other) => severityOfPart(one) - severityOfPart(other) || sizeOfPart(other) - sizeOfPart(one));
    return {
      name: managementClusters[0] ?? '',
      severity: Math.min(...parts.map(severityOfPart)),
      size: managementClusters.length * parts.reduce((all, part) => all + sizeOfPart(part), 0),
      shared: { managementClusters, parts: sorted },
    };
  });
  const byWeight = (one: PlanSection & { readonly name: string }, other: typeof one) => (
    one.severity - other.severity || other.size - one.size || Number(one.shared !== undefined) - Number(other.shared !== undefined)
    || compareTexts(one.name, other.name));
  return [...groups, ...others].sort(byWeight);
}
