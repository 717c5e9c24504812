import { LABEL_RULE, MISSING_RULE, readFixedValues, VALUE_RULE } from './fixed-values';
import { FleetCluster, FleetClusterFacts } from './fleet-cluster';
import { FleetProps, IClusterProfile } from './fleet-props';
import { checkRings } from './fleet-ring';
import { checkOverrides, isSelected } from './fleet-selector';
import { FIXED_KEYS, flatValues, FlatValues, isFixed, ListedCluster, ListedValue, ListedValues, namesText } from './listed-cluster';
import { ValueReader } from './value-reader';
import { checkLabelKey } from '../../../manifests/values/labels';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem, Rule } from '../../../manifests/values/problem';
import { checkedStruct } from '../../app/arguments/checked-exports';
import { ClusterContext } from '../../contracts/cluster-context';
import { checkVersions } from '../../tenant/cluster-checks';
import { resolveContext } from '../../tenant/resolve-context';
import { TenantClusterProps } from '../../tenant/tenant-cluster-props';

/** Values that several clusters share: those of a ring or of an override. */
interface SharedValues {
  /** Path of the property: `rings[0].values`. */
  readonly place: string;
  readonly values: ListedValues;

  /** The clusters that get these values. */
  readonly clusters: FleetCluster[];
}

/** The declared state of a fleet, and its problems. */
export class FleetPlan {
  /** The clusters, in the order of the list. */
  public readonly clusters: readonly PlannedCluster[];

  /** Values of overrides and rings. */
  public readonly shared: readonly SharedValues[];

  public readonly problems: readonly Problem[];

  private readonly overrides: readonly SharedValues[];
  private readonly rings: ReadonlyMap<string, SharedValues>;

  public constructor(private readonly props: FleetProps) {
    const { clusters: list, rings = [], overrides = [], profiles, regionLabel, ringLabel } = props;
    const flatOverrides = overrides.map(({ values }, index) => flatAt(`overrides[${index}].values`, values));
    const flatRings = rings.map(({ values = {} }, index) => flatAt(`rings[${index}].values`, values));
    this.overrides = flatOverrides.map(({ shared }) => shared);
    this.rings = new Map(rings.map(({ name }, index) => [name, flatRings[index].shared]));
    this.shared = [...this.overrides, ...this.rings.values()];

    const entries = list._clusters.map((listed) => ({ listed, ...readFixedValues(listed, props) }));
    const known = entries.flatMap(({ listed, facts, sound }) => (facts ? [{ listed, facts, sound }] : []));
    const { first, repeated } = withoutRepeated(known);
    this.problems = [
      ...list._problems,
      ...checkVersions(props.versions),
      ...checkRings(rings, props.versions),
      ...[...flatOverrides, ...flatRings].flatMap(({ flat, shared }) => [...flat.problems, ...checkShared(shared)]),
      ...checkOverrides(overrides, Object.keys(profiles), rings.map(({ name }) => name), known.map(({ facts }) => facts)),
      ...checkKey('regionLabel', regionLabel),
      ...checkKey('ringLabel', ringLabel),
      ...onceForAll(entries.map(({ problems }) => problems)),
      ...repeated,
    ];
    this.clusters = first.map(({ listed, facts, sound }) => this.plan(listed, facts, sound));
  }

  private plan(listed: ListedCluster, facts: FleetClusterFacts, sound: boolean): PlannedCluster {
    const { overrides = [], profiles } = this.props;
    const ring = facts.ring === undefined ? undefined : this.rings.get(facts.ring);
    const layers = [...this.overrides.filter((_, index) => isSelected(overrides[index], facts)).reverse(), ...(ring ? [ring] : [])];
    const cluster = FleetCluster._of(facts, listed, new ValueReader([listed.values, ...layers.map(({ values }) => values)]));
    layers.forEach(({ clusters }) => clusters.push(cluster));
    const profile = profiles[facts.profile];
    const props = asked(cluster, () => this.tenantProps(profile, cluster));
    return { cluster, profile, sound, props, context: props && resolveContext(facts.name, props) };
  }

