import { CapacityOptions } from './capacity-model';
import { hostsWords, leftWords, shortageWords } from './capacity-words';
import { findCapacity } from './find-capacity';
import { HostList } from './hosts-file';
import { placedPods } from './pod-group';
import { managementObjects, SideManifests } from '../move/cluster-move';
import { ClusterMove } from '../move/move-model';
import { ManifestObject, namespaceOf } from '../objects/manifest-object';
import { namesWords } from '../plan/plan-words';
import { ManifestIndex } from '../rules/manifest-index';
import { MoveFinding } from '../rules/move-facts';

/** A rollout of one cluster, and the loss of one host, as the command `capacity` asks by itself. */
const OPTIONS: CapacityOptions = { loss: 'host', rollout: 'cluster' };

/**
 * Checks that a cluster has room on the hosts of another management cluster, beside those that are there: at their largest, with a rollout of one cluster,
 * and after the loss of a host. The other clusters of its namespace come with it, since clusterctl moves all of them.
 *
 * @param move the move
 * @param sides the manifests of both management clusters
 * @param hosts the hosts of the one that it moves to
 * @returns the move, with the obstacle or what has to be looked up
 */
export function withRoomChecked(move: ClusterMove, { from, to }: Readonly<Record<'from' | 'to', SideManifests>>, hosts: HostList): ClusterMove {
  const own = managementObjects(to.objects);
  const moved = managementObjects(from.objects).filter((object) => namespaceOf(object) === move.cluster.namespace);
  const after = capacityOf([...own, ...moved], hosts);
  if (after.verdict === 'fits') return move;
  const failing = after.scenarios.find(({ verdict }) => verdict === 'short') ?? after.scenarios.find(({ verdict }) => verdict === 'open');
  const { shortage, left = [] } = failing ?? {};
  const reasons = [...(shortage ? [shortageWords(shortage)] : []), ...(left.length > 0 ? [`no place for ${namesWords(leftWords(left))}`] : [])];
  const count = hostsWords(hosts.hosts.length);
  if (after.verdict !== 'short') {
    const why = after.verdict === 'unknown' ? 'the size of some machines is not known' : ['no placement was found', ...reasons].join('; ');
    return { ...move, lookups: [...move.lookups, `it is not decided if the clusters of ${move.to} have room on its ${count} with this one: ${why}`] };
  }
  const already = capacityOf(own, hosts).verdict === 'short' ? ', which lacks room for its own clusters already' : '';
  const more = after.more.map(({ kind, count: missing }) => `${missing} more of ${kind}`);
  const obstacle: MoveFinding = {
    message: `its pods do not fit on the ${count} of ${move.to}${already}, with a rollout of one cluster and after the loss of a host: ${reasons.join('; ')}`,
    fix: more.length > 0 ? `add hosts: ${more.join(', or ')}` : 'choose another management cluster, or add hosts',
  };
  return { ...move, obstacles: [...move.obstacles, obstacle], steps: [] };
}

function capacityOf(objects: readonly ManifestObject[], hosts: HostList) {
  return findCapacity(hosts, placedPods(new ManifestIndex(objects)), OPTIONS);
}
