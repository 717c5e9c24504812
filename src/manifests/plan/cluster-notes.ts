import { ChangeKind, PlannedCluster } from './plan-model';
import { clusterName, namesWords } from './plan-words';
import { Cluster, ClusterState } from '../landscape/cluster-model';
import { KnownCluster } from '../landscape/delivery-targets';

/** A cluster before and after. */
export interface ClusterStates {
  readonly old?: Cluster;
  readonly now?: Cluster;
}

/**
 * Further notes on a cluster for the reader.
 *
 * @param states the cluster
 * @param all the clusters of the later state
 */
export function clusterNotes({ old, now }: ClusterStates, all: readonly KnownCluster[]): string[] {
  return [...stateNotes(old, now), ...sleepNotes(old, now), ...addressNotes(old, now, all)];
}

function stateNotes(old: Cluster | undefined, now: Cluster | undefined): string[] {
  if (now?.state === ClusterState.PAUSED) return ['paused: Cluster API changes nothing until the cluster is resumed'];
  if (now?.state === ClusterState.OBJECT_PAUSED) {
    return [`the annotation cluster.x-k8s.io/paused pauses the Cluster object alone: ${isTopology(now)
      ? 'its topology and its deletion wait' : 'its deletion waits'}, control plane, pools and machines do not`];
  }
  const wasPaused = old !== undefined && PAUSED_STATES.includes(old.state);
  if (wasPaused && (!now || !hasObject(now))) return ['the Cluster is paused: its deletion waits until it is resumed in the management cluster'];
  if (!old || !now || old.state === now.state) return [];
  if (wasPaused) return ['resumed: changes made while the cluster was paused are applied now'];
  return now.state === ClusterState.DECOMMISSION ? ['decommissioned: its machines and control plane are deleted, other objects stay'] : [];
}

const PAUSED_STATES: readonly ClusterState[] = [ClusterState.PAUSED, ClusterState.OBJECT_PAUSED];

/** True if Cluster API makes the control plane and the pools of a cluster, so that they wait for the Cluster object. */
export function isTopology({ clusterClass }: Cluster): boolean {
  return clusterClass !== undefined;
}

function hasObject({ state }: Cluster): boolean {
  return state !== ClusterState.DECOMMISSION && state !== ClusterState.INCOMPLETE;
}

function sleepNotes(old: Cluster | undefined, now: Cluster | undefined): string[] {
  if (!old || !now || old.pools.length === 0 || now.pools.length === 0 || hasMachines(old) === hasMachines(now)) return [];
  return [hasMachines(now) ? 'woken: pools have machines again' : 'put to sleep: no pool has machines'];
}

/** True if pools may have machines. */
function hasMachines({ pools }: Cluster): boolean {
  return pools.some(({ size }) => size?.maximum !== 0);
}

function addressNotes(old: Cluster | undefined, now: Cluster | undefined, all: readonly KnownCluster[]): string[] {
  const [former, later] = [old?.endpoint, now?.endpoint];
  if (!now || later === undefined || former === later) return [];
  const others = all.filter(({ id, endpoint }) => endpoint === later && id !== now.id).map(clusterName);
  return [
    ...(former === undefined ? [] : [`API server address ${former} -> ${later}`]),
    ...(others.length === 0 ? [] : [`API server address ${later} is also that of ${namesWords(others)}`]),
  ];
}

/** All clusters that are compared. */
export interface AllClusters {
  /** Clusters of the earlier state, by their names. */
  readonly old: ReadonlyMap<string, Cluster>;

  /** Clusters of the later state, by their names. */
  readonly now: ReadonlyMap<string, Cluster>;

  /** The management clusters of the earlier state. */
  readonly former: ReadonlySet<string | undefined>;
}

/**
 * Adds to clusters that come and go what they seem to be: one cluster under another name, or in another management cluster.
 *
 * @param clusters the clusters that differ
 * @param all all clusters
 */
export function withRenamed(clusters: readonly PlannedCluster[], { old, now, former }: AllClusters): readonly PlannedCluster[] {
  const [gone, come] = [[ChangeKind.REMOVED, old], [ChangeKind.CREATED, now]].map(([change, state]) => (
    clusters.filter((cluster) => cluster.change === change).map((cluster) => ({ cluster, likeness: likenessOf(cluster, state as typeof old) }))));
  const notes = new Map<PlannedCluster, string>();
  for (const { cluster, likeness } of gone) {
    const alike = [come, gone].map((list) => list.filter((other) => likeness !== undefined && other.likeness === likeness));
    // Of several that are alike, those of one namespace.
    const isBeside = (other: PlannedCluster) => other.namespace === cluster.namespace && other.managementCluster === cluster.managementCluster;
    const [successors, rivals] = alike.map((list) => (list.length > 1 ? list.filter((other) => isBeside(other.cluster)) : list));
    if (successors.length !== 1 || rivals.length !== 1) continue;
    const successor = successors[0].cluster;
    const isSame = successor.namespace === cluster.namespace && successor.name === cluster.name;
    if (isSame && !former.has(successor.managementCluster)) {
      notes.set(cluster, `the same as the new ${clusterName(successor)}: it stays if that is applied to the same management cluster`);
      continue;
    }
    notes.set(cluster, `the same as the new ${clusterName(successor)}: Cluster API ${isSame ? 'moves nothing' : 'renames nothing'}, and deletes this one with its data`);
    notes.set(successor, `the same as ${clusterName(cluster)}, which is removed: it begins without data, with other machines and addresses`);
  }
  return clusters.map((cluster) => (notes.has(cluster) ? { ...cluster, notes: [...cluster.notes, notes.get(cluster)!] } : cluster));
}

/** Key that is equal for clusters that differ in their names alone. */
function likenessOf(planned: PlannedCluster, state: ReadonlyMap<string, Cluster>): string | undefined {
  const { name } = planned;
  const found = state.get(clusterName(planned));
  if (!found || found.pools.length === 0) return undefined;
  const own = (text: string) => (text.startsWith(`${name}-`) ? text.slice(name.length + 1) : text);
  const { version, clusterClass, controlPlane, infrastructure, podCidrs, serviceCidrs, pools } = found;
  return JSON.stringify([
    version, clusterClass, controlPlane?.kind, controlPlane?.replicas, infrastructure?.kind, podCidrs, serviceCidrs,
    pools.map((pool) => [own(pool.name), pool.kind, pool.size]),
  ]);
}
