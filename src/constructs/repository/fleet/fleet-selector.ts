import { FleetCluster } from './fleet-cluster';
import { nearestName } from '../../../manifests/values/nearest-name';
import { Problem, Rule } from '../../../manifests/values/problem';

/** Selects the clusters of a fleet that match all given fields. */
export interface FleetSelector {
  /**
   * Names of clusters: `acme`, or with the namespace `tenant-acme/acme`.
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
   * Labels in the list. A cluster must have all of them.
   *
   * @default - all
   */
  readonly labels?: { [key: string]: string };
}

/** Values for the selected clusters of a fleet. */
export interface FleetOverride extends FleetSelector {
  /**
   * Values for profiles, by key. Values of the cluster itself win. If several overrides set the same key for a cluster, the last one wins.
   */
  readonly values: { [key: string]: any };
}

/** The fields of a cluster that a selector matches. */
export type SelectableCluster = Pick<FleetCluster, 'name' | 'namespace' | 'profile' | 'ring' | 'region' | 'labels'>;

/** True if a selector matches the cluster. */
export function isSelected({ clusters, profiles, rings, regions, labels = {} }: FleetSelector, cluster: SelectableCluster): boolean {
  const { name, namespace, profile, ring, region } = cluster;
  return (clusters === undefined || clusters.includes(name) || clusters.includes(`${namespace}/${name}`))
    && (profiles === undefined || profiles.includes(profile))
    && (rings === undefined || (ring !== undefined && rings.includes(ring)))
    && (regions === undefined || (region !== undefined && regions.includes(region)))
    && Object.entries(labels).every(([key, value]) => cluster.labels[key] === value);
}

const IDLE_RULE: Rule = {
  id: 'TC-FLEET-OVERRIDE-IDLE',
  title: 'An override must select at least one cluster.',
  warning: true,
};

/** Checks that overrides name existing profiles and rings, and that each selects a cluster. */
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
    return [{ rule: IDLE_RULE, property, message: 'the override selects no cluster', fix: 'correct the selector, or remove the override' }];
  });
}

const SELECTOR_RULE: Rule = {
  id: 'TC-FLEET-OVERRIDE',
  title: 'The profiles and rings of an override must exist.',
};

function checkNames(property: string, what: string, names: readonly string[] = [], known: readonly string[]): Problem[] {
  return names.flatMap((name, index) => (known.includes(name) ? [] : [{
    rule: SELECTOR_RULE, property: `${property}[${index}]`, ...unknownName(what, name, known),
  }]));
}

/** The finding for an unknown name. */
export function unknownName(what: string, name: string, known: readonly string[]): Pick<Problem, 'message' | 'accepted' | 'fix'> {
  const nearest = nearestName(name, known);
  return {
    message: `the ${what} "${name}" does not exist`,
    ...(known.length > 0 && { accepted: known.map((one) => `"${one}"`).join(', ') }),
    fix: nearest === undefined ? `write the name of a ${what}, or add it` : `did you mean "${nearest}"?`,
  };
}
