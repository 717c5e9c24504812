import { FleetCluster } from './fleet-cluster';
import { FleetManagementCluster, nameOf } from './fleet-management-cluster';
import { Problem, Rule } from '../../../manifests/values/problem';
import { parseQuantity, totalText } from '../../../manifests/values/quantity';

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

/** The largest need of a cluster by resource, as limits of management clusters name it. */
export type NeedsOf = (cluster: FleetCluster) => (resource: string) => bigint;

/**
 * Checks that each cluster whose profile asks for a management cluster has one, and names one with room for those that have none: in clusters, and
 * in what its `totalLimit` counts.
 */
export function checkManagementPlacement(clusters: readonly FleetCluster[], needsOf: NeedsOf): Problem[] {
  const needs = memoized(needsOf);
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
    const words = own.map((room) => [roomWords(room), ...limitsOf(room, needs).map(limitWords)].join(', ')).join(', ');
    const share = (room: Room) => Math.max(0, ...limitsOf(room, needs).map(({ resource, limit, used }) => (
      shareOf(used + needs(cluster)(resource), limit))));
    const [best] = own.filter((room) => left(room) > 0 && share(room) <= 1).sort((one, other) => (
      share(one) - share(other) || (left(one) === left(other) ? one.clusters.length - other.clusters.length : left(other) - left(one))));
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

/** A limit of a management cluster for all clusters together, and what those of the fleet may need of it. */
interface RoomLimit {
  readonly resource: string;
  readonly text: string;
  readonly limit: bigint;
  readonly used: bigint;
}

function limitsOf({ cluster: { capabilities: { totalLimit = {} } }, clusters }: Room, needs: NeedsOf): RoomLimit[] {
  return Object.entries(totalLimit).flatMap(([resource, text]) => {
    const limit = parseQuantity(text);
    return limit === undefined ? [] : [{ resource, text, limit, used: clusters.reduce((sum, cluster) => sum + needs(cluster)(resource), 0n) }];
  });
}

function limitWords({ resource, text, used }: RoomLimit): string {
  return `${totalText(resource, used)} of ${text} ${resource}`;
}

/** The part of a limit that is used; more than 1 if it is exceeded, however little. */
function shareOf(used: bigint, limit: bigint): number {
  return used > limit ? Infinity : limit === 0n ? 0 : Number(used) / Number(limit);
}

/** Reads the need of each cluster once: it takes all of its objects. */
function memoized(needsOf: NeedsOf): NeedsOf {
  const known = new Map<FleetCluster, ReturnType<NeedsOf>>();
  return (cluster) => {
    const found = known.get(cluster) ?? needsOf(cluster);
    known.set(cluster, found);
    return found;
  };
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
