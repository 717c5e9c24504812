import { namesText } from './cluster-names';
import { FleetCluster } from './fleet-cluster';
import { SharedValues } from './fleet-plan';
import { FIXED_KEYS, isFixed, ListedValue } from './listed-cluster';
import { FLEET_RULES } from './rules';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem } from '../../../manifests/values/problem';

/** Checks that each value that a profile reads is present and valid. */
export function checkAskedValues(clusters: readonly FleetCluster[]): Problem[] {
  return [...refusedValues(clusters), ...missingValues(clusters)];
}

/** Reports a shared value once, not once per cluster. */
function refusedValues(clusters: readonly FleetCluster[]): Problem[] {
  const told = new Set<ListedValue>();
  return clusters.flatMap(({ _reader: { refused } }) => [...refused].flatMap(({ key, value, fault }): Problem[] => {
    if (told.has(value)) return [];
    told.add(value);
    return [{ rule: FLEET_RULES.value, property: `${value.place()} ${key}`, ...fault }];
  }));
}

/** Reports a missing column once, not once per cluster. */
function missingValues(clusters: readonly FleetCluster[]): Problem[] {
  return groups(clusters, ({ _reader: { missing } }) => missing, ({ profile }) => profile).map(({ key, clusters: those }) => {
    const [first] = those;
    const meant = nearestName(key, [...first._listed.keys()].filter((given) => !isFixed(given) && !first._reader.read.has(given)));
    return {
      rule: FLEET_RULES.missing,
      property: `${first._place()} ${key}`,
      message: `profile "${first.profile}" reads "${key}", which is not set for ${namesText(those)}`,
      fix: meant === undefined ? 'set it for each cluster, for their ring, or in an override' : `did you mean "${key}" instead of "${meant}"?`,
    };
  });
}

/** Checks that a profile reads each value. The clusters are those whose profile has run completely. */
export function checkUnused(clusters: readonly FleetCluster[], shared: readonly SharedValues[], ignored: readonly string[]): Problem[] {
  const byProfile = readKeys(clusters);
  const byAny = new Set([...byProfile.values()].flatMap((keys) => [...keys]));
  const unread = (cluster: FleetCluster) => [...cluster._listed.keys()]
    .filter((key) => !isFixed(key) && !ignored.includes(key) && !byProfile.get(cluster.profile)!.has(key));
  const own = groups(clusters, unread, ({ profile }, key) => (byAny.has(key) ? profile : '')).map(({ key, clusters: those }): Problem => {
    const [first] = those;
    const reader = byAny.has(key) ? `profile "${first.profile}" does not read` : 'no profile reads';
    return {
      rule: FLEET_RULES.unused,
      property: `${first._listed.get(key)!.place()} ${key}`,
      message: `${reader} the value, which is set for ${namesText(those)}`,
      ...wayOut(key, [...byProfile.get(first.profile)!, ...FIXED_KEYS]),
    };
  });
  return [...own, ...shared.flatMap((values) => unusedShared(values))];
}

function unusedShared({ place, values, clusters }: SharedValues): Problem[] {
  if (clusters.length === 0) return [];
  const read = new Set(clusters.flatMap(({ _reader }) => [..._reader.read]));
  return [...values.keys()].filter((key) => !isFixed(key) && !read.has(key)).map((key) => ({
    rule: FLEET_RULES.unused,
    property: `${place} ${key}`,
    message: `no profile of ${namesText(clusters)} reads the value`,
    ...wayOut(key, read),
  }));
}

function wayOut(key: string, read: Iterable<string>): Pick<Problem, 'fix'> {
  const meant = nearestName(key, read);
  return { fix: meant === undefined ? 'remove it, or add it to ignoredValues if it is for people' : `did you mean "${meant}"?` };
}

/** The keys that each profile reads. */
function readKeys(clusters: readonly FleetCluster[]): ReadonlyMap<string, Set<string>> {
  const byProfile = new Map<string, Set<string>>();
  for (const { profile, _reader: { read } } of clusters) {
    const keys = byProfile.get(profile) ?? new Set<string>();
    byProfile.set(profile, keys);
    read.forEach((key) => keys.add(key));
  }
  return byProfile;
}

/** A key, and the clusters that share it. */
interface KeyGroup {
  readonly key: string;
  readonly clusters: FleetCluster[];
}

/**
 * Groups clusters by key.
 *
 * @param clusters the clusters
 * @param keysOf the keys of a cluster
 * @param partOf a further criterion for the groups
 */
function groups(
  clusters: readonly FleetCluster[], keysOf: (cluster: FleetCluster) => Iterable<string>, partOf: (cluster: FleetCluster, key: string) => string,
): KeyGroup[] {
  const found = new Map<string, KeyGroup>();
  for (const cluster of clusters) {
    for (const key of keysOf(cluster)) {
      const id = JSON.stringify([partOf(cluster, key), key]);
      const group = found.get(id);
      if (group) group.clusters.push(cluster);
      else found.set(id, { key, clusters: [cluster] });
    }
  }
  return [...found.values()];
}
