import { DrawnCluster } from './chosen-pictures';
import { Names } from './picture';
import { compareTexts } from '../../manifests/landscape/place';
import { parseSemanticVersion } from '../../manifests/values/semantic-version';

/** Names of labels that fleets are grouped by, the first ones before the others. */
const GROUPING_NAMES: readonly string[] = ['ring', 'stage', 'environment', 'env', 'tier', 'region'];

/** Clusters of one version, and of one value of the label. */
export interface FleetGroup {
  /** Letters, digits and `-`; no other element of the page has it. */
  readonly id: string;

  /** The version and the value. */
  readonly title: string;
  readonly version: string;

  /** The value of the label; undefined where clusters are grouped by their versions alone. */
  readonly value?: string;
  readonly clusters: readonly DrawnCluster[];
}

/** Clusters in a matrix of versions and values of a label. */
export interface Grouping {
  /** The name of the label without its prefix; undefined where clusters are grouped by their versions alone. */
  readonly label?: string;

  /** The newest first. */
  readonly versions: readonly string[];
  readonly values: readonly string[];

  /** Those with clusters, row by row. */
  readonly groups: readonly FleetGroup[];
}

/**
 * Groups clusters by version and label.
 *
 * @param label key of the label; by default the first one that is known as one that fleets are grouped by
 */
export function groupClusters(clusters: readonly DrawnCluster[], label: string | undefined = groupingLabel(clusters)): Grouping {
  const name = label === undefined ? undefined : nameOfKey(label);
  const versionOf = ({ cluster }: DrawnCluster) => cluster.version ?? 'no version';
  const none = `no ${name}`;
  const valueOf = ({ cluster }: DrawnCluster) => (label === undefined ? undefined : cluster.labels.get(label) ?? none);
  const titleOf = (version: string, value: string | undefined) => (
    value === undefined ? version : `${version}, ${value === none ? '' : `${name} `}${value}`);
  const names = new Names();
  const groups = new Map<string, FleetGroup & { readonly clusters: DrawnCluster[] }>();
  for (const one of clusters) {
    const [version, value] = [versionOf(one), valueOf(one)];
    const key = JSON.stringify([version, value]);
    const same = groups.get(key);
    if (same) same.clusters.push(one);
    // Two hyphens are in no id of a picture.
    else groups.set(key, { id: `group--${names.of(`${version} ${value ?? ''}`)}`, title: titleOf(version, value), version, value, clusters: [one] });
  }
  const sorted = [...groups.values()].sort((one, other) => compareVersions(one.version, other.version) || compareTexts(one.value ?? '', other.value ?? ''));
  return {
    label: name,
    versions: [...new Set(sorted.map(({ version }) => version))],
    values: [...new Set(sorted.flatMap(({ value }) => value ?? []))].sort(compareTexts),
    groups: sorted,
  };
}

function groupingLabel(clusters: readonly DrawnCluster[]): string | undefined {
  const keys = [...new Set(clusters.flatMap(({ cluster }) => [...cluster.labels.keys()]))].sort(compareTexts);
  return GROUPING_NAMES.map((name) => keys.find((key) => nameOfKey(key) === name)).find((key) => key !== undefined);
}

function nameOfKey(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** The newest version first, what is no version last. */
function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map(parseSemanticVersion);
  if (!first || !second) return Number(!first) - Number(!second) || compareTexts(one, other);
  return second.major - first.major || second.minor - first.minor || second.patch - first.patch
    // A release is newer than what came before it.
    || Number(first.suffix !== '') - Number(second.suffix !== '') || compareTexts(second.suffix, first.suffix);
}
