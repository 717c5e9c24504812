import { partName } from './cluster-state';
import { mismatchLine } from './failure';
import { Cluster } from '../../manifests/landscape/cluster-model';
import { parseSemanticVersion } from '../../manifests/values/semantic-version';

/** The version of a part of a cluster. */
export interface PartVersion {
  readonly part: string;
  readonly version?: string;
}

/** The versions of the control plane and of each pool. */
export function versionsOf(cluster: Cluster): PartVersion[] {
  const pools = cluster.pools.map(({ name, version }) => ({ part: `pool ${partName(name, cluster)}`, version }));
  return [{ part: 'control plane', version: cluster.version }, ...pools];
}

/** True if a version is the expected release, or one of the expected minor version. */
export function isVersion(found: string, expected: string): boolean {
  const [one, other] = [found, expected].map((version) => version.replace(/^v/, ''));
  return one === other || (/^\d+\.\d+$/.test(other) && one.startsWith(`${other}.`));
}

/** What rises by more than a minor version, or falls to an earlier one, a line each. */
export function upgradeFaults(former: Cluster, cluster: Cluster): string[] {
  const before = new Map(versionsOf(former).map(({ part, version }) => [part, version]));
  return versionsOf(cluster).flatMap(({ part, version: now }) => {
    const old = before.get(part);
    const [from, to] = [old, now].map((version) => parseSemanticVersion(version ?? ''));
    if (!from || !to || (from.major === to.major && (to.minor === from.minor || to.minor === from.minor + 1))) return [];
    return [mismatchLine({ what: part, expected: `${from.major}.${from.minor} or ${from.major}.${from.minor + 1}`, found: `${now}, formerly ${old}` })];
  });
}
