import { FleetCluster } from './fleet-cluster';
import { FleetManagementCluster, nameOf } from './fleet-management-cluster';
import { Problem, Rule } from '../../../manifests/values/problem';

const PLACEMENT_RULE: Rule = {
  id: 'TC-FLEET-MANAGEMENT-CLUSTER',
  title: 'The list must name the management cluster of each cluster if there are several: one that was chosen at synthesis would change with the list, and clusters do not move by that.',
  source: 'kubernetes-sigs/cluster-api docs/book/src/clusterctl/commands/move.md',
};

const FULL_RULE: Rule = {
  id: 'TC-FLEET-MANAGEMENT-CLUSTER-FULL',
  title: 'A management cluster should not have more clusters of a fleet than it is meant for.',
};

/** A management cluster with the clusters in it. */
interface Room extends FleetManagementCluster {
  readonly clusters: FleetCluster[];
}

/** Checks that each cluster whose profile asks for a management cluster has one, and names one with room for those that have none. */
export function checkManagementPlacement(clusters: readonly FleetCluster[]): Problem[] {
  const placements = clusters.flatMap((cluster) => cluster._reader.placedIn.map((placement) => ({ cluster, ...placement })));
  const rooms = new Map<string, Room>();
  const roomsOf = (offered: readonly FleetManagementCluster[]) => offered.map((one) => {
    const room = rooms.get(nameOf(one)) ?? { ...one, clusters: [] };
    rooms.set(nameOf(one), room);
    return room;
  });
  for (const { cluster, offered, name } of placements) {
    roomsOf(offered).find((room) => nameOf(room) === name)?.clusters.push(cluster);
  }
  const unnamed = placements.filter(({ name }) => name === undefined).map(({ cluster, key, offered, labels }): Problem => {
    const own = roomsOf(offered);
    const words = own.map(roomWords).join(', ');
    const [best] = own.filter((room) => left(room) > 0)
      .sort((one, other) => (left(one) === left(other) ? one.clusters.length - other.clusters.length : left(other) - left(one)));
    best?.clusters.push(cluster);
    const wanted = Object.entries(labels).map(([label, value]) => `${label}=${value}`).join(', ');
    return {
      rule: PLACEMENT_RULE,
      property: `${cluster._place()} ${key}`,
      message: own.length === 0 ? `"${cluster.name}" needs a management cluster with ${wanted}, and none has that`
        : `"${cluster.name}" has no management cluster, and there are ${words}`,
      fix: best ? `write "${nameOf(best)}"` : 'add a management cluster, or raise a limit',
    };
  });
  return [...unnamed, ...[...rooms.values()].filter((room) => left(room) < 0).map((room) => fullProblem(room, [...rooms.values()]))];
}

function left({ maxClusters = Infinity, clusters }: Room): number {
  return maxClusters - clusters.length;
}

function roomWords(room: Room): string {
  const { maxClusters, clusters: { length } } = room;
  return `"${nameOf(room)}" with ${length}${maxClusters === undefined ? '' : ` of ${maxClusters}`} clusters`;
}

function fullProblem(room: Room, all: readonly Room[]): Problem {
  const others = all.filter((other) => left(other) > 0).map(roomWords);
  const last = room.clusters.at(-1)!;
  return {
    rule: FULL_RULE,
    property: `${last._place()} ${last._reader.placedIn.find(({ name }) => name === nameOf(room))!.key}`,
    message: `"${nameOf(room)}" has ${room.clusters.length} clusters, among them "${last.name}"`,
    accepted: `up to ${room.maxClusters!}`,
    fix: others.length === 0 ? 'add a management cluster, or raise maxClusters' : `place new clusters elsewhere: ${others.join(', ')}; or raise maxClusters`,
  };
}