  private tenantProps(profile: IClusterProfile, cluster: FleetCluster): TenantClusterProps {
    const { regionLabel, ringLabel, rings = [] } = this.props;
    const { freeze, changeWindows, versions: ofRing = this.props.versions } = rings.find(({ name }) => name === cluster.ring) ?? {};
    // The list or the ring reports a catalog that the package does not have.
    const [versions, own] = [ofRing, cluster.versions].map((given) => (checkVersions(given).length === 0 ? given : undefined));
    // A profile in JavaScript may return nothing.
    const options = profile.props(cluster) ?? {};
    const labels = {
      ...options.labels,
      ...(regionLabel !== undefined && cluster.region !== undefined && { [regionLabel]: cluster.region }),
      ...(ringLabel !== undefined && cluster.ring !== undefined && { [ringLabel]: cluster.ring }),
      ...cluster.labels,
    };
    return checkedStruct('TenantClusterProps', {
      ...(freeze !== undefined && { freeze }),
      ...(changeWindows && { changeWindows }),
      ...(versions && { versions }),
      ...options,
      name: cluster.name,
      namespace: cluster.namespace,
      kubernetesVersion: cluster.kubernetesVersion,
      ...(own && { versions: own }),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(cluster.decommission && { decommission: true }),
      ...(cluster.hibernation && { hibernation: cluster.hibernation }),
    });
  }
}

/**
 * Calls a profile. An error names the cluster. An error of a cluster with placeholders is ignored: their cause is already reported.
 */
export function asked<T>(cluster: FleetCluster, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (cluster._reader.failed) return undefined;
    throw new Error(`profile "${cluster.profile}" fails for cluster "${cluster.name}" (${cluster._place()}): ${(error as Error).message}`, { cause: error });
  }
}

function flatAt(place: string, values: object): { readonly shared: SharedValues; readonly flat: FlatValues } {
  const flat = flatValues(values, () => () => place);
  return { shared: { place, values: flat.values, clusters: [] }, flat };
}

/** Fields that select rings and overrides cannot be set by a ring or an override. */
function checkShared({ place, values }: SharedValues): Problem[] {
  return [...values.keys()].filter(isFixed).map((key) => ({
    rule: VALUE_RULE, property: `${place} ${key}`, message: `"${key}" is only read from the list`, fix: 'set it in the list',
  }));
}

interface Entry {
  readonly listed: ListedCluster;
  readonly facts: FleetClusterFacts;
  readonly sound: boolean;
}

const TAKEN_RULE: Rule = {
  id: 'TC-FLEET-CLUSTER-TAKEN',
  title: 'The names of clusters must be unique in their namespace.',
};

function withoutRepeated(entries: readonly Entry[]): { readonly first: Entry[]; readonly repeated: Problem[] } {
  const byName = new Map<string, Entry>();
  const repeated: Problem[] = [];
  for (const entry of entries) {
    const { facts: { name, namespace }, listed } = entry;
    const key = `${namespace}/${name}`;
    const other = byName.get(key);
    if (other) {
      repeated.push({
        rule: TAKEN_RULE,
        property: `${listed.place()} name`,
        message: `the cluster "${name}" in namespace "${namespace}" is already defined in ${other.listed.place()}`,
        fix: 'rename or remove one of the two, or give it another namespace',
      });
    } else {
      byName.set(key, entry);
    }
  }
  return { first: [...byName.values()], repeated };
}

function checkKey(property: string, key: string | undefined): Problem[] {
  const message = key === undefined ? undefined : checkLabelKey(key);
  return message === undefined ? [] : [{ rule: LABEL_RULE, property, message, fix: 'write the key of a label, such as "example.com/region"' }];
}

