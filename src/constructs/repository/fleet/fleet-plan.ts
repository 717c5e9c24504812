import { IClusterProfile } from './cluster-profile';
import { readFixedValues } from './fixed-values';
import { FleetCluster, FleetClusterFacts } from './fleet-cluster';
import { FleetProps } from './fleet-props';
import { checkRings } from './fleet-ring';
import { checkOverrides, isSelected } from './fleet-selector';
import { isFixed, ListedCluster, ListedValues } from './listed-cluster';
import { flatValues, FlatValues } from './nested-values';
import { PlannedCluster } from './planned-cluster';
import { FLEET_RULES } from './rules';
import { ValueReader } from './value-reader';
import { checkLabelKey } from '../../../manifests/values/labels';
import { Problem } from '../../../manifests/values/problem';
import { checkedStruct } from '../../app/arguments/checked-exports';
import { checkVersions } from '../../tenant/cluster-checks';
import { resolveContext } from '../../tenant/resolve-context';
import { TenantClusterProps } from '../../tenant/tenant-cluster-props';

/** Values that several clusters share: those of a ring or of an override. */
export interface SharedValues {
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
    const { freeze, versions: ofRing = this.props.versions } = rings.find(({ name }) => name === cluster.ring) ?? {};
    // One that the package does not carry is reported where it is said.
    const [versions, own] = [ofRing, cluster.versions].map((given) => (checkVersions(given).length === 0 ? given : undefined));
    // JavaScript lets it return nothing.
    const options = profile.props(cluster) ?? {};
    const labels = {
      ...options.labels,
      ...(regionLabel !== undefined && cluster.region !== undefined && { [regionLabel]: cluster.region }),
      ...(ringLabel !== undefined && cluster.ring !== undefined && { [ringLabel]: cluster.ring }),
      ...cluster.labels,
    };
    return checkedStruct('TenantClusterProps', {
      ...(freeze !== undefined && { freeze }),
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
    rule: FLEET_RULES.value, property: `${place} ${key}`, message: `"${key}" is only read from the list`, fix: 'set it in the list',
  }));
}

interface Entry {
  readonly listed: ListedCluster;
  readonly facts: FleetClusterFacts;
  readonly sound: boolean;
}

function withoutRepeated(entries: readonly Entry[]): { readonly first: Entry[]; readonly repeated: Problem[] } {
  const byName = new Map<string, Entry>();
  const repeated: Problem[] = [];
  for (const entry of entries) {
    const { facts: { name, namespace }, listed } = entry;
    const key = `${namespace}/${name}`;
    const other = byName.get(key);
    if (other) {
      repeated.push({
        rule: FLEET_RULES.taken,
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
  return message === undefined ? [] : [{ rule: FLEET_RULES.label, property, message, fix: 'write the key of a label, such as "example.com/region"' }];
}

/** The problems of all entries, where those that every entry has, such as a column that is missing, are told of the first one. */
function onceForAll(problems: readonly (readonly Problem[])[]): Problem[] {
  const textOf = ({ rule, message, fix }: Problem) => JSON.stringify([rule.id, message, fix]);
  const [first = [], ...others] = problems;
  const common = new Set(first.map(textOf).filter((text) => others.every((those) => those.some((problem) => textOf(problem) === text))));
  const told = others.length === 0 ? first : first.map((problem) => (
    common.has(textOf(problem)) ? { ...problem, message: `${problem.message}; the same holds for all ${problems.length} clusters of the list` } : problem));
  return [...told, ...others.flat().filter((problem) => !common.has(textOf(problem)))];
}
