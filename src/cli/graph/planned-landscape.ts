import { PlannedBoxes } from './planned-boxes';
import { Cluster, Landscape } from '../../manifests/landscape/cluster-model';
import { ManifestState } from '../../manifests/landscape/manifest-state';
import { compareTexts } from '../../manifests/landscape/place';
import { readStates } from '../../manifests/landscape/read-landscape';
import { PlannedChanges, planObjects } from '../../manifests/plan/plan-objects';
import { planTotals, totalsWords } from '../../manifests/plan/plan-totals';
import { clusterName, unreadLine } from '../../manifests/plan/plan-words';

/** Changes of a landscape. */
export class LandscapePlan {
  /**
   * Compares two states.
   *
   * @param before the earlier state
   * @param after the later state
   */
  public static between(before: ManifestState, after: ManifestState): LandscapePlan {
    const [old, now] = readStates(before, after);
    return new LandscapePlan(joined(old, now), planObjects(before, after));
  }

  private constructor(
    /** The later state, and what is only in the earlier one. */
    public readonly landscape: Landscape,
    private readonly changes: PlannedChanges,
  ) {}

  /** Files that are not read, a line each. */
  public get unread(): string[] {
    return this.changes.unread.map(unreadLine);
  }

  /** The totals in one sentence. */
  public get summary(): string {
    return totalsWords(planTotals(this.changes));
  }

  /** Changes of a cluster. */
  public of({ managementCluster, namespace, name }: Cluster): PlannedBoxes {
    const { clusters, shared } = this.changes;
    const cluster = clusters.find((one) => one.managementCluster === managementCluster && one.namespace === namespace && one.name === name);
    const id = clusterName({ namespace, name });
    const own = shared.filter((part) => part.managementCluster === managementCluster && part.clusters?.includes(id));
    return new PlannedBoxes([...cluster?.parts ?? [], ...own], cluster);
  }

  /** Changes of objects that belong to no cluster. */
  public ofManagement(): PlannedBoxes {
    return new PlannedBoxes(this.changes.shared.filter(({ clusters }) => clusters === undefined));
  }
}

function joined(old: Landscape, now: Landscape): Landscape {
  const clusters = union(now.clusters, old.clusters, ({ id }) => id);
  const former = new Map(old.clusters.map((cluster) => [cluster.id, cluster]));
  return {
    clusters: clusters.map((cluster) => withFormerParts(cluster, former.get(cluster.id))).sort((one, other) => (
      compareTexts(one.managementCluster ?? '', other.managementCluster ?? '') || compareTexts(one.namespace ?? '', other.namespace ?? '')
      || compareTexts(one.name, other.name))),
    otherAddons: union(now.otherAddons, old.otherAddons, ({ id }) => id),
    addressPools: now.addressPools,
    loads: now.loads,
  };
}

/** A cluster with the parts that it had, too. */
function withFormerParts(cluster: Cluster, old: Cluster = cluster): Cluster {
  const named = ({ kind, name }: { readonly kind: string; readonly name: string }) => JSON.stringify([kind, name]);
  return {
    ...cluster,
    version: cluster.version ?? old.version,
    controlPlane: cluster.controlPlane ?? old.controlPlane,
    infrastructure: cluster.infrastructure ?? old.infrastructure,
    labels: cluster.labels.size > 0 ? cluster.labels : old.labels,
    pools: union(cluster.pools, old.pools, named),
    controllers: union(cluster.controllers, old.controllers, named),
    addons: union(cluster.addons, old.addons, ({ id }) => id),
    entries: union(cluster.entries, old.entries, ({ id }) => id),
  };
}

/** All of the first list, then those of the second that are not in it. */
function union<T>(first: readonly T[], second: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const known = new Set(first.map(keyOf));
  return [...first, ...second.filter((one) => !known.has(keyOf(one)))];
}
