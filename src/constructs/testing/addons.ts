import { partName } from './cluster-state';
import { mismatchLine } from './failure';
import { Addon, Cluster } from '../../manifests/landscape/cluster-model';

/** The addon of a cluster with a name; otherwise one with a chart of that name. */
export function findAddon(cluster: Cluster, name: string): Addon | undefined {
  const { addons } = cluster;
  return addons.find((addon) => partName(addon.name, cluster) === name) ?? addons.find((addon) => addon.name === name || addon.chart === name);
}

/** What is not as expected, a line each. */
export function addonFailure(
  { version, targetNamespace }: Addon, expected: { readonly version?: string; readonly namespace?: string },
): string[] {
  const lines: string[] = [];
  if (expected.version !== undefined && (version === undefined || plain(version) !== plain(expected.version))) {
    lines.push(mismatchLine({ what: 'version', expected: expected.version, found: version ?? 'none' }));
  }
  if (expected.namespace !== undefined && expected.namespace !== targetNamespace) {
    lines.push(mismatchLine({ what: 'namespace', expected: expected.namespace, found: targetNamespace ?? 'none' }));
  }
  return lines;
}

function plain(version: string): string {
  return version.replace(/^v(?=\d)/, '');
}
