import { PlannedCluster, PlannedPart } from './plan-model';

/** Clusters that change in the same way. */
export interface ClusterGroup {
  readonly first: PlannedCluster;
  readonly others: readonly PlannedCluster[];
}

/** The end of names that follow from content. */
const HASH = /-[0-9a-f]{8}$/;

/** Groups clusters whose changes are the same but for their names, in the order of the first of each group. */
export function groupedClusters(clusters: readonly PlannedCluster[]): ClusterGroup[] {
  const groups = new Map<string, PlannedCluster[]>();
  for (const cluster of clusters) {
    const key = withoutNames(cluster);
    const same = groups.get(key);
    if (same) same.push(cluster);
    else groups.set(key, [cluster]);
  }
  return [...groups.values()].map(([first, ...others]) => ({ first, others }));
}

/** Parts of no cluster, or of several, by their management cluster. */
export function groupedParts(parts: readonly PlannedPart[]): (readonly [managementCluster: string | undefined, parts: readonly PlannedPart[]])[] {
  const names = [...new Set(parts.map(({ managementCluster }) => managementCluster))];
  return names.map((name) => [name, parts.filter(({ managementCluster }) => managementCluster === name)]);
}

function withoutNames({ namespace, name, change, paused, notes, parts }: PlannedCluster): string {
  // Names of objects begin with the cluster's.
  const own = (text: string): string => (text === name || text.startsWith(`${name}-`) ? `*${text.slice(name.length)}` : text).replace(HASH, '-#');
  const inText = (text: string): string => text.split(' ').map(own).join(' ');
  return JSON.stringify([change, paused, notes.map(inText), parts.map((part) => ({
    ...part,
    name: own(part.name),
    effects: part.effects.map((effect) => ({ ...effect, reasons: effect.reasons.map(inText) })),
    notes: part.notes.map(inText),
    objects: part.objects.map((object) => ({
      ...object, name: own(object.name), namespace: object.namespace === namespace ? '*' : object.namespace, fields: object.fields.map(({ path }) => path),
    })),
  }))]);
}
