import { FleetCluster } from './fleet-cluster';
import { FLEET_RULES } from './rules';
import { nearestName } from '../kubernetes/nearest-name';
import { Problem } from '../validation/problem';

/** Some clusters of a fleet: those that everything fits which is said. */
export interface FleetSelector {
  /**
   * Names of clusters, `acme`, or with their namespace, `tenant-acme/acme`.
   *
   * @default - all
   */
  readonly clusters?: string[];

  /**
   * Names of profiles.
   *
   * @default - all
   */
  readonly profiles?: string[];

  /**
   * Names of rings.
   *
   * @default - all
   */
  readonly rings?: string[];

  /**
   * Names of regions.
   *
   * @default - all
   */
  readonly regions?: string[];

  /**
   * Labels of the list that the cluster has, all of them.
   *
   * @default - any or none
   */
  readonly labels?: { [key: string]: string };
}

/** What some clusters of a fleet say differently. */
export interface FleetOverride extends FleetSelector {
  /**
   * What profiles read of these clusters, by key, unless the cluster itself says otherwise. Of several overrides for a cluster that say the
   * same key, the last one holds.
   */
  readonly values: { [key: string]: any };
}

/** What a selector can look at before anybody reads a value of the cluster. */
export type SelectableCluster = Pick<FleetCluster, 'name' | 'namespace' | 'profile' | 'ring' | 'region' | 'labels'>;

/** Whether a cluster is one of those that a selector means. */
export function isSelected({ clusters, profiles, rings, regions, labels = {} }: FleetSelector, cluster: SelectableCluster): boolean {
  const { name, namespace, profile, ring, region } = cluster;
  return (clusters === undefined || clusters.includes(name) || clusters.includes(`${namespace}/${name}`))
    && (profiles === undefined || profiles.includes(profile))
    && (rings === undefined || (ring !== undefined && rings.includes(ring)))
    && (regions === undefined || (region !== undefined && regions.includes(region)))
    && Object.entries(labels).every(([key, value]) => cluster.labels[key] === value);
}

/** Checks that overrides name what there is, and that each is for somebody. */
export function checkOverrides(
  overrides: readonly FleetOverride[], profiles: readonly string[], rings: readonly string[], clusters: readonly SelectableCluster[],
): Problem[] {
  return overrides.flatMap((override, index): Problem[] => {
    const property = `overrides[${index}]`;
    const unknown = [
      ...checkNames(`${property}.profiles`, 'profile', override.profiles, profiles),
      ...checkNames(`${property}.rings`, 'ring', override.rings, rings),
    ];
    if (unknown.length > 0 || clusters.length === 0 || clusters.some((cluster) => isSelected(override, cluster))) return unknown;
    return [{ rule: FLEET_RULES.idle, property, message: 'no cluster is meant by it', fix: 'correct what it says of clusters, or remove it' }];
  });
}

function checkNames(property: string, what: string, names: readonly string[] = [], known: readonly string[]): Problem[] {
  return names.flatMap((name, index) => (known.includes(name) ? [] : [{
    rule: FLEET_RULES.selector, property: `${property}[${index}]`, ...unknownName(what, name, known),
  }]));
}

/** What is said of a name that nothing has. */
export function unknownName(what: string, name: string, known: readonly string[]): Pick<Problem, 'message' | 'accepted' | 'fix'> {
  const nearest = nearestName(name, known);
  return {
    message: `there is no ${what} "${name}"`,
    ...(known.length > 0 && { accepted: known.map((one) => `"${one}"`).join(', ') }),
    fix: nearest === undefined ? `write the name of a ${what}, or add it` : `did you mean "${nearest}"?`,
  };
}
