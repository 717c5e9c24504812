import { Cluster, ClusterState } from '../landscape/cluster-model';
import { namespaceOf } from '../objects/manifest-object';
import { CLUSTER } from '../rules/cluster-api/cluster-api-kinds';
import { MoveFinding, MoveSides } from '../rules/move-facts';
import { installedVersions } from '../validation/installed-components';
import { limitingComponents } from '../validation/tenant-kubernetes-rules';
import { parseSemanticVersion } from '../values/semantic-version';

/** Findings in both management clusters about a move. */
interface SideChecks {
  readonly obstacles: readonly MoveFinding[];
  readonly lookups: readonly string[];
}

/**
 * Compares both management clusters for a cluster.
 *
 * @param cluster the cluster
 * @param neighbours all clusters in its namespace, it among them
 */
export function sideChecks(cluster: Cluster, sides: MoveSides, neighbours: readonly Cluster[]): SideChecks {
  const { from, to } = sides;
  const others = neighbours.filter(({ name }) => name !== cluster.name).map(({ name }) => name);
  const versions = versionChecks(sides);
  return {
    obstacles: [...stateObstacles(cluster), ...nameObstacles(cluster, sides), ...versions.obstacles, ...kubernetesObstacles(cluster, sides)],
    lookups: [
      ...(others.length === 0 ? [] : [`clusterctl takes all clusters of the namespace "${cluster.namespace ?? 'default'}" along: ${others.join(', ')}; run this command for each`]),
      ...versions.lookups,
      `pods of ${to.name} reach the API server and the infrastructure of the cluster, and its machines reach the control plane, as with ${from.name}`,
    ],
  };
}

function stateObstacles({ state }: Cluster): MoveFinding[] {
  if (state === ClusterState.PAUSED || state === ClusterState.OBJECT_PAUSED) {
    return [{ message: 'it is paused, and clusterctl refuses that: it pauses the Cluster itself', fix: 'resume it, in a commit before' }];
  }
  return state === ClusterState.DELETING ? [{ message: 'it is being deleted', fix: 'wait until it is gone' }] : [];
}

function nameObstacles({ namespace, name }: Cluster, { to }: MoveSides): MoveFinding[] {
  if (to.index.find(CLUSTER, namespace, name)) {
    return [{ message: `${to.name} has a cluster of this name: clusterctl would overwrite its objects`, fix: 'a cluster cannot be renamed: take the other one down first' }];
  }
  const taken = to.index.all(CLUSTER).some((object) => namespaceOf(object) === namespace);
  return taken ? [{
    message: `the namespace "${namespace ?? 'default'}" of ${to.name} belongs to another cluster, with its quotas, policies and rights`,
    fix: 'a cluster cannot change its namespace: move the other one away first',
  }] : [];
}

/** Each component that one side states must be on the other one, in no older release (mover.go, checkTargetProviders). */
function versionChecks({ from, to }: MoveSides): SideChecks {
  const [former, next] = [from, to].map(({ index }) => installedVersions(index));
  if (former.size === 0 || next.size === 0) {
    const silent = [from, to].filter((_, position) => [former, next][position].size === 0).map(({ name }) => name);
    return { obstacles: [], lookups: [`${silent.join(' and ')} ${silent.length === 1 ? 'states' : 'state'} no versions of its components: none that this cluster needs may be missing or older in ${to.name}`] };
  }
  const obstacles: MoveFinding[] = [];
  const lookups: string[] = [];
  for (const [title, versions] of former) {
    const installed = next.get(title) ?? [];
    if (installed.length === 0) {
      lookups.push(`${title} is in ${from.name}, and not among the manifests of ${to.name}: if this cluster needs it, install it there`);
    } else if (versions.every((version) => installed.every((other) => isOlder(other, version)))) {
      obstacles.push({
        message: `${title} is ${installed.join(', ')} in ${to.name}, and ${versions.join(', ')} in ${from.name}: an older one may not know fields that are stored`,
        fix: `raise it in ${to.name} first`,
      });
    }
  }
  return { obstacles, lookups };
}

function isOlder(one: string, other: string): boolean {
  const [first, second] = [one, other].map(parseSemanticVersion);
  if (!first || !second) return false;
  const difference = first.major - second.major || first.minor - second.minor || first.patch - second.patch;
  return difference < 0;
}

function kubernetesObstacles({ version }: Cluster, { to }: MoveSides): MoveFinding[] {
  const minor = version === undefined ? undefined : parseSemanticVersion(version)?.minor;
  if (minor === undefined) return [];
  const refusing = limitingComponents(to.index).filter(({ minors }) => minor > minors.newest || minor < (minors.oldest ?? 0));
  return refusing.map(({ title, release, minors }) => ({
    message: `Kubernetes ${version!} does not go with ${title} ${release} of ${to.name}: `
      + `${minors.oldest === undefined ? 'that works with versions up to' : `that works with 1.${minors.oldest} to`} 1.${minors.newest}`,
    fix: minor > minors.newest ? `raise ${title} in ${to.name} first` : 'raise Kubernetes of the cluster first',
  }));
}