/** The problems of all entries. Those that every entry has, such as a missing column, are reported for the first one only. */
function onceForAll(problems: readonly (readonly Problem[])[]): Problem[] {
  const textOf = ({ rule, message, fix }: Problem) => JSON.stringify([rule.id, message, fix]);
  const [first = [], ...others] = problems;
  const common = new Set(first.map(textOf).filter((text) => others.every((those) => those.some((problem) => textOf(problem) === text))));
  const reported = others.length === 0 ? first : first.map((problem) => (
    common.has(textOf(problem)) ? { ...problem, message: `${problem.message}; the same holds for all ${problems.length} clusters of the list` } : problem));
  return [...reported, ...others.flat().filter((problem) => !common.has(textOf(problem)))];
}

/** The declaration of a cluster, before its objects are built. */
export interface PlannedCluster {
  readonly cluster: FleetCluster;
  readonly profile: IClusterProfile;

  /** True if no value of the list is replaced by a placeholder. */
  readonly sound: boolean;

  /** The properties from profile and list; undefined if the profile fails on placeholders. */
  readonly props?: TenantClusterProps;

  /** The networks and addresses that follow from the properties. */
  readonly context?: ClusterContext;
}

/** True if no value of the cluster is a placeholder, so that findings about it are real. */
export function isSound({ sound, cluster }: PlannedCluster): boolean {
  return sound && !cluster._reader.failed;
}

/** Checks that each value that a profile reads is present and valid. */
export function checkAskedValues(clusters: readonly FleetCluster[]): Problem[] {
  return [...refusedValues(clusters), ...missingValues(clusters)];
}

/** Reports a shared value once, not once per cluster. */
function refusedValues(clusters: readonly FleetCluster[]): Problem[] {
  const reported = new Set<ListedValue>();
  return clusters.flatMap(({ _reader: { refused } }) => [...refused].flatMap(({ key, value, fault }): Problem[] => {
    if (reported.has(value)) return [];
    reported.add(value);
    return [{ rule: VALUE_RULE, property: `${value.place()} ${key}`, ...fault }];
  }));
}

/** Reports a missing column once, not once per cluster. */
function missingValues(clusters: readonly FleetCluster[]): Problem[] {
  return groups(clusters, ({ _reader: { missing } }) => missing, ({ profile }) => profile).map(({ key, clusters: those }) => {
    const [first] = those;
    const meant = nearestName(key, [...first._listed.keys()].filter((given) => !isFixed(given) && !first._reader.read.has(given)));
    return {
      rule: MISSING_RULE,
      property: `${first._place()} ${key}`,
      message: `profile "${first.profile}" reads "${key}", which is not set for ${namesText(those)}`,
      fix: meant === undefined ? 'set it for each cluster, for their ring, or in an override' : `did you mean "${key}" instead of "${meant}"?`,
    };
  });
}

const UNUSED_RULE: Rule = {
  id: 'TC-FLEET-UNUSED',
  title: 'A profile must read each value of a cluster, a ring or an override.',
  warning: true,
};

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
      rule: UNUSED_RULE,
      property: `${first._listed.get(key)!.place()} ${key}`,
      message: `${reader} the value, which is set for ${namesText(those)}`,
      ...unusedFix(key, [...byProfile.get(first.profile)!, ...FIXED_KEYS]),
    };
  });
  return [...own, ...shared.flatMap((values) => unusedShared(values))];
}

function unusedShared({ place, values, clusters }: SharedValues): Problem[] {
  if (clusters.length === 0) return [];
  const read = new Set(clusters.flatMap(({ _reader }) => [..._reader.read]));
  return [...values.keys()].filter((key) => !isFixed(key) && !read.has(key)).map((key) => ({
    rule: UNUSED_RULE,
    property: `${place} ${key}`,
    message: `no profile of ${namesText(clusters)} reads the value`,
    ...unusedFix(key, read),
  }));
}

function unusedFix(key: string, read: Iterable<string>): Pick<Problem, 'fix'> {
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
