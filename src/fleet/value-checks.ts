import { namesText } from './cluster-names';
import { FleetCluster } from './fleet-cluster';
import { SharedValues } from './fleet-plan';
import { FIXED_KEYS, isFixed, ListedValue } from './listed-cluster';
import { FLEET_RULES } from './rules';
import { nearestName } from '../kubernetes/nearest-name';
import { Problem } from '../validation/problem';

/** Checks that profiles got what they asked for. */
export function checkAskedValues(clusters: readonly FleetCluster[]): Problem[] {
  return [...refusedValues(clusters), ...missingValues(clusters)];
}

/** What many clusters have from one place is refused once. */
function refusedValues(clusters: readonly FleetCluster[]): Problem[] {
  const told = new Set<ListedValue>();
  return clusters.flatMap(({ _reader: { refused } }) => [...refused].flatMap(({ key, value, fault }): Problem[] => {
    if (told.has(value)) return [];
    told.add(value);
    return [{ rule: FLEET_RULES.value, property: `${value.place()} ${key}`, ...fault }];
  }));
}

/** A column that is not there is missing once, and not for each cluster. */
function missingValues(clusters: readonly FleetCluster[]): Problem[] {
  return groups(clusters, ({ _reader: { missing } }) => missing, ({ profile }) => profile).map(({ key, clusters: those }) => {
    const [first] = those;
    const meant = nearestName(key, [...first._listed.keys()].filter((given) => !isFixed(given) && !first._reader.read.has(given)));
    return {
      rule: FLEET_RULES.missing,
      property: `${first._place()} ${key}`,
      message: `profile "${first.profile}" asks for "${key}", and nobody says it for ${namesText(those)}`,
      fix: meant === undefined ? 'say it for each cluster, for their ring, or in an override' : `did you mean "${key}" where "${meant}" stands?`,
    };
  });
}

/** Checks that somebody reads what is said of clusters, by those whose profile has been asked for everything. */
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
      message: `${reader} what is said for ${namesText(those)}`,
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
    message: `no profile of ${namesText(clusters)} reads it`,
    ...wayOut(key, read),
  }));
}

function wayOut(key: string, read: Iterable<string>): Pick<Problem, 'fix'> {
  const meant = nearestName(key, read);
  return { fix: meant === undefined ? 'remove it, or name it in ignoredValues if it is for people' : `did you mean "${meant}"?` };
}

/** What is read at all, by profile. */
function readKeys(clusters: readonly FleetCluster[]): ReadonlyMap<string, Set<string>> {
  const byProfile = new Map<string, Set<string>>();
  for (const { profile, _reader: { read } } of clusters) {
    const keys = byProfile.get(profile) ?? new Set<string>();
    byProfile.set(profile, keys);
    read.forEach((key) => keys.add(key));
  }
  return byProfile;
}

/** Clusters that have something in common, and a key of theirs. */
interface KeyGroup {
  readonly key: string;
  readonly clusters: FleetCluster[];
}

/**
 * Clusters by a key that something is said of.
 *
 * @param clusters the clusters
 * @param keysOf the keys of a cluster
 * @param partOf what else clusters of a group have in common
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
