import { DEFER_UPGRADE, HOLD_UPGRADES } from './pool-objects';
import { TopologySpec, WorkerList } from './stored-topology';
import { ManifestObject } from '../objects/manifest-object';
import { fieldAt, Fields, isSet, stringAt } from '../values/fields';
import { parseSemanticVersion } from '../values/semantic-version';

const CONCURRENCY = 'topology.cluster.x-k8s.io/upgrade-concurrency';

/**
 * The annotation by which a pool is not upgraded with its topology.
 *
 * Source: kubernetes-sigs/cluster-api exp/topology/desiredstate/desired_state.go (isMachineDeploymentDeferred, isMachinePoolDeferred), v1.14.2.
 *
 * @param pools the pools of its kind, in their order
 * @param name the pool
 */
export function deferredBy(pools: readonly Fields[], name: string): string | undefined {
  const has = (pool: Fields, annotation: string): boolean => isSet(pool, 'metadata', 'annotations', annotation);
  const own = pools.findIndex((pool) => pool.name === name);
  if (own < 0) return undefined;
  if (has(pools[own], DEFER_UPGRADE)) return DEFER_UPGRADE;
  const holding = pools.slice(0, own + 1).find((pool) => has(pool, HOLD_UPGRADES));
  return holding && `${HOLD_UPGRADES}${holding.name === name ? '' : ` of pool ${String(holding.name)}`}`;
}

/** Pools of a kind that are upgraded at the same time. */
function concurrencyOf(cluster: ManifestObject): number {
  const given = Number(stringAt(cluster, 'metadata', 'annotations', CONCURRENCY));
  return Number.isSafeInteger(given) && given >= 1 ? given : 1;
}

/**
 * Parts that an upgrade of a pool waits for, in words.
 *
 * @param cluster the Cluster
 * @param upgraded all pools of its kind that are upgraded, in their order
 * @param name the pool
 * @param isControlPlaneUpgraded whether the control plane is upgraded, too
 */
export function upgradeTurn(cluster: ManifestObject, upgraded: readonly string[], name: string, isControlPlaneUpgraded: boolean): string[] {
  const concurrency = concurrencyOf(cluster);
  const position = upgraded.indexOf(name);
  const former = concurrency === 1 ? upgraded.slice(Math.max(0, position - 1), position) : [];
  const first = [...isControlPlaneUpgraded ? ['the control plane'] : [], ...former.map((pool) => `pool ${pool}`)];
  return [
    ...first.length === 0 ? [] : [`upgraded after ${first.join(' and ')}`],
    ...concurrency > 1 && upgraded.length > concurrency ? [`at most ${concurrency} pools are upgraded at a time`] : [],
  ];
}

/** Note on an upgrade over several minor versions, which a list of versions in a ClusterClass allows. */
export function upgradeSteps(before: unknown, after: unknown): string[] {
  const [old, now] = [before, after].map((version) => parseSemanticVersion(String(version)));
  const steps = old && now && old.major === now.major ? now.minor - old.minor : 0;
  return steps > 1 ? [`upgraded one minor version after the other: machines are replaced ${steps} times`] : [];
}

/** The names of pools of a topology. */
export function poolNames(topology: TopologySpec, list: WorkerList): string[] {
  return topology.workers[list].flatMap((pool) => stringAt(pool, 'name') ?? []);
}

/** The version of a pool object. */
export function versionOf(pool: ManifestObject): unknown {
  return fieldAt(pool, 'spec', 'template', 'spec', 'version');
}
